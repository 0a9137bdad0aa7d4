import StoreModels
import StoreDataModel
import StoreCoreData
import StoreSQLite

/// Opens the store to repair, with its own model or with the version of `storeModel` that matches it.
///
/// - Throws: `StoreError` when the file cannot be read as a store.
public func openToRepair(_ path: PosixPath, withoutWAL: Bool = false, storeModel: ModelSource? = nil) throws -> Store {
  let location = try StoreLocator.locate(path)
  var options = Store.Options(ignoresWAL: withoutWAL)
  if let storeModel { options.model = try storeModel.version(describing: location, options).model }
  return try Store(location, options: options)
}
