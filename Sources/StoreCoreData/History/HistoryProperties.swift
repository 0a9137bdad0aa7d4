import StoreDataModel

/// Which property each bit of `ZCOLUMNS` and each `ZTOMBSTONE` column of an entity's changes stands for.
///
/// The order of the bits, the first in the highest bit of the first byte (`docs/format/store-layout.md` §8):
///
///     keys of to-ones | their companions (entity numbers) | order keys | attributes | to-manys
///
/// each from the root entity down, and by name within an entity; order keys in the order of the table's columns. Transient
/// properties have no bit.
package struct HistoryProperties: Sendable, Equatable {
  /// The property of each bit. A companion and an order key stand for their relationship.
  package var bits: [String]
  /// The attribute of each tombstone column.
  package var tombstones: [String]
  /// Whether the bits are known. Not for entities with composite attributes, which no real store with history has.
  package var areBitsKnown = true

  /// Of an entity of a model, as a store keeps it; nil for an entity that the model lacks.
  init?(_ layout: EntityLayout, of model: Model, shape: Shape) {
    guard let entity = model.entity(named: layout.modelName ?? layout.name) else { return nil }
    let line = Array(model.ancestors(of: entity.name).reversed()) + [entity]
    var storage: [String: RelationshipLayout.Storage] = [:]
    for relationship in layout.relationships { storage[relationship.name] = relationship.storage }
    var (keys, companions, attributes, toManys, kept): ([String], [String], [String], [String], [String]) =
      ([], [], [], [], [])
    var orderKeys: [(column: String, property: String)] = []
    for entity in line {
      for property in entity.properties.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
      where !property.isTransient {
        switch property.kind {
        case .attribute(let attribute):
          attributes.append(property.name)
          if attribute.elements != nil { areBitsKnown = false }
          if attribute.preservesValueInHistory { kept.append(property.name) }
        case .relationship(let relationship) where relationship.isToMany: toManys.append(property.name)
        case .relationship:
          keys.append(property.name)
          guard case .key(_, let companion, let orderKey)? = storage[property.name] else { continue }
          if companion != nil { companions.append(property.name) }
          if let orderKey { orderKeys.append((orderKey, property.name)) }
        case .fetched: break
        }
      }
    }
    let columns = shape.tables[layout.table]?.columns.map(\.name) ?? []
    let positions = Dictionary(columns.enumerated().map { ($1, $0) }) { first, _ in first }
    orderKeys.sort { (positions[$0.column] ?? .max, $0.column) < (positions[$1.column] ?? .max, $1.column) }
    bits = keys + companions + orderKeys.map(\.property) + attributes + toManys
    tombstones = kept
  }

  /// The changed properties by name, each once, in the order of the bits; nil where the number of bytes is not that of
  /// this entity's properties, as in changes from before a migration.
  package func changed(_ bytes: [UInt8]) -> [String]? {
    guard areBitsKnown, bytes.count == (bits.count + 7) / 8 else { return nil }
    var names: [String] = []
    for (index, byte) in bytes.enumerated() where byte != 0 {
      for bit in 0..<8 where byte & 0x80 >> UInt8(bit) != 0 {
        let position = 8 * index + bit
        guard bits.indices.contains(position) else { return nil }
        if !names.contains(bits[position]) { names.append(bits[position]) }
      }
    }
    return names
  }
}
