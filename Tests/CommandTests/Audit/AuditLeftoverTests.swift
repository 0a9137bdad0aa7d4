import Foundation
import TestSupport
import Testing

/// A killed audit leaves behind no unpacked store and no worker.
@Suite(
  .needs("bsdtar"), .needs("python3"), .needs("pgrep"),
  .enabled(if: ProcessInfo.processInfo.environment["STOREDOCTOR"] == nil, "skipped: not a debug build"))
struct AuditLeftoverTests {
  private let folder: TemporaryFolder
  private let temporary: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    temporary = try TemporaryFolder()
    let script = """
      import sys, zipfile
      corpus, out = sys.argv[1:]
      notes = open(corpus + "/Notes.sqlite", "rb").read()
      with zipfile.ZipFile(out + "/tickets.zip", "w") as z:
        for name in "a", "b.hang@checking", "c": z.writestr(name + ".sqlite", notes)
      """
    let made = try Program.launch(["python3", "-c", script, Project.path("corpus"), folder.path])
    #expect(made.status == 0, "\(made.errors)")
  }

  /// An enumerator, since `subpathsOfDirectory` throws if a folder is removed while it is listed.
  private var leftovers: [String] {
    get throws {
      let paths = try #require(FileManager.default.enumerator(atPath: temporary.path))
      return paths.compactMap { $0 as? String }
    }
  }

  private var hasProcesses: Bool {
    get throws { try Program.launch(["pgrep", "-f", folder("tickets.zip")]).status == 0 }
  }

  private func wait(until isSo: () throws -> Bool) throws -> Bool {
    for _ in 0..<1200 {
      if try isSo() { return true }
      usleep(50_000)
    }
    return false
  }

  /// With one worker, the one that unpacked the archive is working on the store; with three, it waits while another
  /// works.
  @Test(arguments: ["1", "3"]) func workersCleanUpAfterAnAuditThatWasKilled(jobs: String) throws {
    var run: Program.Background? = try Program.Background([
      "env", "TMPDIR=" + temporary.path, "STOREDOCTOR_FAULTS=1", Program.path, "audit", "--no-config", "--jobs", jobs,
      folder("tickets.zip"),
    ])
    // The second store of the archive, in a private file without its name.
    #expect(try wait { try leftovers.contains { $0.hasSuffix("/1/map-2") } })
    #expect(run?.isRunning == true)
    run = nil
    let isEmpty = try wait { try leftovers.isEmpty }
    let left = try leftovers
    #expect(isEmpty, "\(left)")
    #expect(try wait { try !hasProcesses })
  }

  @Test func theNextAuditCleansUpAfterOneThatWasKilledWithItsWorkers() throws {
    let left = temporary("storedoctor-audit-Ab12Cd/1")
    try FileManager.default.createDirectory(
      atPath: left, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try FileManager.default.copyItem(atPath: Project.path("corpus/Notes.sqlite"), toPath: left + "/Notes.sqlite")
    try temporary.write([], to: "storedoctor-audit-Ab12Cd/unpacked-by-storedoctor-audit")
    let run = try AuditRun([Project.path("corpus/Notes.sqlite")], environment: ["TMPDIR": temporary.path])
    #expect(run.status == 0)
    #expect(try leftovers == [])
  }
}
