import StoreWords
import StorePropertyLists

extension ModelArchive {
  /// The keyed archive of a model, as in a model cache before compression.
  ///
  /// Classes, keys and cross references are those of real caches (`version-hash.md`, "The keyed archive").
  /// `ModelArchive.model(from:)` reads it back to an equal model, except for what only Xcode's XML can hold: unparsed
  /// texts (`Predicate.text`, `Expression.text`, `ValidationTexts`), and decimal and unreadable defaults.
  package static func archive(_ model: Model) -> [UInt8] {
    var writer = ModelArchiveWriter(model: model)
    let root = writer.write()
    return writer.builder.binary(root: root)
  }
}

private struct ModelArchiveWriter {
  typealias ID = KeyedArchiveBuilder.ID
  typealias Fields = [(String, KeyedArchiveBuilder.Field)]

  let model: Model
  var builder = KeyedArchiveBuilder()
  private var root: ID
  private var entityIDs: [String: ID] = [:]
  /// Relationships refer to their inverse, so every property gets its number before any is written.
  private var propertyIDs: [String: [String: ID]] = [:]

  init(model: Model) {
    self.model = model
    root = builder.reserve()
    for entity in model.entities {
      entityIDs[entity.name] = builder.reserve()
      for name in model.properties(of: entity.name).keys.sorted(by: codeUnitsPrecede) {
        propertyIDs[entity.name, default: [:]][name] = builder.reserve()
      }
    }
  }

  /// Stands for a key without a value; the same in all real caches (`docs/format/model-archives.md`).
  private static let emptyToken = "__empty_slot_token_4c24_98dc_ac1e_b773__"

  mutating func write() -> ID {
    for entity in model.entities { write(entity) }
    let names = model.entities.map { builder.string($0.name) }
    let mapping = builder.object(
      ["NSKnownKeysMappingStrategy1", "NSObject"],
      fields: [
        ("keys", .reference(builder.array(names))), ("length", .integer(Int64(names.count))),
        ("version", .integer(1)),
      ])
    let values = builder.array(model.entities.compactMap { entityIDs[$0.name] })
    let entities = builder.object(
      ["NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary", "NSObject"],
      fields: [
        ("searchMapping", .reference(mapping)), ("values", .reference(values)),
        ("emptyToken", .reference(builder.string(Self.emptyToken))), ("version", .integer(1)),
      ])
    var fields: Fields = [
      ("NSEntities", .reference(entities)), ("NSFetchRequestTemplates", .reference(writeFetchRequests())),
      ("NSVersionIdentifiers", .reference(builder.set(model.versionIdentifiers.map { builder.string($0) }))),
    ]
    if !model.configurations.isEmpty {
      fields.append(("NSConfigurations", .reference(writeConfigurations())))
    }
    builder.fill(root, classes: ["NSManagedObjectModel", "NSObject"], fields: fields)
    return root
  }

  private mutating func writeConfigurations() -> ID {
    var pairs: [(ID, ID)] = []
    for (name, members) in model.configurations.sorted(by: { codeUnitsPrecede($0.key, $1.key) }) {
      pairs.append((builder.string(name), builder.array(members.compactMap { entityIDs[$0] })))
    }
    return builder.mutableDictionary(pairs)
  }

  private mutating func writeFetchRequests() -> ID {
    guard !model.fetchRequests.isEmpty else { return KeyedArchiveBuilder.null }
    let pairs = model.fetchRequests.map { ($0.name, fetchRequest(entity: $0.entityName, $0.predicate)) }
    return builder.mutableDictionary(pairs.map { (builder.string($0), $1) })
  }

  private mutating func fetchRequest(entity: String?, _ predicate: Predicate?) -> ID {
    builder.object(
      ["NSFetchRequest", "NSPersistentStoreRequest", "NSObject"],
      fields: [
        ("NSEntity", .reference(entity.flatMap { entityIDs[$0] } ?? KeyedArchiveBuilder.null)),
        ("NSPredicate", .reference(predicate.map { write($0) } ?? KeyedArchiveBuilder.null)),
      ])
  }

  private mutating func write(_ userInfo: [String: String]) -> ID {
    let sorted = userInfo.sorted { codeUnitsPrecede($0.key, $1.key) }
    return builder.dictionary(sorted.map { (builder.string($0.key), builder.string($0.value)) })
  }

  // MARK: Entities

  private mutating func write(_ entity: Entity) {
    guard let id = entityIDs[entity.name] else { return }
    var properties: [(ID, ID)] = []
    for (name, property) in (propertyIDs[entity.name] ?? [:]).sorted(by: { codeUnitsPrecede($0.key, $1.key) }) {
      guard let declared = model.property(name, of: entity.name) else { continue }
      write(declared, as: property, of: entity.name)
      properties.append((builder.string(name), property))
    }
    let children = model.subentities(of: entity.name).compactMap { child in
      entityIDs[child.name].map { (builder.string(child.name), $0) }
    }
    var fields: Fields = [
      ("NSEntityName", text(entity.name)), ("NSClassNameForEntity", text(entity.className)),
      ("NSManagedObjectModel", .reference(root)),
      ("NSProperties", .reference(builder.mutableDictionary(properties))),
      ("NSSuperentity", .reference(entity.parent.flatMap { entityIDs[$0] } ?? KeyedArchiveBuilder.null)),
      (
        "NSSubentities",
        .reference(children.isEmpty ? KeyedArchiveBuilder.null : builder.mutableDictionary(children))
      ),
      ("NSVersionHashModifier", text(entity.versionHashModifier)),
      ("NSRenamingIdentifier", text(entity.renamingIdentifier ?? entity.name)),
      ("NSUserInfo", .reference(write(entity.userInfo))),
    ]
    if entity.isAbstract { fields.append(("NSIsAbstract", .boolean(true))) }
    if !entity.uniquenessConstraints.isEmpty {
      fields.append(("NSUniqueTuples", .reference(lists(entity.uniquenessConstraints))))
    }
    if !entity.compoundIndexes.isEmpty {
      fields.append(("NSCompoundIndexes", .reference(lists(entity.compoundIndexes))))
    }
    if !entity.indexes.isEmpty {
      let indexes = entity.indexes.map { write($0, entity: id) }
      fields.append(("NSFetchIndexDescriptions", .reference(builder.mutableArray(indexes))))
    }
    builder.fill(id, classes: ["NSEntityDescription", "NSObject"], fields: fields)
  }

  private mutating func lists(_ lists: [[String]]) -> ID {
    let inner = lists.map { list in builder.mutableArray(list.map { builder.string($0) }) }
    return builder.mutableArray(inner)
  }

  private mutating func write(_ index: FetchIndex, entity: ID) -> ID {
    let id = builder.reserve()
    var elements: [ID] = []
    for element in index.elements {
      var fields: Fields = [
        ("NSPropertyName", text(element.propertyName)), ("NSAscending", .boolean(element.isAscending)),
        ("NSFetchIndexElementType", .integer(Int64(element.kind.rawValue))),
        ("NSFetchIndexDescription", .reference(id)),
      ]
      if let expression = element.expression {
        let described = builder.object(
          ["NSExpressionDescription", "NSPropertyDescription", "NSObject"],
          fields: [
            ("NSPropertyName", text(element.propertyName)), ("NSExpression", .reference(write(expression))),
            ("NSExpressionType", .integer(2000)), ("NSIsOptional", .boolean(true)), ("NSIsReadOnly", .boolean(true)),
          ])
        fields.append(("NSIndexedProperty", .reference(described)))
      }
      elements.append(builder.object(["NSFetchIndexElementDescription", "NSObject"], fields: fields))
    }
    builder.fill(
      id, classes: ["NSFetchIndexDescription", "NSObject"],
      fields: [
        ("NSIndexName", text(index.name)), ("NSEntity", .reference(entity)),
        ("NSIndexElements", .reference(builder.array(elements))),
        ("NSPartialIndexPredicate", .reference(index.partialPredicate.map { write($0) } ?? KeyedArchiveBuilder.null)),
      ])
    return id
  }

  // MARK: Properties

  private mutating func write(_ property: Property, as id: ID, of entity: String) {
    var fields: Fields = [
      ("NSPropertyName", text(property.name)),
      ("NSEntity", .reference(entityIDs[entity] ?? KeyedArchiveBuilder.null)),
      ("NSRenamingIdentifier", text(property.renamingIdentifier ?? property.name)),
      ("_P", .integer(Int64(property.packedFlags))),
    ]
    let userInfo = property.archivedUserInfo
    if !userInfo.isEmpty { fields.append(("NSUserInfo", .reference(write(userInfo)))) }
    if property.isOptional { fields.append(("NSIsOptional", .boolean(true))) }
    if property.isTransient { fields.append(("NSIsTransient", .boolean(true))) }
    if property.isReadOnly { fields.append(("NSIsReadOnly", .boolean(true))) }
    if let modifier = property.versionHashModifier { fields.append(("NSVersionHashModifier", text(modifier))) }
    let className: String
    switch property.kind {
    case .attribute(let attribute):
      fields += self.fields(of: attribute, entity: entity)
      className = attribute.archivedClass
    case .relationship(let relationship):
      fields += self.fields(of: relationship)
      className = "NSRelationshipDescription"
    case .fetched(let fetched):
      fields += self.fields(of: fetched)
      className = "NSFetchedPropertyDescription"
    }
    var classes = [className, "NSPropertyDescription", "NSObject"]
    if className != "NSAttributeDescription" && property.attribute != nil {
      classes.insert("NSAttributeDescription", at: 1)
    }
    builder.fill(id, classes: classes, fields: fields)
  }

  private mutating func fields(of attribute: Attribute, entity: String) -> Fields {
    let flags = (attribute.allowsExternalStorage ? 4 : 0) | (attribute.preservesValueInHistory ? 16 : 0)
    var fields: Fields = [
      ("NSAttributeType", .integer(Int64(attribute.type.rawValue))), ("NSFlagsKey", .integer(Int64(flags))),
      ("NSAttributeValueClassName", text(attribute.valueClassName ?? attribute.type.usualValueClassName)),
      ("NSValueTransformerName", text(attribute.valueTransformerName)),
      ("NSDefaultValue", .reference(attribute.defaultValue.map { write($0) } ?? KeyedArchiveBuilder.null)),
    ]
    if attribute.isIndexed { fields.append(("NSIsIndexed", .boolean(true))) }
    if !attribute.validationPredicates.isEmpty {
      let rules = attribute.validationPredicates.map { write($0) }
      fields.append(("NSValidationPredicates", .reference(builder.mutableArray(rules))))
    }
    if let derivation = attribute.derivation {
      fields.append(("NSDerivationExpression", .reference(write(derivation.expression))))
      fields.append(
        ("NSFilteringPredicate", .reference(derivation.filter.map { write($0) } ?? KeyedArchiveBuilder.null)))
    }
    if let elements = attribute.elements {
      var ids: [ID] = []
      for element in elements {
        let id = builder.reserve()
        write(element, as: id, of: entity)
        ids.append(id)
      }
      fields.append(("NSCompositeElements", .reference(builder.array(ids))))
    }
    return fields
  }

  private mutating func fields(of relationship: Relationship) -> Fields {
    let inverse = relationship.inverse.flatMap { propertyIDs[relationship.destination]?[$0] }
    var fields: Fields = [
      ("NSDestinationEntity", .reference(entityIDs[relationship.destination] ?? KeyedArchiveBuilder.null)),
      ("_NSDestinationEntityName", text(relationship.destination)),
      ("NSInverseRelationship", .reference(inverse ?? KeyedArchiveBuilder.null)),
      ("_NSInverseRelationshipName", text(relationship.inverse)),
      ("NSMinCount", .integer(Int64(relationship.minimumCount))),
      ("NSMaxCount", .integer(Int64(relationship.maximumCount))),
      ("NSDeleteRule", .integer(Int64(relationship.deleteRule.rawValue))),
    ]
    if relationship.isOrdered { fields.append(("NSIsOrdered", .boolean(true))) }
    return fields
  }

  private mutating func fields(of fetched: FetchedProperty) -> Fields {
    let request = fetchRequest(entity: fetched.entityName, fetched.predicate)
    return [("NSFetchRequest", .reference(request)), ("_NSFetchRequestEntityName", text(fetched.entityName))]
  }

  private mutating func write(_ value: DefaultValue) -> ID {
    switch value {
    case .boolean(let value): builder.boolean(value)
    case .integer(let value): builder.integer(value)
    case .real(let value): builder.real(value)
    case .string(let value): builder.string(value)
    case .date(let value): builder.date(value)
    case .data(let value): builder.data(value)
    case .decimal: builder.object(["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"], fields: [])
    case .uuid(let bytes):
      builder.object(["NSUUID", "NSObject"], fields: [("NS.uuidbytes", .data(bytes))])
    case .uri(let text):
      builder.object(
        ["NSURL", "NSObject"],
        fields: [("NS.base", .reference(KeyedArchiveBuilder.null)), ("NS.relative", self.text(text))])
    case .object(let className): builder.object([className, "NSObject"], fields: [])
    case .unreadable: KeyedArchiveBuilder.null
    }
  }

  private mutating func text(_ text: String?) -> KeyedArchiveBuilder.Field {
    .reference(text.map { builder.string($0) } ?? KeyedArchiveBuilder.null)
  }
}

// MARK: Predicates

extension ModelArchiveWriter {
  private mutating func write(_ predicate: Predicate) -> ID {
    switch predicate {
    case .constant(let value):
      return builder.object([value ? "NSTruePredicate" : "NSFalsePredicate", "NSPredicate"], fields: [])
    case .text: return builder.object(["NSPredicate", "NSObject"], fields: [])
    case .other(let className): return builder.object([className, "NSPredicate", "NSObject"], fields: [])
    case .compound(let kind, let parts):
      let written = parts.map { write($0) }
      return builder.object(
        ["NSCompoundPredicate", "NSPredicate", "NSObject"],
        fields: [
          ("NSCompoundPredicateType", .integer(Int64(kind.rawValue))),
          ("NSSubpredicates", .reference(builder.array(written))),
        ])
    case .comparison(let comparison):
      let archived = builder.object(
        ["NSComparisonPredicateOperator", "NSPredicateOperator", "NSObject"],
        fields: [
          ("NSOperatorType", .integer(Int64(comparison.operator.rawValue))),
          ("NSModifier", .integer(Int64(comparison.modifier))), ("NSOptions", .integer(Int64(comparison.options))),
        ])
      return builder.object(
        ["NSComparisonPredicate", "NSPredicate", "NSObject"],
        fields: [
          ("NSLeftExpression", .reference(write(comparison.left))),
          ("NSRightExpression", .reference(write(comparison.right))), ("NSPredicateOperator", .reference(archived)),
        ])
    }
  }

  private mutating func write(_ expression: Expression) -> ID {
    switch expression {
    case .evaluatedObject: return object("NSSelfExpression", type: 1, fields: [])
    case .variable(let name): return object("NSVariableExpression", type: 2, fields: [("NSVariable", text(name))])
    case .keyPath(let path): return writePath(path, of: write(.evaluatedObject))
    case .path(let base, let path): return writePath(path, of: write(base))
    case .constant(let constant):
      let value = constant == .null ? KeyedArchiveBuilder.null : write(constant)
      return object("NSConstantValueExpression", type: 0, fields: [("NSConstantValue", .reference(value))])
    case .function(let selector, let operand, let arguments):
      // Built-in functions are called on the class `_NSPredicateUtilities`.
      let receiver =
        operand.map { write($0) }
        ?? object(
          "NSConstantValueExpression", type: 0, fields: [("NSConstantValueClassName", text("_NSPredicateUtilities"))])
      let written = arguments.map { write($0) }
      return object(
        "NSFunctionExpression", type: 4,
        fields: [
          ("NSSelectorName", text(selector)), ("NSOperand", .reference(receiver)),
          ("NSArguments", .reference(builder.array(written))),
        ])
    case .aggregate(let parts):
      let written = parts.map { write($0) }
      return object("NSAggregateExpression", type: 14, fields: [("NSCollection", .reference(builder.array(written)))])
    case .text: return builder.object(["NSExpression", "NSObject"], fields: [])
    case .other(let className): return object(className, type: 0, fields: [])
    }
  }

  private mutating func writePath(_ path: String, of operand: ID) -> ID {
    let specifier = object("NSKeyPathSpecifierExpression", type: 10, fields: [("NSKeyPath", text(path))])
    return object(
      "NSKeyPathExpression", type: 3,
      fields: [
        ("NSSelectorName", text(path.contains(".") ? "valueForKeyPath:" : "valueForKey:")),
        ("NSOperand", .reference(operand)), ("NSArguments", .reference(builder.mutableArray([specifier]))),
      ])
  }

  private mutating func write(_ constant: Expression.Constant) -> ID {
    switch constant {
    case .null: return KeyedArchiveBuilder.null
    case .boolean(let value): return builder.boolean(value)
    case .integer(let value): return builder.integer(value)
    case .real(let value): return builder.real(value)
    case .string(let value): return builder.string(value)
    case .date(let value): return builder.date(value)
    case .list(let values):
      let written = values.map { write($0) }
      return builder.array(written)
    case .object(let className): return builder.object([className, "NSObject"], fields: [])
    }
  }

  private mutating func object(_ className: String, type: Int64, fields: Fields) -> ID {
    builder.object([className, "NSExpression", "NSObject"], fields: [("NSExpressionType", .integer(type))] + fields)
  }
}

extension Property {
  /// User info including the location components, which archives store there.
  fileprivate var archivedUserInfo: [String: String] {
    guard let components = attribute?.locationComponents, !components.isEmpty else { return userInfo }
    let text = components.joined(separator: ", ")
    return userInfo.merging(["_NSLocationAttributeDerivedComponents": text]) { _, new in new }
  }

  /// `_P` (as in 25,859 of 25,859 properties): 1 always, 2 optional, 4 read-only, 8 transient, 16 no validation
  /// predicates, 32 no validation warnings, 64 no user info, 128 no modifier, 1024 ordered.
  fileprivate var packedFlags: Int {
    var flags = 1 | 32
    if isOptional { flags |= 2 }
    if isReadOnly { flags |= 4 }
    if isTransient { flags |= 8 }
    if attribute?.validationPredicates.isEmpty ?? true { flags |= 16 }
    if archivedUserInfo.isEmpty { flags |= 64 }
    if versionHashModifier == nil { flags |= 128 }
    if relationship?.isOrdered == true { flags |= 1024 }
    return flags
  }
}

extension Attribute {
  fileprivate var archivedClass: String {
    if derivation != nil { return "NSDerivedAttributeDescription" }
    return elements != nil ? "NSCompositeAttributeDescription" : "NSAttributeDescription"
  }
}
