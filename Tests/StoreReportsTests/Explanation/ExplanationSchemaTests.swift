import StoreDiagnosis
import StoreExplanation
import StoreCoreData
import Foundation
import StoreReports
import TestSupport
import Testing

/// The JSON of an explanation follows `docs/schemas/explanation.json`.
@Suite struct ExplanationSchemaTests {
  @Test func everythingThatCanBeSaidFollowsTheSchema() throws {
    let hash = String(repeating: "00", count: 32)
    let log = """
      NSCocoaErrorDomain Code=134110, NSSQLiteErrorDomain=511, entity=Note, attribute=title, unknown coordinator model version
      CoreData: sql: SELECT t0.ZTITLE FROM ZNOTE t0 WHERE t0.ZFOLDER = ?
      Failed to fulfill faulting for the relationship named 'folder', destination hashes: Tag = <\(hash)>;
      x-coredata://A/Note/p1 no such table: ZGONE Note = {length = 32, bytes = 0xeb984ccb a49c545a ... 45c11cfa };
      """
    var explanation = explain(log: Array(log.utf8))
    (explanation.checks, explanation.choices) = (CheckWords.all, CheckWords.all)
    let store = try Store(path: Project.path("corpus/Notes.sqlite"))
    explanation.store = try LogInStore(try #require(explanation.log), in: store)
    #expect(explanation.unknown.count == 1 && explanation.store?.statements.count == 10)
    for value in [explanation, .everything] {
      let violations = try schema.get().violations(in: JSONTree(value.json.text))
      #expect(violations.isEmpty, "\(violations.prefix(5).map(\.description).joined(separator: "\n"))")
    }
  }
}

private let schema = Result {
  try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/explanation.json"), encoding: .utf8))
}
