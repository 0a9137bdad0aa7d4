import StoreSQLite

/// A change that no changeset contains, with old and new state, so that it can be undone and repeated.
package enum JournalEntry: Equatable, Sendable {
  /// Rows deleted and rows inserted, in a table without primary key or with NULL in their key.
  case rows(table: String, columns: [String], removed: [[SQLiteValue]], added: [[SQLiteValue]])
  /// An index's statement before and after; nil where there was none.
  case index(name: String, before: String?, after: String?)
  /// A file of the store's `_EXTERNAL_DATA` that is moved into the journal's folder, or back.
  case externalFile(name: [UInt8], isMovedAside: Bool)
  /// The file is written anew without its free pages, after the commit. No row and no text of the schema changes.
  case compacted

  /// The change that undoes this one.
  package var inverted: JournalEntry {
    switch self {
    case .rows(let table, let columns, let removed, let added):
      .rows(table: table, columns: columns, removed: added, added: removed)
    case .index(let name, let before, let after): .index(name: name, before: after, after: before)
    case .externalFile(let name, let isMovedAside): .externalFile(name: name, isMovedAside: !isMovedAside)
    case .compacted: .compacted
    }
  }
}

extension JournalEntry {
  /// Makes the change, with triggers off. External files are moved elsewhere, after the commit.
  ///
  /// - Throws: `ChangesetError` when the store is not as it was before this change, and `SQLiteError`.
  func apply(to connection: Connection) throws {
    switch self {
    case .rows(let table, let columns, let removed, let added):
      try requireColumns(columns, of: table, on: connection)
      try connection.withoutTriggers {
        try connection.allowingWrites(to: [table]) {
          for row in removed { try delete(row, columns: columns, from: table, on: connection) }
          for row in added { try insert(row, columns: columns, into: table, on: connection) }
        }
      }
    case .index(let name, let before, let after):
      try connection.allowingIndexChanges {
        try replaceIndex(name, before: before, after: after, connection: connection)
      }
    case .externalFile, .compacted: break
    }
  }

  private func requireColumns(_ columns: [String], of table: String, on connection: Connection) throws {
    guard try !columns.isEmpty && connection.columns(of: table).map(\.name) == columns else {
      throw ChangesetError.otherTable(name: table)
    }
  }

  private func delete(_ row: [SQLiteValue], columns: [String], from table: String, on connection: Connection) throws {
    let statement = try connection.prepare(Self.deletion(columns, from: table))
    for (index, value) in row.enumerated() {
      try statement.bind(value, at: 2 * index + 1)
      try statement.bind(value.typeName, at: 2 * index + 2)
    }
    _ = try statement.step()
    guard row.count == columns.count, connection.changes == 1 else { throw ChangesetError.conflict(table: table) }
  }

  private func insert(_ row: [SQLiteValue], columns: [String], into table: String, on connection: Connection) throws {
    guard row.count == columns.count else { throw ChangesetError.conflict(table: table) }
    let statement = try connection.prepare(Self.insertion(columns, into: table))
    for (index, value) in row.enumerated() { try statement.bind(value, at: index + 1) }
    _ = try statement.step()
  }

  /// Why this change could not be undone later; nil where it could.
  func obstacle(on connection: Connection) -> String? {
    guard case .rows(let table, let columns, _, _) = self else { return nil }
    do {
      try requireColumns(columns, of: table, on: connection)
      try connection.allowingWrites(to: [table]) {
        for sql in [Self.deletion(columns, from: table), Self.insertion(columns, into: table)] {
          _ = try connection.prepare(sql)
        }
      }
      return nil
    } catch {
      return (error as? SQLiteError)?.message ?? "its columns are not those that were recorded"
    }
  }

  private static func deletion(_ columns: [String], from table: String) -> String {
    let same = columns.map { "(\(quotedIdentifier($0)) IS ? AND typeof(\(quotedIdentifier($0))) IS ?)" }
    let name = quotedIdentifier(table)
    return "DELETE FROM \(name) WHERE rowid IN (SELECT rowid FROM \(name) WHERE \(all(same[...])) LIMIT 1)"
  }

  /// All conditions, as a tree: SQLite limits how deep an expression is.
  private static func all(_ conditions: ArraySlice<String>) -> String {
    guard conditions.count > 2 else { return conditions.joined(separator: " AND ") }
    let middle = conditions.startIndex + conditions.count / 2
    return "(\(all(conditions[..<middle]))) AND (\(all(conditions[middle...])))"
  }

  private static func insertion(_ columns: [String], into table: String) -> String {
    let names = columns.map(quotedIdentifier).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(quotedIdentifier(table)) (\(names)) VALUES (\(marks))"
  }

  private func replaceIndex(_ name: String, before: String?, after: String?, connection: Connection) throws {
    let index = try connection.schema().first { $0.type == .index && $0.name == name }
    guard index?.sql == before, index == nil || before != nil else {
      throw ChangesetError.conflict(table: index?.tableName ?? name)
    }
    if before != nil { try connection.execute("DROP INDEX \(quotedIdentifier(name))") }
    guard let after else { return }
    // A single statement, and only one that creates an index gets past the authorizer.
    _ = try connection.prepare(after).step()
    let isMade = try connection.schema().contains { $0.type == .index && $0.name == name && $0.sql == after }
    if !isMade { throw ChangesetError.otherTable(name: name) }
  }
}

extension SQLiteValue {
  /// The result of SQLite's `typeof`.
  fileprivate var typeName: String {
    switch self {
    case .null: "null"
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .blob: "blob"
    }
  }
}
