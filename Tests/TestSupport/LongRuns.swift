import Foundation

/// How many seeds a test runs: some by default, all with `STOREDOCTOR_LONG=1` (`make test-long`), and chosen ones with
/// `STOREDOCTOR_SEEDS=258,429`, to look at what failed.
package enum LongRuns {
  /// Whether all seeds are run.
  package static let areWanted = ProcessInfo.processInfo.environment["STOREDOCTOR_LONG"] == "1"

  private static let chosen = ProcessInfo.processInfo.environment["STOREDOCTOR_SEEDS"].map { list in
    list.split(separator: ",").compactMap { UInt64($0) }
  }

  /// The seeds of a run, with some that once found a fault.
  package static func seeds(_ slice: UInt64, whole: UInt64, kept: [UInt64] = []) -> [UInt64] {
    let seeds = 0..<(areWanted ? whole : slice)
    return chosen ?? Array(seeds) + kept.filter { !seeds.contains($0) }
  }
}
