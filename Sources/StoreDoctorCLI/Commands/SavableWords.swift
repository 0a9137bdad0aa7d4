import StoreCoreData
import StorePublishing
import StoreSQLite
import StoreSalvage

/// Runs `body`, which opens a store. Where that fails because the store is damaged, the error says how much `salvage` would
/// save, if that can be told.
///
/// - Parameter path: the store, as it was given.
/// - Throws: what `body` throws.
func tellingSavable<Result>(_ path: String, withoutWAL: Bool, log: String?, _ body: () throws -> Result) throws
  -> Result
{
  do {
    return try body()
  } catch  where isOfDamage(error) {
    let options = SalvageOptions(usesLog: !withoutWAL, log: log.map { PosixPath(argument: $0) })
    guard let location = try? StoreLocator.locate(PosixPath(argument: path)),
      let words = (try? savable(location, options))?.objectWords
    else { throw error }
    throw DamagedStore(error: error, savable: words)
  }
}

/// Why a damaged store could not be read, and what could be saved of it.
private struct DamagedStore: NamesCallerChoices {
  let error: any Error
  let savable: String

  func message(naming name: (CallerChoice) -> String) -> String {
    ((error as? any NamesCallerChoices)?.message(naming: name) ?? "\(error)")
      + "; 'storedoctor salvage' would save \(savable)"
  }
}
