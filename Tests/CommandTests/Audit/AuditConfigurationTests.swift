import Foundation
import StoreSQLite
import TestSupport
import Testing

/// An audit has one configuration, found once, from the working folder or `--config`, wherever its stores are.
@Suite struct AuditConfigurationTests {
  private let folder: TemporaryFolder
  private static let muting = "skips: [{check: SD404, reason: removed in 2.1}]\n"

  /// Creates two stores with a defect, each in its own folder with a configuration that must not be used: it does not
  /// mute the finding that the project's configuration mutes.
  init() throws {
    folder = try TemporaryFolder()
    for name in ["fleet/one", "fleet/two", "project"] {
      try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
    }
    for name in ["one", "two"] {
      let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"), as: "fleet/\(name)/Notes.sqlite")
      let connection = try Connection(writing: store, create: false)
      try connection.execute("INSERT INTO Z_3TAGS (Z_3NOTES, Z_5TAGS) VALUES (1, 99)")
      connection.close()
      try folder.write(Array("skips: [{check: SD401, reason: theirs}]\n".utf8), to: "fleet/\(name)/.storedoctor.yaml")
    }
    try folder.write(Array(Self.muting.utf8), to: "project/.storedoctor.yaml")
    try folder.write(Array("../fleet/one/Notes.sqlite\n../fleet/two/Notes.sqlite\n".utf8), to: "project/list")
  }

  private func audit(_ arguments: [String], in place: String) throws -> AuditRun {
    AuditRun(
      try Program.launch(
        ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder(place), Program.path, "audit"] + arguments))
  }

  @Test(arguments: [
    ["../fleet"], ["../fleet/one", "../fleet/two/Notes.sqlite"], ["--from", "list"],
    ["../fleet/one", "--from", "list", "--jobs", "3"],
  ])
  func thatOfTheProjectHoldsForAll(arguments: [String]) throws {
    let run = try audit(arguments, in: "project")
    #expect(run.status == 0, "\(run.outcome.errors)")
    #expect(try run.lines.count >= 2)
    #expect(try run.lines.allSatisfy { $0.muted == 1 && $0.findings?.isEmpty != false })
    #expect(try audit(arguments + ["--no-config"], in: "project").lines.allSatisfy { $0.muted == nil })
  }

  private static let gates: [(options: [String], status: Int32)] = [
    ([], 0), (["--fail-on", "error"], 1),
    (["--min-migrates", "100%", "--model", Project.path("corpus/Notes.xcdatamodeld")], 1),
    (["--write-baseline", "known"], 0),
  ]

  @Test(arguments: gates) func itsGateHoldsWhereTheCommandLineIsSilent(options: [String], status: Int32) throws {
    try folder.write(Array("defaults: {fail-on: never}\n".utf8), to: "project/.storedoctor.yaml")
    #expect(try audit(["../fleet"] + options, in: "project").status == status)
    let lines = try audit(["../fleet", "--resume", "lines"], in: "project")
    #expect(lines.status == 0)
    #expect(try audit(["--merge", "lines"], in: "project").status == 0)
    #expect(try audit(["--merge", "lines", "--no-config"], in: "project").status == 1)
  }

  @Test func noneThatLiesWithAStoreHolds() throws {
    let run = try audit(["."], in: "fleet/one")
    #expect(run.status == 1)
    #expect(run.outcome.errors.contains("'.storedoctor.yaml' is not used, since it lies in the store's own folder"))
    let model = Project.path("corpus/Notes.xcdatamodeld")
    let twice = try audit([".", "--model", model, "--expect-version", "Notes 2"], in: "fleet/one")
    #expect(twice.outcome.errors.split(separator: "is not used").count == 2, "said once: \(twice.outcome.errors)")
  }

  /// The configuration is looked for before the list is read, so a store that turns out to be beside it ends the audit.
  @Test func aListThatNamesAStoreBesideItEndsTheAudit() throws {
    try folder.write(Array("../../fleet/one/Notes.sqlite\n".utf8), to: "fleet/two/list")
    #expect(try audit(["--from", "list"], in: "fleet/two").status == 1, "another's folder")
    try folder.write(Array("../one/Notes.sqlite\n./Notes.sqlite\n".utf8), to: "fleet/two/list")
    let run = try audit(["--from", "list"], in: "fleet/two")
    #expect(run.status == 2)
    #expect(
      run.outcome.errors.contains(
        "refusing to go on: './Notes.sqlite', which a list names, has '.storedoctor.yaml' in its own folder; if that "
          + "is yours, name it with --config, else leave it out with --no-config"), "\(run.outcome.errors)")
    for option in [["--config", ".storedoctor.yaml"], ["--no-config"]] {
      let run = try audit(["--from", "list"] + option, in: "fleet/two")
      #expect(try run.lines.count == 2 && run.status == 1, "\(run.outcome.errors)")
    }
  }
}
