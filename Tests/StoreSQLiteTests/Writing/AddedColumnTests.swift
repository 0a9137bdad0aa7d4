import Foundation
import TestSupport
import Testing

@testable import StoreSQLite

/// Columns that are added together leave the bytes that one statement for each leaves.
@Suite struct AddedColumnTests {
  /// A database of many tables, some of whose statements are not plain, and the columns that some of them get.
  private func made(_ seed: UInt64, at path: String) throws -> [AddedColumn] {
    var random = SeededGenerator(seed: seed)
    let connection = try Connection(writing: path, create: true)
    try connection.execute("PRAGMA page_size=\(Bool.random(using: &random) ? 1024 : 4096); PRAGMA auto_vacuum=2")
    try connection.execute("BEGIN")
    var columns: [AddedColumn] = []
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
        columns.append(AddedColumn(of: name, definition: "ZNEW\(added) \(added == 2 ? "FLOAT" : "VARCHAR")"))
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
        try other.addColumns(columns)
        for column in columns.suffix(3) {
          // The columns are there at once.
          let name = column.definition.split(separator: " ")[0]
          try other.execute("UPDATE \(column.table) SET \(name) = NULL WHERE \(name) = 7")
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
          try connection.addColumns(["ZA", "ZB"].map { AddedColumn(of: $0, definition: "ZC VARCHAR") })
        }
      }
    }
  }
}
