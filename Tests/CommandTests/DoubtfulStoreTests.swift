import Foundation
import StoreSQLite
import TestSupport
import Testing

/// Stores whose parts contradict each other: nothing that is in doubt is taken for certain, and no repair relies on it.
@Suite struct DoubtfulStoreTests {
  private let folder: TemporaryFolder
  private let place: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    place = try TemporaryFolder()
  }

  /// A copy of a bundled store with something done to it.
  private func store(_ statements: String..., of name: String = "Notes") throws -> String {
    let path = try folder.copyStore(Project.path("corpus/\(name).sqlite"))
    let connection = try Connection(writing: path, create: false)
    for statement in statements { try connection.execute(statement) }
    return path
  }

  private func diagnose(_ store: String, _ arguments: [String] = []) throws -> Program.Outcome {
    try Program.run(["diagnose", store, "--no-config", "--verbose"] + arguments)
  }

  private func repairSafely(_ store: String) throws -> Program.Outcome {
    try Program.run(["repair", store, "--safe", "--output", place("out.sqlite")])
  }

  private func number(_ query: String, in store: String) throws -> Int64 {
    let rows = try Connection(writing: store, create: false).prepare(query)
    return try rows.step() ? rows.int64(0) : -1
  }

  /// The hashes in the metadata decide which model a store was made with, not its model cache.
  @Test func aModelCacheDoesNotOpenAStoreOfOtherHashes() throws {
    let school = Project.path("corpus/School.sqlite")
    let rows = try Connection(writing: folder.copyStore(school), create: false).prepare(
      "SELECT hex(Z_CONTENT) FROM Z_MODELCACHE")
    _ = try rows.step()
    let cache = try #require(rows.string(0))
    let path = try store("UPDATE Z_MODELCACHE SET Z_CONTENT = x'\(cache)'")
    let outcome = try diagnose(path, ["--model", school])
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("unknown-version: "), "\(outcome.output)")
    #expect(outcome.output.contains(/so\s+hashes\s+alone\s+are\s+compared/))
  }

  /// Values of up to 256 MiB are read.
  @Test func whatWasNotReadIsNotHealthyAndNotKnownToMigrate() throws {
    let path = try store("UPDATE ZATTACHMENT SET ZDATA = zeroblob(268435457) WHERE Z_PK = 2")
    let alone = try diagnose(path, ["--fail-on", "warning"])
    #expect(alone.status == 1)
    #expect(alone.output.hasPrefix("findings: 1 warning"), "\(alone.output)")
    let migrating = try diagnose(path, ["--model", Project.path("corpus/Notes.xcdatamodeld#Notes")])
    #expect(migrating.status == 1)
    #expect(
      migrating.output.contains(/succeeds,\s+as\s+far\s+as\s+the\s+store\s+could\s+be\s+read\s+\(assumed\)/),
      "\(migrating.output)")
    #expect(migrating.output.contains("E SD108 ZATTACHMENT cannot be read whole"))
    let opening = try diagnose(path, ["--model", Project.path("corpus/Notes.xcdatamodeld#Notes 2")])
    #expect(opening.output.hasPrefix("opens: 'Notes 2' opens it as it is\n"), "\(opening.output)")
  }

  @Test func aDamagedIndexLeavesAMigrationOpen() throws {
    let path = try store()
    let root = try number("SELECT rootpage FROM sqlite_schema WHERE name = 'ZATTACHMENT_ZNOTE_INDEX'", in: path)
    var bytes = try contents(of: path)
    bytes.replaceSubrange(Int(root - 1) * 4096..<Int(root) * 4096, with: [UInt8](repeating: 0, count: 4096))
    try folder.write(bytes, to: "Notes.sqlite")
    let outcome = try diagnose(path, ["--model", Project.path("corpus/Notes.xcdatamodeld#Notes")])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains(/as\s+far\s+as\s+the\s+store\s+could\s+be\s+read/), "\(outcome.output)")
    #expect(outcome.output.contains("index 'ZATTACHMENT_ZNOTE_INDEX'"))
  }

  /// The table's page claims to have fewer cells than it has: reading reports no error, but misses half of the folders.
  @Test func linksIntoADamagedTableAreNotCalledDangling() throws {
    let path = try store()
    var bytes = try contents(of: path)
    bytes.replaceSubrange(3 * 4096 + 3..<3 * 4096 + 5, with: [0, 2])
    try folder.write(bytes, to: "Notes.sqlite")
    #expect(try number("SELECT count(*) FROM ZFOLDER NOT INDEXED", in: path) == 2)
    let outcome = try diagnose(path)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("SD102 corrupt-page: 1 found"), "\(outcome.errors)")
    #expect(outcome.errors.contains("SD401 dangling-reference: nothing found, could not look at everything"))
    #expect(try repairSafely(path).status == 0)
    #expect(try number("SELECT count(ZFOLDER) FROM ZNOTE", in: place("out.sqlite")) == 18)
  }

  /// The row that names the file, and the transaction that a change of the history refers to, are hidden by a page that
  /// claims to have fewer cells than it has.
  @Test func whatHiddenRowsNameIsNotCalledOrphaned() throws {
    let file = "0308CA1C-D76C-4F97-8631-28E8EFF6F510"
    let path = try store(
      "UPDATE ZATTACHMENT SET ZDATA = CAST(x'02' || '\(file)' || x'00' AS BLOB) WHERE Z_PK = 4")
    try FileManager.default.createDirectory(
      atPath: folder(".Notes_SUPPORT/_EXTERNAL_DATA"), withIntermediateDirectories: true)
    try folder.write([1], to: ".Notes_SUPPORT/_EXTERNAL_DATA/\(file)")
    #expect(try !diagnose(path).errors.contains(/SD(602|701) [a-z-]+: 1 found/))
    var bytes = try contents(of: path)
    for (table, cells) in [("ZATTACHMENT", UInt8(3)), ("ATRANSACTION", 0)] {
      let page = try Int(number("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'", in: path)) - 1
      bytes.replaceSubrange(page * 4096 + 3..<page * 4096 + 5, with: [0, cells])
    }
    try folder.write(bytes, to: "Notes.sqlite")
    let errors = try diagnose(path).errors
    #expect(errors.contains("SD102 corrupt-page: 2 found"), "\(errors)")
    for check in ["SD602 orphaned-external-file", "SD701 dangling-history"] {
      #expect(errors.contains("\(check): nothing found, could not look at everything"), "\(errors)")
    }
    let repair = try Program.run(["repair", path, "--structure", "external-files", "--allow-lossy"])
    #expect(repair.output.contains("a table cannot be read whole (SD102), and may name the files"), "\(repair.output)")
  }

  @Test(arguments: [
    "Z_SUPER = 88 WHERE Z_NAME = 'Tag'", "Z_SUPER = 5 WHERE Z_NAME = 'Tag'", "Z_SUPER = 4 WHERE Z_NAME = 'Note'",
    "Z_SUPER = 0 WHERE Z_NAME = 'Checklist'", "Z_NAME = 'Tag' WHERE Z_NAME = 'Folder'",
  ])
  func keysAreNotHandedOutTwiceWhereInheritanceIsNotSure(change: String) throws {
    let path = try store("UPDATE Z_PRIMARYKEY SET \(change)")
    #expect(try repairSafely(path).status == 0)
    for store in [path, place("out.sqlite")] {
      #expect(try number("SELECT group_concat(Z_MAX) = '4,4,18,0,6,1,1,1' FROM Z_PRIMARYKEY", in: store) == 1)
    }
  }

  @Test func anEntityMayBeCalledAsOneOfHistory() throws {
    let path = try store("UPDATE Z_PRIMARYKEY SET Z_MAX = 0, Z_NAME = iif(Z_ENT > 16000, 'Tag', Z_NAME)")
    #expect(try repairSafely(path).status == 0)
    let query = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag' AND Z_ENT < 16000"
    #expect(try number(query, in: place("out.sqlite")) == 6)
  }

  @Test(arguments: [24, 32 + 24 + 100])
  func transactionsBehindDamageInTheLogAreNotPassedOver(offset: Int) throws {
    let living = try LivingStore(in: folder, committed: 4, inWAL: 0)
    try living.outsideTransaction("UPDATE ZNOTE SET ZTITLE = NULL WHERE Z_PK = 1; PRAGMA wal_checkpoint(TRUNCATE)")
    for _ in 0..<3 {
      try living.insert(10)
      try living.writer.save(intoMain: false)
    }
    try living.copy()
    var log = try contents(of: living.mainPath + "-wal")
    log[offset] ^= 1
    try Data(log).write(to: URL(fileURLWithPath: living.mainPath + "-wal"))
    #expect(try diagnose(living.mainPath).errors.contains("SD107 lost-wal-suspected: 1 found"))
    let repair = try Program.run(
      ["repair", living.mainPath, "--backfill", "Note.title=Untitled", "--in-place", "--journal", place("journal")])
    #expect(repair.status == 2 && repair.errors.contains("the WAL would be emptied"), "\(repair.errors)")
    try expectSameBytes(contents(of: living.mainPath + "-wal"), as: log)
  }

  @Test(arguments: ["", "WHERE Z_NAME = 'Tag'"]) func rowsOfNoEntityAreFound(which: String) throws {
    let outcome = try diagnose(store("DELETE FROM Z_PRIMARYKEY \(which)"))
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(/SD209 unknown-entity-number: [1-9]/), "\(outcome.errors)")
    #expect(outcome.output.contains("without a row in Z_PRIMARYKEY, so"), "\(outcome.output)")
  }

  @Test func whatTheModelDoesNotDescribeIsSaidToBeLeftOut() throws {
    let outcome = try diagnose(store("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Label', Z_ENT = 77 WHERE Z_NAME = 'Tag'"))
    #expect(outcome.output.contains("'Label': not in the model, so"), "\(outcome.output)")
  }

  @Test func twoEntitiesOfOneNameAreAFinding() throws {
    let outcome = try diagnose(store("INSERT INTO Z_PRIMARYKEY VALUES (99, 'Tag', 0, 0)"))
    #expect(outcome.output.contains("2 rows of Z_PRIMARYKEY are called 'Tag'"), "\(outcome.output)")
  }

  @Test func theStoreIsWhatItsFirstVersionOfTheMetadataSays() throws {
    let path = try store("INSERT INTO Z_METADATA SELECT 0, 'OTHER', NULL FROM Z_METADATA")
    let outcome = try diagnose(path)
    #expect(outcome.status == 0 && !outcome.output.contains("OTHER"), "\(outcome.output)")
  }

  @Test func metadataOfAnotherNumberIsReadWhereThereIsNoFirst() throws {
    let path = try store("UPDATE Z_METADATA SET Z_VERSION = 2, Z_UUID = 'OTHER'")
    let outcome = try Program.run(["inspect", path, "--format", "json"])
    #expect(outcome.status == 0 && outcome.output.contains(#""uuid": "OTHER""#), "\(outcome.output.prefix(600))")
  }

  @Test func nothingIsRepairedWhereRowsShareAKey() throws {
    let path = try store(
      "CREATE TABLE COPY AS SELECT * FROM ZTAG", "DROP TABLE ZTAG", "ALTER TABLE COPY RENAME TO ZTAG",
      "UPDATE ZTAG SET Z_PK = 1, Z_OPT = 0 WHERE Z_PK = 2")
    let outcome = try repairSafely(path)
    #expect(outcome.status == 2 && outcome.errors.contains("objects of Tag have the same Z_PK (SD213)"), "\(outcome)")
  }

  @Test func aRepairOfTheMetadataLeavesOtherRowsOfThem() throws {
    let digest = "instr(Z_PLIST, x'33756B6330674C4D')"
    let path = try store(
      """
      UPDATE Z_METADATA SET Z_PLIST =
        CAST(substr(Z_PLIST, 1, \(digest) - 1) || 'AAAAAAAA' || substr(Z_PLIST, \(digest) + 8) AS BLOB)
      """,
      "INSERT INTO Z_METADATA SELECT 0, 'OTHER', CAST('other' AS BLOB)")
    try "version: 1\nstructure: [metadata]\n".write(toFile: place("recipe.yaml"), atomically: true, encoding: .utf8)
    let outcome = try Program.run(
      ["repair", path, "--recipe", place("recipe.yaml"), "--allow-metadata", "--output", place("out.sqlite")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try number("SELECT count(*) FROM Z_METADATA WHERE Z_PLIST = CAST('other' AS BLOB)", in: place("out.sqlite")) == 1)
    #expect(try number("SELECT \(digest) FROM Z_METADATA WHERE Z_VERSION = 1", in: place("out.sqlite")) > 0)
  }

  /// Invalid UTF-8 is read with replacement characters; two such texts may look equal and are different all the same.
  @Test(arguments: ["exact", "trimmed", "casefolded", "normalized"])
  func textsThatAreNoUTF8AreNoTwins(comparison: String) throws {
    let path = try store(
      "UPDATE ZTAG SET ZNAME = CAST(x'FF' AS TEXT) WHERE Z_PK = 1",
      "UPDATE ZTAG SET ZNAME = CAST(x'FE' AS TEXT) WHERE Z_PK = 2")
    let outcome = try Program.run(["repair", path, "--dedupe", "Tag.name", "--compare", comparison])
    #expect(outcome.output.hasPrefix("nothing to do"), "\(outcome.output)")
  }

  @Test func textsWithANULAreComparedWhole() throws {
    let path = try store(
      "UPDATE ZTAG SET ZNAME = 'ab' || char(0) || 'c' WHERE Z_PK = 1",
      "UPDATE ZTAG SET ZNAME = 'AB' || char(0) || 'C ' WHERE Z_PK = 2",
      "UPDATE ZTAG SET ZNAME = 'ab' || char(0) || 'd' WHERE Z_PK = 3")
    let recipe = ["--dedupe", "Tag.name", "--compare", "casefolded", "--allow-lossy"]
    let outcome = try Program.run(["repair", path, "--output", place("out.sqlite")] + recipe)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try number("SELECT count(*) FROM ZTAG", in: place("out.sqlite")) == 5)
  }
}
