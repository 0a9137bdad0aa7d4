import StoreCoreData
import StoreDataModel
import StoreScanning
import StoreSQLite
import StoreText
import StoreWords

// How the objects of another store are taken
// ------------------------------------------
//
//   other store ──► pairs     objects that are the same in both: by given attributes, by what is unique, by key
//               ──► its copy  gets the keys of this store: those of pairs are equal, those of others are free here
//               ──► Restoring objects that are not here yet, and links from both sides
//               ──► rule      pairs whose values differ

extension Workbench {
  /// Takes the objects of another store.
  ///
  /// - Throws: `StoreError` where it cannot be opened, `FileError`, `SQLiteError`.
  func merge(_ item: Recipe.MergedStore) throws -> Decision {
    // What a later repair changes is not taken again.
    guard !merged.contains(item) else { return Decision() }
    merged.append(item)
    let source = try Store(StoreLocator.locate(PosixPath(item.from)))
    if let reason = try whyNotMerged(source) { return .refusingMerge(reason) }
    let old = try Workbench(copying: source)
    var pairing = StorePairing(item, old: old, new: self)
    try pairing.run()
    guard pairing.obstacles.isEmpty else { return Decision(obstacles: pairing.obstacles) }
    try old.giveKeys(pairing.keys)
    let restoring = Restoring(mergingInto: self, from: source, as: old, named: item.from)
    var difference = DifferingPairs(item, restoring, old: old, new: self)
    let differing = try difference.decide()
    guard !differing.obstacles.contains(where: \.refusesPlan) else { return differing }
    var taking = restoring
    var decision = try taking.decide()
    decision += differing
    decision.notices += pairing.notices + Reading(source).ofFiles.map { "\(quoted(item.from)): \($0)" }
    guard !decision.obstacles.contains(where: \.refusesPlan) else { return decision }
    decision.obstacles += try UniquenessCheck(self, decision.operations).obstacles(.merge)
    return decision
  }

  /// Why objects of a store cannot be taken; nil where they can.
  private func whyNotMerged(_ source: Store) throws -> String? {
    guard store.model != nil, source.model != nil else {
      return "without a model in both stores it is only guessed where links are, so that none can be made"
    }
    guard store.metadata.hashes == source.metadata.hashes, store.entityMap.numbers == source.entityMap.numbers else {
      return
        "\(quoted(source.path)) is of another version of the model: bring both to one version first, a copy of each with "
        + "'storedoctor migrate', and name the copies"
    }
    guard try source.integrity(.quick).isOK else {
      return
        "\(quoted(source.path)) is damaged (SD102 or SD103), so that not all of its objects are seen: make a copy with "
        + "all that can be read of it, with 'storedoctor salvage', and name that one"
    }
    return nil
  }
}

extension Decision {
  fileprivate static func refusingMerge(_ message: String) -> Decision {
    Decision(obstacles: [Obstacle(.merge, message, refusesPlan: true)])
  }
}

extension Workbench {
  /// Gives objects of this copy other keys, in all places that lead to them; keys that lead to nothing are emptied.
  ///
  /// - Parameter keys: for each table of objects the new key of each old one; all different.
  func giveKeys(_ keys: [String: [KeyPair]]) throws {
    let places = LinkPlaces(self)
    let names = Dictionary(
      keys.keys.sorted().enumerated().map { ($1, "storedoctor_keys_\($0)") }, uniquingKeysWith: { first, _ in first })
    try connection.withoutTriggers {
      try connection.runOwn("BEGIN")
      for (table, name) in names.sorted(by: { $0.key < $1.key }) {
        try connection.execute("CREATE TEMP TABLE \(name) (was INTEGER PRIMARY KEY, becomes INTEGER NOT NULL)")
        let insert = try connection.prepare("INSERT INTO \(name) VALUES (?1, ?2)")
        for pair in keys[table] ?? [] {
          insert.reset()
          try insert.bind(pair.first, at: 1)
          try insert.bind(pair.second, at: 2)
          while try insert.step() {}
        }
      }
      for (table, name) in names.sorted(by: { $0.key < $1.key }) {
        let table = quotedIdentifier(table)
        // By way of negative numbers, so that no two rows have one key in between.
        try connection.execute(
          "UPDATE \(table) SET Z_PK = -(SELECT becomes FROM \(name) WHERE was = \(table).Z_PK); "
            + "UPDATE \(table) SET Z_PK = -Z_PK")
      }
      for place in places.keys {
        guard let name = names[place.targetTable] else { continue }
        let (table, column) = (quotedIdentifier(place.table), quotedIdentifier(place.column))
        let kinds = place.holders.map { String($0.number) }.sorted().joined(separator: ", ")
        try connection.execute(
          "UPDATE \(table) SET \(column) = (SELECT becomes FROM \(name) WHERE was = \(table).\(column)) "
            + "WHERE \(column) IS NOT NULL AND Z_ENT IN (\(kinds))")
      }
      for place in places.joins {
        guard let one = names[place.source.table], let other = names[place.destination.table] else { continue }
        let table = quotedIdentifier(place.table)
        let (first, second) = (quotedIdentifier(place.source.column), quotedIdentifier(place.destination.column))
        try connection.execute(
          "DELETE FROM \(table) WHERE \(first) NOT IN (SELECT was FROM \(one)) OR \(second) NOT IN (SELECT was FROM \(other)); "
            + "UPDATE \(table) SET \(first) = -(SELECT becomes FROM \(one) WHERE was = \(table).\(first)), "
            + "\(second) = -(SELECT becomes FROM \(other) WHERE was = \(table).\(second)); "
            + "UPDATE \(table) SET \(first) = -\(first), \(second) = -\(second)")
      }
      for name in names.values { try connection.execute("DROP TABLE temp.\(name)") }
      try connection.runOwn("COMMIT")
    }
  }
}
