import StoreSQLite

/// What a database holds: its schema and every row, whatever pages they are on. Holds within one run of the program.
struct ContentDigest: Equatable {
  private var schema: Set<String> = []
  private var tables: [String: Sum] = [:]

  /// The rows of a table, in any order: two 64-bit hashes of each, added up, and their number.
  private struct Sum: Equatable {
    var rows = 0
    var (one, other) = (0, 0)

    mutating func add(_ row: Statement, columns: Int) {
      var (left, right) = (Hasher(), Hasher())
      right.combine(1)
      for column in 0..<columns {
        let value = row[column]
        let kind = value.kind
        left.combine(kind)
        right.combine(kind)
        value.withBytes { bytes in
          left.combine(bytes.count)
          left.combine(bytes: bytes)
          right.combine(bytes.count)
          right.combine(bytes: bytes)
        }
      }
      rows += 1
      one &+= left.finalize()
      other &+= right.finalize()
    }
  }

  /// Reads all tables through a connection.
  ///
  /// - Throws: `SQLiteError`.
  init(_ connection: Connection) throws {
    for object in try connection.schema() {
      schema.insert("\(object.type) \(object.name) \(object.tableName) \(object.sql ?? "")")
      guard object.isOrdinaryTable else { continue }
      let rows = try connection.prepare("SELECT * FROM \(quotedIdentifier(object.name)) NOT INDEXED")
      let columns = rows.columnCount
      var sum = Sum()
      while try rows.step() { sum.add(rows, columns: columns) }
      tables[object.name] = sum
    }
  }
}
