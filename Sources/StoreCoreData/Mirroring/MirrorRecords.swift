import StoreSQLite

/// What CloudKit's mirroring knows of the objects of a store: one record for each object it has met
/// (`docs/format/cloudkit.md`).
///
/// Objects are looked up by their table and key: it is not known whether a record names an object's own entity or its
/// root, and both have one table.
package struct MirrorRecords: Sendable {
  /// What the mirror believes of an object's record; that it is true of the server nobody can tell from the file.
  package enum State: String, Sendable, CaseIterable {
    /// The server has it.
    case uploaded
    /// The object, or a change of it, is still to be sent.
    case waiting
    /// The record is to be deleted on the server, or the object here.
    case toBeDeleted = "to be deleted"
  }

  /// One record.
  package struct Record: Sendable, Equatable {
    /// `Z_PK` of the object.
    package var key: Int64
    /// The entity it names.
    package var entity: EntityID
    /// `Z_PK` of the record.
    package var row: Int64
    /// Its state.
    package var state: State
  }

  /// The records of each table's objects, by key.
  package private(set) var byTable: [String: [Record]] = [:]
  /// Rows that name an entity which `Z_PRIMARYKEY` does not know.
  package private(set) var strangers: [Int64] = []

  /// The record of an object; the first of several, which only a store that was tampered with has.
  package func record(of key: Int64, in table: String) -> Record? {
    guard let records = byTable[table] else { return nil }
    var (from, to) = (0, records.count)
    while from < to {
      let middle = (from + to) / 2
      if records[middle].key < key { from = middle + 1 } else { to = middle }
    }
    return from < records.count && records[from].key == key ? records[from] : nil
  }

  /// Collects records, in any order.
  package struct Builder {
    private var records = MirrorRecords()
    private let tables: [EntityID: String]

    /// - Parameter layout: that of the store, which says in what table the objects of an entity are.
    package init(_ layout: Layout) {
      tables = Dictionary(layout.entities.map { ($0.id, $0.table) }) { first, _ in first }
    }

    /// Adds a row of `ANSCKRECORDMETADATA`.
    ///
    /// - Parameter value: the kind of a value and what it is as an integer, by the place of its column among
    ///   ``MirrorTable/recordColumns``.
    package mutating func add(_ row: Int64, value: (Int) -> (kind: ValueKind, number: Int64)) {
      let (entity, key) = (value(0), value(1))
      guard entity.kind == .integer, key.kind == .integer else { return }
      guard let table = tables[EntityID(entity.number)] else { return records.strangers.append(row) }
      func isSet(_ place: Int) -> Bool { value(place).number != 0 }
      let state: State =
        if isSet(4) || isSet(5) { .toBeDeleted } else if isSet(3) || value(2).kind == .null { .waiting } else {
          .uploaded
        }
      records.byTable[table, default: []].append(
        Record(key: key.number, entity: EntityID(entity.number), row: row, state: state))
    }

    /// All that were added, by key.
    package func finished() -> MirrorRecords {
      var finished = records
      for table in finished.byTable.keys { finished.byTable[table]?.sort { ($0.key, $0.row) < ($1.key, $1.row) } }
      return finished
    }
  }
}

/// Names of mirroring's tables and columns.
package enum MirrorTable {
  /// The table with one row for each object the mirror knows.
  package static let records = OwnTable.mirroringPrefix + "RECORDMETADATA"
  /// The table with keys and values of the mirror itself.
  package static let entries = OwnTable.mirroringPrefix + "METADATAENTRY"
  /// The key of the token that says how far the mirror has read persistent history.
  package static let tokenKey = "NSCloudKitMirroringDelegateLastHistoryTokenKey"
  /// The table with one row for each setup, import and export.
  package static let events = OwnTable.mirroringPrefix + "EVENT"
  /// The number of an export among its kinds.
  package static let exportEvent = 2
  /// The column with the name of the record on the server.
  package static let recordName = "ZCKRECORDNAME"
  /// The columns that ``MirrorRecords`` are read from.
  package static let recordColumns = [
    "ZENTITYID", "ZENTITYPK", recordName, "ZNEEDSUPLOAD", "ZNEEDSCLOUDDELETE", "ZNEEDSLOCALDELETE",
  ]
  /// How the mirror signs the transactions in which it writes what came from the server.
  package static let importAuthor = "NSCloudKitMirroringDelegate.import"
}

extension Shape {
  /// Whether records can be read; nil where the store is not mirrored, otherwise what is missing.
  package var missingForRecords: String? {
    guard let table = tables[MirrorTable.records] else { return "there is no table \(MirrorTable.records)" }
    // Frameworks may lack the marks of deletions; without the others nothing can be told.
    let needed = MirrorTable.recordColumns.prefix(4).filter { !table.has($0) }
    return needed.isEmpty ? nil : "\(MirrorTable.records) has no column \(needed.joined(separator: ", "))"
  }
}

/// Why CloudKit's tables could not be read.
package struct MirrorError: Error, CustomStringConvertible {
  /// The reason; lower case, no full stop.
  package var description: String
}

extension Store {
  /// What CloudKit's mirroring knows of the objects; nil where the store is not mirrored.
  ///
  /// - Throws: `MirrorError` where a table or column is missing; `SQLiteError` where the table cannot be read to its end.
  package func mirrorRecords() throws -> MirrorRecords? {
    guard isMirrored else { return nil }
    if let missing = shape.missingForRecords { throw MirrorError(description: missing) }
    let table = shape.tables[MirrorTable.records]
    let columns = MirrorTable.recordColumns.map { table?.has($0) == true ? $0 : "NULL" }
    let statement = try connection.prepare(
      "SELECT rowid, \(columns.joined(separator: ", ")) FROM \(MirrorTable.records) NOT INDEXED")
    var builder = MirrorRecords.Builder(layout)
    while try statement.step() {
      builder.add(statement.int64(0)) { (statement.kind($0 + 1), statement.int64($0 + 1)) }
    }
    return builder.finished()
  }
}
