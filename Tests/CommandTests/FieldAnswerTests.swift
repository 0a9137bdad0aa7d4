import Foundation
import StorePlatform
import TestSupport
import Testing

/// Stores on which the program once answered as if it knew more than it did: each is made anew from `field-cases/answers`, and
/// the built program answers.
@Suite(.needsSharedData, .needs("python3")) struct FieldAnswerTests {
  private static let notes = SharedData.path("field-cases/base/Notes.sqlite")
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs a script of a case in the folder, and returns what it prints.
  @discardableResult private func script(_ name: String, _ arguments: String...) throws -> String {
    let script = SharedData.path("field-cases/\(name)")
    let outcome = try Program.launch(
      ["sh", "-c", "cd \"$0\" && exec python3 \"$@\"", folder.path, script] + arguments)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  /// What a run says, in one line, and its status.
  private func answer(_ arguments: String...) throws -> (said: String, status: Int32?) {
    let outcome = try Program.run(arguments)
    let words = (outcome.output + " " + outcome.errors).split(whereSeparator: \.isWhitespace)
    return (words.joined(separator: " "), outcome.status)
  }

  @Test(.enabled(if: getuid() == 0, "needs root, to read as another user"))
  func accessTimesThatChangeAreSaid() throws {
    // The program has to be where another user may run it.
    let said = try script("answers/access-times-change-unsaid/atime.py", Program.path, Self.notes)
    // An audit's lines are JSON, where the word is `accessTimes`.
    let silent = said.split(separator: "\n").filter { !$0.hasSuffix(", said") && !$0.hasPrefix("audit: ") }
    #expect(silent == [], "\(said)")
    #expect(said.split(separator: "\n").count == 8)
  }

  @Test func whatTriggersChangeIsInThePlan() throws {
    let store = try folder.copyStore(SharedData.path("field-cases/answers/changes-by-triggers/s.sqlite"))
    let plan = try answer("repair", store, "--dedupe", "Item.name", "--others", "delete", "--allow-lossy")
    #expect(plan.said.contains("plan: 2 operations, 6 changes"))
    #expect(plan.said.contains("by the store's own triggers: 1 row of 'Shelf' gets another itemCount"))
  }

  @Test(arguments: [
    "order": "Rowid 2 out of order", "free": "free space corruption", "fragments": "Fragmentation of 0 bytes",
  ])
  func damageOfTheSchemaPageIsFound(_ name: String, _ complaint: String) throws {
    try script("answers/damage-in-the-schema-page/make.py", Self.notes, folder.path)
    let diagnosis = try answer("diagnose", folder("\(name).sqlite"))
    #expect(diagnosis.status == 1 && diagnosis.said.hasPrefix("damaged: 1 error"), "\(diagnosis)")
    #expect(diagnosis.said.contains(complaint), "\(diagnosis)")
    let audit = try answer("audit", folder.path, "--summary", "--integrity", "--no-config")
    #expect(audit.said.hasPrefix("0 of 3 stores are sound (0%)"), "\(audit)")
  }

  @Test func noLineOfATimelineIsEmpty() throws {
    let lines = try Program.run(["timeline", Self.notes, "--format", "jsonl"]).output
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 22 && lines.dropLast().allSatisfy { $0.hasPrefix("{") } && lines.last == "")
  }

  @Test(.needs("git")) func noneIsSaidOnlyWhereAllWasRead() throws {
    let files = SharedData.path("field-cases/answers/git-below-or-torn/")
    try script("answers/git-below-or-torn/make.py", files + "Shop.xcdatamodeld", folder("repos"))
    let store = try folder.copyStore(files + "old.sqlite")
    for place in ["plain", "plain/Sources"] {
      let match = try answer("model", "match", store, "--git", folder("repos/\(place)"))
      #expect(match.status == 0 && match.said.contains("was made with 'V1' of the repository's history"), "\(match)")
    }
    let torn = try answer("model", "match", store, "--git", folder("repos/torn"))
    #expect(torn.status == 2 && torn.said.contains("which one made it is not known"), "\(torn)")
  }

  @Test func theLargestKeyDecidesNothing() throws {
    let store = try folder.copyStore(Self.notes)
    let sql = "update Z_PRIMARYKEY set Z_MAX = 9223372036854775807 where Z_SUPER = 0"
    let code = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()"
    #expect(try Program.launch(["python3", "-c", code, store, sql]).status == 0)
    let recovery = try Program.run(["recover", store, "--format", "json"])
    #expect(recovery.output.utf8.count < 20_000)
    #expect(try answer("recover", store).said.hasPrefix("0 deleted "))
    #expect(try answer("diagnose", store).said.contains("SD207 Z_MAX is 9223372036854775807"))
  }

  @Test func oneBadTableStopsNoExport() throws {
    let store = folder("bad.sqlite")
    try script("answers/one-bad-table-stops-export/make.py", Self.notes, store)
    let export = try answer("rows", store, "--format", "csv", "--output", folder("out"))
    #expect(export.status == 2 && export.said.contains("Attachment: not written: its table ZATTACHMENT is damaged"))
    let lines = try ["Checklist", "Folder", "Note", "Tag"].map {
      try contents(of: folder("out/\($0).csv")).count { $0 == 10 }
    }
    #expect(lines == [4, 5, 16, 7])
    let repair = try answer("repair", store, "--safe")
    #expect(repair.status == 2 && repair.said.contains("ZATTACHMENT is damaged on page 3"), "\(repair)")
    #expect(repair.said.contains("'storedoctor salvage"), "\(repair)")
    #expect(!(export.said + repair.said).contains("malformed"))
  }

  @Test func aRowOutOfOrderDeletesAndMovesNothing() throws {
    let store = folder("rowid.sqlite")
    try script("answers/one-rowid-out-of-order/make.py", Self.notes, store)
    let recovery = try answer("recover", store)
    #expect(recovery.said.hasPrefix("0 deleted ") && recovery.said.contains("counts are bounds"), "\(recovery)")
    let comparison = try answer("compare", Self.notes, store)
    #expect(comparison.said.hasPrefix("not known whether equal") && !comparison.said.contains("under another key"))
    #expect(comparison.status == 2, "\(comparison)")
  }

  @Test func aLiveRowWhoseEndCannotBeReadIsLive() throws {
    let store = folder("overflow.sqlite")
    try script("answers/overflow-of-a-live-row/make.py", Self.notes, store)
    #expect(try answer("recover", store).said.hasPrefix("0 deleted "))
    #expect(try answer("rows", store, "Note", "--key", "3", "--columns", "_key").said.contains("1 object of Note"))
  }

  @Test func aSchemaThatSQLiteRefusesIsDamage() throws {
    let store = folder("refused.sqlite")
    try script("answers/schema-that-sqlite-refuses/make.py", Self.notes, store)
    let diagnosis = try answer("diagnose", store)
    #expect(diagnosis.status == 1 && diagnosis.said.hasPrefix("damaged: "), "\(diagnosis)")
    #expect(diagnosis.said.contains("malformed database schema (ZTAG) - subqueries prohibited in CHECK constraints"))
  }

  @Test func aLogBesideALinkIsSaid() throws {
    try script("base/wal.py", Self.notes, folder("backup"))
    try FileManager.default.moveItem(atPath: folder("backup/Notes.sqlite"), toPath: folder("backup/2c7c"))
    try FileManager.default.moveItem(atPath: folder("backup/Notes.sqlite-wal"), toPath: folder("backup/8740"))
    try FileManager.default.createDirectory(atPath: folder("links"), withIntermediateDirectories: false)
    for (name, target) in [("Notes.sqlite", "2c7c"), ("Notes.sqlite-wal", "8740")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder("links/\(name)"), withDestinationPath: "../backup/\(target)")
    }
    let store = folder("links/Notes.sqlite")
    for command in ["inspect", "diagnose"] {
      #expect(try answer(command, store).said.contains("Notes.sqlite-wal lies beside the link and was not read"))
    }
    #expect(try answer("inspect", store, "--wal", folder("links/Notes.sqlite-wal")).said.contains("39 objects"))
  }

  /// System calls and how many of each a repair is killed at, one after the other; in the plain run at those of the case alone.
  private static let kills: [(call: String, times: ClosedRange<Int>)] =
    LongRuns.areWanted
    ? [
      ("fdatasync", 1...12), ("fsync", 1...12), ("ftruncate", 1...12), ("rename", 1...8), ("unlink", 1...12),
      ("pwrite64", 1...150), ("openat", 1...60), ("mkdir", 1...6), ("close", 1...40),
    ] : [("rename", 3...3), ("unlink", 3...3), ("ftruncate", 3...3), ("pwrite64", 10...10), ("fdatasync", 4...4)]

  @Test(.needs("strace"), arguments: kills.flatMap { kill in kill.times.map { (kill.call, $0) } })
  func aKilledRepairIsTakenBackByteForByte(_ call: String, _ time: Int) throws {
    let said = try script(
      "answers/undo-after-a-kill/kill.py", Program.path, "strace", Self.notes, folder("work"), call, "\(time)")
    #expect(said.contains("bytes as before: yes"), "\(call) \(time): \(said)")
  }

  @Test func aStoreWithoutItsLogIsSaidToBe() throws {
    try script("base/wal.py", Self.notes, folder("whole"))
    try FileManager.default.createDirectory(atPath: folder("copy"), withIntermediateDirectories: false)
    let (whole, copy) = (folder("whole/Notes.sqlite"), folder("copy/Notes.sqlite"))
    try FileManager.default.copyItem(atPath: whole, toPath: copy)
    #expect(try answer("inspect", whole).said.contains("39 objects"))
    for arguments in [
      ["inspect", copy], ["diagnose", copy], ["compare", whole, copy], ["rows", copy], ["timeline", copy],
    ] {
      let outcome = try Program.run(arguments)
      #expect((outcome.output + outcome.errors).contains("no -wal beside it"), "\(arguments)")
    }
  }
}
