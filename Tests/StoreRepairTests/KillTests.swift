@testable import StoreRepair
import Foundation
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// Repairs in a process that is killed at random moments: 20 times, with `STOREDOCTOR_LONG=1` 200 times.
@Suite(.serialized) struct KillTests {
  /// The built `kill-target`, beside the test bundle.
  private static let program = BuiltProducts.path(of: "kill-target")

  private static let times: UInt64 = LongRuns.areWanted ? 200 : 20

  /// Runs the program and kills it after `microseconds`; nil to let it finish.
  /// - Returns: whether it had finished by then, and how long it took.
  private func run(_ arguments: [String], killAfter microseconds: UInt32?) throws -> (finished: Bool, took: UInt32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    // The program prints a line when the work begins.
    _ = pipe.fileHandleForReading.availableData
    let clock = ContinuousClock()
    let start = clock.now
    if let microseconds {
      usleep(microseconds)
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    let took = start.duration(to: clock.now).components
    return (process.terminationReason == .exit, UInt32(took.seconds * 1_000_000 + took.attoseconds / 1_000_000_000_000))
  }

  private func mode(_ number: UInt64) -> RepairedStore.Mode { RepairedStore.Mode.allCases[Int(number % 3)] }

  /// Calls `body`, which says whether its run had finished, with random moments of a run that took `took` once.
  private func atRandomMoments(_ took: UInt32, _ body: (UInt64, UInt32) throws -> Bool) throws {
    var random = SeededGenerator(seed: seedOfRun("KillTests"))
    var moments = RandomMoments(ofRunThatTook: took)
    for number in 0..<Self.times {
      let moment = moments.next(using: &random)
      moments.learn(finished: try body(number, moment), at: moment)
    }
  }

  @Test func killedWhileWritingACopy() throws {
    let first = try RepairedStore()
    let took = try run(["output", first.path, first.folder("out.sqlite")], killAfter: nil).took
    var (killed, whole) = (0, 0)
    try atRandomMoments(took) { number, moment in
      let sample = try RepairedStore(mode(number))
      let before = try sample.bytes
      let target = sample.folder("out.sqlite")
      let finished = try run(["output", sample.path, target], killAfter: moment).finished
      if !finished { killed += 1 }
      let after = try sample.bytes
      for (name, bytes) in before { #expect(after[name] == bytes, "\(name) after \(moment) µs") }
      guard FileManager.default.fileExists(atPath: target) else { return finished }
      whole += 1
      #expect(try everyValue(of: target)["ZFOLDER"]?.count ?? 0 > 4000, "\(moment) µs")
      return finished
    }
    #expect(killed > 0)
  }

  @Test func killedWhileChangingInPlace() throws {
    let first = try RepairedStore()
    let took = try run(["in-place", first.path], killAfter: nil).took
    var killed = 0
    try atRandomMoments(took) { number, moment in
      let sample = try RepairedStore(mode(number))
      let before = try everyValue(of: sample.path)
      let finished = try run(["in-place", sample.path], killAfter: moment).finished
      if !finished { killed += 1 }
      // An app opens the store before the repair is undone.
      let app = try Connection(writing: sample.path, create: false)
      try app.execute("SELECT count(*) FROM ZTAG")
      app.close()
      try expectAsBeforeOrUndoable(sample, before, "\(moment) µs")
      return finished
    }
    #expect(killed > 0)
  }

  /// Where nobody else has touched the store since, undo gives back every byte, wherever the repair stopped.
  @Test func whatAKilledRepairLeftIsUndoneByteForByte() throws {
    let first = try RepairedStore()
    let took = try run(["in-place", first.path], killAfter: nil).took
    var (killed, undone) = (0, 0)
    func check(_ number: UInt64, moment: UInt32) throws -> Bool {
      let sample = try RepairedStore(mode(number))
      let before = try sample.storeBytes
      let finished = try run(["in-place", sample.path], killAfter: moment).finished
      if !finished { killed += 1 }
      guard let journal = try sample.journals.first(where: { (try? Journal(reading: $0)) != nil }) else {
        return finished
      }
      if try undo(journal).way == .bytes { undone += 1 }
      let after = try sample.storeBytes
      #expect(before.keys.filter { before[$0] != after[$0] } == [], "\(moment) µs, \(mode(number))")
      return finished
    }
    try atRandomMoments(took) { try check($0, moment: $1) }
    // Beside other work a run takes longer than the first one did: the last moment is behind all of it.
    _ = try check(Self.times, moment: took * 20)
    #expect(killed > 0 && undone > 0, "\(killed) killed, \(undone) undone, of a run of \(took) µs")
  }

  @Test func killedWhileUndoing() throws {
    let first = try RepairedStore()
    let journal = try changeInPlace(first.open(), change: changeEverything) { _ in }
    let took = try run(["undo", journal.folder.description], killAfter: nil).took
    var killed = 0
    try atRandomMoments(took) { number, moment in
      let sample = try RepairedStore(mode(number))
      let before = try sample.bytes
      let journal = try changeInPlace(sample.open(), change: changeEverything) { _ in }
      let finished = try run(["undo", journal.folder.description], killAfter: moment).finished
      if !finished { killed += 1 }
      _ = try? undo(journal.folder)
      #expect(try sample.bytes == before, "\(moment) µs")
      _ = try sample.open()
      return finished
    }
    #expect(killed > 0)
  }
}
