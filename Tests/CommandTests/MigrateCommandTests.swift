import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `migrate`, as a user runs it.
@Suite struct MigrateCommandTests {
  private static let model = Project.path("examples/what-a-migration-loses/Notes.xcdatamodeld")

  private func notes(_ folder: TemporaryFolder) throws -> String {
    try folder.copyStore(Project.path("examples/what-a-migration-loses/stores/Notes.sqlite"))
  }

  @Test func migratesACopyAndLeavesTheStore() throws {
    let folder = try TemporaryFolder()
    let store = try notes(folder)
    let before = FolderState(of: folder.path)
    let elsewhere = try TemporaryFolder()
    let target = elsewhere("Migrated.sqlite")
    let arguments = ["migrate", store, "--model", Self.model, "--output", target]
    let outcome = try Program.run(arguments + ["--format", "json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(FolderState(of: folder.path) == before)
    let document = try JSONTree(outcome.output)
    #expect(try JSONSchema.of("migration").violations(in: document) == [])
    #expect(document["kept"] == .integer(32) && document["output"] == .string(target))
    // Again: there it is already.
    #expect(try Program.run(arguments).errors.contains("exists"))
    let diagnosis = try Program.run(["diagnose", target, "--model", Self.model])
    #expect(diagnosis.output.hasPrefix("opens"))
    let again = try Program.run(["migrate", target, "--model", Self.model, "--dry-run"])
    #expect(again.status == 0 && again.output.hasPrefix("nothing to migrate"))
    let match = try Program.run(["model", "match", target, Self.model])
    #expect(match.status == 0 && match.output.contains("Notes 3"))
  }

  @Test func aDryRunPrintsWhatIsRun() throws {
    let folder = try TemporaryFolder()
    let store = try notes(folder)
    let before = FolderState(of: folder.path)
    let arguments = ["migrate", store, "--model", Self.model, "--dry-run", "--allow-assumed"]
    let text = try Program.run(arguments)
    #expect(text.status == 0 && text.output.contains("CoreData: sql: ALTER TABLE ZNOTE RENAME TO _T_ZNOTE"))
    let document = try JSONTree(Program.run(arguments + ["--format", "json"]).output)
    #expect(try JSONSchema.of("migration").violations(in: document) == [])
    #expect(FolderState(of: folder.path) == before)
  }

  /// Rows that are in the way are shown as `diagnose` shows them.
  @Test func rowsInTheWayStopIt() throws {
    let folder = try TemporaryFolder()
    let example = Project.path("examples/mend-then-ship")
    let arguments = ["\(example)/Notes.sqlite", "--model", "\(example)/Notes.xcdatamodeld"]
    let outcome = try Program.run(["migrate"] + arguments + ["--output", folder("New.sqlite")])
    #expect(outcome.status == 1 && outcome.output.hasPrefix("blocked-by-data") && outcome.output.contains("keys 3, 17"))
    // Without them a constraint is left, of which stores and reports show what it does.
    let healthy = try notes(folder)
    let mended = try Program.run(
      ["migrate", healthy, "--model", "\(example)/Notes.xcdatamodeld", "--output", folder("New.sqlite")])
    #expect(mended.status == 0 && !mended.output.contains("Assumed"), "\(mended.output)\(mended.errors)")
  }

  /// What nobody has seen in a real store is not performed silently.
  @Test func whatIsAssumedHasToBeAllowed() throws {
    let folder = try TemporaryFolder()
    let model = try ShippedNotes.withWiderNumbers(in: folder)
    let arguments = ["migrate", try notes(folder), "--model", model, "--output", folder("New.sqlite")]
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 2 && outcome.errors.contains("--allow-assumed performs it all the same"))
    #expect(!FileManager.default.fileExists(atPath: folder("New.sqlite")))
    let allowed = try Program.run(arguments + ["--allow-assumed"])
    #expect(
      allowed.status == 0 && allowed.output.contains("Note.isPinned: the numbers of Boolean are read as Integer 32"),
      "\(allowed.output)\(allowed.errors)")
  }

  /// A log is the only witness of what a device does: the program's own statements as a log agree, a changed one is shown.
  @Test func statementsAreHeldAgainstALog() throws {
    let folder = try TemporaryFolder()
    let arguments = ["migrate", try notes(folder), "--model", Self.model, "--dry-run", "--allow-assumed"]
    let lines = try Program.run(arguments).output.split(separator: "\n").filter { $0.hasPrefix("CoreData: sql:") }
    func against(_ lines: [Substring]) throws -> Program.Outcome {
      let text = lines.map { "2026-11-20 09:00:00.000 Notes[1:2] \($0)\n" }.joined()
      let log = try folder.write(Array(text.utf8), to: "\(lines.count).log")
      return try Program.run(arguments + ["--against", log, "--format", "json"])
    }
    let same = try against(lines)
    #expect(same.status == 0, "\(same.errors)")
    let document = try JSONTree(same.output)
    #expect(try JSONSchema.of("migration").violations(in: document) == [])
    #expect(document["log"]?["equal"] == .bool(true))
    let other = try against(Array(lines.dropFirst()))
    #expect(other.status == 1)
    #expect(try JSONTree(other.output)["log"]?["differences"]?.list?.first?["in"] == .string("plan"))
    let nothing = try folder.write(Array("nothing\n".utf8), to: "no.log")
    #expect(try Program.run(arguments + ["--against", nothing]).errors.contains("-com.apple.CoreData.SQLDebug 1"))
    // Of a log that is too long no part is taken for the whole.
    #expect(truncate(nothing, 65 << 20) == 0)
    let long = try Program.run(arguments + ["--against", nothing])
    #expect(long.status == 2 && long.errors.contains("is larger than 64 MiB"), "\(long.errors)")
  }

  @Test func saysWhatIsMissing() throws {
    for (arguments, words) in [
      (["Notes.sqlite", "--dry-run"], "--model MODEL"), (["Notes.sqlite", "--model", "M"], "--output PATH"),
      (["Notes.sqlite", "--model", "M", "--output", "a", "--dry-run"], "leave --output away"),
    ] {
      let outcome = try Program.run(["migrate"] + arguments)
      #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  /// Tables of a real store's name, SQL in names: what becomes part of a statement is looked at.
  @Test func namesThatAreSQLAreRefused() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/School.sqlite"))
    let model = try folder.write(
      Array(
        #"{"schema":"storedoctor.model/1","versions":[{"name":"X","entities":[{"name":"A); DROP TABLE ZSTUDENT; --"},{"name":"Student"},{"name":"Course"}]}]}"#
          .utf8), to: "X.json")
    let outcome = try Program.run(["migrate", store, "--model", model, "--dry-run", "--allow-assumed"])
    #expect(outcome.status == 2, "\(outcome.output) \(outcome.errors)")
  }
}
