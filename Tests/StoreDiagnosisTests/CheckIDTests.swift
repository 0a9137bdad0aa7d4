import StoreDiagnosis
import StoreFindings
import Testing

/// Every id that code may ask for is that of a check, and every check has one.
@Suite struct CheckIDTests {
  @Test func idsAreThoseOfTheChecks() {
    #expect(Set(CheckWords.all.map(\.id)).isSuperset(of: CheckID.allCases.map(\.rawValue)))
    let ofStores = CheckWords.all.map(\.id).filter { !$0.hasPrefix("SD9") }
    #expect(ofStores.count == CheckID.allCases.count)
  }
}
