import StoreDiagnosis
import StoreMigration
import StoreReports
import StoreTestSupport
import TestSupport
import Testing

/// What a developer sees first, for every migration case: cause, rows and what to do. That each remedy mends its rows is
/// the law of `ModelRepairLawTests`.
@Suite struct FirstLinesTests {
  @Test(arguments: MigrationCase.all)
  func causeRowsAndRemedyStandFirst(_ migration: MigrationCase) throws {
    let (diagnosis, way) = try migration.diagnosis()
    let lines = diagnosis.text(width: 100, isStyled: false).split(separator: "\n", omittingEmptySubsequences: false)
    let first = lines.prefix(10).joined(separator: " ")
    #expect(first.hasPrefix(diagnosis.verdict.rawValue), "\(first)")
    guard let code = diagnosis.deciding?.openings[way]?.failure?.code else { return }
    #expect(first.contains(String(code)), "\(first)")
    for place in migration.expect.blocking ?? [] {
      let keys = place.pks ?? place.pk.map { [$0] } ?? []
      let screen = lines.prefix(24).joined(separator: " ")
      // A property is named with the entity that declares it, which may be a parent of the rows' one.
      let name = place.property.map { ".\($0)" } ?? place.entity
      #expect(screen.contains(name) && keys.prefix(1).allSatisfy { screen.contains("\($0)") }, "\(screen)")
    }
    let next = try #require(lines.firstIndex { $0 == "Next" || $0.hasPrefix("Recipe") }, "\(lines)")
    #expect(lines.dropFirst(next + 1).first?.isEmpty == false)
  }
}
