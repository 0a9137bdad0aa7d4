import StoreDataModel
import StoreSQLite
import StoreWords

/// An entity mapping of a mapping model, found in both models: where the value of each attribute and the links of each
/// relationship come from.
struct MappedEntity: Sendable {
  /// The entity mapping's name: "NoteToNote".
  var name: String
  /// The entity whose objects are migrated.
  var source: String
  /// The entity they become objects of.
  var destination: String
  /// The condition that objects must fulfil; nil for all objects.
  var filter: String?
  /// Whether a recipe stands in for the code of its policy.
  var isPerformedByRecipe: Bool
  /// By attribute; an attribute without value keeps the default of a new object.
  var values: [String: MappedValue] = [:]
  /// By relationship.
  var links: [(relationship: String, links: MappedLinks)] = []

  /// Whether an attribute has the value of the source's attribute of the same name.
  func keepsValue(of attribute: String) -> Bool { values[attribute] == .path([attribute], then: nil) }
}

/// Where the value of an attribute comes from.
enum MappedValue: Equatable, Sendable {
  /// Through to-one relationships to an attribute of the source, and from its value by a function to another.
  case path([String], then: MappedFunction?)
  /// The same for all objects.
  case constant(Expression.Constant)
}

/// A function of values that needs no code of the app.
enum MappedFunction: String, Sendable {
  /// The text of a URI.
  case absoluteString
  /// The text of a UUID, in capitals.
  case uuidString = "UUIDString"
  /// The digits of a whole number.
  case stringValue

  /// The type of its result, where it takes values of this type.
  func result(of type: AttributeType) -> AttributeType? {
    switch (self, type) {
    case (.absoluteString, .uri), (.uuidString, .uuid), (.stringValue, .integer16), (.stringValue, .integer32),
      (.stringValue, .integer64):
      .string
    default: nil
    }
  }
}

/// Where the links of a relationship come from: what source objects lead to, and what became of that.
struct MappedLinks: Equatable, Sendable {
  /// The relationships of the source, one after the other.
  var path: [String]
  /// The entity mapping whose objects are linked; nil for all of them.
  var mapping: String?
}

/// The entity mappings of a mapping model that migrate objects, in their order.
struct MappedModel: Sendable {
  let source: Model
  let target: Model
  private(set) var entities: [MappedEntity] = []
  private(set) var refusals: [MigrationRefusal] = []
  private(set) var assumptions: [String] = []

  /// - Parameter recipes: the entity mappings for whose code a recipe stands in, by their names.
  init(_ mapping: MappingModel, from source: Model, to target: Model, recipes: Set<String>) {
    self.source = source
    self.target = target
    for mapped in mapping.entityMappings { add(mapped, of: mapping, hasRecipe: recipes.contains(mapped.name)) }
    let unmapped = source.entities.filter { entity in
      !entity.isAbstract && !entities.contains { $0.source == entity.name }
    }
    self.unmapped = unmapped.map(\.name)
    let names = entities.map(\.name)
    for entity in entities {
      for (relationship, links) in entity.links {
        guard let name = links.mapping, !names.contains(name) else { continue }
        refuse(entity, relationship, "it asks for what the entity mapping \(quoted(name)) makes, and there is none")
      }
    }
  }

  /// The concrete entities of the source that no entity mapping is for.
  private(set) var unmapped: [String] = []

  /// The entity mappings whose objects are of an entity of the source.
  func entities(of source: String) -> [MappedEntity] { entities.filter { $0.source == source } }

  private mutating func refuse(_ entity: MappedEntity, _ property: String, _ reason: String) {
    refusals.append(
      MigrationRefusal(
        entity.destination, property, reason,
        advice: "rehearse it on a device, or give a recipe in its place (--perform)"
      ))
  }

  /// Refuses what cannot be performed, unless a recipe stands in for the code that would make the value.
  private mutating func refuseOrLeaveToRecipe(_ entity: MappedEntity, _ property: String, _ reason: String) {
    guard entity.isPerformedByRecipe else { return refuse(entity, property, reason) }
    assume("\(entity.destination).\(property): \(reason); its value is left to the recipe")
  }

  private mutating func add(_ mapping: MappingModel.EntityMapping, of whole: MappingModel, hasRecipe: Bool) {
    if let policy = mapping.policyClassName, !hasRecipe {
      let entity = mapping.destination?.entity ?? mapping.source?.entity ?? mapping.name
      refusals.append(
        MigrationRefusal(
          entity, nil,
          "its objects are migrated by \(quoted(policy)), code of the app, which is not run here "
            + "(mapping model \(quoted(whole.path)))",
          advice:
            "give a recipe that stands in for it (--perform 'FROM>TO/\(entity)=recipe.yaml'), or rehearse it on a device"
        ))
      return
    }
    // What is new has no objects, and what is removed leaves none.
    guard let from = mapping.source?.entity, let to = mapping.destination?.entity else { return }
    var entity = MappedEntity(
      name: mapping.name, source: from, destination: to, filter: mapping.filter, isPerformedByRecipe: hasRecipe)
    guard let attributes = mapping.attributes, let relationships = mapping.relationships else {
      refusals.append(
        MigrationRefusal(
          to, nil, "what the mapping model \(quoted(whole.path)) says of its properties cannot be read", advice: device)
      )
      return
    }
    for attribute in attributes { add(attribute, to: &entity) }
    for relationship in relationships { add(relationship, toLinksOf: &entity) }
    entities.append(entity)
  }

  private var device: String { "rehearse it on a device" }

  // MARK: Attributes

  private mutating func add(_ mapping: MappingModel.PropertyMapping, to entity: inout MappedEntity) {
    guard let property = target.property(mapping.name, of: entity.destination), let attribute = property.attribute
    else {
      return refuse(entity, mapping.name, "\(entity.destination) has no such attribute")
    }
    guard let expression = mapping.value, !property.isTransient else { return }
    guard let value = value(of: expression) else {
      // A recipe fills what the policy's functions would give.
      if entity.isPerformedByRecipe { return }
      return refuse(entity, mapping.name, Self.unknown(expression))
    }
    if let reason = obstacle(value, of: entity.source, to: attribute) {
      return refuseOrLeaveToRecipe(entity, mapping.name, reason)
    }
    if Self.usesSelf(expression) {
      assume("\(entity.destination).\(mapping.name): SELF in its expression is taken for the source object")
    }
    if case .path(let path, then: nil) = value, let type = self.attribute(at: path, of: entity.source)?.type,
      type != attribute.type
    {
      assume("\(entity.destination).\(mapping.name): numbers of \(type.name) become \(attribute.type.name)")
    }
    entity.values[mapping.name] = value
  }

  private static func usesSelf(_ expression: Expression) -> Bool {
    switch expression {
    case .path(of: .evaluatedObject, _), .keyPath: true
    case .function(_, let operand?, _): usesSelf(operand)
    default: false
    }
  }

  private mutating func assume(_ sentence: String) {
    if !assumptions.contains(sentence) { assumptions.append(sentence) }
  }

  /// "its value is FUNCTION(...), a function of the app's policy".
  private static func unknown(_ expression: Expression) -> String {
    if case .function(_, operand: .variable("entityPolicy"), _) = expression {
      return "its value is \(expression), a function of the app's policy"
    }
    return "its value is \(expression), which is not evaluated here"
  }

  /// What an expression says; nil for one of an unknown form.
  private func value(of expression: Expression) -> MappedValue? {
    if case .constant(let constant) = expression { return .constant(constant) }
    if case .function(let selector, let operand?, let arguments) = expression, arguments.isEmpty,
      let function = MappedFunction(rawValue: selector),
      case .path(let path, then: nil)? = value(of: operand)
    {
      return .path(path, then: function)
    }
    guard let path = path(of: expression), let last = path.last else { return nil }
    guard path.count > 1, let function = MappedFunction(rawValue: last) else { return .path(path, then: nil) }
    return .path(path.dropLast(), then: function)
  }

  /// The names of a key path of the source object; nil where it is none.
  private func path(of expression: Expression) -> [String]? {
    switch expression {
    case .path(of: .variable("source"), let path): return names(path)
    case .path(of: .evaluatedObject, let path), .keyPath(let path): return names(path)
    case .function("valueForKey:", operand: .variable("source")?, let arguments),
      .function("valueForKeyPath:", operand: .variable("source")?, let arguments):
      guard arguments.count == 1, case .constant(.string(let path)) = arguments[0] else { return nil }
      return names(path)
    default: return nil
    }
  }

  /// The most names of a key path.
  private static let longestPath = 16

  private func names(_ path: String) -> [String]? {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return names.count <= Self.longestPath && !names.contains("") ? names : nil
  }

  /// Why an attribute does not get such a value; nil where it does.
  private func obstacle(_ value: MappedValue, of source: String, to attribute: Attribute) -> String? {
    switch value {
    case .constant(let constant):
      return constant.stored(as: attribute.type) == nil
        ? "its value is \(constant), which \(attribute.type.name) does not take: Core Data raises an exception" : nil
    case .path(let path, let function):
      guard let found = self.attribute(at: path, of: source) else {
        return "its value is $source.\(path.joined(separator: ".")), which leads to no stored attribute of \(source) "
          + "through to-one relationships"
      }
      var type = found.type
      if let function {
        guard let result = function.result(of: type) else {
          return "its value is '\(function.rawValue)' of \(type.name), which is not evaluated here"
        }
        type = result
      }
      if type == .composite || attribute.type == .composite {
        return found.elements == attribute.elements
          ? nil : "its value is a composite of other elements, and what becomes of those is not known"
      }
      guard type == attribute.type || type.isNumber && attribute.type.isNumber else {
        return "its value is \(type.name), which \(attribute.type.name) does not take: Core Data raises an exception"
      }
      return nil
    }
  }

  /// The stored attribute that a path leads to.
  func attribute(at path: [String], of entity: String) -> Attribute? {
    var entity = entity
    for name in path.dropLast() {
      guard let property = source.property(name, of: entity), let relationship = property.relationship,
        !relationship.isToMany, !property.isTransient
      else { return nil }
      entity = relationship.destination
    }
    guard let last = path.last, let property = source.property(last, of: entity), !property.isTransient else {
      return nil
    }
    return property.attribute
  }

  // MARK: Relationships

  private mutating func add(_ mapping: MappingModel.PropertyMapping, toLinksOf entity: inout MappedEntity) {
    guard let property = target.property(mapping.name, of: entity.destination), property.relationship != nil else {
      return refuse(entity, mapping.name, "\(entity.destination) has no such relationship")
    }
    guard let expression = mapping.value, !property.isTransient else { return }
    guard let links = links(of: expression) else {
      if entity.isPerformedByRecipe { return }
      return refuse(entity, mapping.name, Self.unknown(expression))
    }
    guard end(of: links.path, of: entity.source) != nil else {
      return refuseOrLeaveToRecipe(
        entity, mapping.name,
        "its links are those of $source.\(links.path.joined(separator: ".")), which leads to no objects of \(entity.source)"
      )
    }
    entity.links.append((mapping.name, links))
  }

  private func links(of expression: Expression) -> MappedLinks? {
    guard case .function(let selector, operand: .variable("manager")?, let arguments) = expression,
      arguments.count == 2, case .constant(.string(let name)) = arguments[0],
      let path = path(of: arguments[1])?.filter({ !Self.unions.contains($0) }), !path.isEmpty
    else { return nil }
    switch selector {
    case MappingModel.instancesOfMapping: return MappedLinks(path: path, mapping: name)
    case MappingModel.instancesOfRelationship: return MappedLinks(path: path, mapping: nil)
    default: return nil
    }
  }

  /// Operators that gather the objects of several collections, as a set of links does.
  private static let unions: Set<String> = [
    "@distinctUnionOfSets", "@unionOfSets", "@distinctUnionOfObjects", "@unionOfObjects", "@distinctUnionOfArrays",
    "@unionOfArrays",
  ]

  /// The entity that relationships of the source lead to, one after the other; nil where one is none, or not stored.
  func end(of path: [String], of entity: String) -> String? {
    var entity = entity
    for name in path {
      guard let property = source.property(name, of: entity), let relationship = property.relationship,
        !property.isTransient
      else { return nil }
      entity = relationship.destination
    }
    return entity
  }
}

extension AttributeType {
  /// Whether its values are numbers, which are taken for those of any other such type. A shipped app's mapping model makes
  /// decimals of integers so.
  var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal: true
    default: false
    }
  }
}

extension Expression.Constant {
  /// As a column of a type holds it; nil where an attribute of that type does not take it.
  func stored(as type: AttributeType) -> SQLiteValue? {
    switch (self, type) {
    case (.null, _): .null
    case (.string(let text), .string): .text(text)
    case (.boolean(let flag), _) where type.isNumber: .integer(flag ? 1 : 0)
    case (.integer(let number), .double), (.integer(let number), .float): .real(Double(number))
    case (.integer(let number), _) where type.isNumber: .integer(number)
    case (.real(let number), .decimal): .real(number)
    case (.real(let number), .double), (.real(let number), .float), (.date(let number), .date): .real(number)
    default: nil
    }
  }
}
