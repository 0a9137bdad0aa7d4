import StoreDiagnosis
import StoreFindings
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

/// Every case of `migration-cases.json`, with a store that has its rows and `diagnose`.
@Suite struct StoreCaseTests {
  @Test(arguments: MigrationCase.all)
  func diagnosesTheExpectation(_ migration: MigrationCase) throws {
    let (diagnosis, way) = try migration.diagnosis()
    let verdict = try #require(diagnosis.deciding)
    let opening = try #require(verdict.openings[way])
    let expect = migration.expect
    // The only entity of this store is removed, so `foreign-model` replaces the inferred verdict.
    let keepsNothing = migration.id == "ent-rename-noid"
    #expect(diagnosis.verdict.rawValue == (keepsNothing ? "foreign-model" : Self.verdict(expect.verdict)))
    #expect(opening.verdict == diagnosis.verdict)
    #expect(opening.failure?.code == expect.code)
    if let reason = expect.reason { #expect(opening.failure?.reason?.contains(reason) == true) }
    #expect((opening.basis == .assumed) == migration.uncertain)
    if let blocking = expect.blocking { #expect(findings(diagnosis, "SD806") == places(blocking)) }
    if let atRisk = expect.atRisk { #expect(Set(loose(atRisk)).isSubset(of: risks(verdict))) }
    if let steps = expect.steps { #expect(opening.steps.map(\.description) == steps) }
    #expect(verdict.unanswered.isEmpty)
    #expect(diagnosis.worstSeverity == .error || !diagnosis.verdict.isError)
  }

  /// The verdict that a name in `migration-cases.json` stands for.
  private static func verdict(_ name: String) -> String? {
    switch name {
    case "opens": "opens"
    case "migrates", "refused": "migrates"
    case "blocked": "blocked-by-data"
    case "notInferable", "stagedBackwards", "stagedDuplicate": "needs-custom-stage"
    case "unknownSource", "stagedUnknown": "unknown-version"
    default: nil
    }
  }

  /// "Note.title 1,2"; for a constraint its properties with commas between.
  private func places(_ places: [MigrationCase.Place]) -> Set<String> {
    Set(
      places.map { place in
        let property = place.constraint.map { $0.joined(separator: ",") } ?? place.property ?? ""
        return "\(place.entity).\(property) \(place.pks ?? place.pk.map { [$0] } ?? [])"
      })
  }

  /// By the entity of the rows, which may be a child of the entity with the new property.
  private func findings(_ diagnosis: Diagnosis, _ check: String) -> Set<String> {
    Set(
      diagnosis.findings.filter { $0.id == check && $0.severity == .error }.map { finding in
        let entity = finding.examples.first?.facts["entity"].flatMap { fact in
          if case .text(let name) = fact { name } else { nil }
        }
        let isConstraint = finding.message.contains("constraint")
        let name = isConstraint ? finding.entity : entity ?? finding.entity
        return "\(name ?? "").\(finding.property ?? "") \(finding.examples.compactMap(\.primaryKey))"
      })
  }

  private func loose(_ places: [MigrationCase.Place]) -> [String] {
    places.map { "\($0.entity) \($0.pks ?? $0.pk.map { [$0] } ?? [])" }.filter { !$0.hasSuffix("[]") }
  }

  private func risks(_ verdict: ModelVerdict) -> Set<String> {
    Set(verdict.atRisk.flatMap(\.violations).map { "\($0.entity) \($0.keys)" })
  }
}
