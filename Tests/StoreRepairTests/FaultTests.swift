import StorePublishing
@testable import StoreRepair
import Foundation
import StoreCoreData
import StoreSQLite
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

/// Fires at the n-th question, and if it lasts, at all later ones.
final class Countdown: Sendable {
  private let remaining: Mutex<Int>
  private let lasts: Bool

  init(_ n: Int, lasting lasts: Bool = true) {
    remaining = Mutex(n)
    self.lasts = lasts
  }

  func isOver() -> Bool {
    remaining.withLock { remaining in
      remaining -= 1
      return lasts ? remaining <= 0 : remaining == 0
    }
  }

  var hasFired: Bool { remaining.withLock { $0 <= 0 } }
}

/// Every action of SQLite and of our own code fails in turn: once, or from then on, as after a power cut.
@Suite struct FaultTests {
  struct Fault: CustomTestStringConvertible {
    var mode: RepairedStore.Mode
    var lasts: Bool
    var testDescription: String { "\(mode) \(lasts ? "from then on" : "once")" }

    static let all = RepairedStore.Mode.allCases.flatMap { mode in [false, true].map { Fault(mode: mode, lasts: $0) } }
  }

  /// Calls `body` with the n-th of our actions failing, then with SQLite's n-th, for every n up to the last action.
  private func forEveryStep(_ lasts: Bool, _ body: (FileActions, String) throws -> Void) throws -> Int {
    var steps = 0
    let stride = LongRuns.areWanted ? 1 : 5
    for n in Swift.stride(from: 1, to: 100_000, by: stride) {
      let countdown = Countdown(n, lasting: lasts)
      try body(FileActions(vfs: nil) { _ in countdown.isOver() ? EIO : nil }, "our action \(n)")
      if !countdown.hasFired { break }
      steps += 1
    }
    for n in Swift.stride(from: 1, to: 100_000, by: stride) {
      let code: Int32 = n % 2 == 0 ? 13 : 10
      let vfs = try FaultVFS(failing: n, of: [.write, .truncate, .sync, .delete, .lock], with: code, lasting: lasts)
      try body(FileActions(vfs: vfs.name) { _ in nil }, "SQLite's action \(n)")
      if !vfs.hasFired { break }
      steps += 1
    }
    return steps
  }

  @Test(arguments: Fault.all) func outputIsAbsentOrWhole(fault: Fault) throws {
    var published = 0
    let steps = try forEveryStep(fault.lasts) { files, step in
      let sample = try RepairedStore(fault.mode)
      let before = try sample.bytes
      let target = sample.folder("out.sqlite")
      let succeeds: Bool
      do {
        try publish(
          sample.open(), to: OutputTarget(PosixPath(target)), files: files, change: changeEverything, verify: { _ in })
        succeeds = true
      } catch { succeeds = false }
      let after = try sample.bytes
      for (name, bytes) in before { #expect(after[name] == bytes, "\(name), \(step)") }
      if FileManager.default.fileExists(atPath: target) {
        published += 1
        #expect(try everyValue(of: target)["ZFOLDER"]?.count ?? 0 > 800, "\(step)")
      } else {
        #expect(!succeeds, "\(step)")
      }
      if !fault.lasts {
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: sample.folder.path).contains {
            $0.hasPrefix(".storedoctor-") || $0.hasPrefix("..storedoctor-")
          } == false, "\(step)")
      }
    }
    #expect(steps > 10 && published >= 2)
  }

  @Test(arguments: Fault.all) func inPlaceIsAsBeforeOrUndoable(fault: Fault) throws {
    let steps = try forEveryStep(fault.lasts) { files, step in
      let sample = try RepairedStore(fault.mode)
      let before = try everyValue(of: sample.path)
      do {
        _ = try changeInPlace(sample.open(), files: files, change: changeEverything) { _ in }
      } catch {
        // The next program that opens the store rolls back an unfinished transaction.
        let app = try Connection(writing: sample.path, create: false)
        try app.execute("SELECT count(*) FROM ZTAG")
        app.close()
      }
      try expectAsBeforeOrUndoable(sample, before, step)
    }
    #expect(steps > 10)
  }

  /// As after a kill: from some step on nothing is done any more. What is left is named by who reads the store, and undo gives
  /// back every byte.
  @Test(arguments: RepairedStore.Mode.allCases, [false, true])
  func whatStoppedAnywhereIsNamedAndUndoneByteForByte(mode: RepairedStore.Mode, isElsewhere: Bool) throws {
    var undone = 0
    let steps = try forEveryStep(true) { files, step in
      let sample = try RepairedStore(mode)
      // On another file system, where files in memory are one.
      let elsewhere = try TemporaryFolder()
      let before = try sample.bytes
      let target = JournalTarget(isElsewhere ? PosixPath(elsewhere("journal")) : nil)
      let isDone =
        (try? changeInPlace(sample.open(), journal: target, files: files, change: changeEverything) { _ in }) != nil
      let left = try sample.journals
      var way = "not undone"
      #expect(left.count <= 1, "\(step)")
      if let folder = left.first {
        let reading = try Reading(sample.open())
        if let journal = try? Journal(reading: folder) {
          #expect(reading.unfinishedRepair == (journal.state == .prepared ? folder.description : nil), "\(step)")
          #expect(journalOf(sample) == folder, "\(step)")
          way = try undo(folder).way.rawValue
          undone += 1
        } else {
          #expect(reading.abandonedJournal == folder.description, "\(step)")
          #expect(throws: RepairError.self) { try undo(folder) }
        }
      } else if isDone {
        _ = try undo(PosixPath(elsewhere("journal")), store: PosixPath(sample.path))
      }
      let after = try sample.bytes
      let differing = Set(before.keys).union(after.keys).filter { before[$0] ?? Data() != after[$0] ?? Data() }
      #expect(differing == [], "\(step), \(mode), \(left.count) left, done: \(isDone), \(way)")
      let reading = try Reading(sample.open())
      #expect(reading.unfinishedRepair == nil, "\(step)")
    }
    #expect(steps > 10 && undone > 1, "\(undone)")
  }

  private func journalOf(_ sample: RepairedStore) -> PosixPath? {
    try? journalToUndo(PosixPath(sample.path)).folder
  }

  /// The same for an undo by rows, after the app has gone on: a second one ends what the first one began.
  @Test(arguments: RepairedStore.Mode.allCases) func undoByRowsCanBeFinished(mode: RepairedStore.Mode) throws {
    let steps = try forEveryStep(true) { files, step in
      let sample = try RepairedStore(mode)
      let before = try everyValue(of: sample.path)
      let journal = try changeInPlace(sample.open(), change: changeEverything) { _ in }
      let app = try Connection(writing: sample.path, create: false)
      try app.execute("UPDATE ZNOTE SET ZTITLE = 'of the app' WHERE Z_PK = 1")
      app.close()
      do { _ = try undo(journal.folder, files: files) } catch { _ = try? undo(journal.folder) }
      var now = try everyValue(of: sample.path)
      #expect(now["ZNOTE"]?.contains { $0.contains("'of the app'") } == true, "\(step)")
      now["ZNOTE"] = before["ZNOTE"]
      #expect(before.keys.filter { before[$0] != now[$0] } == [], "\(step)")
      #expect(try Journal(reading: journal.folder).state == .undone, "\(step)")
      #expect(try Reading(sample.open()).unfinishedRepair == nil, "\(step)")
      let file = ".Notes_SUPPORT/_EXTERNAL_DATA/\(RepairedStore.externalFile)"
      #expect(try sample.bytes[file] != nil, "\(step)")
    }
    #expect(steps > 10)
  }

  @Test(arguments: Fault.all) func undoCanBeFinished(fault: Fault) throws {
    let steps = try forEveryStep(fault.lasts) { files, step in
      let sample = try RepairedStore(fault.mode)
      let before = try sample.bytes
      let journal = try changeInPlace(sample.open(), change: changeEverything) { _ in }
      let after = try everyValue(of: sample.path)
      do {
        _ = try undo(journal.folder, files: files)
      } catch {
        if let store = try? sample.open() {
          // The store can be opened only if it is completely old or completely new.
          withExtendedLifetime(store) {}
          let isOld = try sample.storeBytes == before.filter { $0.key.hasPrefix("Notes.sqlite") && !$0.value.isEmpty }
          #expect(try isOld || everyValue(of: sample.path) == after, "\(step)")
        }
        _ = try? undo(journal.folder)
      }
      #expect(try sample.bytes == before, "\(step)")
      #expect(try Journal(reading: journal.folder).state == .undone, "\(step)")
      _ = try sample.open()
    }
    #expect(steps > 10)
  }
}

/// Expects the store to have its old contents, or to get them by undoing the one journal beside it.
func expectAsBeforeOrUndoable(_ sample: RepairedStore, _ before: [String: [String]], _ step: String) throws {
  for journal in try sample.journals where (try? Journal(reading: journal)) != nil {
    _ = try undo(journal)
    break
  }
  let now = try everyValue(of: sample.path)
  let differing = before.keys.filter { before[$0] != now[$0] }
  #expect(differing == [], "\(step)")
  let file = ".Notes_SUPPORT/_EXTERNAL_DATA/\(RepairedStore.externalFile)"
  #expect(try FolderContents(sample.folder.path).files[file] != nil, "\(step)")
}
