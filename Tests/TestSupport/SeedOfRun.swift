import Foundation

/// A new seed for each run, or the one in `STOREDOCTOR_SEED`, to reproduce a failure.
///
/// The seed is printed with the command that repeats the run.
/// - Parameter name: the suite or test, as `--filter` takes it.
package func seedOfRun(_ name: String) -> UInt64 {
  let given = ProcessInfo.processInfo.environment["STOREDOCTOR_SEED"].flatMap { UInt64($0) }
  let seed = given ?? .random(in: 0 ... .max)
  print("\(name): again with STOREDOCTOR_SEED=\(seed) swift test --filter \(name)")
  return seed
}
