import CStoreSQLite
import Testing

@testable import StoreSQLite

/// What is recorded of one statement equals what SQLite's session extension records of it.
@Suite struct UpdateRecordingTests {
  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    let made = try Connection(writing: folder.file("a.sqlite"), create: true)
    try made.execute(
      """
      CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_OPT INTEGER, ZTITLE VARCHAR, ZLAT FLOAT, ZKEPT VARCHAR, ZDATA BLOB);
      INSERT INTO ZNOTE VALUES (1, 1, 'one', 1.5, 'kept', x'00ff'), (2, 1, CAST(x'ff00fe' AS TEXT), 2, NULL, NULL),
        (3, NULL, '', -0.0, 3, x''), (4, 9, printf('%200d', 1), 1e300, 'kept', zeroblob(20000)),
        (5, 1, 'same', 3, 'kept', 'same'), (6, NULL, 'same', 3, 'kept', 'same'), (7, -1, 7, NULL, 7, '7');
      CREATE TABLE ZTRIGGERED (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR);
      CREATE TRIGGER T AFTER UPDATE ON ZTRIGGERED BEGIN UPDATE ZNOTE SET ZTITLE = NULL; END;
      CREATE TABLE ZKEYLESS (Z_PK INTEGER, ZNAME VARCHAR);
      CREATE TABLE ZTEXTKEY (Z_PK VARCHAR PRIMARY KEY, ZNAME VARCHAR);
      CREATE TABLE ZTWOKEYS (Z_PK INTEGER, Z_B INTEGER, ZNAME VARCHAR, PRIMARY KEY (Z_PK, Z_B));
      """)
    made.close()
    connection = try Connection(changing: PosixPath(folder.file("a.sqlite")), locking: .exclusive)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7] as [Int64], Values.allCases) func recordsARowAsASessionDoes(
    _ key: Int64, _ values: Values
  ) throws {
    let before = try content()
    let session = try ChangeRecording(of: connection)
    _ = try update([key], values, nil)
    let expected = try session.changeset()
    try connection.apply(expected.inverted())
    #expect(try content() == before)

    let changeset = try recorded([key], values)
    #expect(changeset == expected)
    #expect(changeset.isEmpty == (key == 6 && values != .kept))
  }

  @Test(arguments: [[1, 2, 3, 4, 5, 6, 7], [2, 4, 7]] as [[Int64]], Values.allCases) func takesManyRowsBack(
    _ keys: [Int64], _ values: Values
  ) throws {
    let before = try content()
    let changeset = try recorded(keys, values)
    let after = try content()
    #expect(
      try changeset.tables() == [
        .init(
          name: "ZNOTE", keyColumns: [true, false, false, false, false, false],
          changes: keys.count { $0 != 6 || values == .kept })
      ])
    try connection.apply(changeset.inverted())
    #expect(try content() == before)
    try connection.apply(changeset)
    #expect(try content() == after)
    #expect(after != before)
  }

  @Test(arguments: [
    ("ZLAT", "3"), ("ZLAT", "'1.5'"), ("Z_OPT", "'12'"), ("Z_OPT", "2.0"), ("ZTITLE", "7"), ("ZTITLE", "7.5"),
  ]) func recordsWhatIsStoredAndNotWhatWasGiven(_ column: String, _ value: String) throws {
    let session = try ChangeRecording(of: connection)
    try connection.allowingWrites(to: ["ZNOTE"]) {
      try connection.execute("UPDATE ZNOTE SET \(column) = \(value) WHERE Z_PK = 1")
    }
    let expected = try session.changeset()
    try connection.apply(expected.inverted())

    let recording = try #require(try UpdateRecording(of: connection, table: "ZNOTE", columns: [column]))
    _ = try update([1], [recording.assignment(of: column, value)], recording)
    #expect(recording.takeChangeset() == expected)
  }

  @Test func handsOutWhatCameSinceTheLastTime() throws {
    let recording = try #require(
      try UpdateRecording(of: connection, table: "znote", columns: ["ztitle", "Z_OPT", "ZLAT", "ZDATA"]))
    let before = try content()
    let changesets = try ([[1, 2], [3, 4]] as [[Int64]]).map { keys in
      _ = try update(keys, .converted, recording)
      return recording.takeChangeset()
    }
    #expect(recording.isEmpty)
    for changeset in changesets.reversed() { try connection.apply(changeset.inverted()) }
    #expect(try content() == before)
  }

  @Test func leavesToASessionWhatItCannotSee() throws {
    for table in ["ZTRIGGERED", "ZKEYLESS", "ZTEXTKEY", "ZTWOKEYS", "ZNOWHERE"] {
      #expect(try UpdateRecording(of: connection, table: table, columns: ["ZNAME"]) == nil, "\(table)")
    }
    #expect(try UpdateRecording(of: connection, table: "ZNOTE", columns: ["Z_PK"]) == nil)
  }

  @Test func failsWhereRowsChangeThatItWasNotToldOf() throws {
    let recording = try #require(try UpdateRecording(of: connection, table: "ZNOTE", columns: ["ZTITLE"]))
    #expect(throws: SQLiteError.self) {
      try recording.record(from: 1, to: 2, on: connection) {
        try connection.allowingWrites(to: ["ZNOTE"]) {
          try connection.execute("UPDATE ZNOTE SET ZTITLE = 'new' WHERE Z_PK < 3")
          return 2
        }
      }
    }
  }

  /// How the recording learns the new values: in the statement, or by reading the rows a second time. The result is the
  /// same.
  enum Values: CaseIterable {
    /// Stored as they are given, so the statement reports them.
    case kept
    /// Converted when stored (3 becomes 3.0), so the rows are read again.
    case converted
    /// Not reported by the statement, so the rows are read again.
    case silent

    var latitude: String { self == .kept ? "3.5" : "3" }
  }

  private func recorded(_ keys: [Int64], _ values: Values) throws -> Changeset {
    let recording = try #require(
      try UpdateRecording(of: connection, table: "ZNOTE", columns: ["Z_OPT", "ZTITLE", "ZLAT", "ZDATA"]))
    #expect(try update(keys, values, recording) == keys.count)
    #expect(recording.secondWalks == (values == .kept ? 0 : 1))
    return recording.takeChangeset()
  }

  /// Swaps title and data.
  private func update(_ keys: [Int64], _ values: Values, _ recording: UpdateRecording?) throws -> Int {
    let new = [("Z_OPT", "Z_OPT + 1"), ("ZTITLE", "ZDATA"), ("ZDATA", "ZTITLE"), ("ZLAT", values.latitude)]
    let assignments = new.map { column, value in
      let told = values == .silent ? nil : recording?.assignment(of: column, value)
      return told ?? "\(column) = \(value)"
    }
    return try update(keys, assignments, recording)
  }

  private func update(_ keys: [Int64], _ assignments: [String], _ recording: UpdateRecording?) throws -> Int {
    let (first, last) = (try #require(keys.first), try #require(keys.last))
    let rows = KeyedRows(keys: keys, values: [], width: 0, recording: recording)
    return try connection.withRows(rows) {
      try connection.allowingWrites(to: ["ZNOTE"]) {
        func run() throws -> Int {
          let statement = try connection.prepare(
            """
            UPDATE ZNOTE NOT INDEXED SET \(assignments.joined(separator: ", "))
            WHERE Z_PK BETWEEN ?1 AND ?2 AND \(recording?.condition ?? "storedoctor_picks(Z_PK)")
            """)
          try statement.bind(first, at: 1)
          try statement.bind(last, at: 2)
          while try statement.step() {}
          return connection.changes
        }
        return try recording?.record(from: first, to: last, on: connection, run) ?? run()
      }
    }
  }

  private func content() throws -> [String?] {
    try column(
      "SELECT quote(Z_PK) || quote(Z_OPT) || quote(ZTITLE) || quote(ZLAT) || quote(ZKEPT) || quote(ZDATA) FROM ZNOTE",
      on: connection)
  }
}
