import CoreDataStore

extension Workbench {
  /// Makes indexes again that disagree with their tables (SD103). A table that is itself damaged stays as it is.
  func reindex() throws -> Decision {
    var decision = Decision()
    let trees = try store.integrity(.full).trees
    let damagedTables = Set(trees.filter { !$0.isIndex }.map(\.name))
    for tree in trees where tree.isIndex {
      let entity = map.entity(ofTable: tree.table)?.name
      guard !damagedTables.contains(tree.table) else {
        decision.obstacles.append(
          Obstacle(
            .reindex, entity: entity,
            "index \(quoted(tree.name)) cannot be made again, because table \(quoted(tree.table)) is damaged (SD102)",
            refusesPlan: false))
        continue
      }
      decision.operations.append(
        Operation(.reindex, "make index \(tree.name) again", entity: entity, .reindex(tree.name)))
    }
    return decision
  }
}
