import StoreCoreData
import StoreDataModel
import StoreSQLite

extension MigrationPlan {
  /// Carries the statements out, in the caller's transaction.
  ///
  /// - Throws: `SQLiteError`; the file is not to be used then.
  package func perform(on connection: Connection) throws {
    try connection.allowingStructureChanges {
      for statement in statements {
        if let bits = statement.bits {
          try bits.perform(on: connection)
          continue
        }
        let compiled = try connection.prepare(statement.sql)
        for (position, value) in statement.values.enumerated() { try compiled.bind(value, at: position + 1) }
        while try compiled.step() {}
      }
    }
  }
}
