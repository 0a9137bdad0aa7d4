@testable import StoreDiagnosis
@testable import StoreFindings
import StorePublishing
@testable import StoreRepair
import StoreCoreData
import Foundation
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// What `--safe` does to each real store is exactly what a committed table says.
///
/// `STOREDOCTOR_RECORD=1` writes the table again; check the difference before committing it.
@Suite struct RealSafePlanTests {
  @Test(.needsSharedData) func doesWhatTheTableSays() throws {
    let lines = try Catalogue.real.flatMap { entry in
      try planRepair(.safe, of: Store(path: entry.path)).lines.map { "\(entry.slug) \($0)" }
    }
    if ProcessInfo.processInfo.environment["STOREDOCTOR_RECORD"] == "1" { try SafeTable.write(lines) }
    #expect(lines == (try SafeTable.lines))
  }

  /// Applying the plan already verifies that nothing got worse; this checks it again, and that a second run has nothing
  /// to do.
  @Test(arguments: Catalogue.stores)
  func canBeAppliedToACopy(_ entry: Catalogue.Entry) throws {
    let plan = try planRepair(.safe, of: Store(path: entry.path))
    #expect(plan.refusals == [])
    let folder = try TemporaryFolder.inMemory()
    let output = PosixPath(folder("Mended.sqlite"))
    _ = try apply(plan, to: Store(path: entry.path), destination: .output(OutputTarget(output)))
    let errors = { (diagnosis: Diagnosis) in diagnosis.findings.filter { $0.severity == .error }.map(\.line) }
    let before = try Set(errors(RealDiagnoses.of(entry)))
    #expect(try Set(errors(diagnose(path: output.description))).subtracting(before) == [])
    #expect(try planRepair(.safe, of: Store(output)).operations == [])
    if plan.isEmpty { #expect(try cellChanges(from: entry.path, to: output.description) == []) }
  }
}

extension RepairPlan {
  fileprivate var lines: [String] {
    operations.map(\.line)
      + obstacles.map {
        "not \($0.repair.rawValue) \([$0.entity, $0.property].compactMap(\.self).joined(separator: ".")) \($0.count)"
      }
  }
}

/// The table of `Tests/Expectations`.
private enum SafeTable {
  private static let path = Project.path("Tests/Expectations/real-repairs.txt")

  /// Its lines without comments.
  static var lines: [String] {
    get throws {
      try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        .filter { !$0.hasPrefix("#") }
    }
  }

  static func write(_ lines: [String]) throws {
    let head = """
      # What 'repair --safe' does to the 65 real stores: store, repair, what is done (changes, grade).
      # Written by STOREDOCTOR_RECORD=1 swift test --filter RealSafePlanTests; the others are as they should be.

      """
    try (head + lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }
}
