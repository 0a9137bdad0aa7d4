import StoreCoreData
import StoreDataModel
import StoreSQLite

extension MigrationPlan {
  /// Carries the statements out, in the caller's transaction.
  ///
  /// - Throws: `SQLiteError`, and `MigrationRefused` where the result cannot stay; the file is not to be used then.
  /// - Returns: what was found on the way, and is assumed to stay, one sentence each.
  @discardableResult
  package func perform(on connection: Connection) throws -> [String] {
    var found: [String] = []
    try connection.allowingStructureChanges {
      var columns: [AddedColumn] = []
      for statement in statements {
        if let column = statement.column {
          columns.append(column)
          continue
        }
        try connection.addColumns(columns)
        columns = []
        if let bits = statement.bits {
          try bits.perform(on: connection)
          continue
        }
        let compiled = try connection.prepare(statement.sql)
        for (position, value) in statement.values.enumerated() { try compiled.bind(value, at: position + 1) }
        guard let refusal = statement.refusal else {
          while try compiled.step() {}
          continue
        }
        if try compiled.step(), case let count = compiled.int64(0), count > 0 {
          guard statement.isAssumption else { throw MigrationRefused([refusal.about(count)]) }
          found.append(refusal.about(count).message)
        }
      }
      try connection.addColumns(columns)
    }
    return found
  }
}
