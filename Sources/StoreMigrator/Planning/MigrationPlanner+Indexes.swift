import StoreCoreData
import StoreDataModel
import StoreSQLite

/// Indexes: those of changed entities are made anew, missing ones are made, others stay.
extension MigrationPlanner {
  mutating func planIndexes() {
    let existing = source.objects.filter { $0.type == .index && $0.sql != nil }
    let texts = Dictionary(existing.map { ($0.name, $0.sql ?? "") }) { first, _ in first }
    let wanted = schema.all.filter { $0.kind == "index" }
    var dropped: Set<String> = []
    func drop(_ name: String) {
      guard texts[name] != nil, dropped.insert(name).inserted else { return }
      add(.dropIndex, sql: "DROP INDEX \(identifier(name))")
    }
    for entity in changedEntities {
      for name in entity.ownIndexes {
        // From 1522 on only those whose text changes.
        if framework >= 1522, wanted.contains(where: { $0.name == name && $0.sql == texts[name] }) { continue }
        drop(name)
      }
    }
    for (table, columns) in renamedColumns { for column in columns.keys { drop("\(table)_\(column)_INDEX") } }
    for (table, _) in renamedTables where !source.joins.contains(where: { $0.name == table }) {
      for index in existing where index.tableName == table && index.name.hasPrefix(table + "_") { drop(index.name) }
    }
    let gone = existing.filter { goneTables.contains($0.tableName) }.map(\.name)
    let staying = Set(texts.keys).subtracting(dropped).subtracting(gone)
    for index in inOrder(wanted) where !staying.contains(index.name) { add(.createIndex, sql: index.sql) }
  }

  /// Entities of the source that are removed or have another version hash in the target.
  private var changedEntities: [Entity] {
    let (before, after) = (map.source.versionHashes.byEntity, map.target.versionHashes.byEntity)
    return map.source.entities.filter { entity in
      guard let new = map.difference.destinationEntity(of: entity.name) else { return true }
      return before[entity.name] != after[new]
    }
  }

  /// The join tables of one entity have their indexes in the order of the tables in the file (steps 2.80 to 2.82 and
  /// 2.87 to 2.88 of the chain); everything else is in the order of a fresh store.
  private func inOrder(_ wanted: [SchemaStatements.Statement]) -> [SchemaStatements.Statement] {
    let places = Dictionary(source.objects.enumerated().map { ($1.name, $0) }) { first, _ in first }
    var names = renamedTables.reduce(into: [String: Int]()) { names, renamed in
      names[renamed.value] = places[renamed.key]
    }
    for join in source.joins where renamedTables[join.name] == nil { names[join.name] = places[join.name] }
    let joins = Dictionary(
      plan.joinTables.map { ("\($0.name)_\($0.destinationColumn)_INDEX", (table: $0.name, owner: $0.source.entity)) }
    ) { first, _ in first }
    var ordered: [SchemaStatements.Statement] = []
    var run: [SchemaStatements.Statement] = []
    func endRun() {
      func place(_ index: SchemaStatements.Statement) -> Int { joins[index.name].flatMap { names[$0.table] } ?? .max }
      ordered += run.enumerated().sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }.map(
        \.element)
      run = []
    }
    for index in wanted {
      if let owner = joins[index.name]?.owner {
        if let last = run.last, joins[last.name]?.owner != owner { endRun() }
        run.append(index)
      } else {
        endRun()
        ordered.append(index)
      }
    }
    endRun()
    return ordered
  }
}

extension Entity {
  /// The names of its fetch indexes and unique indexes.
  fileprivate var ownIndexes: [String] {
    indexes.map { TablePlan.indexName($0.name, ofEntity: name) }
      + uniquenessConstraints.map { TablePlan.uniqueIndexName($0, ofEntity: name) }
  }
}
