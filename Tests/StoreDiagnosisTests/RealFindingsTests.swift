import StoreDiagnosis
import StoreFindings
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// The findings of all real stores are exactly those of a committed table.
///
/// `STOREDOCTOR_RECORD=1` writes the table again; check the difference before committing it.
@Suite struct RealFindingsTests {
  @Test(.needsSharedData) func findsWhatTheTableSays() throws {
    let found = try Catalogue.real.flatMap { entry in try RealDiagnoses.lines(entry) }
    if ProcessInfo.processInfo.environment["STOREDOCTOR_RECORD"] == "1" { try RealTable.write(found) }
    #expect(Catalogue.withoutLostLogs(found) == Catalogue.withoutLostLogs(try RealTable.lines))
  }

  @Test(arguments: Catalogue.stores)
  func whatIsSkippedIsForWantOfAModelOrOfAList(_ entry: Catalogue.Entry) throws {
    let diagnosis = try RealDiagnoses.of(entry)
    guard diagnosis.store.modelSource == "inferred" else {
      // What an app's own transformer reads nobody knows; that is said once for each that has values.
      #expect(diagnosis.skipped.filter { !$0.reason.contains("is the app's own") }.map(\.line) == [])
      return
    }
    #expect(diagnosis.skipped.allSatisfy { $0.reason.contains("known") || $0.reason.hasPrefix("without a model") })
  }
}

/// The table of `Tests/Expectations`.
enum RealTable {
  private static let path = Project.path("Tests/Expectations/real-findings.txt")

  /// Its lines without comments.
  static var lines: [String] {
    get throws {
      try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        .filter { !$0.hasPrefix("#") }
    }
  }

  static func write(_ lines: [String]) throws {
    let head = """
      # What 'diagnose' finds in the 65 real stores: store, check, severity, place, count.
      # Written by STOREDOCTOR_RECORD=1 swift test --filter RealFindingsTests; held against SQL by RealFindingsSQLTests.

      """
    try (head + lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }
}
