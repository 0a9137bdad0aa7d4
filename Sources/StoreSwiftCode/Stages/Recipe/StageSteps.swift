import StoreDataModel
import StoreRepair
import StoreScanning
import StoreSQLite
import StoreText

/// Parts of a recipe that no code of an app can do, because Core Data keeps what they mend to itself.
enum StagePart {
  static func unreachable(in recipe: Recipe) -> [(part: String, omission: StageOmission)] {
    var parts: [(String, StageOmission)] = []
    for structure in Recipe.Structure.allCases where recipe.structure.contains(structure) {
      parts.append(
        (
          "structure \(structure.rawValue)",
          StageOmission(
            "it mends what Core Data stores beside objects, which an app's code does not see",
            advice: "leave it to 'storedoctor repair', or leave it out")
        ))
    }
    if let dangling = recipe.dangling {
      parts.append(
        (
          "dangling \(dangling.rawValue)",
          StageOmission(
            "how Core Data hands out an object whose row is missing is not known here",
            advice:
              "look for faults that cannot be fulfilled (existingObject(with:) throws) and set the relationship to nil")
        ))
    }
    if recipe.wrongEntity != nil {
      parts.append(
        (
          "wrongEntity",
          StageOmission(
            "a key that leads to an object of another entity is not seen through objects",
            advice: "leave it to 'storedoctor repair'")
        ))
    }
    for item in recipe.inverses {
      parts.append(
        (
          "inverses of \(item.entity).\(item.relationship)",
          StageOmission(
            "objects show one side of a relationship, which Core Data makes agree with the other",
            advice: "set the relationship of each object that is known to be wrong")
        ))
    }
    return parts
  }
}

extension StageWriter {
  // MARK: Properties

  func entity(_ name: String) throws(StageOmission) -> Entity {
    guard let entity = model.entity(named: name) else {
      throw StageOmission("'\(version)' has no entity '\(name)'", advice: "name it as the model does")
    }
    if isSwiftData, !SwiftName.isIdentifier(name) {
      throw StageOmission("'\(name)' is no name in Swift", advice: "write it by hand")
    }
    return entity
  }

  func property(_ name: String, of entity: String, in model: Model) throws(StageOmission) -> Property {
    guard let property = model.property(name, of: entity) else {
      throw StageOmission("'\(entity)' has no property '\(name)'", advice: "name it as the model does")
    }
    if isSwiftData, !SwiftName.isIdentifier(name) {
      throw StageOmission("'\(name)' is no name in Swift", advice: "write it by hand")
    }
    return property
  }

  /// A property of an object that is set, and may be nil.
  private func target(_ name: String, of entity: String) throws(StageOmission) -> Property {
    let property = try property(name, of: entity, in: model)
    if isSwiftData, !property.isOptional {
      throw StageOmission(
        "\(entity).\(name) is not optional in '\(version)', so that no object in Swift is without it",
        advice: "make it optional in a version between, and fill it there")
    }
    return property
  }

  func isNil(_ name: String, of object: String = "object") -> String {
    isSwiftData
      ? "\(object).\(SwiftName.escaped(name)) == nil"
      : "\(object).value(forKey: \(SwiftDataTypes.literal(name))) == nil"
  }

  /// Whether a new attribute has no value, or the default that the step itself has written.
  private func isMissing(_ name: String, type: AttributeType, default literal: String, of entity: String) -> String {
    if isSwiftData {
      let isDefault = "object.\(SwiftName.escaped(name)) == \(literal)"
      return model.property(name, of: entity)?.isOptional == true ? "\(isNil(name)) || \(isDefault)" : isDefault
    }
    let sized = [AttributeType.integer16: "Int16", .integer32: "Int32", .float: "Float"][type] ?? StagePast.type(type)
    return "\(isNil(name)) || object.value(forKey: \(SwiftDataTypes.literal(name))) as? \(sized) == \(literal)"
  }

  /// An attribute of an object, or of one that a path leads to; `was.` leads to what is kept of before.
  mutating func operand(_ path: String, of entity: String, object: String = "object") throws(StageOmission)
    -> StageOperand
  {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.first == "was", side == "didMigrate", model.property("was", of: entity) == nil else {
      return try operand(names, of: entity, object: object, in: model, version: version)
    }
    guard let source = past.source(of: entity) else {
      throw StageOmission("'\(entity)' has no entity that it was", advice: "write it by hand")
    }
    let read = try operand(
      Array(names.dropFirst()), of: source, object: "object", in: past.model, version: past.version)
    var expression = StageExpression(support)
    let isNumber = [.integer16, .integer32, .integer64, .double, .float].contains(read.type)
    let reading = isNumber ? expression.value(read) : read.swift
    support = expression.support
    let position = past.kept(source)
    let field = past.field(names.dropFirst().joined(separator: "."), at: position, type: read.type, reading: reading)
    return StageOperand(swift: "was\(position + 1)?.\(field)", type: read.type, isWidened: true)
  }

  private func operand(
    _ names: [String], of entity: String, object: String, in model: Model, version: String
  ) throws(StageOmission) -> StageOperand {
    var (current, swift) = (entity, object)
    for (position, name) in names.enumerated() {
      let property = try property(name, of: current, in: model)
      let place = "\(current).\(name)"
      swift += "." + SwiftName.escaped(name)
      if let relationship = property.relationship, !relationship.isToMany, position < names.count - 1 {
        current = relationship.destination
        if property.isOptional { swift += "?" }
        continue
      }
      guard let attribute = property.attribute else {
        throw StageOmission("\(place) leads to objects, and a value is expected", advice: "name an attribute")
      }
      guard position == names.count - 1, attribute.type != .composite else {
        throw StageOmission(
          "\(place) is composite, and how its parts are spelt in the app is not known", advice: "write it by hand")
      }
      guard !isEnum(name, of: current, in: version), ExpressionType(attribute.type) != nil else {
        throw StageOmission("\(place) is of a type of the app's own", advice: "write it by hand")
      }
      guard !isSwiftData else { return StageOperand(swift: swift, type: attribute.type, isWidened: false) }
      let key = SwiftDataTypes.literal(names.joined(separator: "."))
      let method = names.count > 1 ? "value(forKeyPath: \(key))" : "value(forKey: \(key))"
      return StageOperand(
        swift: "(\(object).\(method) as? \(StagePast.type(attribute.type)))", type: attribute.type, isWidened: true)
    }
    throw StageOmission("a name is expected", advice: "name an attribute")
  }

  /// The key by which objects are compared: attributes, and the objects that to-one relationships lead to.
  private mutating func key(
    _ paths: [String], of entity: String, compare: KeyComparison, object: String = "object"
  ) throws(StageOmission) -> String {
    var parts: [String] = []
    for path in paths {
      if let relationship = model.property(path, of: entity)?.relationship, !relationship.isToMany {
        let isOptional = model.property(path, of: entity)?.isOptional == true
        parts.append(
          isSwiftData
            ? "\(object).\(SwiftName.escaped(path))\(isOptional ? "?" : "").persistentModelID"
            : "(\(object).value(forKey: \(SwiftDataTypes.literal(path))) as? NSManagedObject)?.objectID")
        continue
      }
      let read = try operand(path, of: entity, object: object)
      var expression = StageExpression(support)
      let value = expression.value(read)
      switch ExpressionType(read.type) {
      case .text?:
        switch compare {
        case .exact: parts.append(expression.call("part", arguments: value))
        case .trimmed: parts.append(expression.call("part", arguments: expression.call("trim", arguments: value)))
        case .casefolded:
          parts.append(expression.call("part", arguments: expression.call("casefolded", arguments: value)))
        case .normalized: parts.append(expression.call("canonical", arguments: value))
        }
      case .integer?, .real?, .date?:
        let number = ExpressionType(read.type) == .integer ? expression.call("real", arguments: value) : value
        // Whole numbers beyond 2^53 would be rounded as numbers.
        parts.append(ExpressionType(read.type) == .integer ? value : expression.call("part", arguments: number))
      case .boolean?, .uuid?, .bytes?, .null?, nil: parts.append(value)
      }
      support = expression.support
    }
    return "[\(parts.joined(separator: ", "))]"
  }

  private func set(_ name: String, to value: String, of object: String = "object") -> String {
    isSwiftData
      ? "\(object).\(SwiftName.escaped(name)) = \(value)"
      : "\(object).setValue(\(value), forKey: \(SwiftDataTypes.literal(name)))"
  }

  // MARK: Backfill

  mutating func backfill(_ item: Recipe.Backfill) throws(StageOmission) {
    let entity = try entity(item.entity).name
    let standard = side == "didMigrate" ? past.written(item.attribute, of: entity) : nil
    guard !item.attribute.contains(".") else {
      throw StageOmission("it is about a part of a composite attribute", advice: "write it by hand")
    }
    let property =
      try standard == nil
      ? target(item.attribute, of: entity) : property(item.attribute, of: entity, in: model)
    guard let attribute = property.attribute, attribute.type != .composite
    else { throw StageOmission("it is about a part of a composite attribute", advice: "write it by hand") }
    if isEnum(item.attribute, of: entity, in: version) {
      throw StageOmission("\(entity).\(item.attribute) is an enum of the app's own", advice: "write it by hand")
    }
    var expression = StageExpression(support)
    var values: [String] = []
    for source in item.sources {
      expression.support = support
      values.append(try value(source, of: item, entity: entity, attribute: attribute, expression: &expression))
      support = expression.support
    }
    let all = values.joined(separator: " ?? ")
    let value = expression.throwsErrors ? "try? \(values.count > 1 ? "(\(all))" : all)" : all
    let literal = standard.flatMap { expression.literal($0, as: attribute.type) }
    let condition = literal.map { isMissing(item.attribute, type: attribute.type, default: $0, of: entity) }
    lines.append("for object in \(objects(of: entity)) where \(condition ?? isNil(item.attribute)) {")
    let old = past.entities.indices.filter { all.contains("was\($0 + 1)?.") }
    for position in old {
      lines.append(
        "  let was\(position + 1) = \(past.className).shared.\(past.entities[position].variable)[\(key(of: "object"))]")
    }
    let hasLast = item.sources.contains { source in
      switch source {
      case .value, .generate(.now), .generate(.uuid), .generate(.default): true
      case .from, .expression, .group, .generate(.sequence): false
      }
    }
    if standard == nil || hasLast {
      lines += ["  " + set(item.attribute, to: value), "}"]
    } else {
      // What the step has written stays where there is no other value.
      // In Swift's classes the attribute tells the number's type.
      lines += [
        isSwiftData
          ? "  " + set(item.attribute, to: "(\(value)) ?? object.\(SwiftName.escaped(item.attribute))")
          : "  if let value = \(value) { \(set(item.attribute, to: "value")) }", "}",
      ]
    }
  }

  private mutating func value(
    _ source: Recipe.Backfill.Source, of item: Recipe.Backfill, entity: String, attribute: Attribute,
    expression: inout StageExpression
  ) throws(StageOmission) -> String {
    switch source {
    case .from(let path):
      let read = try operand(path, of: entity)
      expression.support = support
      return expression.fitted(read, to: attribute.type)
    case .expression(let given):
      var operands: [StageOperand] = []
      for path in given.paths { operands.append(try operand(path, of: entity)) }
      let checked: CheckedExpression
      do throws(ExpressionError) {
        checked = try given.checked { path throws(ExpressionError) in
          guard let index = given.paths.firstIndex(of: path), let type = ExpressionType(operands[index].type) else {
            throw ExpressionError(column: nil, "'\(path)' cannot be read")
          }
          return type
        }
      } catch { throw StageOmission(error.description, advice: "correct the recipe") }
      (expression.support, expression.operands) = (support, operands)
      let kind = StageExpression.kind(checked.type) ?? .text
      return expression.fitted(expression.swift(checked.root, as: kind), kind: kind, to: attribute.type)
    case .value(let constant):
      guard let stored = try? constant.storedValue(for: attribute.type),
        let literal = expression.literal(stored, as: attribute.type)
      else {
        throw StageOmission("'\(constant.text)' is no value of \(attribute.type.name)", advice: "correct the recipe")
      }
      return literal
    case .generate(.now):
      return "Date(timeIntervalSinceReferenceDate: now)"
    case .generate(.uuid): return attribute.type == .uuid ? "UUID()" : "UUID().uuidString"
    case .generate(.default):
      guard let stored = attribute.storedDefault, let literal = expression.literal(stored, as: attribute.type) else {
        throw StageOmission("the model's default value cannot be written as Swift", advice: "give it with 'value'")
      }
      return literal
    case .generate(.sequence):
      guard ExpressionType(attribute.type) == .integer else {
        throw StageOmission("numbers as texts are counted by rules of SQLite's", advice: "count them by hand")
      }
      let name = fresh("numbers")
      let read = try operand(item.attribute, of: entity)
      expression.support = support
      let present = expression.value(read)
      let type = expression.support.call("Numbers")
      support = expression.support
      lines.append(
        "let \(name) = \(type)(after: max(0, \(objects(of: entity)).compactMap { object in \(present) }.max() ?? 0))")
      expression.support = support
      return expression.fitted(
        expression.call("fitted", arguments: "\(name).next(), Int64.self", throws: true), kind: .integer,
        to: attribute.type)
    case .group(let names):
      let name = fresh("first")
      let key = try key(names, of: entity, compare: .exact)
      let read = try operand(item.attribute, of: entity, object: "\(name)[\(key)]" + (isSwiftData ? "?" : "?"))
      let first = support.call("first")
      lines.append(
        "let \(name) = \(first)(\(objects(of: entity)), having: { object in !(\(isNil(item.attribute))) }) { object in \(key) }"
      )
      expression.support = support
      return expression.fitted(read, to: attribute.type)
    }
  }

  // MARK: Relink

  mutating func relink(_ item: Recipe.Relink) throws(StageOmission) {
    let entity = try entity(item.entity).name
    guard case .match(let pairs) = item.source else {
      throw StageOmission(
        "objects show both sides of a one-to-one as equal", advice: "leave it to 'storedoctor repair'")
    }
    guard let relationship = try property(item.relationship, of: entity, in: model).relationship, !relationship.isToMany
    else {
      throw StageOmission(
        "lists of names that become links are not written yet", advice: "split the text, fetch by name, append")
    }
    _ = try target(item.relationship, of: entity)
    let inverse = relationship.inverse.flatMap { model.property($0, of: relationship.destination)?.relationship }
    guard inverse?.isToMany != false else {
      throw StageOmission(
        "one-to-one relationships are not written yet", advice: "link each object that is matched once")
    }
    guard model.root(of: relationship.destination)?.name != model.root(of: entity)?.name else {
      throw StageOmission(
        "an object could become its own ancestor, which is not looked for in Swift", advice: "write it by hand")
    }
    let name = fresh("found")
    let theirs = try key(pairs.map(\.destination), of: relationship.destination, compare: item.compare)
    let own = try key(pairs.map(\.own), of: entity, compare: item.compare)
    lines.append(
      "let \(name) = \(support.call("only"))(\(objects(of: relationship.destination))) { object in \(theirs) }")
    lines.append("for object in \(objects(of: entity)) where \(isNil(item.relationship)) {")
    lines += ["  " + set(item.relationship, to: "\(name)[\(own)]"), "}"]
  }

  // MARK: Dedupe

  mutating func dedupe(_ item: Recipe.Dedupe) throws(StageOmission) {
    let entity = try entity(item.entity).name
    var moves: [String] = []
    switch item.others {
    case .delete: break
    case .merge: moves = try self.moves(of: entity)
    case .rename:
      throw StageOmission("free names are not looked for in Swift yet", advice: "give each its number by hand")
    }
    let name = fresh("twins")
    let key = try key(item.by, of: entity, compare: item.compare)
    var order = "twins"
    switch item.keep {
    case .first: break
    case .last: order = "Array(twins.reversed())"
    case .newest(let attribute), .oldest(let attribute):
      let read = try operand(attribute, of: entity)
      var expression = StageExpression(support)
      let sign = if case .newest = item.keep { ">" } else { "<" }
      order = expression.call("sorted", arguments: "twins", "by: { object in \(expression.value(read)) }", sign)
      support = expression.support
    case .mostComplete, .mostLinked:
      throw StageOmission(
        "values and links are not counted in Swift yet", advice: "choose newest, oldest, first or last")
    }
    lines.append(
      "let \(name) = \(support.call("twins"))(\(objects(of: entity)), nullsAreEqual: \(item.nulls == .equal)) { object in \(key) }"
    )
    guard item.others == .merge else {
      lines.append("for twins in \(name) {")
      lines += ["  for object in \(order).dropFirst() { context.delete(object) }", "}"]
      return
    }
    // The order is settled first: values that are moved could change it.
    let merged = fresh("merged")
    lines.append("let \(merged) = \(order == "twins" ? name : "\(name).map { twins in \(order) }")")
    // An entity may have nothing that could be moved.
    if !moves.isEmpty {
      lines += ["for twins in \(merged) {", "  guard let kept = twins.first else { continue }"]
      lines += ["  for object in twins.dropFirst() {"] + moves.map { "    " + $0 } + ["  }", "}"]
    }
    // Saved in between, so that no delete rule takes what has been moved.
    lines += ["try context.save()", "for object in \(merged).flatMap({ $0.dropFirst() }) { context.delete(object) }"]
  }

  /// Moves to the object that stays the values and links that it lacks. Afterwards nothing leads from the other one, so
  /// that its delete rules take nothing with them.
  private mutating func moves(of entity: String) throws(StageOmission) -> [String] {
    guard model.subentities(of: entity).isEmpty else {
      throw StageOmission(
        "'\(entity)' has subentities, whose properties differ", advice: "merge the objects of each entity by hand")
    }
    if let (owner, name) = oneWayLink(to: entity) {
      throw StageOmission(
        "\(owner).\(name) leads to it without an inverse, so that its holders are not known",
        advice: "set it to the object that stays in every object of \(owner), then choose 'others: delete'")
    }
    var lines: [String] = []
    for property in model.properties(of: entity).values.map(\.property).sorted(by: { $0.name < $1.name }) {
      if isSwiftData, !SwiftName.isIdentifier(property.name) {
        throw StageOmission("'\(property.name)' is no name in Swift", advice: "write it by hand")
      }
      if let relationship = property.relationship {
        lines += try moves(of: property, relationship, of: entity)
      } else if let attribute = property.attribute, attribute.derivation == nil, !property.isTransient,
        property.isOptional || !isSwiftData
      {
        lines += filled(property.name, isMoved: isUnique(property.name, of: entity))
      }
    }
    return lines
  }

  /// A relationship without inverse whose objects may be of an entity.
  private func oneWayLink(to entity: String) -> (owner: String, name: String)? {
    for owner in model.entities {
      for property in owner.properties {
        guard let relationship = property.relationship, relationship.inverse == nil else { continue }
        if model.entity(entity, isKindOf: relationship.destination) { return (owner.name, property.name) }
      }
    }
    return nil
  }

  private func isUnique(_ property: String, of entity: String) -> Bool {
    ([entity] + model.ancestors(of: entity).map(\.name)).contains { name in
      model.entity(named: name)?.uniquenessConstraints.contains { $0.contains(property) } == true
    }
  }

  /// Gives the object that stays a value that it lacks.
  ///
  /// - Parameter isMoved: whether the other one loses it, as one that has to be unique.
  private func filled(_ name: String, isMoved: Bool = false) -> [String] {
    let value =
      isSwiftData ? "object.\(SwiftName.escaped(name))" : "object.value(forKey: \(SwiftDataTypes.literal(name)))"
    guard isMoved else { return ["if \(isNil(name, of: "kept")) { \(set(name, to: value, of: "kept")) }"] }
    return [
      "if \(isNil(name, of: "kept")) {", "  " + set(name, to: value, of: "kept"), "  " + set(name, to: "nil"), "}",
    ]
  }

  private mutating func moves(
    of property: Property, _ relationship: Relationship, of entity: String
  ) throws(StageOmission) -> [String] {
    let place = "\(entity).\(property.name)"
    guard model.root(of: relationship.destination)?.name != model.root(of: entity)?.name else {
      throw StageOmission(
        "\(place) leads to objects of its own table: merged ones could lead to themselves, which is not looked for in Swift",
        advice: "move these links by hand")
    }
    let inverse = relationship.inverse.flatMap { model.property($0, of: relationship.destination) }
    let isCounted = [relationship, inverse?.relationship].contains {
      ($0?.isToMany ?? false) && ($0?.minimumCount ?? 0) > 1
    }
    guard !isCounted, !relationship.isToMany || relationship.maximumCount == 0 else {
      throw StageOmission(
        "how many links \(place) may have is not counted in Swift", advice: "move these links by hand")
    }
    if inverse?.relationship?.isOrdered == true {
      throw StageOmission(
        "the other side of \(place) is ordered, and a link that moves would get the last place",
        advice: "move these links by hand"
      )
    }
    let key = SwiftDataTypes.literal(property.name)
    if relationship.isToMany {
      guard !isSwiftData else {
        let (name, list) = (SwiftName.escaped(property.name), support.call("list"))
        return [
          "for other in \(list)(object.\(name)) where !\(list)(kept.\(name)).contains(where: { $0 === other }) {",
          "  kept.\(name) = \(list)(kept.\(name)) + [other]", "}", "object.\(name) = []",
        ]
      }
      let links = relationship.isOrdered ? "mutableOrderedSetValue" : "mutableSetValue"
      return [
        "for other in object.\(links)(forKey: \(key)).\(relationship.isOrdered ? "array" : "allObjects") {",
        "  kept.\(links)(forKey: \(key)).add(other)", "}", "object.\(links)(forKey: \(key)).removeAllObjects()",
      ]
    }
    let isOneToOne = inverse?.relationship?.isToMany == false
    if isOneToOne, !property.isOptional || inverse?.isOptional == false {
      throw StageOmission(
        "\(place) is one-to-one and required, so that one of two partners would be left without",
        advice: "decide by hand")
    }
    guard property.isOptional else {
      // It stays in the object until that is deleted.
      guard relationship.deleteRule == .nullify || relationship.deleteRule == .noAction else {
        throw StageOmission(
          "\(place) is required, and its delete rule would take what it leads to", advice: "delete by hand")
      }
      return isSwiftData ? [] : filled(property.name)
    }
    return filled(property.name) + [set(property.name, to: "nil")]
  }

  // MARK: Junctions

  mutating func junction(_ item: Recipe.Junction) throws(StageOmission) {
    _ = try entity(item.entity)
    let names = item.from.split(separator: ".").map(String.init)
    guard names.count == 2, let links = try property(names[1], of: names[0], in: model).relationship, links.isToMany,
      let source = try property(item.source, of: item.entity, in: model).relationship,
      let destination = try property(item.destination, of: item.entity, in: model).relationship
    else { throw StageOmission("'\(item.from)' is not many-to-many", advice: "correct the recipe") }
    let lists = [source, destination].compactMap { end in
      end.inverse.flatMap { model.property($0, of: end.destination)?.relationship }
    }
    guard !lists.contains(where: \.isOrdered) else {
      throw StageOmission("the order of the links at both ends is not kept in Swift", advice: "write it by hand")
    }
    guard !isSwiftData else { return try swiftDataJunction(item, owner: names[0], relationship: names[1]) }
    let (made, first) = (fresh("links"), SwiftDataTypes.literal(item.source))
    let (second, entity) = (SwiftDataTypes.literal(item.destination), SwiftDataTypes.literal(item.entity))
    let ids =
      "[object.value(forKey: \(first)), object.value(forKey: \(second))].compactMap { ($0 as? NSManagedObject)?.objectID }"
    let link = SwiftDataTypes.literal(names[1])
    lines.append("var \(made) = Set<[NSManagedObjectID]>()")
    lines.append("for object in \(objects(of: item.entity)) {")
    lines += ["  \(made).insert(\(ids))", "}"]
    lines.append("for owner in \(objects(of: names[0])) {")
    lines.append(
      links.isOrdered
        ? "  let others = owner.mutableOrderedSetValue(forKey: \(link)).array.compactMap { $0 as? NSManagedObject }"
        : "  let others = owner.mutableSetValue(forKey: \(link)).allObjects.compactMap { $0 as? NSManagedObject }")
    let sorted = links.isOrdered ? "others" : "others.sorted(by: { \(key(of: "$0")) < \(key(of: "$1")) })"
    lines.append("  for other in \(sorted) where \(made).insert([owner.objectID, other.objectID]).inserted {")
    lines.append("    let object = NSEntityDescription.insertNewObject(forEntityName: \(entity), into: context)")
    lines += [
      "    object.setValue(owner, forKey: \(first))", "    object.setValue(other, forKey: \(second))", "  }", "}",
    ]
  }

  /// The same in SwiftData.
  private mutating func swiftDataJunction(
    _ item: Recipe.Junction, owner: String, relationship: String
  ) throws(StageOmission) {
    for name in [item.source, item.destination] { _ = try property(name, of: item.entity, in: model) }
    let ends = [item.source, item.destination].map { name in
      (name: SwiftName.escaped(name), isOptional: model.property(name, of: item.entity)?.isOptional == true)
    }
    let made = fresh("links")
    let ids = ends.map { "object.\($0.name)\($0.isOptional ? "?" : "").persistentModelID" }.joined(separator: ", ")
    let list = support.call("list")
    lines.append("var \(made) = Set<[PersistentIdentifier]>()")
    lines.append("for object in \(objects(of: item.entity)) {")
    lines += ["  \(made).insert([\(ids)].compactMap { $0 })", "}"]
    lines.append("for owner in \(objects(of: owner)) {")
    let others = "\(list)(owner.\(SwiftName.escaped(relationship)))"
    let isOrdered = model.property(relationship, of: owner)?.relationship?.isOrdered == true
    lines.append(
      isOrdered
        ? "  let others = \(others)"
        : "  let others = try \(others).map { (key: \(key(of: "$0")), object: $0) }.sorted { $0.key < $1.key }.map(\\.object)"
    )
    lines.append(
      "  for other in others where \(made).insert([owner.persistentModelID, other.persistentModelID]).inserted {")
    // As the macro makes one: an initializer of the class's own may ask for anything.
    let type = className(item.entity)
    lines.append("    let object = \(type)(backingData: \(type).createBackingData())")
    lines += [
      "    context.insert(object)", "    object.\(ends[0].name) = owner", "    object.\(ends[1].name) = other", "  }",
      "}",
    ]
  }
}
