import StoreDataModel
import TestSupport

extension SeededGenerator {
  mutating func one<Element>(of list: [Element]) -> Element { list[Int.random(in: 0..<list.count, using: &self)] }
  mutating func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &self) == 0 }
}

/// Makes random models that use everything Xcode's XML can express.
struct RandomModel {
  private var random: SeededGenerator
  /// Whether there are texts that only Xcode's XML holds: unparsed predicates and expressions, bounds, decimals.
  private let hasTexts: Bool

  static func make(seed: UInt64, withTexts: Bool = true) throws -> Model {
    var maker = RandomModel(random: SeededGenerator(seed: seed), hasTexts: withTexts)
    return try maker.model()
  }

  private mutating func model() throws -> Model {
    let names = ["Note", "Tag", "Ordner", "größe", "Zoë & <Söhne>", "日記", "a.b", "Last"].prefix(
      Int.random(in: 1...8, using: &random))
    var entities: [Entity] = []
    for (position, name) in names.enumerated() {
      var entity = Entity(name: name)
      entity.parent = position > 0 && random.chance(3) ? names[Int.random(in: 0..<position, using: &random)] : nil
      entity.isAbstract = random.chance(4)
      entity.className = random.chance(2) ? "." + name : nil
      entity.versionHashModifier = random.chance(4) ? text() : nil
      entity.renamingIdentifier = random.chance(4) ? "Old" + name : nil
      for index in 0..<Int.random(in: 0...8, using: &random) {
        entity.properties.append(property("p\(position)_\(index)", of: Array(names), depth: 0))
      }
      let own = entity.properties.filter { $0.attribute != nil }.map(\.name)
      if !own.isEmpty {
        entity.uniquenessConstraints = list { [$0.one(of: own), $0.one(of: own)] }
        entity.compoundIndexes = list { [$0.one(of: own)] }
        entity.indexes = list { random in
          FetchIndex(
            name: "byü", elements: [.init(random.one(of: own), isAscending: random.chance(2), kind: .rTree)])
        }
      }
      entity.userInfo = userInfo()
      entities.append(entity)
    }
    pairInverses(of: &entities)
    let predicate = predicate("a == 1")
    let requests = list { FetchRequest(name: "all", entityName: $0.one(of: Array(names)), predicate: predicate) }
    return try Model(
      entities: entities, configurations: random.chance(2) ? ["Local": [names[0]]] : [:],
      versionIdentifiers: random.chance(2) ? [text()] : [], fetchRequests: requests)
  }

  /// Makes inverses of relationships that lead back and forth, and of some that lead to their own entity.
  private mutating func pairInverses(of entities: inout [Entity]) {
    var ends: [(entity: Int, property: Int, relationship: Relationship)] = []
    for (position, entity) in entities.enumerated() {
      for (index, property) in entity.properties.enumerated() {
        if let relationship = property.relationship { ends.append((position, index, relationship)) }
      }
    }
    while let end = ends.popLast() {
      let back = ends.lastIndex {
        entities[$0.entity].name == end.relationship.destination
          && $0.relationship.destination == entities[end.entity].name
      }
      let isOwn = end.relationship.destination == entities[end.entity].name && random.chance(3)
      guard isOwn || back != nil, random.chance(2) else { continue }
      let other = isOwn ? end : back.map { ends.remove(at: $0) } ?? end
      entities[end.entity].properties[end.property].setInverse(entities[other.entity].properties[other.property].name)
      entities[other.entity].properties[other.property].setInverse(entities[end.entity].properties[end.property].name)
    }
  }

  private mutating func list<Element>(_ make: (inout SeededGenerator) -> Element) -> [Element] {
    (0..<(random.chance(3) ? 1 : 0)).map { _ in make(&random) }
  }

  private mutating func text() -> String {
    random.one(of: ["2", " two  words ", "Ü\n\t\"&<>'", "\u{1F600}", "x", "e\u{301}"])
  }

  private func predicate(_ text: String) -> Predicate { hasTexts ? .text(text) : .constant(true) }

  private mutating func userInfo() -> [String: String] {
    random.chance(3) ? [text(): text(), "key": ""] : [:]
  }

  private mutating func property(_ name: String, of entities: [String], depth: Int) -> Property {
    var property = Property(
      name: name, isOptional: random.chance(2), versionHashModifier: random.chance(5) ? text() : nil,
      renamingIdentifier: random.chance(5) ? "old" : nil, kind: .fetched(FetchedProperty()))
    switch depth > 0 ? 0 : Int.random(in: 0..<6, using: &random) {
    case 4:
      property.isTransient = random.chance(5)
      property.kind = .relationship(relationship(entities))
    case 5:
      (property.isTransient, property.isReadOnly) = (true, true)
      property.kind = .fetched(FetchedProperty(entityName: random.one(of: entities), predicate: predicate("b > $X.y")))
    default:
      property.isTransient = random.chance(5)
      let attribute = attribute(depth: depth)
      property.isReadOnly = attribute.derivation != nil
      property.kind = .attribute(attribute)
    }
    property.userInfo = userInfo()
    return property
  }

  private mutating func relationship(_ entities: [String]) -> Relationship {
    let isToMany = random.chance(2)
    return Relationship(
      destination: random.one(of: entities), minimumCount: random.one(of: [0, 1, 2]),
      maximumCount: isToMany ? random.one(of: [0, -1, 7, .max]) : 1, isOrdered: isToMany && random.chance(2),
      deleteRule: random.one(of: [.noAction, .nullify, .cascade, .deny]))
  }

  private mutating func attribute(depth: Int) -> Attribute {
    let types: [AttributeType] = [
      .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary,
      .uuid, .uri, .transformable,
    ]
    if depth < 3 && random.chance(6) {
      let elements = (0..<Int.random(in: 0...3, using: &random)).map { property("e\($0)", of: [], depth: depth + 1) }
      return Attribute(type: .composite, elements: elements)
    }
    var attribute = Attribute(
      type: random.one(of: types), allowsExternalStorage: random.chance(4), preservesValueInHistory: random.chance(4),
      isIndexed: random.chance(4), valueClassName: random.chance(5) ? "App.Cover" : nil,
      valueTransformerName: random.chance(5) ? "T" : nil)
    if random.chance(2) { attribute.defaultValue = defaultValue(of: attribute.type) }
    if random.chance(3) { setBounds(of: &attribute) }
    if random.chance(6) {
      attribute.derivation = Derivation(
        expression: random.one(of: [
          .keyPath("a.b"), .function("count:", operand: nil, [.keyPath("pages")]),
          hasTexts ? .text("a + 1") : .keyPath("a"),
          .function("now", operand: nil, []), .function("canonical:", operand: nil, [.keyPath("name")]),
        ]))
    }
    return attribute
  }

  private mutating func defaultValue(of type: AttributeType) -> DefaultValue? {
    switch type {
    case .integer16: .integer(random.one(of: [0, -1, 32_767, -32_768]))
    case .integer32: .integer(random.one(of: [0, -1, 2_147_483_647, -2_147_483_648]))
    case .integer64: .integer(random.one(of: [0, -1, .max, .min]))
    case .decimal: hasTexts ? .decimal("-12.5") : nil
    case .double, .float: .real(random.one(of: [0, -0.5, 1e300]))
    case .string: .string(text())
    case .boolean: .boolean(random.chance(2))
    case .date: .date(random.one(of: [0, -978_307_200, 0.25]))
    case .uuid: .uuid((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
    case .uri: .uri("x:\(text())")
    default: nil
    }
  }

  private mutating func setBounds(of attribute: inout Attribute) {
    switch attribute.type {
    case .integer16, .integer32, .integer64:
      attribute.validationPredicates = [
        .comparison(.init(.evaluatedObject, .greaterThanOrEqual, .constant(.integer(-3)))),
        .comparison(.init(.evaluatedObject, .lessThanOrEqual, .constant(.integer(9)))),
      ]
    case .string:
      attribute.validationPredicates = [
        .comparison(.init(.keyPath("length"), .lessThanOrEqual, .constant(.integer(9)))),
        .comparison(.init(.evaluatedObject, .matches, .constant(.string("[^<]*\\d\"")))),
      ]
    case .double:
      attribute.validationPredicates = [.comparison(.init(.evaluatedObject, .lessThanOrEqual, .constant(.real(0.5))))]
    case .date:
      attribute.validationPredicates = [.comparison(.init(.evaluatedObject, .greaterThanOrEqual, .constant(.date(-9))))]
    case .boolean where hasTexts: attribute.validationTexts = ValidationTexts(minimum: "0")
    default: break
    }
  }
}

extension Property {
  mutating func setInverse(_ name: String) {
    guard case .relationship(var relationship) = kind else { return }
    relationship.inverse = name
    kind = .relationship(relationship)
  }
}
