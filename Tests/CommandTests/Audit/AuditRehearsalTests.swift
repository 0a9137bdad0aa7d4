import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `audit --rehearse`: what `rehearse` says of each store, in the lines, the summary and the gate of an audit.
@Suite struct AuditRehearsalTests {
  private func outcomes(_ lines: String) throws -> [String] {
    try lines.split(separator: "\n").map { line in
      let tree = try JSONTree(String(line))
      #expect(try JSONSchema.of("audit").violations(in: tree) == [])
      return "\(tree["path"]?.string?.split(separator: "/").last ?? "") \(tree["rehearsal"]?["outcome"]?.string ?? "-")"
    }
  }

  @Test func linesSaySummaryCountsAndGateAsks() throws {
    let folder = try ShippedNotes.stores()
    let before = FolderState(of: folder.path)
    let arguments = ["audit", folder.path, "--model", ShippedNotes.model, "--rehearse"]
    let lines = try Program.run(arguments)
    #expect(lines.status == 0, "\(lines.errors)")
    #expect(try outcomes(lines.output) == ["Migrated.sqlite opens", "Notes.sqlite performed"])
    #expect(
      lines.errors.contains("--rehearse: passed, 2 of 2 stores open or were migrated as judged; 1 store loses data"))
    #expect(FolderState(of: folder.path) == before)

    let elsewhere = try TemporaryFolder()
    try lines.output.write(toFile: elsewhere("lines.jsonl"), atomically: true, encoding: .utf8)
    let merged = ["audit", "--merge", elsewhere("lines.jsonl"), "--summary"]
    for arguments in [arguments + ["--summary"], merged] {
      let text = try Program.run(arguments)
      #expect(text.status == 0)
      for words in ["Migrations performed in private", "32 objects kept; 18 values lost", "performed, losing data"] {
        #expect(text.output.contains(words), "\(words)\n\(text.output)")
      }
      let summary = try JSONTree(Program.run(arguments + ["--format", "json"]).output)
      #expect(try JSONSchema.of("audit-summary").violations(in: summary) == [])
      #expect(summary["rehearsals"]?["outcomes"]?["performed"] == .integer(1))
      let losing = try Program.run(arguments + ["--fail-on-loss"])
      #expect(
        losing.status == 1 && losing.output.contains("not met  --rehearse --fail-on-loss: 1 of 2 stores opens or was"))
    }
    let losing = try Program.run(arguments + ["--fail-on-loss", "--format", "junit"])
    #expect(
      losing.status == 1
        && losing.output.contains("name=\"rehearsal\"><failure type=\"error\" message=\"it loses data\">"))
  }

  /// Whatever the findings do at the gate, a store that was not migrated fails it.
  @Test func whatIsNotRehearsedFails() throws {
    let folder = try TemporaryFolder()
    let example = Project.path("examples/mend-then-ship")
    try FileManager.default.copyItem(atPath: "\(example)/Notes.sqlite", toPath: folder("blocked.sqlite"))
    try FileManager.default.copyItem(atPath: Project.path("corpus/Notes.sqlite"), toPath: folder("assumed.sqlite"))
    let elsewhere = try TemporaryFolder()
    let model = try ShippedNotes.withWiderNumbers(in: elsewhere)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder("blocked.sqlite"))).prefix(5000)
    try bytes.write(to: URL(fileURLWithPath: folder("cut.sqlite")))
    let arguments = [
      "audit", folder.path, "--model", model, "--rehearse", "--fail-on", "never",
    ]
    let lines = try Program.run(arguments)
    #expect(lines.status == 1)
    #expect(
      try outcomes(lines.output) == ["assumed.sqlite not-rehearsed", "blocked.sqlite not-possible", "cut.sqlite -"])
    #expect(lines.errors.contains("--rehearse: failed, 0 of 3 stores open or were migrated as judged"))
    let summary = try Program.run(arguments + ["--summary"])
    #expect(summary.status == 1)
    for words in ["not-possible: SD806 Note.uuid", "not-rehearsed: parts of it are assumed", "assumed: "] {
      #expect(summary.output.contains(words), "\(words)\n\(summary.output)")
    }
    let allowed = try Program.run(arguments + ["--allow-assumed"])
    #expect(allowed.status == 1 && allowed.errors.contains("1 of 3 stores"), "\(allowed.errors)")
  }

  /// The result is compared with the store by all checks, whichever were asked for.
  @Test(arguments: [["--check", "SD101"], ["--skip", "SD401"], ["--entity", "Folder"]])
  func isTheSameWithAFewChecks(_ chosen: [String]) throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let database = try Connection(writing: store, create: false)
    try database.execute("UPDATE ZNOTE SET ZFOLDER = 999 WHERE Z_PK = 1")
    database.close()
    let arguments = [
      "audit", folder.path, "--model", ShippedNotes.model, "--rehearse", "--allow-assumed", "--fail-on", "never",
    ]
    let outcome = try Program.run(arguments + chosen)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcomes(outcome.output) == ["Notes.sqlite performed"])
  }

  @Test func goesOnAndIsToldFromOtherRuns() throws {
    let folder = try ShippedNotes.stores()
    let elsewhere = try TemporaryFolder()
    let arguments = [
      "audit", folder.path, "--model", ShippedNotes.model, "--resume", elsewhere("lines.jsonl"), "--rehearse",
    ]
    let first = try Program.run(arguments)
    let second = try Program.run(arguments)
    #expect(first.status == 0 && second.status == 0, "\(first.errors)\(second.errors)")
    #expect(second.errors.contains("2 of 2 stores open or were migrated as judged"))
    #expect(try Program.run(arguments.dropLast() + []).status == 2)
  }

  @Test func saysWhatGoesTogether() throws {
    let folder = try TemporaryFolder()
    for (arguments, words) in [
      ([folder.path, "--rehearse"], "--rehearse is about versions of --model"),
      ([folder.path, "--model", ShippedNotes.model, "--allow-assumed"], "--allow-assumed goes with --rehearse"),
      ([folder.path, "--model", ShippedNotes.model, "--fail-on-loss"], "--fail-on-loss goes with --rehearse"),
      (["--merge", folder("a"), "--rehearse"], "what --rehearse asks was decided when the lines were made"),
    ] {
      let outcome = try Program.run(["audit"] + arguments)
      #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  /// Neither the models nor the recipes and settings that decide what the lines say.
  @Test func noReportReplacesWhatIsRead() throws {
    let folder = try ShippedNotes.stores()
    let own = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: ShippedNotes.model, toPath: own("Notes.xcdatamodeld"))
    try own.write(Array("version: 1\n".utf8), to: "recipe.yaml")
    try own.write(Array("version: 1\n".utf8), to: "settings.yaml")
    let contents = "Notes.xcdatamodeld/Notes 2.xcdatamodel/contents"
    for (options, file) in [
      (["--recipe", own("recipe.yaml")], "recipe.yaml"), (["--config", own("settings.yaml")], "settings.yaml"),
      (["--model", own("Notes.xcdatamodeld")], contents),
      (["--store-model", own("Notes.xcdatamodeld#Notes 2")], contents),
      (["--model", ShippedNotes.model, "--rehearse", "--perform", "A>B=\(own("recipe.yaml"))"], "recipe.yaml"),
    ] {
      let before = try Data(contentsOf: URL(fileURLWithPath: own(file)))
      let outcome = try Program.run(["audit", folder.path] + options + ["--report", own(file), "--force"])
      #expect(
        outcome.status == 2 && outcome.errors.contains("the result is made from"), "\(options): \(outcome.errors)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: own(file))) == before)
    }
  }
}
