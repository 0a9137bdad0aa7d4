import Foundation

/// How often a seeded run repeats: a slice by default, all of it with `STOREDOCTOR_LONG=1` (`make test-long`).
public enum LongRuns {
  /// Whether long runs are wanted whole.
  public static let areWanted = ProcessInfo.processInfo.environment["STOREDOCTOR_LONG"] == "1"

  /// The seeds of a run.
  public static func seeds(_ slice: UInt64, whole: UInt64) -> Range<UInt64> { 0..<(areWanted ? whole : slice) }
}
