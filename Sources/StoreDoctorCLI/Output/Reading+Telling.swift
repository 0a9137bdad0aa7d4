import StoreCoreData
import StoreSQLite
import StoreWords

extension Reading {
  /// Says on standard error what a person has to know of the files, where standard output is for lines or tables alone.
  func tell() { tell(clauses) }

  /// Says what the tables that were read do not show, once they were read.
  func tellDamage() { tell(damage) }

  /// Does `work`, and says which tables of `store` are damaged where damage ends it.
  static func tellingDamage<Result>(of store: Store, _ work: () throws -> Result) throws -> Result {
    do { return try work() } catch let error as SQLiteError where error.damage != nil {
      store.noteDamage()
      Reading(store).tellDamage()
      throw error
    }
  }

  private func tell(_ clauses: [String]) {
    for clause in clauses { standardError("storedoctor: \(escapedForTerminal(clause))") }
  }
}
