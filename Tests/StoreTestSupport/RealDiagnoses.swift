import StoreDiagnosis
import StoreFindings
import TestSupport
import Testing

/// Each real store is diagnosed once, by the first test that asks; tests of other stores do not wait for it.
package enum RealDiagnoses {
  private static let all = Dictionary(
    uniqueKeysWithValues: Catalogue.stores.map { entry in (entry.slug, Once { try diagnose(path: entry.path) }) })

  package static func of(_ entry: Catalogue.Entry) throws -> Diagnosis { try #require(all[entry.slug]).get() }

  package static func lines(_ entry: Catalogue.Entry) throws -> [String] {
    try of(entry).findings.map { finding in
      "\(entry.slug) \(finding.id) \(finding.severity.rawValue) \(finding.place) \(finding.count)"
    }
  }
}
