import StoreCoreData
import StoreDataModel
import StoreSQLite

extension MigrationPlan {
  /// Carries the statements out, in the caller's transaction.
  ///
  /// - Throws: `SQLiteError`, and `MigrationRefused` where the result cannot stay; the file is not to be used then.
  package func perform(on connection: Connection) throws {
    try connection.allowingStructureChanges {
      var columns: [AddedColumn] = []
      var refusals: [MigrationRefusal] = []
      for statement in statements {
        if let column = statement.column {
          columns.append(column)
          continue
        }
        try connection.addColumns(columns)
        columns = []
        if statement.refusal != nil {
          if let refused = try statement.refused(on: connection) { refusals.append(refused) }
          continue
        }
        // All that cannot stay is named at once.
        guard refusals.isEmpty else { break }
        try statement.run(on: connection)
      }
      guard refusals.isEmpty else { throw MigrationRefused(refusals) }
      try connection.addColumns(columns)
    }
  }

  /// Looks for what cannot stay although recipes have done their part.
  ///
  /// - Throws: `MigrationRefused`.
  func performLastChecks(on connection: Connection) throws {
    let refusals = try lastChecks.compactMap { try $0.refused(on: connection) }
    guard refusals.isEmpty else { throw MigrationRefused(refusals) }
  }
}

extension MigrationStatement {
  fileprivate func run(on connection: Connection) throws {
    if let bits { return try bits.perform(on: connection) }
    let compiled = try compiled(on: connection)
    while try compiled.step() {}
  }

  /// What is refused, where it finds something.
  fileprivate func refused(on connection: Connection) throws -> MigrationRefusal? {
    let compiled = try compiled(on: connection)
    guard let refusal, try compiled.step(), case let count = compiled.int64(0), count > 0 else { return nil }
    return refusal.about(count)
  }

  private func compiled(on connection: Connection) throws -> Statement {
    let compiled = try connection.prepare(sql)
    for (position, value) in values.enumerated() { try compiled.bind(value, at: position + 1) }
    return compiled
  }
}
