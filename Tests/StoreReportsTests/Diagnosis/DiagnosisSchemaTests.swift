import StoreDiagnosis
import StoreFindings
import StoreModels
import Foundation
import StoreSQLite
import StoreReports
import TestSupport
import Testing

/// The JSON of a diagnosis follows `docs/schemas/diagnosis.json`.
@Suite struct DiagnosisSchemaTests {
  @Test(arguments: ["Notes.sqlite", "Shapes.sqlite", "Club.sqlite"])
  func bundledStoresFollowTheSchema(name: String) throws {
    try expectToFollowTheSchema(diagnose(path: Project.path("corpus/" + name)))
  }

  @Test(arguments: Catalogue.stores)
  func realStoresFollowTheSchema(_ entry: Catalogue.Entry) throws {
    try expectToFollowTheSchema(diagnose(path: entry.path))
  }

  @Test(arguments: [
    ["Notes.xcdatamodeld"], ["Notes.xcdatamodeld#Notes"], ["Club.sqlite"],
    ["Notes.xcdatamodeld#Notes", "Notes.xcdatamodeld#Notes 2"],
  ])
  func modelsFollowTheSchema(_ models: [String]) throws {
    let sources = try models.map { try readModel(PosixPath(Project.path("corpus/" + $0))) }
    for way in [nil, OpeningWay.automatic, .staged, .manual] {
      let options = CandidateOptions(models: sources, opening: way)
      var diagnosis = try diagnose(
        path: Project.path("corpus/Notes.sqlite"), options: DiagnosisOptions(candidates: options))
      #expect(diagnosis.models.count == sources.flatMap(\.versions).count)
      #expect(diagnosis.models.allSatisfy { $0.openings.count == 4 })
      try expectToFollowTheSchema(diagnosis)
      // No bundled version has changes with an open question, so these stand in.
      for index in diagnosis.models.indices { diagnosis.models[index].unknown = diagnosis.models[index].changes }
      try expectToFollowTheSchema(diagnosis)
    }
  }

  @Test func configurationAndScopeFollowTheSchema() throws {
    var configuration = Configuration(path: PosixPath(bytes: [0x61, 0xFF]), severities: ["SD410": .error])
    configuration.mutes = [
      .init(check: "SD704", reason: "x"), .init(check: "SD404", entity: "Note", property: "tags", reason: "y"),
    ]
    let options = DiagnosisOptions(judgesAsMirrored: true, entities: ["Note"], configuration: configuration)
    let diagnosis = try diagnose(path: Project.path("corpus/Notes.sqlite"), options: options)
    #expect(diagnosis.config?.muted.map(\.findings.count) == [9, 0])
    try expectToFollowTheSchema(diagnosis)
    #expect(diagnosis.json.text.contains("\"pathBytes\": \"Yf8=\""))
  }

  @Test func everyMemberOfAFindingFollowsTheSchema() throws {
    var finding = Finding(
      id: "SD402", name: "wrong-entity-reference", severity: .error, entity: "Team", table: "ZTEAM",
      property: "coach", count: 3,
      examples: [
        .init(7, ["key": .number(4), "foundEntity": "Player", "entity": "Squad", "companion": .number(5)]),
        .init(nil, ["destination": .number(4), "missing": "both", "orderKey": .number(1), "links": .number(5)]),
        .init(1, ["expected": .number(4), "number": .number(5), "highWater": .number(1)]),
      ], message: "3 rows", blocks: [1550], remedies: [.init("wrongEntity: nullify")], basis: .assumed)
    try expectToFollowTheSchema(diagnosis(finding))
    finding.count = 0
    #expect(try violations(diagnosis(finding)) == ["/findings/0/count"])
    finding.count = 1
    finding.examples = [.init(1, ["title": "a value of a row"])]
    #expect(try violations(diagnosis(finding)) == ["/findings/0/examples/0/title"])
  }

  private func diagnosis(_ finding: Finding) throws -> Diagnosis {
    var diagnosis = try diagnose(path: Project.path("corpus/Notes.sqlite"))
    diagnosis.findings = [finding]
    diagnosis.skipped = [.init(check: "SD401", reason: "there is no table 'ZTEAM'")]
    return diagnosis
  }

  private func violations(_ diagnosis: Diagnosis) throws -> [String] {
    try schema.get().violations(in: JSONTree(diagnosis.json.text)).map(\.pointer)
  }

  private func expectToFollowTheSchema(_ diagnosis: Diagnosis) throws {
    let violations = try schema.get().violations(in: JSONTree(diagnosis.json.text))
    #expect(violations.isEmpty, "\(violations.prefix(5).map(\.description).joined(separator: "\n"))")
  }
}

private let schema = Result {
  try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/diagnosis.json"), encoding: .utf8))
}
