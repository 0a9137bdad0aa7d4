import StoreDiagnosis
import StoreFindings
import StoreTestSupport
import TestSupport
import Testing

/// Each defect that the catalogue of real stores lists is found by its check, with its count, and there are no other
/// errors.
@Suite struct CatalogueDefectTests {
  @Test(arguments: Catalogue.stores)
  func everyListedDefectIsFound(_ entry: Catalogue.Entry) throws {
    let findings = try RealDiagnoses.of(entry).findings
    for defect in entry.defects {
      guard let check = try check(of: defect) else { continue }
      let found = findings.filter { $0.id == check && isPlace($0, of: defect) }
      #expect(found.count == 1, "\(check) for \(defect)")
      #expect(found.map(\.count) == [defect.rows ?? 1], "\(check) for \(defect)")
    }
  }

  @Test(arguments: Catalogue.stores)
  func noErrorIsFoundBeyondThem(_ entry: Catalogue.Entry) throws {
    let listed = try entry.defects.compactMap(check)
    let errors = try RealDiagnoses.of(entry).findings.filter { $0.severity == .error }
    #expect(errors.filter { !listed.contains($0.id) }.map(\.line) == [])
  }

  /// The check for a kind of defect, as in the catalogue's README; nil for a kind that needs no finding of its own.
  private func check(of defect: Catalogue.Entry.Defect) throws -> String? {
    switch defect.kind {
    case "dangling-to-one": "SD401"
    case "orphan-join": "SD404"
    case "null-in-required": "SD501"
    case "z_max-low": "SD207"
    case "z_max-nonzero-on-subentity": "SD208"
    case "z_ent-not-of-this-table": "SD210"
    case "hashes-vs-primarykey": "SD206"
    case "one-to-one-asymmetric": "SD406"
    case "fk-on-foreign-entity-row", "unique-index-missing": nil
    default: try #require(nil as String?, "a kind of defect that nobody knows: \(defect.kind)")
    }
  }

  private func isPlace(_ finding: Finding, of defect: Catalogue.Entry.Defect) -> Bool {
    switch defect.kind {
    case "orphan-join", "z_ent-not-of-this-table": finding.table == defect.table
    case "hashes-vs-primarykey": defect.only_pk?.contains(finding.entity ?? "") == true
    default: finding.entity == defect.entity && finding.property == defect.attr ?? defect.rel
    }
  }
}
