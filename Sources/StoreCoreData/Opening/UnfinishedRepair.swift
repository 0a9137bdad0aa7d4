import StoreJSON
import StoreSQLite

/// Finds what a repair in place, or an undo, left beside a store when it was ended: a journal that says that the change was
/// prepared, or the beginning of one.
package enum UnfinishedRepair {
  /// The name of the file in a journal that says how far the work has come.
  private static let document = Array("journal.json".utf8)

  /// What was left beside a store's main file, whose path must be free of links: of each the newest, by the time in its name.
  ///
  /// - Returns: the journal of a repair that stopped before its end, which may be a link to one that lies elsewhere; and a
  ///   folder that was to become one, and was left before anything was changed.
  package static func left(beside main: PosixPath) -> (journal: PosixPath?, abandoned: PosixPath?) {
    let prefix = main.name + Array(".storedoctor-".utf8)
    let parent = main.sibling(named: [])
    let listing = FolderListing(parent.bytes.isEmpty ? PosixPath(".") : parent)
    let folders = (listing?.names(beginningWith: prefix) ?? []).reversed().map { main.sibling(named: $0) }
    return (folders.first(where: isUnfinished), folders.first(where: isAbandoned))
  }

  private static func isUnfinished(_ folder: PosixPath) -> Bool {
    let path = folder.appending(component: document)
    guard FileSystem.kind(of: path, followingLinks: false) == .file else {
      // A link whose journal is on a volume that is not there.
      return FileSystem.kind(of: folder, followingLinks: false) == .link && FileSystem.kind(of: folder) == nil
    }
    guard let file = try? EvidenceFile(path), file.size <= JSONValue.Limits().bytes,
      let bytes = try? file.read(at: 0, count: Int(clamping: file.size)),
      case .object(let members)? = try? JSONValue(bytes)
    else { return false }
    return members["state"] == .string("prepared")
  }

  /// Whether a folder holds the beginning of a journal and nothing else: a change begins only when its document is there.
  package static func isAbandoned(_ folder: PosixPath) -> Bool {
    guard FileSystem.kind(of: folder, followingLinks: false) == .folder, let names = FileSystem.names(in: folder) else {
      return false
    }
    let beginnings = ["main", "wal", "journal", "journal.json.new"].map { Array($0.utf8) }
    return names.allSatisfy(beginnings.contains)
  }
}
