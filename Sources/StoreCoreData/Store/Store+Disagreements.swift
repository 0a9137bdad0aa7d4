import SQLitePages
import StoreSQLite

extension Store {
  /// Tells that a key of a table was not above the one before it.
  package func noteDisorder(of table: String) {
    pageWatcher?.note(disagreement: "does not have its keys in order", of: table)
  }

  /// Compares the rows that a read of a whole table has met with the entries of an index of it, which are counted by the
  /// headers of its pages. A page that no tree leads to any more is seen by that alone.
  package func compareRows(_ rows: Int64, of table: String) {
    guard let pageWatcher, let entries = indexEntries?.count(of: table, connection), entries != rows else { return }
    pageWatcher.note(
      disagreement: "has \(rows) \(rows == 1 ? "row" : "rows") and an index of it \(entries)", of: table)
  }
}

/// Counts the entries of indexes, past SQLite.
final class IndexEntries {
  private let view: PageView
  private var roots: [String: UInt32] = [:]

  /// Of a store; nil where its pages cannot be told.
  init?(_ store: Store) {
    guard let pages = try? PageFiles(store.files, usesWAL: store.connection.readsWAL),
      let schema = try? store.connection.schema()
    else { return nil }
    view = PageView(pages, commit: store.asOf?.commit)
    for object in schema where object.type == .index { roots[object.name] = UInt32(exactly: object.rootPage) }
  }

  /// The entries of an index that has all rows of a table; nil where there is none that is sound.
  func count(of table: String, _ connection: Connection) -> Int64? {
    guard let index = (try? connection.indexes(of: table))?.first(where: { !$0.isPartial }),
      let root = roots[index.name]
    else { return nil }
    return try? view.entryCount(ofIndexAt: root)
  }
}
