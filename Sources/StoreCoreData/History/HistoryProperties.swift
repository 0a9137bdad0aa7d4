import StoreDataModel

/// Which property each bit of `ZCOLUMNS` and each `ZTOMBSTONE` column of an entity's changes stands for.
///
/// The order of the bits, the first in the highest bit of the first byte (`docs/format/store-layout.md` §8):
///
///     keys of to-ones | their companions (entity numbers) | order keys | attributes | one-to-manys | many-to-manys
///
/// The first groups from the root entity down, and by name within an entity; order keys in the order of the table's columns;
/// to-manys in the order of a hash table (`ToManyOrder`). Transient properties have no bit.
package struct HistoryProperties: Sendable, Equatable {
  /// What each bit stands for.
  package var bits: [Bit]
  /// The attribute of each tombstone column.
  package var tombstones: [String]
  /// Whether the bits are known. Not for entities with composite attributes, which no real store with history has.
  package var areBitsKnown = true

  /// What a bit of `ZCOLUMNS` stands for.
  package enum Bit: Sendable, Hashable {
    /// The key of a to-one relationship.
    case key(String)
    /// The entity number beside that key.
    case companion(String)
    /// The place of the object in the ordered inverse of that relationship.
    case orderKey(String)
    /// An attribute.
    case attribute(String)
    /// A to-many relationship.
    case toMany(String)

    /// The property; of a companion and an order key its relationship.
    package var property: String {
      switch self {
      case .key(let name), .companion(let name), .orderKey(let name), .attribute(let name), .toMany(let name): name
      }
    }
  }

  /// The columns beside the key of a to-one relationship.
  package struct KeyColumns {
    /// The column of the entity number.
    package var companion: String?
    /// The column of the place in the ordered inverse.
    package var orderKey: String?

    /// Both; nil for the one that is not there.
    package init(companion: String?, orderKey: String?) {
      self.companion = companion
      self.orderKey = orderKey
    }
  }

  /// How many bytes the bits of a change take.
  package var byteCount: Int { (bits.count + 7) / 8 }

  /// Of an entity of a model, as a store keeps it; nil for an entity that the model lacks.
  init?(_ layout: EntityLayout, of model: Model, shape: Shape) {
    var storage: [String: KeyColumns] = [:]
    for relationship in layout.relationships {
      guard case .key(_, let companion, let orderKey) = relationship.storage else { continue }
      storage[relationship.name] = KeyColumns(companion: companion, orderKey: orderKey)
    }
    self.init(
      ofEntity: layout.modelName ?? layout.name, in: model,
      tableColumns: shape.tables[layout.table]?.columns.map(\.name) ?? []
    ) { storage[$0] }
  }

  /// Of an entity of a model; nil for an entity that the model lacks.
  ///
  /// - Parameters:
  ///   - tableColumns: the columns of the entity's table, in their order.
  ///   - keyColumns: the columns beside the key of a to-one relationship of the entity; nil where it has no key.
  package init?(
    ofEntity name: String, in model: Model, tableColumns: [String], keyColumns: (String) -> KeyColumns?
  ) {
    guard let entity = model.entity(named: name) else { return nil }
    let line = Array(model.ancestors(of: entity.name).reversed()) + [entity]
    var (keys, companions, attributes): ([Bit], [Bit], [Bit]) = ([], [], [])
    var (toManys, manyToManys): ([String], [String]) = ([], [])
    var orderKeys: [(column: String, property: String)] = []
    tombstones = []
    for entity in line {
      for property in entity.properties.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
      where !property.isTransient {
        switch property.kind {
        case .attribute(let attribute):
          attributes.append(.attribute(property.name))
          if attribute.elements != nil { areBitsKnown = false }
          if attribute.preservesValueInHistory { tombstones.append(property.name) }
        case .relationship(let relationship) where relationship.isToMany:
          toManys.append(property.name)
          let inverse = relationship.inverse.flatMap { model.property($0, of: relationship.destination)?.relationship }
          if inverse?.isToMany == true { manyToManys.append(property.name) }
        case .relationship:
          keys.append(.key(property.name))
          guard let columns = keyColumns(property.name) else { continue }
          if columns.companion != nil { companions.append(.companion(property.name)) }
          if let orderKey = columns.orderKey { orderKeys.append((orderKey, property.name)) }
        case .fetched: break
        }
      }
    }
    let positions = Dictionary(tableColumns.enumerated().map { ($1, $0) }) { first, _ in first }
    orderKeys.sort { (positions[$0.column] ?? .max, $0.column) < (positions[$1.column] ?? .max, $1.column) }
    bits = keys + companions + orderKeys.map { .orderKey($0.property) } + attributes
    let order = ToManyOrder(toManys, properties: bits.count + toManys.count + keys.count)
    bits += (order.names { !manyToManys.contains($0) } + order.names(where: manyToManys.contains)).map { .toMany($0) }
  }

  /// The changed properties by name, each once, in the order of the bits; nil where the number of bytes is not that of
  /// this entity's properties, as in changes from before a migration.
  package func changed(_ bytes: [UInt8]) -> [String]? {
    guard areBitsKnown, bytes.count == byteCount else { return nil }
    var names: [String] = []
    for (index, byte) in bytes.enumerated() where byte != 0 {
      for bit in 0..<8 where byte & 0x80 >> UInt8(bit) != 0 {
        let position = 8 * index + bit
        guard bits.indices.contains(position) else { return nil }
        let name = bits[position].property
        if !names.contains(name) { names.append(name) }
      }
    }
    return names
  }
}
