import StoreFindings
import StoreCoreData

/// The rows of a table that keys of a column may lead to; the table must have been read completely.
package struct KeyTargets {
  /// The keys of all rows of the table.
  package let all: KeySet
  /// The keys of rows of the entities that a key may lead to.
  package let right: KeySet
  /// The keys of rows whose entity does not belong in the table, which is a problem of these rows and not of the key.
  let strays: KeySet

  /// Where a key leads.
  package enum Standing { case right, wrongEntity, stray, missing }

  /// Nil where the table was not read completely: then no key is known to be dangling.
  init?(in table: TableScan, entities: Set<EntityID>, map: StoreMap) {
    guard table.damage == nil else { return nil }
    let home = map.home(of: table.name)
    all = table.allKeys
    right = table.keys(of: entities)
    strays = table.keysByEntity.reduce(into: KeySet()) { strays, group in
      if group.key.map({ !home.contains($0) }) ?? true { strays = strays.union(group.value) }
    }
  }

  /// Whether the table also has rows of its own entities that a key may not lead to.
  package var haveOthers: Bool { right.count + strays.count < all.count }

  /// Where `key` leads.
  package func standing(of key: Int64) -> Standing {
    if right.contains(key) { return .right }
    if strays.contains(key) { return .stray }
    return all.contains(key) ? .wrongEntity : .missing
  }
}

extension KeyColumn {
  /// The rows that keys of this column may lead to; nil where they were not read completely.
  package func targets(_ scan: Scan) -> KeyTargets? { KeyTargets(in: target, entities: place.targets, map: scan.map) }
}

extension JoinLinks {
  /// The rows that keys of the two columns may lead to; nil where they were not read completely.
  package func targets(_ scan: Scan) -> (source: KeyTargets, destination: KeyTargets)? {
    guard let left = KeyTargets(in: source, entities: place.source.kinds, map: scan.map),
      let right = KeyTargets(in: destination, entities: place.destination.kinds, map: scan.map)
    else { return nil }
    return (left, right)
  }
}

extension Scan {
  /// The name of a row's entity; nil where it is `usual`, or unknown.
  package func entityName(of row: Int64, in table: TableScan, besides usual: EntityID? = nil) -> Finding.Fact? {
    guard let entity = table.entity(of: row), entity != usual, let name = store.entityMap[entity]?.name else {
      return nil
    }
    return .text(name)
  }

  /// An example row with a link: its key, and its entity if that is not the declaring one.
  package func example(_ row: Int64, of column: KeyColumn, facts: [String: Finding.Fact?] = [:]) -> Finding.Example {
    let usual = column.place.isHidden ? nil : column.place.relationship.owner.id
    return .init(row, facts.merging(["entity": entityName(of: row, in: column.holder, besides: usual)]) { $1 })
  }
}
