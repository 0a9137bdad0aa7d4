import StoreScanning
import StoreDataModel
import StoreCoreData

/// The columns of several entities of one table, and which of them make up each entity's properties.
struct ObjectColumns {
  /// The columns, each once.
  private(set) var names: [String] = []
  /// The stored attributes of each entity; a composite attribute is one part with all its leaves.
  private(set) var attributes: [EntityID: [Part]] = [:]
  /// The to-one relationships of each entity.
  private(set) var toOnes: [EntityID: [Part]] = [:]

  /// A property and the indexes of its columns in `names`.
  struct Part: Hashable {
    /// Declaring entity and property: "Trip.size".
    var name: String
    /// The property's own name.
    var property: String
    var indexes: [Int]
    /// The indexes of columns whose values may be in external files.
    var external: [Int]
  }

  /// The columns of these entities.
  init(of kinds: Set<EntityID>, _ map: StoreMap) {
    var indexOf: [String: Int] = [:]
    func index(_ column: String) -> Int {
      if let known = indexOf[column] { return known }
      names.append(column)
      indexOf[column] = names.count - 1
      return names.count - 1
    }
    for entity in kinds.sorted() {
      guard let layout = map.entity(entity) else { continue }
      for attribute in layout.attributes where attribute.property.attribute?.derivation == nil {
        let columns = attribute.columns.compactMap(\.name)
        guard !columns.isEmpty else { continue }
        let indexes = columns.map(index)
        let isExternal = attribute.property.attribute?.allowsExternalStorage == true
        attributes[entity, default: []].append(
          Part(
            name: "\(attribute.declaredBy).\(attribute.property.name)", property: attribute.property.name,
            indexes: indexes, external: isExternal ? indexes : []))
      }
      for relationship in layout.relationships {
        guard case .key(let column?, _, _) = relationship.storage else { continue }
        toOnes[entity, default: []].append(
          Part(
            name: "\(relationship.declaredBy).\(relationship.name)", property: relationship.name,
            indexes: [index(column)], external: []))
      }
    }
  }
}
