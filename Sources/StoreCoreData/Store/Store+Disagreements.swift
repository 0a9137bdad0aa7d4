import SQLitePages
import StoreSQLite

extension Store {
  /// Tells that a key of a table was not above the one before it.
  package func noteDisorder(of table: String) {
    pageWatcher?.note(disagreement: "does not have its keys in order", of: table)
  }

  /// Tells that a read of a table met what SQLite takes for damage, of which its check may say nothing: a leaf without rows.
  package func noteUnreadable(_ table: String) {
    pageWatcher?.note(disagreement: "cannot be read whole", of: table)
  }

  /// Tells that a row was met in a read of the whole table whose key, looked for by itself, leads to nothing.
  package func noteLostKey(of table: String) {
    pageWatcher?.note(disagreement: "has rows to which its pages do not lead by their keys", of: table)
  }

  /// Tells that the first row of a table has a key that Core Data gives to none: it counts from 1.
  package func noteKeyOfNone(_ key: Int64, of table: String) {
    pageWatcher?.note(disagreement: "has a row with the key \(key), which Core Data gives to none", of: table)
  }

  /// Compares the rows that a read of a whole table has met with the entries of an index of it, which are counted by the
  /// headers of its pages. A page that no tree leads to any more is seen by that alone.
  ///
  /// - Parameter looksForLost: whether to look for pages that nothing leads to where no index tells, and keys were handed out
  ///   that the table does not show.
  package func compareRows(_ rows: Int64, of table: String, looksForLost: Bool = false) {
    guard let pageWatcher else { return }
    if let entries = indexEntries?.count(of: table, connection) {
      guard entries != rows else { return }
      pageWatcher.note(
        disagreement: "has \(rows) \(rows == 1 ? "row" : "rows") and an index of it \(entries)", of: table)
    } else if looksForLost, rows < keysHandedOut(in: table) ?? 0, lostRows?.tables.contains(table) == true {
      pageWatcher.note(disagreement: "has rows on pages that nothing leads to", of: table)
    }
  }

  private func keysHandedOut(in table: String) -> Int64? {
    guard let entity = layout.entities.first(where: { $0.table == table }) else { return nil }
    return entityMap[entityMap.root(of: entity.id)]?.keysHandedOut
  }
}

extension Store {
  /// Compares keys that one of two stores shows and the other does not with what the table's first index without a condition
  /// lists: where it has others, a key of the table may be a damaged one, or a row hidden.
  ///
  /// - Parameters:
  ///   - shown: whether a key is one that the table shows, and the other store does not.
  ///   - hidden: whether a key is one that the other store shows of this entity, and the table does not.
  ///   - count: how many keys are shown.
  package func compareKeys(
    of table: String, shown: (Int64) -> Bool, hidden: (Int64) -> Bool, count: Int
  ) {
    guard let pageWatcher, let index = (try? connection.indexes(of: table))?.first(where: { !$0.isPartial }),
      let entries = try? connection.prepare(
        "SELECT rowid FROM \(quotedIdentifier(table)) INDEXED BY \(quotedIdentifier(index.name))")
    else { return }
    var found = 0
    var listsHidden = false
    do {
      let row = try connection.prepare("SELECT 1 FROM \(quotedIdentifier(table)) NOT INDEXED WHERE Z_PK = ?")
      while !listsHidden, try entries.step() {
        let key = entries.int64(0)
        if shown(key) { found += 1 }
        guard hidden(key) else { continue }
        // The table may have it as an object of another entity.
        row.reset()
        try row.bind(key, at: 1)
        listsHidden = try !row.step()
      }
    } catch {
      // What an index that cannot be read would tell is not known; that the table's rows are there it does not deny.
      return
    }
    guard listsHidden || found < count else { return }
    pageWatcher.note(disagreement: "has rows with other keys than its index \(index.name)", of: table)
  }
}

/// Counts the entries of indexes, past SQLite.
final class IndexEntries {
  private let view: PageView
  private var roots: [String: UInt32] = [:]
  /// By table.
  private var counts: [String: Int64?] = [:]

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
    if let known = counts[table] { return known }
    let count = read(table, connection)
    counts[table] = .some(count)
    return count
  }

  private func read(_ table: String, _ connection: Connection) -> Int64? {
    guard let index = (try? connection.indexes(of: table))?.first(where: { !$0.isPartial }),
      let root = roots[index.name]
    else { return nil }
    return try? view.entryCount(ofIndexAt: root)
  }
}

/// The tables whose rows lie on pages that nothing leads to, by the number of the entity in the first row of each page.
final class LostRows {
  let tables: Set<String>

  private static let mostPages = 1_000

  /// Of a store; nil where its pages cannot be told.
  init?(_ store: Store) {
    guard let pages = try? PageFiles(store.files, usesWAL: store.connection.readsWAL),
      let schema = try? store.connection.schema()
    else { return nil }
    let view = PageView(pages, commit: store.asOf?.commit)
    let roots = [1] + schema.compactMap { UInt32(exactly: $0.rootPage) }.filter { $0 > 0 }
    guard let leaves = try? view.lostLeaves(besides: roots, limit: Self.mostPages) else { return nil }
    var tables: Set<String> = []
    for leaf in leaves {
      guard let number = Self.entity(of: leaf, geometry: pages.geometry) else { continue }
      if let entity = store.layout.entities.first(where: { $0.id.number == number }) { tables.insert(entity.table) }
    }
    self.tables = tables
  }

  /// What the first row has in `Z_ENT`, which Core Data puts behind the key.
  private static func entity(of leaf: [UInt8], geometry: PageGeometry) -> Int64? {
    leaf.withUnsafeBytes { page in
      guard let header = BTreePage(page, isFirst: false, usableSize: geometry.usableSize),
        let start = header.firstPayload(in: page, geometry: geometry)
      else { return nil }
      var record = Record()
      guard record.read(page, at: start), record.count > 1 else { return nil }
      return record.integer(1, in: page, at: start)
    }
  }
}
