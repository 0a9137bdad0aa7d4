import CStoreSQLite
import TestSupport
import Testing

@testable import StoreSQLite

@Suite struct ChangesetTests {
  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    let made = try Connection(writing: folder.file("a.sqlite"), create: true)
    try made.execute(
      """
      CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZTITLE VARCHAR, ZLAT FLOAT, ZDATA BLOB);
      CREATE TABLE Z_2TAGS (Z_2NOTES INTEGER, Z_3TAGS INTEGER, PRIMARY KEY (Z_2NOTES, Z_3TAGS));
      CREATE TABLE LOG (n INTEGER);
      CREATE VIRTUAL TABLE Z_RT_Note USING rtree (Z_PK, MIN, MAX);
      INSERT INTO ZNOTE VALUES (1, 'one', 1.5, x'00ff'), (2, CAST(x'ff00fe' AS TEXT), 2, NULL);
      INSERT INTO Z_2TAGS VALUES (1, 7), (2, 7);
      CREATE TRIGGER Z_RT_Note_UPDATE AFTER UPDATE ON ZNOTE BEGIN
        DELETE FROM Z_RT_Note WHERE Z_PK = OLD.Z_PK;
        INSERT INTO Z_RT_Note VALUES (NEW.Z_PK, NEW.ZLAT, NEW.ZLAT);
      END;
      """)
    made.close()
    connection = try Connection(changing: PosixPath(folder.file("a.sqlite")), locking: .exclusive)
    // This test is about what is recorded, not about power cuts, and syncing thousands of times would take half a
    // minute.
    connection.rules?.scope = .ourOwn
    try connection.execute("PRAGMA synchronous=OFF")
    connection.rules?.scope = .nothing
  }

  private func content() throws -> [String?] {
    try [
      "SELECT quote(Z_PK) || quote(ZTITLE) || quote(ZLAT) || quote(ZDATA) FROM ZNOTE ORDER BY Z_PK",
      "SELECT Z_2NOTES || '-' || Z_3TAGS FROM Z_2TAGS ORDER BY 1", "SELECT quote(data) FROM Z_RT_Note_node",
    ].flatMap { try column($0, on: connection) }
  }

  private func change(_ sql: String) throws -> Changeset {
    let recording = try ChangeRecording(of: connection)
    try connection.allowingWrites(to: ["ZNOTE", "Z_2TAGS", "LOG"]) { try connection.execute(sql) }
    return try recording.changeset()
  }

  private let changes = """
    UPDATE ZNOTE SET ZTITLE = NULL, ZDATA = x'01', ZLAT = 9 WHERE Z_PK = 1;
    DELETE FROM ZNOTE WHERE Z_PK = 2;
    INSERT INTO ZNOTE VALUES (3, 'three', 0.5, printf('%300d', 1));
    UPDATE Z_2TAGS SET Z_3TAGS = 8 WHERE Z_2NOTES = 2;
    """

  /// By SQLite, and by our own statements for wide tables.
  @Test(arguments: [Connection.mostColumnsForSQLite, 0])
  func takesChangesBackWithStorageClassesAndTrees(mostColumns: Int) throws {
    let before = try content()
    let changeset = try change(changes)
    let after = try content()
    #expect(after != before)
    try connection.apply(changeset.inverted(), mostColumns: mostColumns)
    #expect(try content() == before)
    try connection.apply(changeset, mostColumns: mostColumns)
    #expect(try content() == after)
    #expect(try integers("SELECT count(*) FROM Z_RT_Note", on: connection) == [1])
  }

  @Test func listsTables() throws {
    let tables = try change(changes).tables().filter { !$0.name.hasPrefix("Z_RT") }
    #expect(
      tables == [
        .init(name: "ZNOTE", keyColumns: [true, false, false, false], changes: 3),
        .init(name: "Z_2TAGS", keyColumns: [true, true], changes: 2),
      ])
  }

  @Test(arguments: [
    "UPDATE ZNOTE SET ZTITLE = 'mine' WHERE Z_PK = 1", "DELETE FROM ZNOTE WHERE Z_PK = 3",
    "INSERT INTO ZNOTE VALUES (2, 'mine', 0, NULL)",
  ]) func conflictsChangeNothing(meanwhile: String) throws {
    let changeset = try change(changes)
    _ = try change(meanwhile)
    let before = try content()
    for mostColumns in [Connection.mostColumnsForSQLite, 0] {
      #expect(throws: ChangesetError.conflict(table: "ZNOTE")) {
        try connection.apply(changeset.inverted(), mostColumns: mostColumns)
      }
      #expect(try content() == before)
    }
  }

  /// SQLite's own function fails from 199 columns under the limit set here, and from 999 under the highest one.
  @Test(arguments: [198, 199, 998, 999, 1000, 2000]) func takesChangesOfWideTablesBack(columns: Int) throws {
    let names = (2...columns).map { "ZC\($0)" }
    connection.rules?.scope = .ourOwn
    try connection.execute("CREATE TABLE ZWIDE (Z_PK INTEGER PRIMARY KEY, \(names.joined(separator: ", ")))")
    try connection.execute("INSERT INTO ZWIDE (Z_PK, ZC2, ZC\(columns)) VALUES (1, 'a', 1.5), (2, x'00', NULL)")
    connection.rules?.scope = .nothing
    func rows() throws -> [String?] {
      try column("SELECT quote(Z_PK) || quote(ZC2) || quote(ZC3) || quote(ZC\(columns)) FROM ZWIDE", on: connection)
    }
    let before = try rows()
    let recording = try ChangeRecording(of: connection)
    try connection.allowingWrites(to: ["ZWIDE"]) {
      try connection.execute(
        """
        UPDATE ZWIDE SET \(names.map { "\($0) = 7" }.joined(separator: ", ")) WHERE Z_PK = 1;
        DELETE FROM ZWIDE WHERE Z_PK = 2;
        INSERT INTO ZWIDE (Z_PK, ZC3) VALUES (3, 'new');
        """)
    }
    let changeset = try recording.changeset()
    let after = try rows()
    let table = try #require(try changeset.tables().first)
    #expect(try connection.obstacle(toApplying: table) == nil)
    try connection.apply(changeset.inverted())
    #expect(try rows() == before)
    try connection.apply(changeset)
    #expect(try rows() == after)
  }

  /// Each row takes the value that another one still has, in the order of neither.
  @Test(arguments: [Connection.mostColumnsForSQLite, 0]) func aUniqueIndexMakesOneChangeWait(mostColumns: Int) throws {
    try connection.allowingIndexChanges { try connection.execute("CREATE UNIQUE INDEX i ON ZNOTE (ZTITLE)") }
    let changeset = try change(
      "DELETE FROM ZNOTE WHERE Z_PK = 1; UPDATE ZNOTE SET ZTITLE = 'one' WHERE Z_PK = 2; "
        + "INSERT INTO ZNOTE VALUES (0, CAST(x'ff00fe' AS TEXT), 1, NULL)")
    try connection.apply(changeset.inverted(), mostColumns: mostColumns)
    #expect(try column("SELECT hex(ZTITLE) FROM ZNOTE ORDER BY Z_PK", on: connection) == ["6F6E65", "FF00FE"])
  }

  @Test func aCounterThatWentOnIsNoConflict() throws {
    let counting = [CountingColumn(table: "znote", column: "zlat")]
    let changeset = try change("UPDATE ZNOTE SET ZLAT = 9 WHERE Z_PK = 1").inverted()
    _ = try change("UPDATE ZNOTE SET ZDATA = 40, ZLAT = 40 WHERE Z_PK = 1")
    #expect(throws: ChangesetError.self) { try connection.apply(changeset) }
    // A FLOAT column holds no counter.
    #expect(throws: ChangesetError.self) { try connection.apply(changeset, counting: counting) }
    let data = try change("UPDATE ZNOTE SET ZDATA = 50 WHERE Z_PK = 1").inverted()
    _ = try change("UPDATE ZNOTE SET ZDATA = 60 WHERE Z_PK = 1")
    try connection.apply(data, counting: [CountingColumn(table: "ZNOTE", column: "ZDATA")])
    #expect(try integers("SELECT ZDATA FROM ZNOTE WHERE Z_PK = 1", on: connection) == [60])
    _ = try change("UPDATE ZNOTE SET ZDATA = 30 WHERE Z_PK = 1")
    try connection.apply(data, counting: [CountingColumn(table: "ZNOTE", column: "ZDATA")])
    #expect(try integers("SELECT ZDATA FROM ZNOTE WHERE Z_PK = 1", on: connection) == [40])
  }

  @Test func refusesTablesOfAnotherForm() throws {
    let changeset = try change(changes)
    connection.close()
    let other = try Connection(writing: folder.file("a.sqlite"), create: false)
    try other.execute("ALTER TABLE ZNOTE ADD COLUMN ZNEW VARCHAR")
    other.close()
    let again = try Connection(changing: PosixPath(folder.file("a.sqlite")), locking: .exclusive)
    #expect(throws: ChangesetError.otherTable(name: "ZNOTE")) { try again.apply(changeset.inverted()) }
  }

  @Test func anyInjuryIsAnErrorOrAChangeset() throws {
    let bytes = try change(changes).bytes
    for length in bytes.indices.dropFirst() {
      _ = try? connection.apply(Changeset(Array(bytes.prefix(length))).inverted())
    }
    let seed = seedOfRun("ChangesetTests")
    var random = SeededGenerator(seed: seed)
    var refused = 0
    for _ in 0..<2000 {
      var injured = bytes
      injured[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      do {
        try connection.apply(Changeset(injured))
      } catch {
        refused += 1
      }
    }
    #expect(refused > 1000, "seed \(seed)")
    #expect(throws: Changeset.Invalid.self) { try Changeset(Array("T".utf8) + [0xff, 0xff, 0xff, 0xff, 0xff]) }
  }
}
