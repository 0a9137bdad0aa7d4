@testable import StoreRepair
import StoreGenerator
import Testing

@Suite struct WorkbenchDiagnosisTests {
  /// Checking all pages sets the connection's cache size, which once left the connection read-only.
  @Test func canBeWrittenAfterADiagnosis() throws {
    let store = try RepairBench(TripModel.model()) { try $0.insert("Trip") }
    _ = try store.findings()
    try store.perform(deletion(of: ["ZTRIP": [1]], in: store.bench, for: .dedupe))
    #expect(try store.rows("SELECT * FROM ZTRIP") == [])
  }
}
