import CStoreSQLite
import StoreSQLite
import Testing

@Suite struct HardeningTests {
  private func connection(_ policy: ReadPolicy = .init()) throws -> Connection {
    try reading(
      WALSample("CREATE TABLE t(a INTEGER PRIMARY KEY, b); CREATE INDEX i ON t(b); INSERT INTO t VALUES (1, 2);")
        .copy(), policy)
  }

  @Test(arguments: [
    "INSERT INTO t VALUES (2, 3)", "UPDATE t SET b = 3", "DELETE FROM t", "DROP TABLE t", "CREATE TABLE u(a)",
    "CREATE TEMP TABLE u(a)", "CREATE VIEW v AS SELECT 1", "CREATE VIRTUAL TABLE v USING fts5(a)",
    "ATTACH ':memory:' AS other", "VACUUM", "VACUUM INTO '/tmp/storedoctor-never'", "REINDEX", "ANALYZE",
    "BEGIN IMMEDIATE", "SAVEPOINT s", "PRAGMA journal_mode=DELETE", "PRAGMA wal_checkpoint", "PRAGMA query_only=OFF",
    "PRAGMA writable_schema=ON", "PRAGMA mmap_size=1000000", "PRAGMA temp_store_directory='/tmp'",
    "PRAGMA locking_mode=EXCLUSIVE", "PRAGMA user_version=7", "PRAGMA database_list",
    "SELECT load_extension('x')", "SELECT fts3_tokenizer('simple')", "SELECT readfile('/etc/passwd')",
    "SELECT randomblob(1000000)", "SELECT zeroblob(1000000)", "SELECT sqlite_source_id()",
    "SELECT name FROM pragma_table_xinfo('t')",
  ])
  func refuses(_ sql: String) throws {
    let error = #expect(throws: SQLiteError.self) { try connection().execute(sql) }
    // For functions SQLite says only in the message that they are not allowed.
    let isDenied =
      error?.primaryCode == SQLITE_AUTH
      || ["not authorized", "no such function"].contains { error?.message.contains($0) == true }
    #expect(isDenied, "\(error.debugDescription)")
  }

  @Test(arguments: [
    "SELECT count(*), max(b), typeof(b), length(b) FROM t", "SELECT a FROM t WHERE b IN (SELECT b FROM t)",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n",
    "SELECT row_number() OVER (ORDER BY b) FROM t", "PRAGMA page_size", "PRAGMA journal_mode", "PRAGMA integrity_check",
    "PRAGMA quick_check", "PRAGMA table_xinfo(t)", "PRAGMA index_list(t)", "PRAGMA freelist_count",
    "EXPLAIN QUERY PLAN SELECT * FROM t",
  ])
  func allows(_ sql: String) throws {
    try connection().execute(sql)
  }

  @Test func sizesOfTablesAreConnectedWhenTheyAreAskedFor() throws {
    let connection = try connection()
    let sizes = try connection.prepareTableSizes("SELECT sum(pgsize) FROM dbstat")
    #expect(try sizes.step() && sizes.int64(0) > 0)
    // Other statements are still refused afterwards.
    #expect(throws: SQLiteError.self) { try connection.execute("PRAGMA cache_size=7") }
  }

  @Test func aDeadlineEndsAnEndlessQuery() throws {
    let connection = try connection(.init(deadline: .milliseconds(50)))
    let error = #expect(throws: SQLiteError.self) {
      try connection.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
    }
    #expect(error?.interruption == .deadline && error?.primaryCode == SQLITE_INTERRUPT)
    #expect(error?.description.hasSuffix("out of time") == true)
  }

  @Test func aDeadlineInThePastLetsNothingRun() throws {
    let connection = try connection(.init(deadline: .seconds(-1)))
    #expect(throws: SQLiteError.self) { try connection.execute("PRAGMA integrity_check; SELECT * FROM t, t, t") }
  }

  @Test func neverTakesAQuotedNameForAString() throws {
    let error = #expect(throws: SQLiteError.self) { try connection().execute(#"SELECT "ZMISSING" FROM t"#) }
    #expect(error?.message == "no such column: ZMISSING")
  }

  @Test func neverReadsAViewOrAVirtualTable() throws {
    let folder = try WALSample(
      """
      CREATE TABLE t(b); CREATE VIEW v AS SELECT b FROM t; CREATE VIRTUAL TABLE r USING rtree(id, low, high);
      CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END;
      """
    ).copy()
    let connection = try reading(folder)
    #expect(throws: SQLiteError.self) { try connection.execute("SELECT * FROM v") }
    let error = #expect(throws: SQLiteError.self) { try connection.execute("SELECT * FROM r") }
    #expect(error?.message == "no such module: rtree")

    let ordinary = try connection.schema().filter(\.isOrdinaryTable).map(\.name)
    #expect(ordinary == ["t", "r_rowid", "r_node", "r_parent"])
    #expect(try connection.schema().filter(\.isVirtualTable).map(\.name) == ["r"])
    #expect(try connection.schema().filter { $0.type == .view }.map(\.name) == ["v"])
    #expect(try connection.schema().filter { $0.type == .trigger }.map(\.tableName) == ["t"])
  }

  @Test func refusesWhatIsBeyondALimit() throws {
    let connection = try connection()
    let longest = "SELECT 1" + String(repeating: " ", count: 1 << 20)
    let statements = [
      (longest, "statement too long"),
      ("SELECT 1" + String(repeating: "+1", count: 300), "Expression tree is too large (maximum depth 200)"),
      ("SELECT 1" + String(repeating: " UNION ALL SELECT 1", count: 100), "too many terms in compound SELECT"),
      ("SELECT 1 LIKE printf('%2000d', 1)", "LIKE or GLOB pattern too complex"),
      ("SELECT max(\(String(repeating: "1,", count: 100))1)", "too many arguments on function max"),
    ]
    for (sql, message) in statements {
      let error = #expect(throws: SQLiteError.self) { try connection.execute(sql) }
      #expect(error?.message == message)
    }
  }
}
