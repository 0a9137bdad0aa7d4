import Foundation
import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

/// `migrate` killed at random moments, 10 times, with `STOREDOCTOR_LONG=1` 100 times: the source is as it was, and the
/// target is absent or whole.
@Suite(.serialized) struct MigrateKillTests {
  private static let times = LongRuns.areWanted ? 100 : 10
  private static let old = ["Note: title String?; body String?; at Date?"]

  /// Runs the program and kills it after `microseconds`; nil to let it finish.
  ///
  /// - Returns: whether it had finished by then, and how many microseconds it took.
  private func migrate(_ folder: TemporaryFolder, killAfter microseconds: UInt32?) throws -> (
    finished: Bool, took: UInt32
  ) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = [
      "migrate", folder("Old/Store.sqlite"), "--model", folder("Notes.xcdatamodeld"), "--output",
      folder("New/Store.sqlite"),
    ]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    let clock = ContinuousClock()
    let start = clock.now
    try process.run()
    if let microseconds {
      usleep(microseconds)
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    let took = start.duration(to: clock.now).components
    return (process.terminationReason == .exit, UInt32(took.seconds * 1_000_000 + took.attoseconds / 1_000_000_000_000))
  }

  @Test func theSourceIsUntouchedAndTheTargetAbsentOrWhole() throws {
    let folder = try TemporaryFolder()
    let new = ["Note: title String?; at Date?; isPinned Bool?"]
    try ModelBundle.write([("Old", Self.old), ("New", new)], to: folder("Notes.xcdatamodeld"))
    for name in ["Old", "New"] {
      try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: false)
    }
    let writer = try StoreWriter(
      creating: folder("Old/Store.sqlite"), StoreDescription(model: ModelNotation.model(Self.old), usesWAL: false))
    for number in 0..<4000 {
      try writer.insert("Note", ["title": .text("Note \(number)"), "body": .text(String(repeating: "x", count: 300))])
    }
    try writer.finish()
    let before = FolderState(of: folder("Old"))
    var took: UInt32 = 0
    for _ in 0..<2 {
      took = try migrate(folder, killAfter: nil).took
      try FileManager.default.removeItem(atPath: folder("New/Store.sqlite"))
    }
    var random = SeededGenerator(seed: seedOfRun("MigrateKillTests"))
    var moments = RandomMoments(ofRunThatTook: took)
    var (killed, whole) = (0, 0)
    for _ in 0..<Self.times {
      let moment = moments.next(using: &random)
      let finished = try migrate(folder, killAfter: moment).finished
      moments.learn(finished: finished, at: moment)
      if !finished { killed += 1 }
      if FileManager.default.fileExists(atPath: folder("New/Store.sqlite")) {
        whole += 1
        let diagnosis = try Program.run([
          "diagnose", folder("New/Store.sqlite"), "--model", folder("Notes.xcdatamodeld"),
        ])
        #expect(diagnosis.status == 0 && diagnosis.output.hasPrefix("opens"), "\(moment) µs: \(diagnosis.output)")
        let rows = try Connection(reading: DatabaseFiles(path: folder("New/Store.sqlite"))).prepare(
          "SELECT count(*) FROM ZNOTE")
        #expect(try rows.step() && rows.int64(0) == 4000, "\(moment) µs")
      }
      // What a killed process leaves has a name of its own, and is nobody's store.
      for name in try FileManager.default.contentsOfDirectory(atPath: folder("New")) {
        #expect(name == "Store.sqlite" || name.hasPrefix("."), "\(name) after \(moment) µs")
        // Another process may have removed it by now.
        try? FileManager.default.removeItem(atPath: folder("New/" + name))
      }
      #expect(FolderState(of: folder("Old")) == before, "after \(moment) µs")
    }
    #expect(killed > 0)
    print("migrate: killed \(killed) of \(Self.times) times; \(whole) whole targets")
  }
}
