import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `rehearse`, as a user runs it.
@Suite struct RehearseCommandTests {
  @Test func storesThatMigrateOrOpenPass() throws {
    let folder = try ShippedNotes.stores()
    let before = FolderState(of: folder.path)
    let arguments = ["rehearse", folder.path, "--model", ShippedNotes.model, "--jobs", "2"]
    let text = try Program.run(arguments)
    #expect(text.status == 0, "\(text.errors)")
    #expect(text.output.hasPrefix("passed: 2 of 2 stores open or were migrated as judged; 1 store loses data"))
    #expect(text.output.contains("Note.body: 18 rows have values"))
    #expect(FolderState(of: folder.path) == before)
    let document = try JSONTree(Program.run(arguments + ["--format", "json"]).output)
    #expect(try JSONSchema.of("rehearsal").violations(in: document) == [])
    #expect(document["counts"]?["performed"] == .integer(1) && document["counts"]?["opens"] == .integer(1))
    let performed = document["stores"]?.list?.first { $0["outcome"] == .string("performed") }
    #expect(performed?["kept"] == .integer(32) && performed?["lostValues"] == .integer(18))
    for line in try Program.run(arguments + ["--format", "jsonl"]).output.split(separator: "\n") {
      #expect(try JSONSchema.of("audit").violations(in: JSONTree(String(line))) == [])
    }
    let losing = try Program.run(arguments + ["--fail-on-loss"])
    #expect(losing.status == 1 && losing.output.hasPrefix("failed: 1 of 2 stores"))
  }

  /// Rows in the way, parts that are assumed, stores of other apps, damaged ones: each fails, and says why.
  @Test func whatIsNotRehearsedFails() throws {
    let folder = try TemporaryFolder()
    let example = Project.path("examples/mend-then-ship")
    try FileManager.default.copyItem(atPath: "\(example)/Notes.sqlite", toPath: folder("blocked.sqlite"))
    try FileManager.default.copyItem(atPath: Project.path("corpus/Notes.sqlite"), toPath: folder("assumed.sqlite"))
    try FileManager.default.copyItem(atPath: Project.path("corpus/School.sqlite"), toPath: folder("other.sqlite"))
    let elsewhere = try TemporaryFolder()
    let model = try ShippedNotes.withWiderNumbers(in: elsewhere)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder("blocked.sqlite"))).prefix(5000)
    try bytes.write(to: URL(fileURLWithPath: folder("cut.sqlite")))
    let arguments = ["rehearse", folder.path, "--model", model]
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 1 && outcome.output.hasPrefix("failed: 0 of 4 stores"))
    for words in [
      "SD806 Note.uuid: 2 rows in 1 group", "--allow-assumed performs them", "foreign-model:", "unreadable",
    ] {
      #expect(outcome.output.contains(words), "\(words)\n\(outcome.output)")
    }
    let document = try JSONTree(Program.run(arguments + ["--format", "json"]).output)
    #expect(try JSONSchema.of("rehearsal").violations(in: document) == [])
    let jUnit = try Program.run(arguments + ["--format", "junit"])
    #expect(jUnit.status == 1 && jUnit.output.contains("tests=\"4\" failures=\"4\""))
    let html = try Program.run(arguments + ["--format", "html"])
    #expect(html.status == 1 && html.output.contains("In the way</h2>"))
  }

  /// The app's code is not run here, so a stage that has some is no success.
  @Test func aCustomStageIsNotRehearsed() throws {
    let folder = try TemporaryFolder()
    let example = Project.path("examples/rehearse-a-migration")
    try FileManager.default.copyItem(atPath: "\(example)/Sources/Models", toPath: folder("Models"))
    let plan = try String(contentsOfFile: folder("Models/TripsPlan.swift"), encoding: .utf8).replacing(
      ".lightweight(fromVersion: TripsV2.self, toVersion: TripsV3.self)",
      with: ".custom(fromVersion: TripsV2.self, toVersion: TripsV3.self, willMigrate: nil, didMigrate: { _ in })")
    try plan.write(toFile: folder("Models/TripsPlan.swift"), atomically: true, encoding: .utf8)
    let outcome = try Program.run(["rehearse", "\(example)/Shipped", "--model", folder("Models")])
    #expect(outcome.status == 1 && outcome.output.hasPrefix("failed: 0 of 2 stores"))
    #expect(outcome.output.contains("custom stage, whose code only the app can run"), "\(outcome.output)")
  }

  @Test func keepsResultsOnRequest() throws {
    let folder = try ShippedNotes.stores()
    let elsewhere = try TemporaryFolder()
    let arguments = ["rehearse", folder.path, "--model", ShippedNotes.model, "--keep-results", elsewhere("Results")]
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let document = try JSONTree(Program.run(arguments.dropLast(1) + [elsewhere("More"), "--format", "json"]).output)
    let kept = try #require(
      document["stores"]?.list?.first { $0["outcome"] == .string("performed") }?["output"]?.string)
    let diagnosis = try Program.run(["diagnose", kept, "--model", ShippedNotes.model])
    #expect(diagnosis.output.hasPrefix("opens"))
    #expect(try Program.run(arguments).errors.contains("names one that does not exist yet"))
  }

  @Test func saysWhatIsMissing() throws {
    let folder = try TemporaryFolder()
    for (arguments, status, words): ([String], Int32, String) in [
      (["Notes.sqlite"], 64, "--model MODEL"), (["--model", ShippedNotes.model], 64, "name stores"),
      ([folder.path, "--model", ShippedNotes.model], 2, "found no store"),
      (["/nowhere", "--model", ShippedNotes.model], 2, "/nowhere"),
    ] {
      let outcome = try Program.run(["rehearse"] + arguments)
      #expect(outcome.status == status && outcome.errors.contains(words), "\(outcome.errors)")
    }
  }
}
