import StoreJSON
import StoreSQLite

/// Finds a repair in place that stopped before its end: its journal lies beside the store and says that it was prepared.
enum UnfinishedRepair {
  /// The name of the file in a journal that says how far the work has come.
  private static let document = Array("journal.json".utf8)

  /// The newest such journal beside a store's main file, whose path must be free of links; nil where there is none.
  static func journal(beside main: PosixPath) -> PosixPath? {
    let prefix = main.name + Array(".storedoctor-".utf8)
    let parent = main.sibling(named: [])
    let listing = FolderListing(parent.bytes.isEmpty ? PosixPath(".") : parent)
    return (listing?.names(beginningWith: prefix) ?? []).reversed().lazy.map { main.sibling(named: $0) }.first {
      folder in
      let path = folder.appending(component: document)
      guard FileSystem.kind(of: path, followingLinks: false) == .file, let file = try? EvidenceFile(path),
        file.size <= JSONValue.Limits().bytes, let bytes = try? file.read(at: 0, count: Int(clamping: file.size)),
        case .object(let members)? = try? JSONValue(bytes), members["state"] == .string("prepared")
      else { return false }
      return true
    }
  }
}
