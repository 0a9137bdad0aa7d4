import StoreCoreData
import StoreDataModel
import StoreSQLite

/// History: its records name objects by their keys, so they are given the new ones.
extension MappingPlanner {
  /// Gives the records of history the numbers and keys of the target. Objects that were deleted get keys that no object has,
  /// so that no record becomes one of another object.
  ///
  /// - Returns: whether there are records.
  mutating func planHistoryOfObjects() throws -> Bool {
    guard let changes = source.store.shape.table(.change), ["ZENTITY", "ZENTITYPK"].allSatisfy(changes.has) else {
      return false
    }
    let recorded = try recordedEntities()
    guard !recorded.isEmpty else { return false }
    base.assume(
      "history: its records are carried, with the new keys of their objects; what Core Data does with them was never seen"
    )
    let change = HistoryTable.change.rawValue
    for entity in source.model.entities {
      guard let number = source.numbers[entity.name], recorded.contains(number) else { continue }
      let places = mapped.entities.indices.filter { mapped.entities[$0].source == entity.name }
      guard places.count == 1, let place = places.first, let new = base.numbers[mapped.entities[place].destination]
      else {
        base.refusals.append(
          MigrationRefusal(
            entity.name, nil,
            places.isEmpty
              ? "history has changes of it, and what becomes of them when the entity goes is not known"
              : "history has changes of it, and several entity mappings are for its objects"))
        continue
      }
      let keyTable = Self.keyTable(place)
      let siblings = keys.numbers(ofRoot: keys.parts[place].root)
      let last = siblings.map { "SELECT max(Z_NEW) AS m FROM \(Self.keyTable($0))" }.joined(separator: " UNION ALL ")
      add(
        .renumber,
        sql: "INSERT INTO \(keyTable) SELECT Z_GONE, (SELECT ifnull(max(m), 0) FROM (\(last))) + row_number() OVER "
          + "(ORDER BY Z_GONE) FROM (SELECT DISTINCT ZENTITYPK AS Z_GONE FROM \(change) WHERE ZENTITY = \(number) AND "
          + "ZENTITYPK NOT IN (SELECT Z_OLD FROM \(keyTable)))")
      // Below zero until all are done: one entity's new number may be another's old one.
      add(
        .renumber,
        sql:
          "UPDATE \(change) SET ZENTITY = -\(new), ZENTITYPK = (SELECT Z_NEW FROM \(keyTable) WHERE Z_OLD = ZENTITYPK) "
          + "WHERE ZENTITY = \(number)")
    }
    add(.renumber, sql: "UPDATE \(change) SET ZENTITY = -ZENTITY WHERE ZENTITY < 0")
    return true
  }

  /// The numbers of the entities that history has changes of.
  private func recordedEntities() throws -> Set<Int64> {
    let read = try source.store.connection.prepare("SELECT DISTINCT ZENTITY FROM \(HistoryTable.change)")
    var numbers: Set<Int64> = []
    while try read.step() { numbers.insert(read.int64(0)) }
    return numbers
  }
}
