import Foundation
import TestSupport
import Testing

@testable import StoreSQLite

/// Columns that are added together leave the bytes that one statement for each leaves, and other changes of the schema the same
/// schema.
@Suite struct SchemaEditTests {
  /// A database of many tables, some of whose statements are not plain, and the columns that some of them get.
  private func made(_ seed: UInt64, at path: String) throws -> [SchemaEdit] {
    var random = SeededGenerator(seed: seed)
    let connection = try Connection(writing: path, create: true)
    try connection.execute("PRAGMA page_size=\(Bool.random(using: &random) ? 1024 : 4096); PRAGMA auto_vacuum=2")
    try connection.execute("BEGIN")
    var columns: [SchemaEdit] = []
    for number in 0..<Int.random(in: 3...120, using: &random) {
      let name = "ZT\(number)"
      let names = (0..<Int.random(in: 0...30, using: &random)).map { "ZC\($0) VARCHAR" }
      let form = Int.random(in: 0...9, using: &random)
      let all = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER"] + names
      let text =
        switch form {
        case 0: "CREATE TABLE \(name) (\(all.joined(separator: ", ")), UNIQUE (Z_ENT))"
        case 1: "CREATE TABLE \"\(name)\" ( \(all.joined(separator: ",\n")) )"
        case 2: "create table \(name) ( Z_PK INTEGER, \"ZÄ\" VARCHAR(10) )"
        case 3: "CREATE TABLE \(name) (Z_PK INTEGER, ZA VARCHAR DEFAULT 'x)' /* a) */)"
        default: "CREATE TABLE \(name) ( \(all.joined(separator: ", ")) )"
        }
      try connection.execute(text)
      try connection.execute("INSERT INTO \(name) DEFAULT VALUES")
      if Bool.random(using: &random) { try connection.execute("CREATE INDEX Z_\(name) ON \(name) (Z_PK)") }
      for added in 0..<Int.random(in: 0...3, using: &random) {
        columns.append(
          SchemaEdit.addColumn(table: name, definition: "ZNEW\(added) \(added == 2 ? "FLOAT" : "VARCHAR")"))
      }
    }
    try connection.execute("COMMIT")
    connection.close()
    return columns
  }

  @Test(arguments: 1...20) func bytesAreThoseOfTheStatements(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let columns = try made(seed, at: folder.file("a.sqlite"))
    try #require(try made(seed, at: folder.file("b.sqlite")) == columns)
    let one = try Connection(changing: PosixPath(folder.file("a.sqlite")), locking: .exclusive)
    try one.transaction {
      try one.allowingStructureChanges {
        for column in columns { try one.execute(column.sql) }
        try one.execute("CREATE TABLE ZLAST (Z_PK INTEGER PRIMARY KEY)")
      }
    }
    let other = try Connection(changing: PosixPath(folder.file("b.sqlite")), locking: .exclusive)
    try other.transaction {
      try other.allowingStructureChanges {
        try other.perform(columns)
        for case .addColumn(let table, let definition) in columns.suffix(3) {
          // The columns are there at once.
          let name = definition.split(separator: " ")[0]
          try other.execute("UPDATE \(table) SET \(name) = NULL WHERE \(name) = 7")
        }
        try other.execute("CREATE TABLE ZLAST (Z_PK INTEGER PRIMARY KEY)")
      }
    }
    // The schema can be written no more.
    #expect(throws: SQLiteError.self) { try other.runOwn("UPDATE sqlite_master SET sql = NULL") }
    one.close()
    other.close()
    let files = try ["a", "b"].map { try Data(contentsOf: URL(fileURLWithPath: folder.file("\($0).sqlite"))) }
    #expect(files[0] == files[1])
  }

  @Test func aColumnThatIsThereAlreadyIsAnError() throws {
    let folder = try TemporaryFolder()
    let made = try Connection(writing: folder.file("a.sqlite"), create: true)
    try made.execute("CREATE TABLE ZA (Z_PK INTEGER); CREATE TABLE ZB (Z_PK INTEGER, ZC VARCHAR)")
    made.close()
    let connection = try Connection(changing: PosixPath(folder.file("a.sqlite")), locking: .exclusive)
    #expect(throws: SQLiteError.self) {
      try connection.transaction {
        try connection.allowingStructureChanges {
          try connection.perform(["ZA", "ZB"].map { SchemaEdit.addColumn(table: $0, definition: "ZC VARCHAR") })
        }
      }
    }
  }

  // MARK: Other names

  private struct Made {
    var name: String
    var columns: [String]
  }

  /// Tables as Core Data has them, join tables with a key of two columns, and some of other forms; with indexes.
  private func makeTables(_ seed: UInt64, at path: String) throws -> [Made] {
    var random = SeededGenerator(seed: seed)
    let connection = try Connection(writing: path, create: true)
    try connection.execute("PRAGMA auto_vacuum=2; BEGIN")
    var all: [Made] = []
    for number in 0..<Int.random(in: 2...30, using: &random) {
      let name = "Z_\(number)T"
      var columns = ["Z_PK", "Z_ENT"] + (0..<Int.random(in: 1...6, using: &random)).map { "ZC\($0)" }
      let list = columns.dropFirst().map { "\($0) VARCHAR" }.joined(separator: ", ")
      let text =
        switch Int.random(in: 0...9, using: &random) {
        case 0: "CREATE TABLE \(name) ( Z_PK INTEGER PRIMARY KEY, \(list), CHECK (Z_ENT > 0) )"
        case 1: "CREATE TABLE \"\(name)\" ( \"Z_PK\" INTEGER PRIMARY KEY, \(list) )"
        case 2: "CREATE TABLE \(name) ( Z_PK VARCHAR UNIQUE, \(list) )"
        case 3...5: "CREATE TABLE \(name) ( Z_PK INTEGER, Z_ENT INTEGER, ZC0 INTEGER, PRIMARY KEY (Z_PK, ZC0) )"
        default: "CREATE TABLE \(name) ( Z_PK INTEGER PRIMARY KEY, \(list) )"
        }
      if text.contains("PRIMARY KEY (") { columns = ["Z_PK", "Z_ENT", "ZC0"] }
      try connection.execute(text)
      try connection.execute("INSERT INTO \(name) (Z_ENT, ZC0) VALUES (\(number + 1), 'text')")
      switch Int.random(in: 0...4, using: &random) {
      case 0: try connection.execute("CREATE INDEX \(name)_ZC0_INDEX ON \(name) (ZC0)")
      case 1:
        try connection.execute("CREATE UNIQUE INDEX Z_U\(number) ON \"\(name)\" (Z_PK COLLATE BINARY ASC, ZC0 DESC)")
      case 2: try connection.execute("CREATE INDEX Z_W\(number) ON \(name) (ZC0) WHERE ZC0 IS NOT NULL")
      default: break
      }
      all.append(Made(name: name, columns: columns))
    }
    try connection.execute("COMMIT")
    connection.close()
    return all
  }

  private func edits(_ made: [Made], _ random: inout SeededGenerator) -> [SchemaEdit] {
    var made = made
    return (0..<Int.random(in: 1...40, using: &random)).map { number in
      let place = Int.random(in: 0..<made.count, using: &random)
      let table = made[place].name
      switch Int.random(in: 0...4, using: &random) {
      case 0:
        made[place].columns.append("ZN\(number)")
        return .addColumn(table: table, definition: "ZN\(number) VARCHAR")
      case 1, 2:
        // Every second one takes a name that was given up.
        made[place].name = number % 2 == 0 ? table + "TEMP" : "_T_\(number)"
        return .renameTable(table, to: made[place].name)
      default:
        let column = Int.random(in: 0..<made[place].columns.count, using: &random)
        let old = made[place].columns[column]
        made[place].columns[column] = "ZR\(number)"
        return .renameColumn(old, of: table, to: "ZR\(number)")
      }
    }
  }

  private func lines(_ sql: String, _ connection: Connection) throws -> [String] {
    let rows = try connection.prepare(sql)
    var lines: [String] = []
    while try rows.step() {
      lines.append((0..<rows.columnCount).map { rows.string($0) ?? "NULL" }.joined(separator: "|"))
    }
    return lines
  }

  @Test(arguments: 1...60) func schemaAndRowsAreThoseOfTheStatements(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let made = try makeTables(seed, at: folder.file("a.sqlite"))
    _ = try makeTables(seed, at: folder.file("b.sqlite"))
    var random = SeededGenerator(seed: seed ^ 0xed17)
    let edits = edits(made, &random)
    var found: [[String]] = []
    for name in ["a", "b"] {
      let connection = try Connection(changing: PosixPath(folder.file(name + ".sqlite")), locking: .exclusive)
      try connection.transaction {
        try connection.allowingStructureChanges {
          if name == "a" {
            for edit in edits { try connection.execute(edit.sql) }
          } else {
            try connection.perform(edits)
          }
          try connection.execute("CREATE TABLE ZLAST (Z_PK INTEGER PRIMARY KEY)")
        }
      }
      var all = try lines("SELECT rowid, type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid", connection)
      all += try lines("PRAGMA schema_version", connection) + lines("PRAGMA integrity_check", connection)
      for table in try lines("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid", connection) {
        all += try lines("SELECT * FROM \"\(table)\"", connection)
      }
      found.append(all)
      connection.close()
    }
    #expect(found[0] == found[1], "seed \(seed)")
    #expect(found[1].contains("ok"))
  }

  /// What SQLite refuses is refused, whether it comes first or last.
  @Test(arguments: [
    SchemaEdit.renameTable("ZA", to: "zb"), .renameTable("ZC", to: "ZD"), .renameTable("ZA", to: "sqlite_x"),
    .renameColumn("ZX", of: "ZA", to: "z_pk"), .renameColumn("ZY", of: "ZA", to: "ZZ"),
    .addColumn(table: "ZA", definition: "zx VARCHAR"),
  ])
  func whatCannotBeIsAnError(_ edit: SchemaEdit) throws {
    let folder = try TemporaryFolder()
    for edits in [[edit], [.renameColumn("Z_PK", of: "ZB", to: "Z_KEY"), edit]] {
      let path = folder.file("\(edits.count).sqlite")
      let made = try Connection(writing: path, create: true)
      try made.execute("CREATE TABLE ZA (Z_PK INTEGER, ZX VARCHAR); CREATE TABLE ZB (Z_PK INTEGER)")
      made.close()
      let connection = try Connection(changing: PosixPath(path), locking: .exclusive)
      #expect(throws: SQLiteError.self) {
        try connection.transaction { try connection.allowingStructureChanges { try connection.perform(edits) } }
      }
      #expect(throws: SQLiteError.self) { try connection.runOwn("UPDATE sqlite_master SET sql = NULL") }
    }
  }

  /// A view or a reference may name what is renamed, so that it is left to SQLite, which writes the name there too.
  @Test func whatOthersNameIsLeftToSQLite() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.sqlite")
    let made = try Connection(writing: path, create: true)
    try made.execute(
      "CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, ZX VARCHAR); CREATE TABLE ZB (ZA INTEGER REFERENCES ZA (Z_PK))")
    made.close()
    let connection = try Connection(changing: PosixPath(path), locking: .exclusive)
    try connection.transaction {
      try connection.allowingStructureChanges {
        try connection.perform([
          .renameColumn("ZX", of: "ZA", to: "ZY"), .renameTable("ZA", to: "ZC"),
          .renameColumn("Z_PK", of: "ZC", to: "ZK"),
        ])
      }
    }
    #expect(
      try lines("SELECT sql FROM sqlite_master WHERE name = 'ZB'", connection)
        == ["CREATE TABLE ZB (ZA INTEGER REFERENCES \"ZC\" (ZK))"])
  }
}
