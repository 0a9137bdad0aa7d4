import StorePlatform
import StoreWords

/// A managed object model as a value, whether read from a store's model cache, a `.mom` or Xcode's `contents`.
///
/// Names are unique, parents exist and form no cycle; the initializer throws otherwise, with the place. Destinations
/// exist, and inverses exist and point back, except as listed in ``faults``: apps are shipped with models that break
/// these rules, and their stores have the version hashes of such models.
public struct Model: Sendable, Equatable {
  /// The entities, sorted by name (code units).
  package let entities: [Entity]
  /// For each configuration, the names of its entities. The default configuration, which has all, is not listed.
  package let configurations: [String: [String]]
  /// `NSVersionIdentifiers`: version identifiers chosen by the developer ("2", "1.0.0"), sorted; often empty.
  package let versionIdentifiers: [String]
  /// Fetch requests by name (`NSFetchRequestTemplates`), sorted by name. Not hashed and not compared.
  package let fetchRequests: [FetchRequest]
  /// The ways in which the model contradicts itself but is still usable: missing destinations, and inverses that are
  /// missing or do not point back. In the order of entities and properties; empty for a valid model.
  package private(set) var faults: [ModelError] = []
  /// Where the model was read from, if it was. Not hashed and not compared.
  package var origin: ModelOrigin?

  /// What was computed from the entities, which all copies of the model share. Not compared.
  let derived: DerivedFacts
  /// For each entity its ancestors, nearest first, as positions in `entities`.
  private let ancestry: [[Int]]
  /// For each entity that has direct subentities their positions.
  private let children: [String: [Int]]
  /// For each entity the positions of its own properties by name.
  private let propertyPositions: [[String: Int]]

  /// The most levels of inheritance a model may have; real models have four (`scout` store).
  package static let maximumInheritanceDepth = 64
  /// The most entities a model may have; the largest real one has 92.
  package static let maximumEntities = 10_000
  /// The most properties that all entities may have together, with inherited ones counted in each; Photos has 3,000.
  /// Otherwise a small archive could describe a root of a thousand properties with ten thousand descendants.
  package static let maximumInheritedProperties = 200_000

  /// - Parameter keepsFaults: whether to accept relationships whose destination or inverse is wrong; ``faults`` lists
  ///   them.
  /// - Throws: `ModelError` for the first contradiction, with entity and property.
  package init(
    entities: [Entity], configurations: [String: [String]] = [:], versionIdentifiers: [String] = [],
    fetchRequests: [FetchRequest] = [], keepsFaults: Bool = false
  ) throws(ModelError) {
    guard entities.count <= Self.maximumEntities else {
      throw ModelError(entity: "", property: nil, problem: .tooManyEntities(entities.count))
    }
    let sorted = entities.map(\.sorted).sorted { codeUnitsPrecede($0.name, $1.name) }
    var positions: [String: Int] = [:]
    for (position, entity) in sorted.enumerated() where positions.updateValue(position, forKey: entity.name) != nil {
      throw ModelError(entity: entity.name, property: nil, problem: .duplicateEntity)
    }
    self.entities = sorted
    self.configurations = configurations
    self.versionIdentifiers = versionIdentifiers.sorted(by: codeUnitsPrecede)
    self.fetchRequests = fetchRequests.sorted { codeUnitsPrecede($0.name, $1.name) }
    self.derived = DerivedFacts(positions: positions)
    self.ancestry = try Self.ancestry(of: sorted, positions: positions)
    children = sorted.enumerated().reduce(into: [:]) { children, entity in
      if let parent = entity.element.parent { children[parent, default: []].append(entity.offset) }
    }
    self.propertyPositions = try Self.propertyPositions(of: sorted)
    try Self.checkSize(of: sorted, ancestry)
    try Self.checkFetchRequests(self.fetchRequests)
    faults = try relationshipFaults()
    if !keepsFaults, let first = faults.first { throw first }
  }

  /// The entity of that name, if the model has it.
  package func entity(named name: String) -> Entity? {
    derived.positions[name].map { entities[$0] }
  }

  /// The ancestors of an entity, nearest first; empty for a root entity or an unknown name.
  package func ancestors(of name: String) -> [Entity] {
    derived.positions[name].map { ancestry[$0].map { entities[$0] } } ?? []
  }

  /// The root entity of `name`, which may be itself; its table has the rows of all descendants.
  package func root(of name: String) -> Entity? {
    ancestors(of: name).last ?? entity(named: name)
  }

  /// The direct subentities of `name`, sorted by name (code units).
  package func subentities(of name: String) -> [Entity] {
    (children[name] ?? []).map { entities[$0] }
  }

  /// Whether `name` is `ancestor` or inherits from it.
  package func entity(_ name: String, isKindOf ancestor: String) -> Bool {
    name == ancestor || ancestors(of: name).contains { $0.name == ancestor }
  }

  /// The entities, sorted so that each comes after its ancestors.
  var entitiesFromTheTop: [Entity] {
    entities.indices.sorted { (ancestry[$0].count, $0) < (ancestry[$1].count, $1) }.map { entities[$0] }
  }

  /// All properties of an entity by name, including inherited ones; a re-declared property in its nearest form.
  package func properties(of name: String) -> [String: InheritedProperty] {
    derived.value(.properties(entity: name), weight: \.count) { inheritedProperties(of: name) }
  }

  private func inheritedProperties(of name: String) -> [String: InheritedProperty] {
    var found: [String: InheritedProperty] = [:]
    guard let entity = entity(named: name) else { return found }
    for declaring in [entity] + ancestors(of: name) {
      for property in declaring.properties {
        if found[property.name] == nil {
          found[property.name] = InheritedProperty(property: property, topmostDeclarer: declaring.name)
        } else {
          found[property.name]?.topmostDeclarer = declaring.name
        }
      }
    }
    return found
  }

  /// The property `property` of `entity`, declared there or inherited.
  package func property(_ property: String, of entity: String) -> Property? {
    declarations(of: property, in: entity).first.map { entities[$0.entity].properties[$0.property] }
  }

  /// The topmost entity that declares `property`, as seen from `entity`; it determines the column.
  package func topmostDeclarer(of property: String, in entity: String) -> String? {
    declarations(of: property, in: entity).last.map { entities[$0.entity].name }
  }

  /// Where `entity` and its ancestors declare `property`, nearest first.
  private func declarations(of property: String, in entity: String) -> [(entity: Int, property: Int)] {
    guard let position = derived.positions[entity] else { return [] }
    return ([position] + ancestry[position]).compactMap { candidate in
      propertyPositions[candidate][property].map { (candidate, $0) }
    }
  }

  /// Two models are equal when they describe the same entities and configurations.
  public static func == (left: Model, right: Model) -> Bool {
    left.entities == right.entities && left.configurations == right.configurations
      && left.versionIdentifiers == right.versionIdentifiers
  }
}

/// A fetch request that the model stores under a name.
package struct FetchRequest: Sendable, Equatable {
  /// Its name in the model.
  package var name: String
  /// The entity that is fetched.
  package var entityName: String?
  /// Which objects are fetched; all if there is none.
  package var predicate: Predicate?
  /// Fields that only the tool that made the source uses, by their names there.
  @Uncompared package var sourceFields: [String: String] = [:]

  /// A request for all objects of an entity unless a predicate is given.
  package init(name: String, entityName: String? = nil, predicate: Predicate? = nil) {
    self.name = name
    self.entityName = entityName
    self.predicate = predicate
  }
}

/// A property as an entity has it, declared or inherited.
package struct InheritedProperty: Sendable, Equatable {
  /// The nearest declaration, which determines everything except the topmost declarer.
  package var property: Property
  /// The topmost ancestor that declares a property of this name; it determines the column, and whether a relationship
  /// is its own inverse.
  package var topmostDeclarer: String
}

extension Model {
  private static func ancestry(
    of entities: [Entity], positions: [String: Int]
  ) throws(ModelError) -> [[Int]] {
    var result: [[Int]] = []
    for entity in entities {
      var chain: [Int] = []
      var current = entity
      while let parent = current.parent {
        guard let position = positions[parent] else {
          throw ModelError(entity: current.name, property: nil, problem: .unknownParent(parent))
        }
        chain.append(position)
        guard chain.count <= maximumInheritanceDepth else {
          throw ModelError(entity: entity.name, property: nil, problem: .inheritanceCycleOrTooDeep)
        }
        current = entities[position]
      }
      result.append(chain)
    }
    return result
  }

  private static func propertyPositions(of entities: [Entity]) throws(ModelError) -> [[String: Int]] {
    var result: [[String: Int]] = []
    for entity in entities {
      var positions = [String: Int](minimumCapacity: entity.properties.count)
      for position in entity.properties.indices {
        let name = entity.properties[position].name
        guard positions.updateValue(position, forKey: name) == nil else {
          throw ModelError(entity: entity.name, property: name, problem: .duplicateProperty)
        }
      }
      result.append(positions)
    }
    return result
  }

  private static func checkSize(of entities: [Entity], _ ancestry: [[Int]]) throws(ModelError) {
    var total = 0
    for (entity, ancestors) in zip(entities, ancestry) {
      total += ancestors.reduce(entity.properties.count) { $0 + entities[$1].properties.count }
      guard total <= maximumInheritedProperties else {
        throw ModelError(entity: entity.name, property: nil, problem: .tooManyProperties)
      }
    }
  }

  private static func checkFetchRequests(_ sorted: [FetchRequest]) throws(ModelError) {
    for (request, next) in zip(sorted, sorted.dropFirst()) where request.name == next.name {
      throw ModelError(entity: request.name, property: nil, problem: .duplicateFetchRequest)
    }
  }

  private func relationshipFaults() throws(ModelError) -> [ModelError] {
    var faults: [ModelError] = []
    for entity in entities {
      for property in entity.properties {
        switch property.kind {
        case .relationship(let relationship):
          if let problem = problem(of: relationship, in: entity.name, named: property.name) {
            faults.append(ModelError(entity: entity.name, property: property.name, problem: problem))
          }
        case .attribute(let attribute):
          for element in attribute.elements ?? [] where element.attribute == nil {
            throw ModelError(entity: entity.name, property: property.name, problem: .elementIsNoAttribute(element.name))
          }
        case .fetched: break
        }
      }
    }
    return faults
  }

  private func problem(of relationship: Relationship, in entity: String, named name: String) -> ModelError.Problem? {
    guard !relationship.destination.isEmpty else { return .noDestination }
    guard self.entity(named: relationship.destination) != nil else {
      return .unknownDestination(relationship.destination)
    }
    guard let inverse = relationship.inverse else { return nil }
    guard case .relationship(let back)? = property(inverse, of: relationship.destination)?.kind else {
      return .unknownInverse(inverse, destination: relationship.destination)
    }
    guard back.inverse == name, isRelated(back.destination, to: entity) else {
      return .inverseMismatch(
        inverse, of: relationship.destination, leadsTo: back.inverse.map { "\(back.destination).\($0)" })
    }
    return nil
  }

  /// An inverse must point back to the entity itself, an ancestor or a descendant: of 5,247 inverses in 121 real models
  /// two point to a descendant (Photos, `GenericAsset.extendedAttributes`), all others to the entity itself.
  private func isRelated(_ destination: String, to entity: String) -> Bool {
    destination == entity || self.entity(destination, isKindOf: entity) || self.entity(entity, isKindOf: destination)
  }
}

/// Where a model was read from.
package struct ModelOrigin: Sendable, Hashable {
  /// The path, as given or inside the given bundle.
  package var path: String
  /// The version's name.
  package var version: String?

  /// Creates an origin.
  package init(path: String, version: String? = nil) {
    self.path = path
    self.version = version
  }
}

/// A contradiction in a model, with its place.
package struct ModelError: Error, Equatable, CustomStringConvertible {
  /// The entity concerned.
  package var entity: String
  /// The property concerned, if it is about one.
  package var property: String?
  /// The problem.
  package var problem: Problem

  /// The ways a model can contradict itself.
  package enum Problem: Sendable, Equatable {
    case tooManyEntities(Int)
    case tooManyProperties
    case duplicateEntity
    case duplicateProperty
    case unknownParent(String)
    case inheritanceCycleOrTooDeep
    case noDestination
    case unknownDestination(String)
    case unknownInverse(String, destination: String)
    /// The named inverse has another inverse, or none (`leadsTo` is nil).
    case inverseMismatch(String, of: String, leadsTo: String?)
    case duplicateFetchRequest
    case elementIsNoAttribute(String)
  }

  /// The problem, and its effect on the version hash. An inverse is hashed by its name whatever the other end
  /// states: 4 stores of 3 such versions of one app have the computed hashes.
  package var explanation: String {
    switch problem {
    case .inverseMismatch: "\(description); hashes do not depend on it"
    case .noDestination, .unknownDestination, .unknownInverse:
      "\(description); no store has confirmed how such a relationship is hashed"
    default: description
    }
  }

  /// The sentence shown to people, lower case and without full stop.
  package var description: String {
    let place = property.map { "\(entity).\($0)" } ?? entity
    return switch problem {
    case .tooManyEntities(let count): "\(count) entities, more than \(Model.maximumEntities)"
    case .tooManyProperties:
      "more than \(Model.maximumInheritedProperties) properties in all, inherited ones counted in each entity"
    case .duplicateEntity: "entity '\(place)' occurs twice"
    case .duplicateProperty: "property '\(place)' occurs twice"
    case .unknownParent(let parent): "parent entity '\(parent)' of '\(place)' is not in the model"
    case .inheritanceCycleOrTooDeep:
      "inheritance of '\(place)' is a cycle, or deeper than \(Model.maximumInheritanceDepth) levels"
    case .noDestination: "'\(place)' has no destination entity"
    case .unknownDestination(let destination):
      "destination entity '\(destination)' of '\(place)' is not in the model"
    case .unknownInverse(let inverse, let destination):
      "inverse '\(inverse)' of '\(place)' is not a relationship of '\(destination)'"
    case .inverseMismatch(let inverse, let destination, let other):
      "inverse of '\(place)' is '\(destination).\(inverse)', whose inverse is \(other.map { "'\($0)'" } ?? "not stated")"
    case .duplicateFetchRequest: "fetch request '\(place)' occurs twice"
    case .elementIsNoAttribute(let element): "element '\(element)' of composite '\(place)' is no attribute"
    }
  }
}
