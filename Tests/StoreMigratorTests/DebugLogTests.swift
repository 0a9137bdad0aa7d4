import StoreMigrator
import Testing

/// Planned statements against a log.
@Suite struct DebugLogTests {
  private func compare(_ log: String, _ planned: String...) throws -> [String] {
    let statements = planned.map { MigrationStatement(.createTable, $0) }
    return try DebugLogComparison(statements, log: Array(log.utf8)).differences.map {
      "\($0.isInLog ? "log" : "planned") \($0.position): \($0.sql)"
    }
  }

  @Test func equalButForSpacesAndWhatOnlyReads() throws {
    let log = """
      2026-11-20 09:00:00.000 Notes[1:2] CoreData: annotation: Connecting to sqlite database file
      2026-11-20 09:00:00.100 Notes[1:2] CoreData: sql: SELECT Z_VERSION, Z_UUID, Z_PLIST FROM Z_METADATA
      2026-11-20 09:00:00.200 Notes[1:2] CoreData: sql: ALTER TABLE ZNOTE ADD COLUMN  ZMOOD VARCHAR
      2026-11-20 09:00:00.300 Notes[1:2] CoreData: sql: CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER );
      2026-11-20 09:00:00.400 Notes[1:2] CoreData: sql: UPDATE Z_METADATA SET Z_PLIST = ?
      2026-11-20 09:00:00.500 Notes[1:2] CoreData: sql: COMMIT
      """
    let found = try compare(
      log, "ALTER TABLE ZNOTE ADD COLUMN ZMOOD VARCHAR", "CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER)")
    #expect(found == [])
  }

  @Test func whatIsMissingMoreOrElsewhereIsNamed() throws {
    let log = "CoreData: sql: DROP TABLE ZA\nCoreData: sql: CREATE INDEX ZX ON ZB (ZC)\nCoreData: sql: DROP TABLE ZD\n"
    #expect(
      try compare(log, "CREATE INDEX ZX ON ZB (ZC)", "DROP TABLE ZD", "DROP TABLE ZE")
        == ["log 1: DROP TABLE ZA", "planned 3: DROP TABLE ZE"])
    // One that stands elsewhere is there twice, once for each side.
    let moved = try compare(log, "CREATE INDEX ZX ON ZB (ZC)", "DROP TABLE ZA", "DROP TABLE ZD")
    #expect(
      moved == ["log 1: DROP TABLE ZA", "planned 2: DROP TABLE ZA"]
        || moved == ["planned 1: CREATE INDEX ZX ON ZB(ZC)", "log 2: CREATE INDEX ZX ON ZB(ZC)"], "\(moved)")
  }

  @Test func aLogWithoutStatementsIsNoWitness() throws {
    #expect(throws: DebugLogError.self) { try compare("CoreData: annotation: hello\n", "DROP TABLE ZA") }
    #expect(throws: DebugLogError.self) {
      try compare(String(repeating: "CoreData: sql: COMMIT\n", count: 10_001), "DROP TABLE ZA")
    }
  }
}
