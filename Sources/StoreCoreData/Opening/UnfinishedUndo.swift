import StoreSQLite

/// The mark of an undo that puts back a store's files and has not finished.
///
/// An undo keeps a journal of its own in a folder beside the store, `NAME.storedoctor-...`, wherever the journal that is
/// undone lies. As long as it works there is a file `undoing` in it that holds the path of the journal that is undone.
/// Until a second undo has finished the work the store may be half the old one and half the new.
package enum UnfinishedUndo {
  /// The name of the file that is the mark.
  package static let markName = Array("undoing".utf8)

  /// Where a mark was found.
  package struct Mark: Equatable, Sendable {
    /// The folder it lies in.
    package var folder: PosixPath
    /// The journal that was being undone.
    package var journal: PosixPath
  }

  /// The marks beside a store's main file, its links resolved.
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
