import Foundation
import StoreCoreData
import StorePublishing
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreRepair

/// A file is written anew without its free pages, as the plan says, and undo gives back every byte.
@Suite struct CompactionTests {
  /// Four hundred long folders that are gone again: free pages, with what they held.
  private static let freePages = """
    PRAGMA secure_delete=0;
    WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 1400)
      INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 2, 1, printf('gone %0300d', i) FROM n;
    DELETE FROM ZFOLDER WHERE Z_PK >= 1000;
    """

  private var recipe: Recipe {
    var recipe = Recipe()
    recipe.compact = true
    return recipe
  }

  private func isLeft(_ path: String) throws -> Bool {
    try contents(of: path).firstRange(of: Array("gone 000".utf8)) != nil
  }

  @Test(arguments: RepairedStore.Mode.allCases) func theResultIsAsLongAsPlanned(mode: RepairedStore.Mode) throws {
    let sample = try RepairedStore(mode, injury: Self.freePages)
    let plan = try planRepair(recipe, of: sample.open())
    guard plan.operations.count == 1, case .compact(let bytes) = plan.operations[0].edit else {
      Issue.record("\(plan.operations)")
      return
    }
    let document = try JSONTree(plan.json(toolVersion: "1", showsValues: false).text)
    #expect(try JSONSchema.of("plan").violations(in: document).map(\.pointer) == [])
    #expect(plan.needs == [.lossy] && plan.operations[0].summary.contains(" become "))
    #expect(plan.notices.contains { $0.hasPrefix("compacting destroys what can still be recovered") })
    #expect(throws: RepairPlanError.self) {
      try apply(plan, to: sample.open(), destination: .output(OutputTarget(PosixPath(sample.folder("no.sqlite")))))
    }
    let target = sample.folder("out.sqlite")
    let outcome = try repair(
      recipe, of: sample.open(), to: OutputTarget(PosixPath(target)), allowance: RepairAllowance(lossy: true))
    #expect(outcome.plan.operations == plan.operations)
    #expect(try Int64(contents(of: target).count) == bytes)
    #expect(try isLeft(sample.path) && !isLeft(target))
    #expect(try everyValue(of: target) == everyValue(of: sample.path))
    // WAL mode stays, and so does the kind of the file.
    let (old, new) = (try sample.open().header, try Store(path: target).header)
    #expect((old.isWAL, old.pageSize, old.hasPointerMap) == (new.isWAL, new.pageSize, new.hasPointerMap))
    #expect(try planRepair(recipe, of: Store(path: target)).isEmpty)
  }

  @Test(arguments: RepairedStore.Mode.allCases) func undoGivesBackEveryByte(mode: RepairedStore.Mode) throws {
    let sample = try RepairedStore(mode, injury: Self.freePages)
    let (before, values) = (try sample.storeBytes, try everyValue(of: sample.path))
    let plan = try planRepair(recipe, of: sample.open())
    let outcome = try apply(
      plan, to: sample.open(), destination: .inPlace(), allowance: RepairAllowance(lossy: true))
    #expect(try sample.storeBytes.count == 1 && !isLeft(sample.path))
    #expect(try everyValue(of: sample.path) == values)
    let journal = try PosixPath(#require(outcome.journal))
    let document = try JSONTree(
      String(decoding: contents(of: Journal(reading: journal).document.description), as: UTF8.self))
    #expect(try JSONSchema.of("journal").violations(in: document).map(\.pointer) == [])
    let undone = try undo(journal)
    #expect(try undone.way == .bytes && sample.storeBytes == before)
    // And the way forward.
    #expect(try undo(#require(undone.journal).folder).way == .bytes)
    #expect(try !isLeft(sample.path))
  }

  @Test func undoAfterTheAppWentOnIsRefused() throws {
    let sample = try RepairedStore(injury: Self.freePages)
    let outcome = try apply(
      planRepair(recipe, of: sample.open()), to: sample.open(), destination: .inPlace(),
      allowance: RepairAllowance(lossy: true))
    let app = try Connection(writing: sample.path, create: false)
    try app.execute("UPDATE ZTAG SET ZNAME = 'new' WHERE Z_PK = 1")
    app.close()
    try expectRefusal("the file was written anew", in: sample.folder) {
      _ = try undo(PosixPath(#require(outcome.journal)))
    }
  }

  @Test func ofADamagedStoreNothingIsWrittenAnew() throws {
    let sample = try RepairedStore(injury: "UPDATE ZTAG SET ZNAME = hex(zeroblob(9000)) WHERE Z_PK = 1")
    var bytes = try contents(of: sample.path)
    let app = try Connection(writing: sample.path, create: false)
    let pages = try app.prepare("SELECT pageno FROM dbstat WHERE name = 'ZTAG' AND pagetype = 'overflow'")
    try #require(try pages.step())
    let start = (Int(pages.int64(0)) - 1) * 4096
    pages.reset()
    app.close()
    bytes.replaceSubrange(start..<start + 4, with: Data(count: 4))
    try sample.folder.write(bytes, to: "Notes.sqlite")
    let plan = try planRepair(recipe, of: sample.open())
    #expect(plan.refusals.count == 1 && plan.refusals[0].message.contains("'storedoctor salvage'"))
  }

  /// A repair of rows and the compaction stop anywhere: the store is as before, or undo makes it so.
  @Test(arguments: RepairedStore.Mode.allCases, [false, true])
  func whatStoppedAnywhereIsUndone(mode: RepairedStore.Mode, changesRows: Bool) throws {
    func change(_ connection: Connection, _ recorder: ChangeRecorder) throws {
      if changesRows {
        try connection.allowingWrites(to: ["ZTAG"]) { try connection.execute("UPDATE ZTAG SET ZNAME = ZNAME || '!'") }
      }
      recorder.note(.compacted)
    }
    var undone = 0
    for n in stride(from: 1, to: 10_000, by: LongRuns.areWanted ? 1 : 7) {
      let sample = try RepairedStore(mode, injury: Self.freePages)
      let before = try sample.storeBytes
      let vfs = try FaultVFS(failing: n, of: [.write, .truncate, .sync, .delete, .lock], with: 10, lasting: true)
      let files = FileActions(vfs: vfs.name) { _ in nil }
      let isDone = (try? changeInPlace(sample.open(), files: files, compacts: true, change: change) { _ in }) != nil
      if let journal = try sample.journals.first(where: { (try? Journal(reading: $0)) != nil }) {
        _ = try undo(journal)
        undone += 1
      }
      #expect(try sample.storeBytes == before, "SQLite's action \(n), \(isDone ? "done" : "failed")")
      if !vfs.hasFired { break }
    }
    #expect(undone > 1)
  }
}
