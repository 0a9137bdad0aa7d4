import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreExplanation
import StoreFindings
import StoreSQLite
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Output of `-com.apple.CoreData.SQLDebug 1` and `-com.apple.CoreData.MigrationDebug 1`.
@Suite struct DebugLogTests {
  @Test(arguments: [
    (
      "SELECT 0, t0.Z_PK, t0.ZTITLE FROM ZNOTE t0 WHERE  t0.ZFOLDER = ? ORDER BY t0.ZTITLE",
      "select ZNOTE | ZNOTE.Z_PK ZNOTE.ZTITLE ZNOTE.ZFOLDER | ZNOTE.ZFOLDER"
    ),
    (
      "SELECT t0.Z_PK FROM ZTAG t0 JOIN Z_3TAGS t1 ON t0.Z_PK = t1.Z_5TAGS WHERE t1.Z_3NOTES = ?",
      "select ZTAG Z_3TAGS | ZTAG.Z_PK Z_3TAGS.Z_5TAGS Z_3TAGS.Z_3NOTES | Z_3TAGS.Z_3NOTES"
    ),
    (
      "SELECT DISTINCT 0, t0.Z_PK FROM ZNOTE t0 LEFT OUTER JOIN ZFOLDER t1 ON t0.ZFOLDER = t1.Z_PK WHERE ( t1.ZNAME = ? AND  t0.Z_ENT = ?)",
      "select ZNOTE ZFOLDER | ZNOTE.Z_PK ZNOTE.ZFOLDER ZFOLDER.Z_PK ZFOLDER.ZNAME ZNOTE.Z_ENT | ZFOLDER.ZNAME"
    ),
    (
      "SELECT 0, t0.Z_PK FROM ZNOTE t0 WHERE  t0.Z_PK IN (SELECT * FROM _Z_intarray0)  LIMIT 20",
      "select ZNOTE _Z_intarray0 | ZNOTE.Z_PK | ZNOTE.Z_PK"
    ),
    ("SELECT COUNT( DISTINCT t0.Z_PK) FROM ZNOTE AS t0", "select ZNOTE | ZNOTE.Z_PK |"),
    (
      "INSERT INTO ZNOTE(Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES(?, ?, ?, 'ZVALUE FROM ZNOWHERE')",
      "insert ZNOTE | ZNOTE.Z_PK ZNOTE.Z_ENT ZNOTE.Z_OPT ZNOTE.ZTITLE |"
    ),
    (
      "INSERT OR REPLACE INTO Z_3TAGS(Z_3NOTES, Z_5TAGS) VALUES (?, ?)",
      "insert Z_3TAGS | Z_3TAGS.Z_3NOTES Z_3TAGS.Z_5TAGS |"
    ),
    (
      "UPDATE ZNOTE SET ZTITLE = ?, Z_OPT = ?  WHERE Z_PK = ? AND Z_OPT = ?",
      "update ZNOTE | ZNOTE.ZTITLE ZNOTE.Z_OPT ZNOTE.Z_PK | ZNOTE.Z_PK"
    ),
    (
      "UPDATE OR FAIL Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?",
      "update Z_PRIMARYKEY | Z_PRIMARYKEY.Z_MAX Z_PRIMARYKEY.Z_ENT |"
    ),
    (
      "DELETE FROM ZNOTE WHERE Z_PK = ? AND (Z_OPT = ? OR Z_OPT IS NULL)",
      "delete ZNOTE | ZNOTE.Z_PK ZNOTE.Z_OPT | ZNOTE.Z_PK"
    ),
    ("ALTER TABLE ZNOTE ADD COLUMN ZMOOD VARCHAR", "schema ZNOTE | ZNOTE.ZMOOD |"),
    (
      #"CREATE TABLE IF NOT EXISTS "ZNOTE" ( Z_PK INTEGER PRIMARY KEY, ZTITLE VARCHAR )"#,
      "schema ZNOTE | ZNOTE.Z_PK ZNOTE.ZTITLE |"
    ),
    (
      "CREATE INDEX IF NOT EXISTS ZNOTE_ZFOLDER_INDEX ON ZNOTE (ZFOLDER)",
      "schema ZNOTE | ZNOTE.ZNOTE_ZFOLDER_INDEX ZNOTE.ZFOLDER |"
    ),
  ])
  func readsWhatAStatementNames(_ sql: String, _ expected: String) throws {
    let log = facts("2026-01-02 10:00:00.000 Notes[1:2] CoreData: sql: \(sql)\n")
    let statement = try #require(log.statements.first)
    let columns = statement.columns.map(\.text).joined(separator: " ")
    let found =
      "\(statement.kind) \(statement.tables.joined(separator: " ")) | \(columns) | \(statement.key?.text ?? "")"
    #expect(found.trimmingCharacters(in: .whitespaces) == expected)
  }

  @Test func countsAStatementThatRanOften() {
    let line = "CoreData: sql: SELECT t0.Z_PK FROM ZNOTE t0\n"
    let log = facts("x\n" + line + "CoreData: sql: BEGIN EXCLUSIVE\nCoreData: sql: SELECT 1\n" + line + line)
    #expect(log.statements.map(\.line) == [2] && log.statements.map(\.count) == [3])
  }

  /// Tables and columns are described in terms of the model, with why Core Data runs the statement.
  @Test func looksStatementsUpInTheStore() throws {
    let store = try Store(path: Project.path("corpus/Notes.sqlite"))
    let log = facts(
      """
      CoreData: sql: SELECT t0.ZTITLE, t0.ZMOOD FROM ZNOTE t0 WHERE t0.ZFOLDER = ?
      CoreData: sql: SELECT 0, t0.Z_5TAGS FROM Z_3TAGS t0 WHERE t0.Z_3NOTES = ?
      CoreData: sql: INSERT INTO ZATTACHMENT(Z_PK, ZNOTE, Z3_NOTE, Z_FOK_NOTE) VALUES(?, ?, ?, ?)
      CoreData: sql: UPDATE ZGONE SET ZNAME = ?
      """)
    let found = try LogInStore(log, in: store).statements
    #expect(
      found.map { "\($0.holds.map { $0 ? "+" : "-" } ?? " ") \($0.subject): \($0.words)" } == [
        "  line 1, SELECT ZNOTE by ZFOLDER: reads the objects of Folder.notes, when its fault is fired, or fetches objects of "
          + "Note and Checklist by Note.folder",
        "  line 2, SELECT Z_3TAGS by Z_3NOTES: reads the objects of Note.tags, when its fault is fired",
        "  line 3, INSERT ZATTACHMENT: saves new objects of Attachment",
        "  line 4, UPDATE ZGONE: writes a table that no entity of the store has",
        "+ ZNOTE: the objects of Note and Checklist", "+ Z_3TAGS: the links of Note.tags and Tag.notes",
        "+ ZATTACHMENT: the objects of Attachment", "- ZGONE: there is no such table; \(another)",
        "+ ZNOTE.ZTITLE: attribute Note.title", "- ZNOTE.ZMOOD: there is no such column; \(another)",
        "+ ZNOTE.ZFOLDER: relationship Note.folder to Folder, inverse of Folder.notes",
        "+ Z_3TAGS.Z_5TAGS: the key of the Tag whose notes has the link",
        "+ Z_3TAGS.Z_3NOTES: the key of the Note whose tags has the link",
        "+ ZATTACHMENT.ZNOTE: relationship Attachment.note to Note, inverse of Note.attachments",
        "+ ZATTACHMENT.Z3_NOTE: the entity number of what Attachment.note leads to",
        "+ ZATTACHMENT.Z_FOK_NOTE: the object's place in Note.attachments",
      ])
  }

  private let another =
    "nothing in the store's model asks for it: the app that printed this has another model (SD801), or a migration had not "
    + "added it yet, or has dropped it since"

  /// The fault's message, with and without the text around the name; the number of lost keys comes from SQL.
  @Test(arguments: [
    "Failed to fulfill faulting for the relationship named 'folder'",
    "Fatal error: Failed to fulfill faulting for the relationship folder of Note",
    "CoreData: annotation: to-one relationship fault \"folder\" for objectID 0x6000 <x-coredata://",
    "relationship named: “folder”",
  ])
  func looksARelationshipUp(_ text: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(writing: path, create: false)
    try connection.execute("DELETE FROM ZFOLDER WHERE Z_PK = 4")
    connection.close()
    let log = facts(text)
    #expect(log.relationships == ["folder"])
    #expect(
      try LogInStore(log, in: Store(path: path)).statements.map { "\($0.holds == false) \($0.subject): \($0.words)" }
        == [
          "true Note.folder: 4 rows of ZNOTE have a key in ZFOLDER that no row of ZFOLDER has (SD401)"
        ])
  }

  @Test func tellsTheTwoModelsOfAMigrationApart() throws {
    let store = try Store(path: Project.path("corpus/Notes.sqlite"))
    let hashes = try #require(store.metadata.hashes?.byEntity)
    let (note, tag) = (try #require(hashes["Note"]).description, try #require(hashes["Tag"]).description)
    let log = facts(
      """
      CoreData: annotation: (migration) looking for mapping model with
       source hashes: { Note = <\(note)>; Tag = <\(tag)>; }
       destination hashes: { Note = <\(tag)>; Tag = <\(tag)>; New = <\(note)>; }
      """)
    #expect(
      log.hashes.keys.sorted() == ["Note", "Tag"] && log.destinationHashes.keys.sorted() == ["New", "Note", "Tag"])
    #expect(log.reasons.map(\.words) == ["looking for mapping model with"])
    let words = try LogInStore(log, in: store).statements.map { "\($0.subject): \($0.words)" }
    #expect(
      words == [
        "hash of 'Note': the store's is the same", "hash of 'Tag': the store's is the same",
        "hash of 'New' the migration leads to: the store's metadata has no such entity: the migration would add it, or has "
          + "not run",
        "hash of 'Note' the migration leads to: another than the store's: the migration would change the entity, or has not "
          + "run", "hash of 'Tag' the migration leads to: the store's: the migration leaves the entity",
      ])
  }

  /// Any bytes are parsed, quickly, into statements or nothing.
  @Test(arguments: LongRuns.seeds(50, whole: 5_000)) func takesAnyBytes(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "CoreData: sql: ", "SELECT ", "FROM ", "ZNOTE", " t0", ".", "ZFOLDER", " WHERE ", "=", "(", ")", ",", "'", "\"",
      "\n",
      "INTO ", "UPDATE ", "TABLE ", "ON ", "AS ", "relationship fault ", "destination hashes", "\u{0}", "é",
    ]
    var bytes = (0..<300).flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
    for _ in 0..<20 { bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random) }
    let log = try #require(explain(log: bytes).log)
    let store = try Store(path: Project.path("corpus/Notes.sqlite"))
    let found = try LogInStore(log, in: store).statements
    #expect(found.count >= log.statements.count, "seed \(seed)")
  }

  private func facts(_ text: String) -> LogFacts { explain(log: Array(text.utf8)).log ?? LogFacts() }
}

/// Texts people ask about: messages quoted in the guides, complete or in part, and words of check names.
@Suite struct AskedTextTests {
  /// Each quotation in the prose of the guides, except names of our own models, versions and groups.
  @Test func theMessagesOfTheGuidesAreKnown() throws {
    let ours = [
      "Lost by migrating", "School", "School 2", "School 3", "Notes 2", "Notes 3", "Notes 3 Bridge", "2.0.0", "recover",
      "Red", "red ", "Dentist", "Straße", "STRASSE", "Based on dependency analysis",
    ]
    var messages: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: Project.path("docs/guides")) {
      let page = try String(contentsOfFile: Project.path("docs/guides/\(name)"), encoding: .utf8)
      // Every second part is inside a code fence.
      for (index, prose) in page.components(separatedBy: "\n```").enumerated() where index % 2 == 0 {
        let text = prose.replacing(/<!--(.|\n)*?-->/, with: "").replacing(/`[^`]*`/, with: "")
        for quotation in text.matches(of: /"([^"\n]+(?:\n[^"\n]+)?)"/) {
          messages.insert(String(quotation.1).replacing("\n", with: " ").replacing("*", with: ""))
        }
      }
    }
    messages.subtract(ours)
    #expect(messages.count >= 10, "\(messages.sorted())")
    for message in messages.sorted() { #expect(throws: Never.self, "\(message)") { try explain([message]) } }
    // Also the messages in the logs that the guides show.
    for line in try shownLogLines() { #expect(throws: Never.self, "\(line)") { try explain([line]) } }
  }

  private func shownLogLines() throws -> [String] {
    let page = try String(contentsOfFile: Project.path("docs/guides/the-app-cannot-open-the-store.md"), encoding: .utf8)
    return page.matches(of: /(?:Error Domain=|reason=|Code=)[^\n]+/).map { String($0.0) }
  }

  @Test(
    arguments: [
      ("dangling", [], ["SD401", "SD701"]), ("Dangling", [], ["SD401", "SD701"]),
      ("orphaned", [], ["SD404", "SD410", "SD602"]),
      ("dangling reference", ["SD401"], []), ("required value", ["SD501"], []), ("utf8", nil, []), ("dangl", nil, []),
      ("reference-dangling", nil, []),
    ] as [(String, [String]?, [String])])
  func aWordOfANameLeadsToTheChecks(_ word: String, _ checks: [String]?, _ choices: [String]) throws {
    guard let checks else {
      #expect(throws: ExplainError.unknown(word)) { try explain([word]) }
      return
    }
    let explanation = try explain([word])
    #expect(explanation.checks.map(\.id) == checks && explanation.choices.map(\.id) == choices)
  }

  @Test(arguments: [
    ("unknown model version", ["staged migration with an unknown model version"], [134504]),
    ("The file “Notes.sqlite” couldn’t be opened.", ["couldn't be opened."], [256]),
    (
      "couldn't be opened because it isn't in the correct format",
      ["couldn't be opened because it isn't in the correct format"], [259]
    ),
    ("Failed to fulfill faulting for the relationship", ["failed to fulfill faulting for the relationship"], []),
    ("Expected only Arrays for Relationships", ["expected only arrays for relationships"], []),
    (
      "The managed object model version used to open the persistent store is incompatible ...",
      ["the managed object model version used to open the persistent store is incompatible"], [134100]
    ),
  ])
  func aPartOfASentenceIsEnough(_ text: String, _ words: [String], _ codes: [Int]) throws {
    let explanation = try explain([text])
    #expect(explanation.log?.reasons.map(\.words) == words)
    #expect(explanation.errors.map(\.code) == codes)
  }
}
