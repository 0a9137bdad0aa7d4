import StoreInspection
import Foundation
import StoreReports
import TestSupport
import Testing

/// The JSON of an inspection follows `docs/schemas/inspection.json`.
@Suite struct InspectionSchemaTests {
  @Test(arguments: ["Notes.sqlite", "Shapes.sqlite"])
  func bundledStoresFollowTheSchema(name: String) throws {
    let path = Project.path("corpus/" + name)
    let whole = try inspect(path: path)
    try expectToFollowTheSchema(whole)
    try expectToFollowTheSchema(inspect(path: path, options: everything(about: whole)))
  }

  @Test(arguments: Catalogue.stores)
  func realStoresFollowTheSchema(_ entry: Catalogue.Entry) throws {
    try expectToFollowTheSchema(inspect(path: entry.path))
  }

  @Test(.needsSharedData, arguments: Catalogue.real.filter { $0.entities.count < 40 })
  func realStoresFollowTheSchemaWithEveryOption(_ entry: Catalogue.Entry) throws {
    let whole = try inspect(path: entry.path)
    try expectToFollowTheSchema(inspect(path: entry.path, options: everything(about: whole)))
  }

  /// The schema is strict enough to refuse wrong numbers, names and flags.
  @Test(arguments: [
    ("\"schema\": \"storedoctor.inspection/2\"", "\"schema\": \"storedoctor.inspection/3\"", "/schema"),
    ("\"abstract\": false", "\"abstract\": 0", "/entities/0/abstract"),
    ("\"mirrored\": false", "\"mirored\": false", "/cloudKit/mirored"),
  ])
  func aDocumentThatBreaksAPromiseIsNoticed(original: String, changed: String, pointer: String) throws {
    let text = try inspect(path: Project.path("corpus/Notes.sqlite")).json.text
    let range = try #require(text.range(of: original))
    let document = try JSONTree(text.replacingCharacters(in: range, with: changed))
    #expect(try schema.get().violations(in: document).contains { $0.pointer == pointer })
  }

  private func everything(about inspection: Inspection) -> InspectionOptions {
    InspectionOptions(
      entities: inspection.entities.map(\.name), measuresSizes: true, hashesFiles: true, showsValues: true)
  }

  private func expectToFollowTheSchema(_ inspection: Inspection) throws {
    let violations = try schema.get().violations(in: JSONTree(inspection.json.text))
    #expect(violations.isEmpty, "\(violations.prefix(5).map(\.description).joined(separator: "\n"))")
  }
}

private let schema = Result {
  try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/inspection.json"), encoding: .utf8))
}
