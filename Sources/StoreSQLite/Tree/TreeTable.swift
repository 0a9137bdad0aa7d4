/// A table as the schema of one moment has it.
struct TreeTable: Equatable, Sendable {
  var name: String
  var root: UInt32
  /// Names of the columns in order.
  var columns: [String]
}

extension TreeTable {
  /// The table of a row of `sqlite_schema`: type, name, tbl_name, rootpage, sql. Nil for what is no table with rowids.
  init?(schemaRow record: Record) {
    guard record.text(0) == "table", let name = record.text(1),
      let root = record.integer(3).flatMap({ UInt32(exactly: $0) }),
      root > 1, let sql = record.text(4)
    else { return nil }
    // Such a table is kept as an index.
    guard !sql.uppercased().contains("WITHOUT ROWID") else { return nil }
    self.init(name: name, root: root, columns: Self.columns(of: sql))
  }

  /// The schema's own table.
  static let schema = TreeTable(
    name: "sqlite_schema", root: 1, columns: ["type", "name", "tbl_name", "rootpage", "sql"])

  /// The names of the columns in a `CREATE TABLE` statement, as far as they are plain.
  static func columns(of sql: String) -> [String] {
    guard let open = sql.firstIndex(of: "("), let close = sql.lastIndex(of: ")"), open < close else { return [] }
    var columns: [String] = []
    var part = ""
    var depth = 0
    for character in sql[sql.index(after: open)..<close] {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == ",", depth == 0 {
        columns.append(name(in: part))
        part = ""
      } else {
        part.append(character)
      }
    }
    return (columns + [name(in: part)]).filter { !constraints.contains($0.uppercased()) }
  }

  private static let constraints: Set = ["PRIMARY", "UNIQUE", "CHECK", "FOREIGN", "CONSTRAINT", ""]

  private static func name(in definition: String) -> String {
    let word = definition.split(whereSeparator: \.isWhitespace).first ?? ""
    return word.filter { !"\"`[]'".contains($0) }
  }
}
