import StoreSQLite

/// A table with row ids as the schema of one moment has it.
struct TreeTable: Equatable, Sendable {
  var name: String
  var root: UInt32
  /// Names of the columns in the order of their values in a record.
  var columns: [String]

  /// The position of a column's value in a record; nil if the table has none of that name.
  func position(of column: String) -> Int? { columns.firstIndex(of: column) }
}

extension TreeTable {
  /// The table of a row of the schema; nil for what is no table with row ids.
  init?(_ entry: PageSchema.Entry) {
    guard entry.type == "table", entry.root > 1, let sql = entry.sql else { return nil }
    let definition = TableDefinition(sql: sql)
    // Such a table is kept as an index.
    guard definition?.isWithoutRowID != true else { return nil }
    name = entry.name
    root = entry.root
    columns = definition.map { table in table.recordColumns.map { table.columns[$0].name } } ?? []
  }

  /// The schema's own table.
  static let schema = TreeTable(
    name: "sqlite_schema", root: 1, columns: ["type", "name", "tbl_name", "rootpage", "sql"])
}
