import StoreDiagnosis
import StoreModels
import StoreDataModel
import StoreCoreData
import StoreSQLite

/// Opens the store to repair, with its own model or with the version of `storeModel` that matches it.
///
/// - Parameters:
///   - models: the models it is repaired for; one with the hashes of the store describes it where its own model is
///     missing.
///   - onRead: called with what has been read of it so far.
/// - Throws: `StoreError` when the file cannot be read as a store.
public func openToRepair(
  _ path: PosixPath, withoutWAL: Bool = false, storeModel: ModelSource? = nil, models: [ModelSource] = [],
  onRead: (@Sendable (Store.ReadProgress) -> Void)? = nil
) throws -> Store {
  let location = try StoreLocator.locate(path)
  var options = Store.Options(ignoresWAL: withoutWAL)
  options.onProgress = onRead
  if let storeModel { options.model = try storeModel.version(describing: location, options).model }
  return try openedWithItsModel(location, opening: options, models: models)
}
