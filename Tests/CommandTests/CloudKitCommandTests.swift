import Foundation
import StoreSQLite
import TestSupport
import Testing

/// What CloudKit's tables say of each object: `inspect --cloudkit`, `rows --cloudkit`, `diagnose`.
@Suite struct CloudKitCommandTests {
  /// The notes, mirrored: notes 1 to 14 are uploaded, of which 3 has a change that is not sent and 4 was never exported; 15 has
  /// no record. Note 16 is to be deleted, note 40 was deleted here, and note 41 is a ghost. Folders 1 to 3 have records, 4 has
  /// none; tag 2 has two that name it by its number and by no entity of the store.
  private func mirrored(in folder: TemporaryFolder) throws -> String {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    try Connection(writing: store, create: false).execute(
      """
      CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITYID INTEGER,
        ZENTITYPK INTEGER, ZNEEDSCLOUDDELETE INTEGER, ZNEEDSLOCALDELETE INTEGER, ZNEEDSUPLOAD INTEGER, ZCKRECORDNAME VARCHAR);
      INSERT INTO ANSCKRECORDMETADATA (ZENTITYID, ZENTITYPK, ZNEEDSCLOUDDELETE, ZNEEDSLOCALDELETE, ZNEEDSUPLOAD, ZCKRECORDNAME)
        SELECT Z_ENT, Z_PK, 0, Z_PK = 16, Z_PK = 3, CASE WHEN Z_PK = 4 THEN NULL ELSE 'N-' || Z_PK END FROM ZNOTE
        WHERE Z_PK <= 14 OR Z_PK = 16
        UNION ALL SELECT 2, Z_PK, 0, 0, 0, 'F-' || Z_PK FROM ZFOLDER WHERE Z_PK <= 3
        UNION ALL VALUES (3, 40, 1, 0, 0, 'N-40'), (3, 41, 0, 0, 0, 'N-41'), (5, 2, 0, 0, 0, 'T-2'), (77, 2, 0, 0, 0, 'X');
      INSERT INTO ATRANSACTIONSTRING VALUES (2, 16003, 1, 'NSCloudKitMirroringDelegate.import');
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZAUTHORTS, ZTIMESTAMP) VALUES (2, 16002, 1, 2, 700000001);
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES
        (2, 16001, 1, 0, 2, 2, 2), (3, 16001, 1, 0, 2, 1, 1), (4, 16001, 1, 0, 3, 7, 2), (5, 16001, 1, 1, 3, 8, 2),
        (6, 16001, 1, 0, 3, 8, 1);
      UPDATE ZNOTE SET ZTITLE = 'Note 7' WHERE Z_PK IN (8, 9);
      """)
    return store
  }

  private func inspection(_ arguments: [String]) throws -> JSONTree {
    let document = try JSONTree(Program.run(["inspect"] + arguments + ["--format", "json"]).output)
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/inspection.json"), encoding: .utf8))
    #expect(schema.violations(in: document).isEmpty)
    return document
  }

  @Test func eachEntityIsCounted() throws {
    let folder = try TemporaryFolder()
    let store = try mirrored(in: folder)
    let text = try Program.run(["inspect", store, "--cloudkit"], environment: ["COLUMNS": "100"]).output
    #expect(
      text.contains(
        """

        CloudKit

          entity      objects  uploaded  waiting  to be deleted  ghosts  without record
          Attachment        4         -        -              -       -               4
          Folder            4         3        -              -       -               1
          Note             15        10        2              2       1               2
          Checklist         3         2        -              -       -               1
          Tag               6         1        -              -       -               5
          1 record of entities that the store does not know
          as the store believes; ghosts are records without object; what has no record is sent as new

        """), "\(text)")
    let plain = try Program.run(["inspect", store]).output
    #expect(plain.contains("mirrored to CloudKit") && !plain.contains("ghosts"))
  }

  /// The counts are those of SQL, one statement for each.
  @Test func theCountsAreThoseOfSQL() throws {
    let folder = try TemporaryFolder()
    let store = try mirrored(in: folder)
    let connection = try Connection(reading: DatabaseFiles(path: store))
    func count(_ sql: String) throws -> Int64? {
      let statement = try connection.prepare("SELECT count(1) FROM " + sql)
      return try statement.step() ? statement.int64(0) : nil
    }
    let cloudKit = try inspection([store, "--cloudkit"])["cloudKit"]
    #expect(cloudKit?["unknownRecords"]?.wholeNumber == 1)
    let tables = [
      "Attachment": "ZATTACHMENT", "Folder": "ZFOLDER", "Note": "ZNOTE", "Checklist": "ZNOTE", "Tag": "ZTAG",
    ]
    for entity in cloudKit?["entities"]?.list ?? [] {
      let name = try #require(entity["entity"]?.string)
      let table = try #require(tables[name])
      let number = "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(name)')"
      let record = "(SELECT 1 FROM ANSCKRECORDMETADATA m WHERE m.ZENTITYID = \(number) AND m.ZENTITYPK = o.Z_PK"
      let objects = "\(table) o WHERE o.Z_ENT = \(number)"
      let kept = "NOT coalesce(m.ZNEEDSCLOUDDELETE, 0) AND NOT coalesce(m.ZNEEDSLOCALDELETE, 0)"
      let sent = "\(kept) AND NOT m.ZNEEDSUPLOAD AND m.ZCKRECORDNAME IS NOT NULL"
      #expect(try entity["objects"]?.wholeNumber == count(objects))
      #expect(try entity["uploaded"]?.wholeNumber == count("\(objects) AND EXISTS \(record) AND \(sent))"), "\(name)")
      #expect(
        try entity["waiting"]?.wholeNumber
          == count("\(objects) AND EXISTS \(record) AND \(kept) AND (m.ZNEEDSUPLOAD OR m.ZCKRECORDNAME IS NULL))"))
      #expect(try entity["withoutRecord"]?.wholeNumber == count("\(objects) AND NOT EXISTS \(record))"), "\(name)")
      let records = "ANSCKRECORDMETADATA m WHERE m.ZENTITYID = \(number)"
      #expect(try entity["toBeDeleted"]?.wholeNumber == count("\(records) AND NOT (\(kept))"), "\(name)")
      #expect(
        try entity["ghosts"]?.wholeNumber
          == count("\(records) AND \(kept) AND NOT EXISTS (SELECT 1 FROM \(table) o WHERE o.Z_PK = m.ZENTITYPK)"))
    }
    #expect(cloudKit?["entities"]?.list?.count == 5)
    #expect(try inspection([store, "--cloudkit", "--entity", "Note"])["cloudKit"]?["entities"]?.list?.count == 1)
    #expect(try inspection([store])["cloudKit"]?["entities"] == nil)
  }

  @Test func eachRowHasItsStateItsRecordAndItsOrigin() throws {
    let folder = try TemporaryFolder()
    let store = try mirrored(in: folder)
    let csv = try Program.run(
      ["rows", store, "Folder", "--cloudkit", "--columns", "_key,name", "--format", "csv"]
    ).output
    #expect(
      csv.split(separator: "\r\n").map(String.init) == [
        "_key,name,_cloudkit,_record,_origin", "1,Personal,uploaded,F-1,here", "2,Work,uploaded,F-2,import",
        "3,Travel,uploaded,F-3,", "4,Archive,none,,",
      ], "\(csv)")
    let notes = try Program.run(
      ["rows", store, "Note", "--columns", "_key,_cloudkit,_record", "--key", "3,4,15,16", "--format", "csv"])
    #expect(
      notes.output.split(separator: "\r\n").dropFirst().map(String.init)
        == ["3,waiting,N-3", "4,waiting,", "15,none,", "16,to be deleted,N-16"], "\(notes)")
    let document = try JSONTree(
      Program.run(["rows", store, "Note", "--cloudkit", "--limit", "2", "--format", "json"]).output)
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/rows.json"), encoding: .utf8))
    #expect(schema.violations(in: document) == [])
    let table = try Program.run(["rows", store, "Note", "--cloudkit"], environment: ["COLUMNS": "120"]).output
    #expect(table.contains("uploaded") && table.contains("CloudKit"), "\(table)")
  }

  @Test func twinsSayWhichCameByImport() throws {
    let folder = try TemporaryFolder()
    let store = try mirrored(in: folder)
    let text = try Program.run(["diagnose", store, "--unique", "Note.title"], environment: ["COLUMNS": "300"]).output
    #expect(text.contains("; came by import: 7; made here: 8"), "\(text)")
    let document = try JSONTree(
      Program.run(["diagnose", store, "--unique", "Note.title", "--format", "json"]).output)
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/diagnosis.json"), encoding: .utf8))
    #expect(schema.violations(in: document) == [])
    let findings = document["findings"]?.list ?? []
    let twins = findings.first { $0["id"]?.string == "SD502" }
    #expect(
      twins?["examples"]?.list?.map { [$0["origin"]?.string, $0["record"]?.string] } == [
        ["import", "uploaded"], ["here", "uploaded"], [nil, "uploaded"],
      ])
    let counts = findings.filter { ["SD706", "SD707"].contains($0["id"]?.string) }
      .map { "\($0["id"]?.string ?? "") \($0["entity"]?.string ?? "") \($0["count"]?.wholeNumber ?? 0)" }
    #expect(
      counts == [
        "SD706  1", "SD706 Note 1", "SD707 Attachment 4", "SD707 Checklist 1", "SD707 Folder 1", "SD707 Note 2",
        "SD707 Tag 5",
      ])
    #expect(findings.allSatisfy { !["SD706", "SD707"].contains($0["id"]?.string) || $0["severity"]?.string == "note" })
  }

  @Test func aStoreWithoutTheTablesHasNothingToShow() throws {
    let store = Project.path("corpus/Notes.sqlite")
    let (plain, asked) = (try Program.run(["inspect", store]), try Program.run(["inspect", store, "--cloudkit"]))
    #expect(asked.output == plain.output && asked.errors.contains("none of the tables"))
    #expect(try inspection([store, "--cloudkit"])["cloudKit"] == .object(["mirrored": .bool(false)]))
    let rows = try Program.run(["rows", store, "Folder", "--cloudkit", "--format", "csv"])
    #expect(rows.status == 0 && !rows.output.contains("_cloudkit") && rows.errors.contains("none of the tables"))
  }

  @Test func tablesThatCannotBeReadAreSaid() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    try Connection(writing: store, create: false).execute(
      "CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZENTITYPK INTEGER)")
    let text = try Program.run(["inspect", store, "--cloudkit"], environment: ["COLUMNS": "300"]).output
    #expect(text.contains("ANSCKRECORDMETADATA has no column ZCKRECORDNAME, ZNEEDSUPLOAD"), "\(text)")
    let rows = try Program.run(["rows", store, "Folder", "--cloudkit"])
    #expect(rows.status == 2 && rows.errors.contains("has no column ZCKRECORDNAME"), "\(rows)")
    let diagnosis = try Program.run(
      ["diagnose", store, "--check", "SD706", "--check", "SD707"], environment: ["COLUMNS": "300"])
    #expect(diagnosis.output.contains("what CloudKit knows of the rows cannot be read"), "\(diagnosis)")
    // Somebody else's values in the columns count for nothing, and stop nothing.
    try Connection(writing: store, create: false).execute(
      """
      ALTER TABLE ANSCKRECORDMETADATA ADD COLUMN ZCKRECORDNAME; ALTER TABLE ANSCKRECORDMETADATA ADD COLUMN ZNEEDSUPLOAD;
      INSERT INTO ANSCKRECORDMETADATA VALUES (1, 'x', 2, 'a', 0), (2, NULL, NULL, NULL, NULL), (3, 2, 1, x'00', 'y'),
        (4, 9223372036854775807, -9223372036854775808, 'b', 1), (5, 2, 1, 'again', 0), (6, 16001, 1, 'c', 0);
      """)
    #expect(try Program.run(["inspect", store, "--cloudkit"]).status == 0)
    #expect(try Program.run(["rows", store, "Folder", "--cloudkit"]).status == 0)
    #expect(try Program.run(["diagnose", store]).status == 0)
  }
}
