import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `audit --anonymize`.
@Suite struct AuditAnonymizingTests {
  /// Two copies of one store, one that is damaged, and one that is none.
  private func fleet() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["anna", "bert", "carl"] {
      _ = try folder.copyStore(Project.path("corpus/Notes.sqlite"), as: name + ".sqlite")
    }
    var bytes = try contents(of: folder("carl.sqlite"))
    for place in 20_000..<40_000 where place < bytes.count { bytes[place] = 0xa5 }
    try folder.write(bytes, to: "carl.sqlite")
    return folder
  }

  private func titles(_ path: String) throws -> [String] {
    let rows = try Connection(writing: path, create: false).prepare("SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK")
    var titles: [String] = []
    while try rows.step() { titles.append(rows.string(0) ?? "") }
    return titles
  }

  @Test func eachStoreHasACopyAndARefusalHasItsReason() throws {
    let folder = try fleet()
    let before = FolderState(of: folder.path)
    let place = try TemporaryFolder()
    let run = try AuditRun([
      folder.path, "--anonymize", "--output-dir", place("Send"), "--fail-on", "never",
    ])
    // The copy that was refused.
    #expect(
      run.status == 1 && run.outcome.errors.contains("--anonymize: failed, 1 of 3 copies"), "\(run.outcome.errors)")
    #expect(FolderState(of: folder.path) == before)
    let lines = try run.lines
    #expect(lines.map(\.output?.outcome) == ["written", "written", "failed"])
    #expect(lines.map(\.output?.anonymized) == [true, true, true])
    let outputs = lines.compactMap(\.output?.path)
    for output in outputs {
      let name = (output as NSString).lastPathComponent
      #expect(name.range(of: "^store-[0-9a-f]{16}\\.sqlite$", options: .regularExpression) != nil, "\(name)")
      #expect(try titles(output) != titles(folder("anna.sqlite")))
    }
    // Nothing else is there: no list of whose the copies are.
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: place("Send")))
        == Set(outputs.map { ($0 as NSString).lastPathComponent }))
    // Each has a mapping of its own.
    #expect(try titles(outputs[0]) != titles(outputs[1]))
    #expect(run.outcome.output.contains("salvage"), "the reason")
  }

  @Test func oneMappingIsForAll() throws {
    let folder = try fleet()
    let place = try TemporaryFolder()
    let run = try AuditRun([
      folder("anna.sqlite"), folder("bert.sqlite"), "--anonymize", "--one-mapping", "--output-dir", place("Send"),
      "--fail-on", "never", "--sizes", "rough", "--sample", "5", "--jobs", "2",
    ])
    #expect(run.status == 0, "\(run.outcome.errors)")
    let outputs = try run.lines.compactMap(\.output?.path)
    #expect(outputs.count == 2 && Set(outputs).count == 2)
    #expect(try titles(outputs[0]) == titles(outputs[1]) && titles(outputs[0]) != titles(folder("anna.sqlite")))
    #expect(try titles(outputs[0]).count < titles(folder("anna.sqlite")).count)
  }

  @Test func nothingIsWrittenBesideAStore() throws {
    let folder = try fleet()
    let before = FolderState(of: folder.path)
    for arguments in [
      [folder("anna.sqlite"), "--anonymize", "--output-dir", folder.path],
      [folder.path, "--anonymize", "--output-dir", folder("Send")],
      [folder.path, "--anonymize"], [folder.path, "--output-dir", "/tmp/x"], [folder.path, "--one-mapping"],
    ] {
      #expect(try AuditRun(arguments).status == 64, "\(arguments)")
    }
    let place = try TemporaryFolder()
    let list = try place.write(Array((folder("anna.sqlite") + "\n").utf8), to: "list")
    let run = try AuditRun(["--from", list, "--anonymize", "--output-dir", folder.path, "--no-config"])
    #expect(run.status != 0 && run.outcome.output.isEmpty)
    #expect(FolderState(of: folder.path) == before)
  }

  /// Who resumes has no key any more.
  @Test func oneMappingCannotBeResumed() throws {
    let folder = try fleet()
    let place = try TemporaryFolder()
    let arguments = [folder("anna.sqlite"), "--anonymize", "--output-dir", place("Send"), "--resume", place("lines")]
    #expect(try [0, 1].contains(AuditRun(arguments).status))
    #expect(try [0, 1].contains(AuditRun(arguments).status))
    #expect(try FileManager.default.contentsOfDirectory(atPath: place("Send")).count == 1)
    #expect(try AuditRun(arguments + ["--one-mapping"]).status == 64)
  }
}
