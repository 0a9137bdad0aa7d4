import StoreSQLite

/// The differences between two stores by cells, found with SQL alone: "ZTAG.ZNAME 3", "Z_3TAGS -4".
func cellChanges(from old: String, to new: String) throws -> [String] {
  let (old, new) = (try Cells(of: old), try Cells(of: new))
  var lines: [String] = []
  for table in Set(old.tables.keys).union(new.tables.keys).sorted() {
    guard let before = old.tables[table], let after = new.tables[table] else {
      lines.append("\(table) is on one side only")
      continue
    }
    let (gone, made) = (before.subtracting(after), after.subtracting(before))
    if gone > 0 { lines.append("\(table) -\(gone)") }
    if made > 0 { lines.append("\(table) +\(made)") }
    var cells: [String: Int] = [:]
    for (key, row) in before.rows {
      guard let other = after.rows[key] else { continue }
      for (column, value) in row where other[column] != value { cells[column, default: 0] += 1 }
    }
    lines += cells.sorted { $0.key < $1.key }.map { "\(table).\($0.key) \($0.value)" }
  }
  if old.schema != new.schema { lines.append("schema") }
  return lines
}

private struct Cells {
  struct Table {
    /// By the primary key; without one, by the whole row and its number among equal rows.
    var rows: [String: [String: String]] = [:]

    func subtracting(_ other: Table) -> Int { rows.keys.count { other.rows[$0] == nil } }
  }

  var tables: [String: Table] = [:]
  var schema: [String] = []

  init(of path: String) throws {
    let connection = try Connection(reading: DatabaseFiles(path: path))
    for object in try connection.schema() {
      schema.append("\(object.type) \(object.name) \(object.sql ?? "")")
      guard object.isOrdinaryTable else { continue }
      tables[object.name] = try Self.table(object.name, connection)
    }
    schema.sort()
  }

  private static func table(_ name: String, _ connection: Connection) throws -> Table {
    let columns = try connection.columns(of: name).map(\.name)
    let key = ["Z_PK", "Z_VERSION", "Z_ENT"].first(where: columns.contains).flatMap {
      name.hasPrefix("Z_RT_") ? nil : $0
    }
    let list = columns.map { "quote(\(quotedIdentifier($0)))" }.joined(separator: ", ")
    let statement = try connection.prepare("SELECT \(list) FROM \(quotedIdentifier(name))")
    var table = Table()
    while try statement.step() {
      let values = columns.indices.map { statement.string($0) ?? "" }
      var identity = key.flatMap { columns.firstIndex(of: $0) }.map { values[$0] } ?? values.joined(separator: "|")
      while table.rows[identity] != nil { identity += "'" }
      table.rows[identity] = Dictionary(zip(columns, values)) { first, _ in first }
    }
    return table
  }
}
