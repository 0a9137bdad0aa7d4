import StoreCoreData
import StoreDataModel

/// Which property of the store's model each property of the target was.
struct PropertyMap {
  let difference: ModelDifference
  /// For each entity of the target, the former name of each of its properties, inherited ones included.
  let pasts: [String: [String: String]]

  /// For each entity of the target, itself and its subentities, in the model's order.
  private let families: [String: [String]]
  /// The same of the source.
  private let sourceFamilies: [String: [String]]

  init(_ difference: ModelDifference) {
    self.difference = difference
    families = Self.families(of: difference.destination)
    sourceFamilies = Self.families(of: difference.source)
    pasts = Dictionary(
      difference.destination.entities.map { ($0.name, difference.sourceProperties(of: $0.name)) }
    ) { first, _ in first }
  }

  private static func families(of model: Model) -> [String: [String]] {
    var families: [String: [String]] = [:]
    for entity in model.entities {
      families[entity.name, default: []].append(entity.name)
      for parent in model.ancestors(of: entity.name) { families[parent.name, default: []].append(entity.name) }
    }
    return families
  }

  /// An entity of the target and its subentities, in the model's order.
  func family(of entity: String) -> [String] { families[entity] ?? [] }

  /// An entity of the source and its subentities, in the model's order.
  func sourceFamily(of entity: String) -> [String] { sourceFamilies[entity] ?? [] }

  var source: Model { difference.source }
  var target: Model { difference.destination }

  /// The former property of a property, as an entity of the target has it; nil for a new one.
  func past(_ property: String, of entity: String) -> TablePlan.PropertyID? {
    guard let old = difference.sourceEntity(of: entity), let name = pasts[entity]?[property] else { return nil }
    return TablePlan.PropertyID(source.topmostDeclarer(of: name, in: old) ?? old, name)
  }

  /// The same for a property as it is declared: of the declaring entity, or else of the first subentity that had it.
  func past(_ id: TablePlan.PropertyID) -> TablePlan.PropertyID? {
    if let past = past(id.property, of: id.entity) { return past }
    return (families[id.entity] ?? []).lazy.compactMap { past(id.property, of: $0) }.first
  }

  /// Whether the rows of an entity of the source keep a property.
  func keeps(_ property: String, of oldEntity: String) -> Bool {
    guard let entity = difference.destinationEntity(of: oldEntity) else { return false }
    return pasts[entity]?.values.contains(property) == true
  }

  /// The role in the source of what a column of the target holds, in rows of an entity of the target.
  func past(_ role: TablePlan.Role, of entity: String) -> TablePlan.Role? {
    switch role {
    case .attribute(let id, let leaf):
      return past(id, heldBy: entity).flatMap { old in
        source.property(old.property, of: old.entity)?.attribute == nil ? nil : .attribute(old, leaf: leaf)
      }
    case .key(let id): return past(id, heldBy: entity).map { .key($0) }
    case .companion(let id): return past(id, heldBy: entity).map { .companion($0) }
    case .orderKey(let id): return past(id, heldBy: entity).map { .orderKey($0) }
    case .hiddenKey(let id): return past(id).map { .hiddenKey($0) }
    case .hiddenOrderKey(let id): return past(id).map { .hiddenOrderKey($0) }
    }
  }

  /// Nil too if the entity does not have the property.
  private func past(_ id: TablePlan.PropertyID, heldBy entity: String) -> TablePlan.PropertyID? {
    target.entity(entity, isKindOf: id.entity) ? past(id.property, of: entity) : nil
  }
}
