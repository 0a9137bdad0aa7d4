import StoreDiagnosis
import StoreModels
import StoreDataModel
import StoreCoreData
import StoreSQLite
import StoreWords

/// Opens the store to repair, with its own model or with the version of `storeModel` that matches it.
///
/// - Parameters:
///   - log: the write-ahead log to read in place of the one beside it.
///   - models: the models it is repaired for; one with the hashes of the store describes it where its own model is
///     missing.
///   - onRead: called with what has been read of it so far.
/// - Throws: `StoreError` when the file cannot be read as a store.
package func openToRepair(
  _ path: PosixPath, withoutWAL: Bool = false, log: PosixPath? = nil, storeModel: ModelSource? = nil,
  models: [ModelSource] = [],
  onRead: (@Sendable (Store.ReadProgress) -> Void)? = nil
) throws -> Store {
  let location = try StoreLocator.locate(path)
  var options = Store.Options(ignoresWAL: withoutWAL)
  options.log = log
  options.onProgress = onRead
  if let storeModel { options.model = try storeModel.version(describing: location, options).model }
  let store = try openedWithItsModel(location, opening: options, models: models)
  // Repairs copy whole files, and a plan is for all that a store holds.
  if let moment = store.asOf { throw RepairOfMoment(path: store.path, moment: moment) }
  return store
}

/// Why a store as of an earlier commit is not repaired.
struct RepairOfMoment: Error, CustomStringConvertible {
  let path: String
  let moment: StoreMoment

  var description: String {
    "cannot repair \(quoted(path)): as of an earlier commit (\(moment.words)) a store is only read; omit the @ and its number"
  }
}
