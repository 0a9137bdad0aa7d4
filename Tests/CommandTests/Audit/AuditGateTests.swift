import Foundation
import TestSupport
import Testing

@Suite struct AuditGateCommandTests {
  private let model = Project.path("corpus/Notes.xcdatamodeld")

  private func fleet() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    _ = try folder.copyStore(Project.path("corpus/Notes.sqlite"), as: "a.sqlite")
    _ = try folder.copyStore(Project.path("corpus/Notes.sqlite"), as: "b.sqlite")
    try folder.write(Array(contents(of: Project.path("corpus/Notes.sqlite")).prefix(9000)), to: "c.sqlite")
    return folder
  }

  private static let gates: [(options: [String], status: Int32)] = [
    (["--model", "MODEL"], 1),
    (["--model", "MODEL#Notes 2"], 1),
    (["--model", "MODEL#Notes 2", "--fail-on", "never"], 0),
    (["--model", "MODEL#Notes 2", "--min-migrates", "66%"], 0),
    (["--model", "MODEL#Notes 2", "--min-migrates", "67%"], 1),
    (["--model", "MODEL#Notes 2", "--min-migrates", "66%", "--fail-on", "error"], 1),
    (["--model", "MODEL#Notes 2", "--expect-version", "Notes 2", "--fail-on", "never"], 1),
    (["--min-migrates", "101%"], 64),
    (["--format", "html"], 64),
    (["--summary", "--format", "csv"], 64),
    (["--apply"], 64),
    (["-0"], 64),
    (["--expect-version", "Notes 2"], 64),
    (["--model", "MODEL", "--expect-version", "Notes 9"], 64),
  ]

  @Test(arguments: gates) func theStatusIsThatOfTheGate(options: [String], status: Int32) throws {
    let folder = try fleet()
    let options = options.map { $0.replacingOccurrences(of: "MODEL", with: model) }
    #expect(try AuditRun([folder.path] + options).status == status)
  }

  @Test func whatIsKnownPassesAndWhatIsNewDoesNot() throws {
    let folder = try fleet()
    let place = try TemporaryFolder()
    let known = place("known.jsonl")
    #expect(try AuditRun([folder.path, "--model", model, "--write-baseline", known]).status == 0)
    let again = try AuditRun([folder.path, "--model", model, "--baseline", known])
    #expect(again.status == 0)
    #expect(try again.lines.map(\.severity) == [nil, nil, nil])
    #expect(try again.lines.allSatisfy { ($0.known ?? 0) > 0 })
    try folder.write([], to: "d.sqlite")
    #expect(try AuditRun([folder.path, "--model", model, "--baseline", known]).status == 1)
  }

  @Test func whatGetsWorseIsNotKnown() throws {
    let folder = try TemporaryFolder()
    _ = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let place = try TemporaryFolder()
    let known = place("known.jsonl")
    // The first model decides the verdict ("opens"); the second is only a model that the store would migrate to.
    _ = try AuditRun([
      folder.path, "--model", model + "#Notes 3", "--model", model + "#Notes 2", "--write-baseline", known,
    ])
    let later = ["--model", model + "#Notes 2", "--model", model + "#Notes 3", "--baseline", known]
    #expect(try AuditRun([folder.path] + later).status == 1)
  }

  @Test func nothingToAuditIsNoSuccess() throws {
    let folder = try TemporaryFolder()
    let list = try folder.write([], to: "list")
    #expect(try AuditRun(["--from", list]).status == 2)
    #expect(try AuditRun(["--merge", list]).status == 2)
    #expect(try AuditRun(["--from", list, "--fail-on", "never"]).status == 0)
    #expect(try AuditRun(["--from", list, "--shard", "1/2"]).status == 0)
  }

  @Test(arguments: ["--report", "--write-baseline", "--resume"]) func aFileThatIsThereStays(option: String) throws {
    let folder = try fleet()
    let file = try folder.write(Array("precious".utf8), to: "notes.txt")
    let lines = try folder.write(Array(AuditRun([folder.path]).outcome.output.utf8), to: "lines")
    for arguments in [[folder.path, option, file], ["--merge", lines, option, file]] {
      let run = try AuditRun(arguments)
      #expect(run.status == 2 || run.status == 64)
      #expect(try contents(of: file) == Array("precious".utf8))
    }
  }

  @Test func theFormatNeverChangesTheStatus() throws {
    let folder = try fleet()
    for format in ["jsonl", "csv", "sarif", "junit"] {
      #expect(try AuditRun([folder.path, "--format", format]).status == 1)
    }
    for format in ["text", "json", "html"] {
      #expect(try AuditRun([folder.path, "--summary", "--format", format]).status == 1)
    }
  }

  @Test func linesFollowTheSchema() throws {
    let folder = try fleet()
    let recipe = try folder.write(
      Array("version: 1\ndedupe:\n  - entity: Tag\n    by: [name]\n".utf8), to: "recipe.yaml")
    let run = try AuditRun([folder.path, "--model", model, "--timings", "--recipe", recipe])
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/audit.json"), encoding: .utf8))
    for line in run.outcome.output.split(separator: "\n") {
      #expect(schema.violations(in: try JSONTree(String(line))).map(\.description) == [])
    }
    #expect(try run.lines.count == 3)
  }
}
