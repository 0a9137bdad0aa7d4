import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreModels
import StoreRecovery
import StoreSalvage
import StoreSQLite

// What commands say of a store that is too damaged to be opened.

extension Store.Options {
  /// How a store is opened whose pages are searched: also one that is too damaged to be opened.
  ///
  /// - Parameter source: the model that describes it; nil for its own.
  static func searching(_ path: PosixPath, log: PosixPath?, describedBy source: ModelSource?) throws -> Self {
    var opening = Self().readingPastDamage
    opening.log = log
    if let source { opening.model = try source.version(describing: StoreLocator.locate(path), opening).model }
    return opening
  }
}

/// What is left of deleted objects, also in a store that is too damaged to be opened.
func recoverPastDamage(
  _ path: PosixPath, log: PosixPath?, formerModels: [(name: String, model: Model)] = [],
  describedBy source: ModelSource? = nil
) throws -> Recovery {
  try recoverPastDamage(
    path, log: log, formerModels: formerModels, opening: .searching(path, log: log, describedBy: source))
}

/// The same of a store that is opened so.
func recoverPastDamage(
  _ path: PosixPath, log: PosixPath?, formerModels: [(name: String, model: Model)] = [], opening: Store.Options
) throws -> Recovery {
  var opening = opening
  do {
    return try recover(path, log: log, formerModels: formerModels, opening: opening)
  } catch  where isOfDamage(error) {
    // It can be opened, and a tree of it cannot be gone through.
    opening.prefersStandIn = true
    guard let recovery = try? recover(path, log: log, formerModels: formerModels, opening: opening),
      recovery.reading?.isOfStandIn == true
    else { throw error }
    return recovery
  }
}

/// Diagnoses a store by `body`. Of one that is too damaged to be opened the damage is the one finding, with what can be saved of it.
///
/// - Parameters:
///   - opening: how it is opened; with its model where another describes it.
///   - checks: those that are asked for.
/// - Returns: also the store that was read in its place; nil where it was opened.
/// - Throws: what `body` throws, where nothing can be found in it.
func diagnosisPastDamage(
  of path: PosixPath, opening: Store.Options, with checks: [Check], countsRows: Bool, _ body: () throws -> Diagnosis
) throws -> (diagnosis: Diagnosis, standIn: Store?) {
  do {
    return (try body(), nil)
  } catch  where isOfDamage(error) {
    let opening = opening.standIn == nil ? opening.readingPastDamage : opening
    guard opening.asOfCommit == nil, let store = try? Store(path, options: opening), store.isStandIn else {
      throw error
    }
    let diagnosis = diagnosis(
      of: store, tooDamagedToOpen: "\(error)", savable: try? savable(path, SalvageOptions(opening)),
      countsRows: countsRows,
      with: checks)
    try store.checkUnchanged()
    return (diagnosis, store)
  }
}
