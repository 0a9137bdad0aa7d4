import Foundation
import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

/// What an ended run leaves beside its output: nothing after a signal, SIGKILL among them; and what is left all the same goes with the next run.
@Suite(.serialized) struct LeftoverTests {
  private let folder: TemporaryFolder
  private static let old = ["Note: title String?; body String?"]

  /// A store of 20,000 notes, so that a run can be caught while it writes, and a model to migrate it to.
  init() throws {
    folder = try TemporaryFolder()
    try ModelBundle.write(
      [("Old", Self.old), ("New", ["Note: title String?; isPinned Bool?"])], to: folder("Notes.xcdatamodeld"))
    try FileManager.default.createDirectory(atPath: folder("New"), withIntermediateDirectories: false)
    let writer = try StoreWriter(
      creating: folder("Store.sqlite"), StoreDescription(model: ModelNotation.model(Self.old), usesWAL: false))
    for number in 0..<20_000 {
      try writer.insert("Note", ["title": .text("Note \(number)"), "body": .text(String(repeating: "x", count: 300))])
    }
    try writer.finish()
  }

  private var arguments: [String] {
    [
      "migrate", folder("Store.sqlite"), "--model", folder("Notes.xcdatamodeld"), "--output",
      folder("New/Store.sqlite"),
      "--allow-lossy",
    ]
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder("New")).sorted() }
  }

  /// Starts a run, and ends it by a signal as soon as it has begun to write.
  private func end(by signal: Int32) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = arguments
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    while process.isRunning, try names.isEmpty {}
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
  }

  @Test(arguments: [SIGINT, SIGTERM]) func aSignalLeavesNothing(_ signal: Int32) throws {
    for _ in 0..<10 {
      try end(by: signal)
      #expect(try names.filter { $0 != "Store.sqlite" } == [])
      try? FileManager.default.removeItem(atPath: folder("New/Store.sqlite"))
    }
  }

  /// A small process waits for that, and removes what was begun. It is not there at once.
  @Test func sigkillLeavesNothing() throws {
    for _ in 0..<20 {
      try end(by: SIGKILL)
      var looks = 0
      while try names.contains(where: { $0 != "Store.sqlite" }), looks < 1_000_000 { looks += 1 }
      #expect(try names.filter { $0 != "Store.sqlite" } == [])
      try? FileManager.default.removeItem(atPath: folder("New/Store.sqlite"))
    }
  }

  /// Where that process was ended too.
  @Test func theNextRunRemovesWhatAKilledOneLeft() throws {
    let gone = Process()
    gone.executableURL = URL(fileURLWithPath: "/bin/true")
    try gone.run()
    gone.waitUntilExit()
    try folder.write([1, 2, 3], to: "New/.storedoctor-\(gone.processIdentifier)-a1.sqlite")
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("which a run that was ended left"), "\(outcome.errors)")
    #expect(try names == ["Store.sqlite"])
    let mode = try FileManager.default.attributesOfItem(atPath: folder("New/Store.sqlite"))[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  /// Only what is a draft's, of a process that is gone, and that nobody holds.
  @Test func whatIsNotAnEndedRunsStays() throws {
    let gone = Process()
    gone.executableURL = URL(fileURLWithPath: "/bin/true")
    try gone.run()
    gone.waitUntilExit()
    let dead = gone.processIdentifier
    let held = ".storedoctor-\(dead)-a1.sqlite"
    let staying = [
      held, ".storedoctor-\(getpid())-b2.sqlite", ".storedoctor-\(dead)-zz.sqlite", ".storedoctor-\(dead).sqlite",
      ".storedoctor-\(dead)-c3.sqlite.txt",
    ]
    let going = [
      ".storedoctor-\(dead)-d4.sqlite", ".storedoctor-\(dead)-d4.sqlite-wal", ".storedoctor-\(dead)-e5.sqlite-journal",
    ]
    for name in staying + going { try folder.write([1, 2, 3], to: "New/" + name) }
    try FileManager.default.createDirectory(
      atPath: folder("New/..storedoctor-\(dead)-f6_SUPPORT/_EXTERNAL_DATA"), withIntermediateDirectories: true)
    let descriptor = open(folder("New/" + held), O_RDONLY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try names == (staying + ["Store.sqlite"]).sorted())
    #expect(outcome.errors.split(separator: "\n").count { $0.contains("which a run that was ended left") } == 4)
  }
}
