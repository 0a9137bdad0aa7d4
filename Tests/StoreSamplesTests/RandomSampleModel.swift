import StoreDataModel
import TestSupport

/// Random models with what decides the content of a store: inheritance, abstract entities, required and bounded
/// relationships of every shape, uniqueness constraints, bounds, lengths, patterns, defaults, composites.
struct RandomSampleModel {
  private var random: SeededGenerator
  private var entities: [Entity] = []
  private var count = 0

  static func make(seed: UInt64) throws -> Model {
    var maker = RandomSampleModel(random: SeededGenerator(seed: seed))
    return try maker.model()
  }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
  private mutating func chance(_ part: Int) -> Bool { below(part) == 0 }

  private mutating func next(_ prefix: String) -> String {
    count += 1
    return prefix + String(count)
  }

  private mutating func model() throws -> Model {
    for _ in 0..<(1 + below(6)) {
      var entity = Entity(name: next(["E", "A", "Z"][below(3)]))
      if !entities.isEmpty, chance(3) { entity.parent = entities[below(entities.count)].name }
      entity.isAbstract = chance(5)
      for _ in 0..<below(6) { entity.properties.append(attribute(depth: 0)) }
      let own = entity.properties.filter { $0.attribute != nil && !$0.isTransient && $0.attribute?.elements == nil }
      if let first = own.first?.name, chance(2) {
        entity.uniquenessConstraints = [chance(2) ? [first] : [first, own[below(own.count)].name].uniqued]
      }
      if let last = own.last?.name, chance(3) {
        entity.indexes = [FetchIndex(name: "byLast", elements: [.init(last, isAscending: chance(2))])]
      }
      entities.append(entity)
    }
    for _ in 0..<below(7) { relate() }
    return try Model(entities: entities, versionIdentifiers: chance(2) ? ["2"] : [])
  }

  private mutating func attribute(depth: Int) -> Property {
    let types: [AttributeType] = [
      .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .string, .boolean, .date, .binary, .uuid,
      .uri, .transformable,
    ]
    if depth < 2, chance(12) {
      var elements: [Property] = []
      for _ in 0..<(1 + below(3)) { elements.append(attribute(depth: depth + 1)) }
      return Property(
        name: next("c"), isOptional: chance(2), kind: .attribute(Attribute(type: .composite, elements: elements)))
    }
    var attribute = Attribute(type: types[below(types.count)])
    if attribute.type == .binary { attribute.allowsExternalStorage = chance(2) }
    bound(&attribute)
    if attribute.validationPredicates.isEmpty, chance(3) { attribute.defaultValue = defaultValue(attribute.type) }
    return Property(
      name: next("p"), isOptional: chance(2), isTransient: chance(12), kind: .attribute(attribute))
  }

  private mutating func bound(_ attribute: inout Attribute) {
    guard chance(3) else { return }
    func rule(_ left: Expression, _ kind: Predicate.Operator, _ right: Expression.Constant) -> Predicate {
      .comparison(.init(left, kind, .constant(right)))
    }
    let value = Expression.evaluatedObject
    switch attribute.type {
    case .integer16, .integer32, .integer64, .decimal:
      attribute.validationPredicates = [
        rule(value, .greaterThanOrEqual, .integer([-5, 0, 100][below(3)])), rule(value, .lessThan, .integer(131)),
      ]
    case .double, .float:
      attribute.validationPredicates = [
        rule(value, .greaterThan, .real(-0.25)), rule(value, .lessThanOrEqual, .real(1)),
      ]
    case .date: attribute.validationPredicates = [rule(value, .lessThan, .date([0, 600_000_000][below(2)]))]
    case .string:
      switch below(3) {
      case 0:
        attribute.validationPredicates = [
          rule(.keyPath("length"), .greaterThanOrEqual, .integer(5)),
          rule(.keyPath("length"), .lessThanOrEqual, .integer(8)),
        ]
      case 1:
        let patterns = [
          "[a-z]{2,4}-\\d+", "(?i)(north|south)[.]?[0-9a-f]{6}", "^\\p{Lu}\\w*( \\w+)?$", "[^@]+@[^@]+\\.[a-z]{2}",
        ]
        attribute.validationPredicates = [rule(value, .matches, .string(patterns[below(patterns.count)]))]
      default:
        attribute.validationPredicates = [
          .comparison(.init(value, .in, .aggregate(["one", "two", "three"].map { .constant(.string($0)) })))
        ]
      }
    default: break
    }
  }

  private mutating func defaultValue(_ type: AttributeType) -> DefaultValue? {
    switch type {
    case .integer16, .integer32, .integer64: .integer(Int64(below(3)) - 1)
    case .decimal: .decimal("12.5")
    case .double, .float: .real(0.5)
    case .string: .string(["", "it's"][below(2)])
    case .boolean: .boolean(chance(2))
    case .date: .date(0.25)
    case .uri: .uri("x:y")
    default: nil
    }
  }

  /// One side, or both sides, of a relationship of any shape.
  private mutating func relate() {
    let (one, other) = (below(entities.count), below(entities.count))
    let (name, inverse) = (next("r"), next("r"))
    func end(_ name: String, to place: Int, inverse: String?, isToMany: Bool) -> Property {
      let least: Int32 = isToMany && chance(3) ? Int32(1 + below(3)) : 0
      let most: Int32 = isToMany && chance(3) ? max(least, Int32(2 + below(4))) : isToMany ? 0 : 1
      let isOptional = !chance(3)
      return Property(
        name: name, isOptional: isOptional,
        kind: .relationship(
          Relationship(
            destination: entities[place].name, inverse: inverse, minimumCount: isToMany ? least : isOptional ? 0 : 1,
            maximumCount: most, isOrdered: isToMany && chance(2), deleteRule: chance(3) ? .cascade : .nullify)))
    }
    switch below(7) {
    case 0: entities[one].properties.append(end(name, to: other, inverse: nil, isToMany: false))
    case 1: entities[one].properties.append(end(name, to: other, inverse: nil, isToMany: true))
    case 2: entities[one].properties.append(end(name, to: one, inverse: name, isToMany: chance(2)))
    case let shape:
      entities[one].properties.append(end(name, to: other, inverse: inverse, isToMany: shape > 4))
      entities[other].properties.append(end(inverse, to: one, inverse: name, isToMany: shape > 3))
    }
  }
}

extension [String] {
  fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
