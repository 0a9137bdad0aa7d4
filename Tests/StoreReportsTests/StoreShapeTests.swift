import Foundation
import StoreCoreData
import StoreDiagnosis
import StoreExplanation
import StoreInspection
import StoreModels
import StoreReports
import TestSupport
import Testing

/// `store` has the same members in every document; digest and checksum are spelled as in Core Data's own metadata.
@Suite struct StoreShapeTests {
  @Test func everySchemaHasTheSameStore() throws {
    let folder = Project.path("docs/schemas")
    var shapes: [String: JSONTree] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let schema = try JSONTree(String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
      shapes[name] = schema["$defs"]?["store"]
    }
    #expect(
      shapes.keys.sorted() == [
        "audit.json", "comparison.json", "diagnosis.json", "explanation.json", "inspection.json", "journal.json",
        "model-match.json", "outcome.json", "plan.json", "row-entities.json", "rows.json",
      ])
    #expect(Set(shapes.values).count == 1)
  }

  @Test func whatSeveralCommandsSayOfAStoreIsTheSame() throws {
    let path = Project.path("corpus/Notes.sqlite")
    let store = try Store(path: path)
    var explanation = explain(log: [])
    explanation.store = try LogInStore(LogFacts(), in: store)
    let documents = try [
      inspect(path: path).json.text, diagnose(path: path).json.text,
      matchModel(store: store.location, candidates: []).json.text, explanation.json.text,
    ].map { try #require(try JSONTree($0)["store"]) }
    for name in ["path", "uuid", "frameworkVersion", "versionIdentifiers", "modelSource", "digest", "checksum"] {
      #expect(documents.allSatisfy { $0[name] != nil && $0[name] == documents[0][name] }, "\(name)")
    }
    // They are spelled as in the metadata.
    #expect(documents[0]["checksum"]?.string == store.metadata.checksum && store.metadata.checksum != nil)
    #expect(documents[0]["digest"]?.string == store.metadata.digest && store.metadata.digest != nil)
  }
}
