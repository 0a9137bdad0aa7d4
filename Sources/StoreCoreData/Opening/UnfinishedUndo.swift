import StoreSQLite

/// Detects an interrupted undo of a store's files.
///
/// An undo writes its own journal to a folder beside the store, `NAME.storedoctor-...`, wherever the journal being
/// undone is. While it runs, that folder has a file `undoing` with the path of the journal being undone. If the undo
/// was interrupted, the store may be half old and half new until a second undo has finished.
package enum UnfinishedUndo {
  /// The name of the file that marks a running undo.
  package static let markName = Array("undoing".utf8)

  /// A mark that was found.
  package struct Mark: Equatable, Sendable {
    /// The folder it is in.
    package var folder: PosixPath
    /// The journal that was being undone.
    package var journal: PosixPath
  }

  /// The marks beside a store's main file, whose path must be free of links.
  package static func marks(beside main: PosixPath) -> [Mark] {
    let prefix = main.name + Array(".storedoctor-".utf8)
    let parent = main.sibling(named: [])
    let listing = FolderListing(parent.bytes.isEmpty ? PosixPath(".") : parent)
    return (listing?.names(beginningWith: prefix) ?? []).compactMap { name in
      let folder = main.sibling(named: name)
      let path = folder.appending(component: markName)
      guard FileSystem.kind(of: path, followingLinks: false) == .file, let file = try? EvidenceFile(path),
        let bytes = try? file.read(at: 0, count: 4096)
      else { return nil }
      return Mark(folder: folder, journal: PosixPath(bytes: bytes))
    }
  }
}
