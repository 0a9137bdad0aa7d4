import StoreCoreData
import StoreDataModel
import StoreSQLite

extension MigrationPlan {
  /// Carries the statements out, in the caller's transaction.
  ///
  /// Statements that change the schema alone are carried out together where they follow one another. All tables that are made
  /// anew are put aside at once: what stands between those statements is about the table put aside before it.
  ///
  /// - Throws: `SQLiteError`, and `MigrationRefused` where the result cannot stay; the file is not to be used then.
  package func perform(on connection: Connection) throws {
    try connection.allowingStructureChanges {
      var edits: [SchemaEdit] = []
      var refusals: [MigrationRefusal] = []
      let aside = statements.filter(\.putsAside).compactMap(\.edit)
      var isAside = false
      for statement in statements {
        if statement.putsAside {
          if !isAside { edits += aside }
          isAside = true
          continue
        }
        if let edit = statement.edit {
          edits.append(edit)
          continue
        }
        try connection.perform(edits)
        edits = []
        if statement.refusal != nil {
          if let refused = try statement.refused(on: connection) { refusals.append(refused) }
          continue
        }
        // All that cannot stay is named at once.
        guard refusals.isEmpty else { break }
        try statement.run(on: connection)
      }
      guard refusals.isEmpty else { throw MigrationRefused(refusals) }
      try connection.perform(edits)
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
