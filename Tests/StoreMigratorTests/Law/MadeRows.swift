import StoreDataModel
import StoreGenerator
import StoreMigration
import TestSupport

/// Objects of a model as a test makes them, kept in memory beside the store they are written to: what is counted here is
/// counted without the program's reading of tables.
struct MadeRows {
  struct Object {
    var entity: String
    var key: Int64
    /// By attribute; a missing one is NULL.
    var values: [String: StoredValue]
  }

  struct Link {
    var from: ObjectKey
    var name: String
    var to: ObjectKey
  }

  let model: Model
  private(set) var objects: [Object] = []
  private(set) var links: [Link] = []

  init(_ model: Model, objects: [Object], links: [Link]) {
    (self.model, self.objects, self.links) = (model, objects, links)
  }

  mutating func add(_ object: Object) { objects.append(object) }
  mutating func add(_ link: Link) { links.append(link) }

  /// Up to three objects of each concrete entity.
  init(_ model: Model, _ random: inout SeededGenerator) {
    self.model = model
    var keys: [String: Int64] = [:]
    for entity in model.entities where !entity.isAbstract {
      let root = model.root(of: entity.name)?.name ?? entity.name
      let count = Int.random(in: 0..<5, using: &random) == 0 ? 0 : Int.random(in: 1...3, using: &random)
      for _ in 0..<count {
        keys[root, default: 0] += 1
        objects.append(
          Object(
            entity: entity.name, key: keys[root] ?? 0,
            values: Self.values(of: entity.name, key: keys[root] ?? 0, model, &random)))
      }
    }
    link(&random)
  }

  /// The rows of a case in `migration-cases.json`.
  init(_ model: Model, rows: [String: [[String: JSONTree]]]) {
    self.model = model
    for (entity, rows) in rows.sorted(by: { $0.key < $1.key }) where entity != "joins" {
      for row in rows {
        guard case .integer(let key)? = row["pk"] else { continue }
        var object = Object(entity: entity, key: key, values: [:])
        for (name, value) in row where name != "pk" {
          if let destination = model.property(name, of: entity)?.relationship?.destination {
            guard case .integer(let end) = value else { continue }
            links.append(
              Link(
                from: ObjectKey(entity: entity, key: key), name: name, to: ObjectKey(entity: destination, key: end)))
          } else {
            object.values[name] = Self.stored(value)
          }
        }
        objects.append(object)
      }
    }
  }

  private static func stored(_ value: JSONTree) -> StoredValue {
    switch value {
    case .integer(let number): .integer(number)
    case .number(let number): .real(number)
    case .string(let text): .text(text)
    case .bool(let flag): .integer(flag ? 1 : 0)
    case .null, .array, .object: .null
    }
  }

  private static func values(
    of entity: String, key: Int64, _ model: Model, _ random: inout SeededGenerator
  ) -> [String: StoredValue] {
    let family = [model.entity(named: entity)].compactMap(\.self) + model.ancestors(of: entity)
    let unique = Set(family.flatMap(\.uniquenessConstraints).joined())
    var values: [String: StoredValue] = [:]
    for (name, inherited) in model.properties(of: entity).sorted(by: { $0.key < $1.key }) {
      let property = inherited.property
      guard let attribute = property.attribute, !property.isTransient, attribute.derivation == nil,
        attribute.elements == nil
      else { continue }
      // Even a required attribute holds a NULL now and then: the app's old mistakes.
      let isNull = Int.random(in: 0..<(property.isOptional ? 3 : 40), using: &random) == 0
      let number = unique.contains(name) ? key : Int64.random(in: 0...6, using: &random)
      values[name] = isNull ? .null : value(attribute.type, number, &random)
    }
    return values
  }

  private static func value(
    _ type: AttributeType, _ number: Int64, _ random: inout SeededGenerator
  ) -> StoredValue {
    switch type {
    case .integer16, .integer32, .integer64, .decimal: .integer(number)
    case .boolean: .integer(number % 2)
    case .string: .text("text \(number)")
    case .double, .float: .real(Double(number) + 0.5)
    case .date: .date(Double(number) + 0.25)
    case .uuid: .blob((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
    case .binary, .transformable: .blob([1, UInt8(number)])
    case .uri: .text("https://example.org/\(number)")
    case .undefined, .objectID, .composite, .unknown: .null
    }
  }

  private mutating func link(_ random: inout SeededGenerator) {
    var taken: Set<String> = []
    var done: Set<String> = []
    for entity in model.entities {
      for property in entity.properties {
        guard let relationship = property.relationship, !property.isTransient else { continue }
        let own = "\(entity.name).\(property.name)"
        let other = relationship.inverse.flatMap { name in
          model.topmostDeclarer(of: name, in: relationship.destination).map { "\($0).\(name)" }
        }
        // Each pair of sides is linked once; a key is given by its own side.
        guard done.insert(own).inserted, other.map({ done.insert($0).inserted }) ?? true else { continue }
        let inverse = relationship.inverse.flatMap { model.property($0, of: relationship.destination)?.relationship }
        for one in objects where model.entity(one.entity, isKindOf: entity.name) {
          let ends = objects.filter { model.entity($0.entity, isKindOf: relationship.destination) }
          guard !ends.isEmpty, Int.random(in: 0..<3, using: &random) > 0 else { continue }
          let end = ends[Int.random(in: 0..<ends.count, using: &random)]
          // An end that has room for one link gets one.
          if !relationship.isToMany, !taken.insert("\(own) \(one.key)").inserted { continue }
          if inverse?.isToMany != true, relationship.isToMany || inverse != nil,
            !taken.insert("to \(own) \(end.key)").inserted
          {
            continue
          }
          links.append(
            Link(
              from: ObjectKey(entity: one.entity, key: one.key), name: property.name,
              to: ObjectKey(entity: end.entity, key: end.key)))
        }
      }
    }
  }

  func write(to path: String, model: Model? = nil) throws {
    let store = try StoreWriter(creating: path, StoreDescription(model: model ?? self.model, usesWAL: false))
    for object in objects { try store.insert(object.entity, object.values, key: object.key) }
    for link in links { try store.link(link.from, link.name, to: link.to) }
    try store.finish()
  }

  // MARK: Counting

  /// The objects of exactly these entities.
  func objects(of entities: [String]) -> [Object] { objects.filter { entities.contains($0.entity) } }

  /// Whether an object has nothing in a stored attribute, or no link in a to-one relationship.
  func isNull(_ property: String, of object: Object) -> Bool {
    guard let relationship = model.property(property, of: object.entity)?.relationship else {
      return (object.values[property] ?? .null) == .null
    }
    let root = model.root(of: object.entity)?.name
    func isIt(_ end: ObjectKey) -> Bool { end.key == object.key && model.root(of: end.entity)?.name == root }
    return !links.contains { link in
      isIt(link.from) && link.name == property
        || isIt(link.to) && model.property(link.name, of: link.from.entity)?.relationship?.inverse == property
          && link.name == relationship.inverse
    }
  }

  /// Whether two of the objects have equal values in all properties; a NULL equals nothing.
  func areDuplicate(_ objects: [Object], by properties: [String]) -> Bool {
    var seen: Set<String> = []
    return objects.contains { object in
      guard !properties.contains(where: { isNull($0, of: object) }) else { return false }
      return !seen.insert(properties.map { "\(object.values[$0] ?? .null)" }.joined(separator: "|")).inserted
    }
  }

  /// Whether rows violate a condition that stops a migration; nil for one that stops none.
  func violate(_ condition: RowCondition) -> Bool? {
    switch condition {
    case .noRows(let entities): !objects(of: entities).isEmpty
    case .atMostOneRow(let entities): objects(of: entities).count > 1
    case .noNulls(let entities, let property): objects(of: entities).contains { isNull(property, of: $0) }
    case .noDuplicates(_, let among, let properties, false): areDuplicate(objects(of: among), by: properties)
    case .noDuplicates, .noValues, .numericFits, .atMostOneLink, .linksWithin, .linkCount, .valid, .noDanglingKeys,
      .noOrphanedLinks:
      nil
    }
  }
}
