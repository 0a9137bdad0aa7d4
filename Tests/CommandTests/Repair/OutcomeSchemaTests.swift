import Foundation
import StoreSQLite
import TestSupport
import Testing

/// What `repair`, `apply` and `undo` print as JSON is what `docs/schemas` promises to scripts.
@Suite struct OutcomeSchemaTests {
  @Test func everyOutcomeFollowsItsSchema() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let recipe = ["--safe", "--dedupe", "Tag.name", "--compare", "casefolded", "--allow-lossy"]
    #expect(try document("plan", ["repair", "Sick.sqlite"] + recipe, in: folder)["isRedacted"] == .bool(true))
    _ = try document("plan", ["repair", "Sick.sqlite", "--show-values"] + recipe, in: folder)
    let planned = try document("plan", ["repair", "Sick.sqlite", "--plan-out", "plan.json"] + recipe, in: folder)
    let saved = try JSONTree(String(decoding: contents(of: folder("plan.json")), as: UTF8.self))
    #expect(try JSONSchema.of("plan").violations(in: saved) == [])
    #expect(planned["needs"] == .array([.string("--allow-lossy")]) && planned["needs"] == saved["needs"])

    let written = try document("outcome", ["repair", "Sick.sqlite", "--output", "a.sqlite"] + recipe, in: folder)
    #expect(written["source"] == .string("Sick.sqlite") && written["store"] == .string("a.sqlite"))
    #expect(written["journal"] == nil && written["after"] == planned["after"])
    let applied = try document(
      "outcome", ["apply", "plan.json", "--store", "Sick.sqlite", "--output", "b.sqlite", "--allow-lossy"], in: folder)
    #expect(applied["operations"] == written["operations"])

    let changed = try document(
      "outcome", ["repair", "Sick.sqlite", "--in-place", "--journal", "j"] + recipe, in: folder)
    #expect(changed["store"] == changed["source"] && changed["journal"] != nil)
    _ = try document("journal", at: folder("j/journal.json"))
    #expect(try document("outcome", ["undo", "j"], in: folder)["way"] == .string("bytes"))
    _ = try document("outcome", ["repair", "Sick.sqlite", "--in-place", "--journal", "k"] + recipe, in: folder)
    let connection = try Connection(writing: store, create: false)
    try connection.execute("UPDATE ZFOLDER SET ZNAME = 'later' WHERE Z_PK = 1")
    connection.close()
    #expect(try document("outcome", ["undo", "k"], in: folder)["way"] == .string("rows"))
    _ = try document("journal", at: folder("k/journal.json"))
  }

  /// Operations that cannot be done are listed in the plan and in the outcome, and none is reported as done.
  @Test func obstaclesFollowTheSchemas() throws {
    let folder = try TemporaryFolder()
    _ = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let recipe = ["--dangling", "restore-from-history", "--structure", "external-files"]
    for (kind, options) in [("plan", []), ("outcome", ["--output", "a.sqlite"])] {
      let found = try document(kind, ["repair", "Notes.sqlite"] + recipe + options, in: folder)
      #expect(found["operations"] == .array([]))
    }
  }

  private func document(_ kind: String, _ arguments: [String], in folder: TemporaryFolder) throws -> JSONTree {
    let outcome = try run(arguments + ["--format", "json"], in: folder)
    try #require(outcome.status == 0, "\(arguments) \(outcome.errors)")
    return try checked(kind, outcome.output)
  }

  private func document(_ kind: String, at path: String) throws -> JSONTree {
    try checked(kind, String(decoding: contents(of: path), as: UTF8.self))
  }

  private func checked(_ kind: String, _ text: String) throws -> JSONTree {
    let tree = try JSONTree(text)
    #expect(try JSONSchema.of(kind).violations(in: tree).map(\.description) == [])
    #expect(text.hasSuffix("}\n") && !text.hasSuffix("\n\n"))
    return tree
  }
}
