import Foundation

/// How many seeds a test runs: some by default, all with `STOREDOCTOR_LONG=1` (`make test-long`).
public enum LongRuns {
  /// Whether all seeds are run.
  public static let areWanted = ProcessInfo.processInfo.environment["STOREDOCTOR_LONG"] == "1"

  /// The seeds of a run.
  public static func seeds(_ slice: UInt64, whole: UInt64) -> Range<UInt64> { 0..<(areWanted ? whole : slice) }
}
