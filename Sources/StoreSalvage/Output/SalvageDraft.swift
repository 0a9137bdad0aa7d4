import SQLitePages
import StorePublishing
import StoreSQLite

/// The new database that saved rows are written to.
final class SalvageDraft {
  private let connection: Connection
  private var statements: [String: Statement] = [:]

  /// Creates a file with the properties of the damaged one and opens it.
  ///
  /// - Throws: `SQLiteError`.
  init(creating path: PosixPath, like header: DatabaseHeader) throws {
    connection = try newDatabase(path, like: header)
  }

  /// One like it that is private and vanishes when it was written.
  ///
  /// - Throws: `SQLiteError`.
  init(privateLike header: DatabaseHeader) throws {
    connection = try Connection.scratch(like: header)
  }

  /// Runs `body`, which writes everything, in one transaction without a journal; closes the file after it.
  ///
  /// - Throws: what `body` throws, and `SQLiteError`.
  func write(_ body: (SalvageDraft) throws -> Void) throws {
    try connection.writeWhole {
      try body(self)
      statements = [:]
    }
  }

  /// The same for a private database, which stays open for reading.
  ///
  /// - Throws: what `body` throws, and `SQLiteError`.
  func filled(_ body: (SalvageDraft) throws -> Void) throws -> Connection {
    try connection.transaction { try connection.allowingWholeSchema { try body(self) } }
    statements = [:]
    return connection
  }

  /// Creates one object of the schema; what SQLite says where it refuses.
  func create(_ sql: String) throws -> String? {
    do throws(SQLiteError) {
      let statement = try connection.prepare(sql)
      while try statement.step() {}
      return nil
    } catch {
      guard error.isRefusal || error.isConstraint else { throw error }
      return error.message
    }
  }

  /// Inserts a row with its key as it was; false where the key, or a value that is unique, is taken.
  ///
  /// - Parameters:
  ///   - count: how many values of the record there are; columns behind them get the value that the table gives them.
  ///   - replaces: whether a row of that key gives way.
  func insert(
    _ row: RowReader.Row, into table: SalvageTable, values: Int, encoding: DatabaseHeader.TextEncoding,
    replaces: Bool = false
  ) throws -> Bool {
    let columns = min(values, table.template.columns.count)
    let statement = try insertion(into: table, columns: columns, replaces: replaces)
    statement.reset()
    var parameter = 1
    if table.definition.rowIDColumn == nil {
      try statement.bind(row.key, at: parameter)
      parameter += 1
    }
    for column in 0..<columns {
      if table.template.columns[column].index == table.definition.rowIDColumn {
        try statement.bind(row.key, at: parameter)
      } else {
        try bind(row, column, at: parameter, to: statement, encoding)
      }
      parameter += 1
    }
    while try statement.step() {}
    return connection.changes > 0
  }

  /// Whether a row with a key was inserted into a table.
  func has(_ key: Int64, in table: SalvageTable) throws -> Bool {
    let column = table.template.columns.first { $0.index == table.definition.rowIDColumn }?.name
    let statement = try statement("has \(table.name)") {
      "SELECT 1 FROM \(identifier(table.name)) WHERE \(column.map { identifier($0) } ?? "rowid") = ?"
    }
    statement.reset()
    try statement.bind(key, at: 1)
    defer { statement.reset() }
    return try statement.step()
  }

  /// Finds out whether rows of a table can be inserted at all.
  ///
  /// - Throws: `SQLiteError` where they cannot.
  func checkInsertion(into table: SalvageTable) throws {
    _ = try insertion(into: table, columns: table.template.columns.count, replaces: false)
  }

  private func insertion(into table: SalvageTable, columns: Int, replaces: Bool) throws -> Statement {
    try statement("\(replaces) \(columns) \(table.name)") {
      let named = table.template.columns.prefix(columns).map { identifier($0.name) }
      let key = table.definition.rowIDColumn == nil ? ["rowid"] : []
      let all = key + named
      return
        "INSERT OR \(replaces ? "REPLACE" : "IGNORE") INTO \(identifier(table.name)) (\(all.joined(separator: ", "))) "
        + "VALUES (\(all.map { _ in "?" }.joined(separator: ", ")))"
    }
  }

  private func bind(
    _ row: RowReader.Row, _ column: Int, at parameter: Int, to statement: Statement,
    _ encoding: DatabaseHeader.TextEncoding
  ) throws(SQLiteError) {
    guard column < row.record.count else { return try statement.bindNull(at: parameter) }
    switch row.record.fields[column].type.kind {
    case .null: try statement.bindNull(at: parameter)
    case .integer: try statement.bind(row.record.integer(column, in: row.payload), at: parameter)
    case .real:
      guard case .real(let value)? = row.record.value(column, in: row.payload, encoding: encoding) else {
        return try statement.bindNull(at: parameter)
      }
      try statement.bind(value, at: parameter)
    case .text:
      // What is lost of a torn row is NULL.
      guard let bytes = row.record.bytes(column, in: row.payload) else { return try statement.bindNull(at: parameter) }
      switch encoding {
      case .utf16LittleEndian, .utf16BigEndian: try statement.bind(.text(encoding.utf8(bytes)), at: parameter)
      case .unset, .utf8, .unknown: try statement.bind(textBytes: bytes, at: parameter)
      }
    case .blob:
      guard let bytes = row.record.bytes(column, in: row.payload) else { return try statement.bindNull(at: parameter) }
      try statement.bind(blobBytes: bytes, at: parameter)
    }
  }

  /// Lets triggers that were created write R-trees.
  func learnTriggers() throws { try connection.learnSchema() }

  /// Runs `body` while rows of tables behind an R-tree may be inserted.
  func withShadowTables(_ body: () throws -> Void) throws { try connection.allowingShadowTables(body) }

  /// Runs a statement of our own with these values.
  func run(_ sql: String, _ values: SQLiteValue...) throws {
    let statement = try statement(sql) { sql }
    statement.reset()
    for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
    while try statement.step() {}
  }

  /// The first column of each row of a query.
  func column(_ sql: String) throws -> [SQLiteValue] {
    let statement = try connection.prepare(sql)
    var values: [SQLiteValue] = []
    while try statement.step() { values.append(statement.value(0)) }
    return values
  }

  private func statement(_ key: String, _ sql: () -> String) throws -> Statement {
    if let known = statements[key] { return known }
    let made = try connection.prepare(sql())
    statements[key] = made
    return made
  }
}
