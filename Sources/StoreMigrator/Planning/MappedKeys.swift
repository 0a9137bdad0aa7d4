import StoreCoreData
import StoreDataModel
import StoreSQLite

/// Which objects became which in a step by a mapping model: the objects of each entity mapping, in the order of their keys,
/// are given the next keys of the table that they get into.
struct MappedKeys: Sendable {
  /// One entity mapping.
  struct Part: Sendable {
    var name: String
    var source: String
    var destination: String
    /// The root of the table that its objects get into.
    var root: String
    /// The old keys, where a condition chose them; nil for all objects of the entity.
    var chosen: [Int64]?
    /// Whether a recipe stands in for its code, so that its values are another's.
    var isPerformedByRecipe: Bool
  }

  private(set) var parts: [Part] = []

  mutating func add(_ entity: MappedEntity, chosen: [Int64]?, root: String) {
    parts.append(
      Part(
        name: entity.name, source: entity.source, destination: entity.destination, root: root, chosen: chosen,
        isPerformedByRecipe: entity.isPerformedByRecipe))
  }

  /// The places of the entity mappings whose objects get into the table of a root.
  func numbers(ofRoot root: String) -> [Int] { parts.indices.filter { parts[$0].root == root } }

  /// The new key for each old key of each entity mapping, worked out from the store as it was.
  func pairs(in store: Store) throws -> [[Int64: Int64]] {
    var last: [String: Int64] = [:]
    return try parts.map { part in
      var pairs: [Int64: Int64] = [:]
      for key in try part.chosen ?? store.keys(of: part.source) {
        last[part.root, default: 0] += 1
        pairs[key] = last[part.root]
      }
      return pairs
    }
  }
}

extension Store {
  /// The keys of an entity's objects, without those of subentities, in order.
  fileprivate func keys(of entity: String) throws -> [Int64] {
    guard let entity = layout.entities.first(where: { ($0.modelName ?? $0.name) == entity }), entity.tableExists else {
      return []
    }
    let rows = try connection.prepare(
      "SELECT Z_PK FROM \(quotedIdentifier(entity.table)) WHERE Z_ENT = ? ORDER BY Z_PK")
    try rows.bind(.integer(entity.id.number), at: 1)
    var keys: [Int64] = []
    while try rows.step() { keys.append(rows.int64(0)) }
    return keys
  }
}
