import StoreCoreData
import StoreDataModel

/// An object of the store being made.
struct SampleObject: Hashable {
  /// The entity's position in `SampleEntities.all`.
  var entity: Int
  /// `Z_PK`.
  var key: Int64
}

/// An entity that objects are made of.
struct SampleEntity {
  /// Its name.
  var name: String
  /// The name of its topmost ancestor, in whose table it is.
  var root: String
  /// Its stored attributes.
  var leaves: [SampleLeaf]
  /// The positions of the uniqueness constraints that hold for it.
  var uniqueness: [Int]
  /// Its relationships, inherited ones included, by name.
  var relationships: [String: SampleBounds]
}

/// How many objects a relationship of one object may have.
struct SampleBounds {
  /// The entity it leads to.
  var destination: String
  /// The name of the inverse.
  var inverse: String?
  /// The least: 0 where it may be empty.
  var least: Int
  /// The least where it is not empty.
  var floor: Int
  /// The most.
  var most: Int

  /// The bounds that a model states.
  init(_ property: Property, _ relationship: Relationship) {
    destination = relationship.destination
    inverse = relationship.inverse
    let least = Int(max(relationship.minimumCount, 0))
    guard relationship.isToMany else {
      (self.least, floor, most) = (property.isOptional ? 0 : 1, 1, 1)
      return
    }
    most = relationship.maximumCount > 0 ? Int(relationship.maximumCount) : .max
    floor = min(max(least, 1), most)
    self.least = property.isOptional ? 0 : min(least, most)
  }
}

/// The entities of a model that can have objects, in the order of their numbers.
struct SampleEntities {
  /// The model.
  let model: Model
  /// All that are not abstract.
  private(set) var all: [SampleEntity] = []
  private var kinds: [String: [Int]] = [:]

  init(_ model: Model, _ uniqueness: UniqueTuples) {
    self.model = model
    let numbers = TablePlan.entityNumbers(of: model)
    for entity in model.entities.sorted(by: { (numbers[$0.name] ?? 0) < (numbers[$1.name] ?? 0) })
    where !entity.isAbstract {
      let rules = uniqueness.rules(of: entity, in: model)
      let unique = Set(rules.flatMap { uniqueness.rules[$0].attributes })
      var relationships: [String: SampleBounds] = [:]
      for (name, inherited) in model.properties(of: entity.name) where !inherited.property.isTransient {
        guard let relationship = inherited.property.relationship else { continue }
        relationships[name] = SampleBounds(inherited.property, relationship)
      }
      for kind in [entity] + model.ancestors(of: entity.name) { kinds[kind.name, default: []].append(all.count) }
      all.append(
        SampleEntity(
          name: entity.name, root: model.root(of: entity.name)?.name ?? entity.name,
          leaves: SampleLeaf.leaves(of: entity, in: model, unique: unique), uniqueness: rules,
          relationships: relationships))
    }
  }

  /// The positions of an entity and its subentities, abstract ones left out.
  func kinds(of entity: String) -> [Int] { kinds[entity] ?? [] }
}
