import StoreCoreData
import StoreRepair
import StoreReports
import StoreRows
import StoreSQLite
import StoreWords

/// Compares a store with its repaired copy, for `--verbose`: the summary of `storedoctor compare` on standard error.
///
/// Reading both may take as long as the repair took, and always ten seconds: so `--verbose` makes a repair no more than
/// twice as long, and still says something of a small store on a slow disk. The result is published and verified
/// already, so whatever goes wrong here is told and changes no exit status.
struct ResultComparison {
  private let began = ContinuousClock.now
  private static let leastSeconds = 10.0

  /// Says which objects the result has otherwise than the store, and when the comparing ends in `times`.
  func tell(_ store: Store, outcome: RepairOutcome, times: StepTimes?) {
    guard outcome.store != store.path else {
      // With nothing to do there is no journal, and nothing to compare.
      if outcome.journal != nil {
        standardError(
          "not compared: --in-place changed the store itself; a repair with --output can be compared with its source")
      }
      return
    }
    let command = "storedoctor compare \(shellQuoted(store.path)) \(shellQuoted(outcome.store))"
    let (seconds, attoseconds) = (ContinuousClock.now - began).components
    let limit = max(Self.leastSeconds, Double(seconds) + Double(attoseconds) / 1e18)
    times?.begin("comparing objects")
    do {
      let comparison = try compared(store, outcome: outcome, limit: limit)
      times?.begin(nil)
      let text = ComparisonText(limit: 0).text(comparison, width: TerminalWidth.ofStandardError, isStyled: false)
      standardError("\(text)\nNext\n  \(command)")
    } catch let error as SQLiteError where error.interruption == .deadline {
      times?.begin(nil)
      standardError(
        "not compared whole: it would take longer than \(Int(limit.rounded(.up))) s; '\(command)' has no limit")
    } catch {
      times?.begin(nil)
      standardError("not compared: \(escapedForTerminal("\(error)"))")
    }
  }

  private func compared(_ store: Store, outcome: RepairOutcome, limit: Double) throws -> StoreComparison {
    let options = Store.Options(
      ignoresWAL: store.wal?.isRead == false, deadline: limit, model: store.modelSource == .given ? store.model : nil)
    var earlier = options
    earlier.log = store.files.namedLog
    let before = try Store(store.location, options: earlier)
    let after = try Store(PosixPath(argument: outcome.store), options: options)
    let comparison = try compareStores(before, after) { _ in }
    try before.checkUnchanged()
    return comparison
  }
}
