@testable import StoreDiagnosis
@testable import StoreMigration
@testable import StoreScanning
import StoreDataModel
import StoreCoreData
import StoreTestSupport
import TestSupport
import Testing

/// Queries on a store's tables give what plain loops over the same rows give.
@Suite struct StoreRowsTests {
  private static let lines = [
    "Doc abstract: code String?; n I64?; size Double?", "Text<Doc: rank I64?; owner ->Person?~texts",
    "Image<Doc: rank Double?", "Person: email String?; texts ->>Text?~owner",
  ]

  private static let conditions: [RowCondition] = [
    .noRows(["Text"]), .noRows(["Doc", "Text", "Image"]), .atMostOneRow(["Image"]), .atMostOneRow(["Text", "Image"]),
    .noNulls(["Text", "Image"], property: "code"), .noNulls(["Image"], property: "rank"),
    .noNulls(["Text"], property: "rank"), .noNulls(["Text"], property: "owner"),
    .noValues(["Doc", "Text", "Image"], property: "n"), .noValues(["Text"], property: "owner"),
    .noDuplicates(entity: "Doc", among: ["Text", "Image"], properties: ["code"], nullsAreEqual: false),
    .noDuplicates(entity: "Doc", among: ["Text"], properties: ["code", "n"], nullsAreEqual: false),
    .noDuplicates(entity: "Doc", among: ["Text", "Image"], properties: ["code", "n"], nullsAreEqual: true),
    .noDuplicates(entity: "Text", among: ["Text"], properties: ["code", "owner"], nullsAreEqual: false),
    .noDuplicates(entity: "Person", among: ["Person"], properties: ["email"], nullsAreEqual: false),
    .numericFits(["Text", "Image"], property: "n", to: .integer16), .numericFits(["Text"], property: "n", to: .boolean),
    .numericFits(["Image"], property: "rank", to: .integer32), .atMostOneLink(["Person"], property: "texts"),
    .linkCount(["Person"], property: "texts", minimum: 1, maximum: 2),
    .linkCount(["Person"], property: "texts", minimum: 2, maximum: 0),
    .linksWithin(["Text"], property: "owner", destinations: ["Person"]), .noDanglingKeys(["Text"], property: "owner"),
  ]

  @Test(arguments: UInt64(0)..<20) func answersAsLoopsDo(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let model = try ModelNotation.model(Self.lines)
    let rows = Self.rows(&random)
    let file = try CaseStore(model, rows)
    let scan = Scan(try Store(path: file.path), ScanOptions(examples: 1000))
    let facts = StoreRows(scan)
    facts.ask(Self.conditions)
    try scan.read()
    try facts.confirm()
    let shown = ShownRows(model: model, rows: rows)
    for condition in Self.conditions {
      let answer = try #require(facts.violations(of: condition), "seed \(seed): \(condition)")
      #expect(answer.map(withoutGroups) == shown.violations(of: condition), "seed \(seed): \(condition)")
    }
  }

  /// Rows with few different values, so that some are equal, and with keys of persons that do not exist.
  private static func rows(_ random: inout SeededGenerator) -> [String: [[String: JSONTree]]] {
    func text(_ random: inout SeededGenerator) -> JSONTree {
      [.null, .string("a"), .string("b"), .string("A"), .string("")].randomElement(using: &random) ?? .null
    }
    func number(_ random: inout SeededGenerator) -> JSONTree {
      [.null, .integer(0), .integer(1), .integer(70_000), .integer(-40_000)].randomElement(using: &random) ?? .null
    }
    func real(_ random: inout SeededGenerator) -> JSONTree {
      [.null, .number(0.5), .number(7), .number(5e9)].randomElement(using: &random) ?? .null
    }
    var rows: [String: [[String: JSONTree]]] = ["Text": [], "Image": [], "Person": []]
    for key in 1...Int64.random(in: 1...40, using: &random) {
      let common: [String: JSONTree] = ["pk": .integer(key), "code": text(&random), "n": number(&random)]
      if Bool.random(using: &random) {
        let owner: [JSONTree] = [.null, .integer(1), .integer(2), .integer(3), .integer(99)]
        let own = ["rank": number(&random), "owner": owner.randomElement(using: &random) ?? .null]
        rows["Text"]?.append(common.merging(own) { $1 })
      } else {
        rows["Image"]?.append(common.merging(["rank": real(&random)]) { $1 })
      }
    }
    for key in 1...Int64.random(in: 1...4, using: &random) {
      rows["Person"]?.append(["pk": .integer(key), "email": text(&random)])
    }
    return rows
  }

  private func withoutGroups(_ violation: RowViolation) -> RowViolation {
    var violation = violation
    violation.groups = nil
    return violation
  }
}
