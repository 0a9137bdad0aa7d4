import StoreCoreData
import StoreSQLite
import StoreWords

// A row that was not found is missing only where the table shows all its rows. Three kinds of damage hide some from a read
// that comes to its end:
//
//   damaged pages         `quick_check` of that table says so
//   another table's page  it has rows of entities that do not belong there, whose own page is in two trees
//   a lost page, or key   an index of the table still lists the row
//
// Only tables that something was missed in are looked at: a whole check takes as long as reading all tables does.

extension Scan {
  /// Tables that may have rows which the read did not show, each with the reason.
  ///
  /// - Parameters:
  ///   - missed: tables in which rows were not found.
  ///   - orOthers: whether rows were not found in others too; their indexes are not looked at.
  /// - Throws: `SQLiteError` when reading was ended.
  package func tablesHidingRows(among missed: Set<String>, orOthers: Bool) throws -> [String: String] {
    let names = missed.sorted(by: codeUnitsPrecede)
    var reasons: [String: String] = [:]
    // Indexes that were held against their tables list no other rows.
    if !indexesAreKnownToAgree {
      for name in names where try store.listsRowsOnlyInAnIndex(name) {
        reasons[name] = "an index of it lists rows that the table does not have (SD103)"
      }
    }
    for name in try damagedTables(among: orOthers ? nil : names) {
      reasons[name] = "SQLite finds damaged pages in it (SD102)"
    }
    return reasons
  }

  private func damagedTables(among names: [String]?) throws -> Set<String> {
    guard !hasLookedAtPages, let names, !names.contains(where: hasRowsOfOtherTables),
      try names.allSatisfy({ try store.hasSoundPages($0) })
    else { return try tablesWithDamagedPages() }
    return []
  }

  private func hasRowsOfOtherTables(_ name: String) -> Bool {
    tables[name]?.groups.contains { entity, _ in entity.map { map.entity($0)?.table != name } ?? false } ?? false
  }
}

extension Store {
  /// Whether an index of a table lists a row that the table, read from end to end, does not have. An index that cannot be
  /// read (SD103) tells nothing.
  fileprivate func listsRowsOnlyInAnIndex(_ table: String) throws(SQLiteError) -> Bool {
    let indexes = try connection.indexes(of: table).filter { !$0.isPartial }
    guard shape.tables[table] != nil, !indexes.isEmpty, let rows = try connection.rowIDs(of: table, "NOT INDEXED")
    else {
      return false
    }
    for index in indexes {
      guard let listed = try connection.rowIDs(of: table, "INDEXED BY \(quotedIdentifier(index.name))") else {
        continue
      }
      if !listed.subtracting(rows).isEmpty { return true }
    }
    return false
  }
}

extension Connection {
  /// The rows of a table, read in one way; nil where they cannot be.
  fileprivate func rowIDs(of table: String, _ way: String) throws(SQLiteError) -> KeySet? {
    var keys = KeySet.Builder()
    do {
      let rows = try prepare("SELECT rowid FROM \(quotedIdentifier(table)) \(way)")
      while try rows.step() { keys.insert(rows.int64(0)) }
    } catch {
      if error.endsReading { throw error }
      return nil
    }
    return keys.finished()
  }
}
