import StoreSQLite
import Testing

@Suite struct SchemaTests {
  @Test func tellsColumnsAndIndexes() throws {
    let folder = try WALSample(
      """
      CREATE TABLE t(
        a INTEGER PRIMARY KEY, b VARCHAR NOT NULL DEFAULT 'x', c TIMESTAMP UNIQUE,
        d AS (a + 1), e AS (a + 2) STORED);
      CREATE INDEX i ON t(b COLLATE NOCASE DESC, length(b)) WHERE c IS NOT NULL;
      """
    ).copy()
    let connection = try reading(folder)
    let columns = try connection.columns(of: "t")
    #expect(columns.map(\.name) == ["a", "b", "c", "d", "e"])
    #expect(columns.map(\.declaredType) == ["INTEGER", "VARCHAR", "TIMESTAMP", "", ""])
    #expect(columns.map(\.primaryKeyPosition) == [1, 0, 0, 0, 0])
    #expect(columns.map(\.kind) == [.ordinary, .ordinary, .ordinary, .generatedVirtual, .generatedStored])
    #expect(columns[1].isNotNull)
    #expect(columns[1].defaultValue == "'x'")

    let indexes = try connection.indexes(of: "t")
    #expect(indexes.map(\.name) == ["i", "sqlite_autoindex_t_1"])
    #expect(indexes.map(\.origin) == [.statement, .uniqueConstraint])
    #expect(indexes.map(\.isUnique) == [false, true])
    #expect(indexes.map(\.isPartial) == [true, false])
    #expect(indexes[0].columns.map(\.name) == ["b", nil])
    #expect(indexes[0].columns.map(\.collation) == ["NOCASE", "BINARY"])
    #expect(indexes[0].columns.map(\.isDescending) == [true, false])
    #expect(try connection.schema().filter { $0.sql == nil }.map(\.name) == ["sqlite_autoindex_t_1"])
    #expect(try connection.columns(of: "nothing").isEmpty)
    #expect(try connection.indexes(of: "nothing").isEmpty)
  }

  @Test func readsASchemaThatSQLiteRefuses() throws {
    let folder = try TemporaryFolder()
    let writer = try Connection(writing: folder.file("a.sqlite"), create: true)
    try writer.execute(
      """
      CREATE TABLE good(a); INSERT INTO good VALUES (1); CREATE TABLE bad(a);
      PRAGMA writable_schema=ON; UPDATE sqlite_master SET sql = 'CREATE TABLE bad(' WHERE name = 'bad';
      """)
    let connection = try reading(folder)
    #expect(throws: SQLiteError.self) { try connection.prepare("SELECT a FROM good") }
    let schema = try connection.readSchema()
    #expect(schema.objects.map(\.name) == ["good", "bad"])
    #expect(schema.damage?.message.contains("malformed database schema") == true)

    let tolerant = try reading(folder, .init(toleratesDamagedSchema: true))
    #expect(try column("SELECT a FROM good", on: tolerant) == ["1"])
    #expect(throws: SQLiteError.self) { try tolerant.execute("DELETE FROM sqlite_master") }
  }

  @Test func survivesOddObjects() throws {
    let folder = try TemporaryFolder()
    let writer = try Connection(writing: folder.file("a.sqlite"), create: true)
    try writer.execute(
      """
      CREATE TABLE t(a); PRAGMA writable_schema=ON;
      INSERT INTO sqlite_master VALUES
        ('tabel', 'x', 'x', 99999, 'CREATE TABEL x'), (NULL, NULL, NULL, NULL, NULL), (x'ff', 5, 1.5, 'page', 7);
      """)
    let schema = try reading(folder).readSchema()
    #expect(schema.objects.count == 4)
    #expect(schema.objects.map(\.type) == [.table, .other("tabel"), .other(""), .other("\u{fffd}")])
    #expect(schema.damage != nil)
  }

  @Test func aSchemaWithoutDamageSaysSo() throws {
    let schema = try reading(WALSample("CREATE TABLE t(a)").copy()).readSchema()
    #expect(schema.damage == nil)
    #expect(schema.objects == [.init(type: .table, name: "t", tableName: "t", rootPage: 2, sql: "CREATE TABLE t(a)")])
  }
}
