import StoreWords
import StoreScanning
import StoreCoreData

extension Workbench {
  /// Rebuilds indexes that disagree with their tables (SD103). Indexes of a damaged table are left out, and those whose
  /// own pages are damaged: to free their pages SQLite would have to read them.
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
      guard tree.pages.isEmpty else {
        decision.obstacles.append(
          Obstacle(
            .reindex, entity: entity,
            "index \(quoted(tree.name)) cannot be made again in place of its damaged pages; the table is whole, and "
              + "'sqlite3 STORE .dump | sqlite3 NEW' writes a new store with all indexes made again", refusesPlan: false
          ))
        continue
      }
      decision.operations.append(
        Operation(.reindex, summary: "make index \(tree.name) again", entity: entity, .reindex(tree.name)))
    }
    return decision
  }
}
