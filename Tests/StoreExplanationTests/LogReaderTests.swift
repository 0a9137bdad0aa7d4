import StoreDiagnosis
import StoreExplanation
import StoreFindings
import StoreCoreData
import StoreTestSupport
import TestSupport
import Testing

/// Logs are understood whatever surrounds the messages.
@Suite struct LogReaderTests {
  @Test(arguments: [
    ("Error Domain=NSCocoaErrorDomain Code=134110 \"An error occurred\"", "134110"),
    ("The operation couldn’t be completed. (Cocoa error 134100.)", "134100"),
    ("NSCocoaErrorDomain (134060)", "134060"),
    ("未能完成操作。（“NSCocoaErrorDomain”错误134130。）", "134130"),
    ("(Cocoa 错误 134140。)", "134140"),
    ("Der Vorgang konnte nicht abgeschlossen werden. (Cocoa-Fehler 1570.)", "1570"),
    ("error 134504 while loading", "134504"),
    ("Error Domain=NSCocoaErrorDomain Code=256 \"The file “default.store” couldn’t be opened.\"", "256"),
    ("NSSQLiteErrorDomain=522, NSUnderlyingException=...", "522"),
    ("UserInfo={NSSQLiteErrorDomain=11}", "11"), ("SQLite error code:1, 'no such table: ZTAG'", "1"),
    // Not errors: a time, an address, a longer number, another error domain.
    ("at 13:41:10 in 0x134110abc, id 1341100, build x134110", ""), ("Error Domain=NSURLErrorDomain Code=-1009", ""),
  ]) func findsCodes(_ text: String, _ numbers: String) {
    #expect(facts(text).codes.map { String($0.number) }.joined(separator: " ") == numbers)
  }

  @Test func tellsTheLineOfEachCodeOnce() {
    let log = facts("first\nNSCocoaErrorDomain Code=134110\nNSCocoaErrorDomain Code=134110\n\nSQLite error 11\n")
    #expect(log.codes.map { [$0.number, $0.line] } == [[134110, 2], [11, 5]])
  }

  @Test(arguments: [
    ("reason=Can’t find model for source store", "can't find model for source store", false),
    ("*** Terminating: 'Duplicate version checksums across stages detected.'", "duplicate version checksums", true),
    (
      "SwiftDataError(_error: SwiftData.SwiftDataError._Error.loadIssueModelContainer)", "loadissuemodelcontainer", true
    ),
  ]) func findsReasons(_ text: String, _ words: String, _ leadsToDeletion: Bool) {
    let log = facts(text)
    #expect(log.reasons.map(\.words) == [words])
    #expect(log.leadsToDeletion == leadsToDeletion)
  }

  @Test(arguments: [
    ("{entity=Note, attribute=title, reason=...}", "Note.title"),
    ("entity = Note; attribute = \"title\";", "Note.title"),
    ("\"entity\": \"Note\", \"relationship\": \"folder\"", "Note.folder"), ("entity=Note", "Note"),
    ("an entity of no name", ""), ("entity=Größe, attribute=größe", "Größe.größe"),
  ]) func findsPlaces(_ text: String, _ place: String) {
    #expect(facts(text).places.map(\.text).joined() == place)
  }

  @Test func findsObjects() {
    let uri = "x-coredata://8E430534-5F59-49DB-9479-C3290AE2713E/Note/p42"
    let log = facts("could not fulfill a fault for '0xd0 <\(uri)>', \(uri), x-coredata:///Note/t8, x-coredata://A/B")
    #expect(log.objects.map(\.text) == [uri])
  }

  @Test func findsHashesWholeAndAbbreviated() {
    let log = facts(
      """
      Folder = {length = 32, bytes = 0xeb984ccb a49c545a ... 45c11cfa };
      "Note" = <b5261a9e a9c9e52e 00000000 00000001 00000000 00000002 00000000 00000003>;
      self = <0x600001234567>; object = <b5261a9e>; Tag = {length = 32, bytes = 0x<evil>};
      """)
    #expect(log.hashes.keys.sorted() == ["Folder", "Note"])
    #expect(log.hashes["Folder"]?.first == [0xeb, 0x98, 0x4c, 0xcb, 0xa4, 0x9c, 0x54, 0x5a])
    #expect(log.hashes["Folder"]?.last == [0x45, 0xc1, 0x1c, 0xfa])
    #expect(log.hashes["Note"]?.first.count == 32)
  }

  @Test func findsTheNamesSQLiteSays() {
    let log = facts(
      "no such table: main.ZTAG (1); UNIQUE constraint failed: ZNOTE.ZSLUG; no such column: t0.ZTITLE\nno such table: ")
    #expect(log.schemaNames == ["ZTAG", "t0.ZTITLE", "ZNOTE.ZSLUG"])
  }

  /// Any bytes can be read, and in a short time.
  @Test(arguments: LongRuns.seeds(50, whole: 5_000)) func takesAnyBytes(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "NSCocoaErrorDomain", " Code=", "134110", "entity=", "attribute", "x-coredata://", "/", "/p9",
      "{length = 32, bytes = 0x",
      "<", ">", "ab", "...", "=", "\"", "\u{2019}", "no such table: ", "}", "\n", "9999999999999999999", "\u{0}", "é",
    ]
    var bytes = (0..<200).flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
    for _ in 0..<20 { bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random) }
    let explanation = explain(log: bytes)
    #expect(explanation.log?.codes.count == explanation.errors.count + explanation.unknown.count, "seed \(seed)")
  }

  private func facts(_ text: String) -> LogFacts { explain(log: Array(text.utf8)).log ?? LogFacts() }
}

/// The rules for the tables of known errors and reasons.
@Suite struct KnownErrorTests {
  @Test(arguments: KnownError.all) func isKnownOnceAndLeadsToChecksThatExist(_ error: KnownError) {
    #expect(KnownError.all.count { $0.domain == error.domain && $0.code == error.code } == 1)
    #expect(Set(error.checks).isSubset(of: Check.all.map(\.id)), "\(error.code)")
    #expect(error.cause.hasSuffix("."))
  }

  @Test(arguments: KnownReason.all) func reasonsAreInPlainSmallLetters(_ reason: KnownReason) {
    #expect(reason.words == reason.words.lowercased() && !reason.words.contains("’"))
    #expect(Set(reason.checks).isSubset(of: Check.all.map(\.id)), "\(reason.words)")
  }

  @Test func codesOfFindingsAreKnown() throws {
    for fixture in Fixture.readable where fixture.kind == "sick" {
      let folder = try TemporaryFolder()
      for finding in try diagnose(path: fixture.build(in: folder)).findings {
        for code in finding.blocks { #expect(!KnownError.numbered(code).isEmpty, "\(finding.id) \(code)") }
      }
    }
  }

  @Test func saysWhatItDoesNotKnow() {
    #expect(throws: ExplainError.unknown("134999")) { try explain(["134999"]) }
    #expect(throws: ExplainError.unknown("sqlite:x")) { try explain(["sqlite:x"]) }
  }
}

/// What a log names is looked up in the store.
@Suite struct LogInStoreTests {
  @Test func looksUpObjectsPropertiesTablesAndHashes() throws {
    let store = try Store(path: Project.path("corpus/Notes.sqlite"))
    let uuid = try #require(store.metadata.uuid)
    let note = try #require(store.metadata.hashes?.byEntity["Note"]).bytes
    let log = """
      <x-coredata://\(uuid)/Note/p1> <x-coredata://\(uuid)/Note/p99> <x-coredata://OTHER/Note/p1>
      entity=Note, attribute=title
      entity=Note, attribute=summary
      no such table: ZGONE, no such column: t0.ZTITLE, UNIQUE constraint failed: ZTAG.ZNAME
      Note = {length = 32, bytes = 0x\(hex(note.prefix(8))) ... \(hex(note.suffix(4))) };
      Folder = {length = 32, bytes = 0x\(hex(note.prefix(8))) ... \(hex(note.suffix(4))) };
      """
    let facts = try #require(explain(log: Array(log.utf8)).log)
    #expect(
      try LogInStore(facts, in: store).statements.map { "\($0.holds.map(String.init) ?? "?") \($0.words)" } == [
        "true row 1 of ZNOTE is there",
        "false there is no row 99 in ZNOTE, and only 18 keys were handed out so far: it was saved after this copy was made, "
          + "or elsewhere",
        "? is an object of another store; this one is \(uuid)", "true 0 of 18 rows have NULL in ZTITLE",
        "false the store's version has no column for it: all 18 rows would be without a value",
        "false there is no table ZGONE", "true ZNOTE has a column ZTITLE", "true ZTAG has the column",
        "false the store's is another (12 of 32 bytes are in the log)",
        "true the store's is the same (12 of 32 bytes are in the log)",
      ])
  }

  private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
