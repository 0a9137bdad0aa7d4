import StoreWords
import StoreCoreData
import StoreSQLite

extension Workbench {
  /// Creates unique indexes that the model's constraints require and the store lacks (SD305), unless duplicates prevent
  /// it.
  func uniqueIndexes() throws -> Decision {
    var decision = Decision()
    for entity in store.layout.entities where entity.tableExists && !entity.id.isInternal {
      let indexes = try store.indexes(of: entity.table)
      let present = Set(indexes.filter { $0.isUnique && !$0.isPartial }.map { Set($0.columns) })
      for constraint in entity.uniquenessConstraints {
        let columns = constraint.compactMap(entity.column(of:))
        guard columns.count == constraint.count, !present.contains(Set(columns)) else { continue }
        let property = constraint.joined(separator: ",")
        guard try !hasDuplicates(columns, in: entity.table) else {
          let by = constraint.map(recipeName).joined(separator: ", ")
          decision.obstacles.append(
            Obstacle(
              .uniqueIndexes, entity: entity.name, property: property,
              "rows of \(entity.table) are equal in \(columns.joined(separator: ", ")), so no unique index can be made: "
                + "'dedupe: [{entity: \(recipeName(entity.name)), by: [\(by)]}]' first", refusesPlan: false))
          continue
        }
        let name = TablePlan.uniqueIndexName(constraint, ofEntity: entity.modelName ?? entity.name)
        decision.operations.append(
          Operation(
            .uniqueIndexes, summary: "make the unique index \(name)", entity: entity.name, property: property,
            .createUniqueIndex(
              name: name, table: entity.table, columns: columns,
              replaces: indexes.contains { $0.name == name })))
      }
    }
    return decision
  }

  /// Whether two rows have equal values in all columns; rows with NULL do not count, as in a unique index.
  private func hasDuplicates(_ columns: [String], in table: String) throws -> Bool {
    let list = columns.map(quotedIdentifier)
    let rows = try connection.prepare(
      """
      SELECT 1 FROM \(quotedIdentifier(table)) WHERE \(list.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) \
      GROUP BY \(list.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1
      """)
    return try rows.step()
  }
}
