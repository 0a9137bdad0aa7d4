import Foundation

/// A seed that is new in each run, or the one that `STOREDOCTOR_SEED` names, so that a failure can be seen again.
///
/// It is printed, with the words that start the same run.
/// - Parameter name: the suite or test, as `--filter` takes it.
public func seedOfRun(_ name: String) -> UInt64 {
  let given = ProcessInfo.processInfo.environment["STOREDOCTOR_SEED"].flatMap { UInt64($0) }
  let seed = given ?? .random(in: 0 ... .max)
  print("\(name): again with STOREDOCTOR_SEED=\(seed) swift test --filter \(name)")
  return seed
}
