import StoreJSON
import StoreSwiftDataSchemas
import Testing

@Suite struct SourceLintJSONTests {
  private let place = SourcePlace(file: "Models/Note.swift", line: 3, column: 5, offset: 40, length: 4)

  @Test func givesBackFindings() throws {
    let edit = SourceFinding.Edit(file: "Models/Note.swift", offset: 40, length: 0, replacement: "final ")
    let finding = SourceFinding(
      check: "SD903", severity: .error, place: place, schema: "SchemaV1", entity: "Note", property: "text",
      message: "lists a live class", notes: [.init("declared here", at: place), .init("no place")],
      fix: .init("write it", edits: [edit], isCertain: true), excerpt: "  [Note.self]")
    let bare = SourceFinding(check: "SD945", severity: .note, place: place, message: "perhaps a rename")
    let lint = SourceLint(
      findings: [finding, bare], silenced: [.init(bare, reason: "on purpose")],
      skipped: [.init(check: "SD902", reason: "Money is not known", place: place)], digests: ["a": "00"],
      silences: [.init(file: "Models/Note.swift", lines: 3...5, checks: ["SD909"], reason: "never shipped")])
    #expect(try SourceLint(Array(lint.json.lineText.utf8)) == lint)
    #expect(!lint.json.lineText.dropLast().contains("\n"), "it is one line of two")
  }

  @Test(arguments: [
    "", "{}", "{\"schema\": \"storedoctor.swiftdata-lint/2\"}",
    "{\"schema\":\"storedoctor.swiftdata-lint/1\",\"silences\":[{\"file\":\"\",\"first\":2,\"last\":1,\"reason\":\"\"}]}",
  ])
  func refusesWhatItDoesNotKnow(text: String) {
    #expect(throws: JSONError.self) { try SourceLint(Array(text.utf8)) }
  }
}
