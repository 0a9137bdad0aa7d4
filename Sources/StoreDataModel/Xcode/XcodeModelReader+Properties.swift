extension XcodeModelReader {
  mutating func property(_ element: XMLElement, entity: String) throws(XcodeModelError) -> Property {
    let name = try XcodeFields(element, entity).requiredText("name")
    let fields = XcodeFields(element, "\(entity).\(name)")
    remember(fields)
    let knownBefore = unknown.count
    var property = Property(
      name: name, isOptional: try fields.flag("optional"), isTransient: try fields.flag("transient"),
      versionHashModifier: fields.text("versionHashModifier"), renamingIdentifier: fields.renaming(of: name),
      kind: .fetched(FetchedProperty()))
    let read: Set<String>
    switch element.name {
    case "relationship":
      property.kind = .relationship(try relationship(fields))
      read = Self.readOfRelationship
    case "fetchedProperty":
      // As in archives, every fetched property is transient and read-only.
      (property.isTransient, property.isReadOnly) = (true, true)
      property.kind = .fetched(try fetched(fields))
      read = Self.readOfProperty
    default:
      let attribute = try attribute(fields)
      property.isReadOnly = attribute.derivation != nil
      property.kind = .attribute(attribute)
      read = Self.readOfAttribute
    }
    note(fields, read: read, carried: Self.carried)
    let unused = unusedValues(fields, since: knownBefore)
    property.sourceFields = element.fields(without: unused.isEmpty ? read : read.subtracting(unused))
    try readChildren(of: fields, into: &property)
    return property
  }

  private static let readOfProperty: Set<String> = [
    "name", "optional", "transient", "versionHashModifier", "elementID", "renamingIdentifier",
  ]
  private static let readOfAttribute = readOfProperty.union([
    "attributeType", "allowsExternalBinaryDataStorage", "preserveAfterDeletion", "derived", "derivationExpression",
    "composite", "indexed", "customClassName", "valueTransformerName", "defaultValueString",
    "defaultDateTimeInterval", "minValueString", "maxValueString", "minDateTimeInterval", "maxDateTimeInterval",
    "regularExpressionString",
  ])
  private static let readOfRelationship = readOfProperty.union([
    "destinationEntity", "inverseName", "toMany", "minCount", "maxCount", "ordered", "deletionRule",
  ])
  private static let carried: Set<String> = [
    "syncable", "usesScalarValueType", "storedInTruthFile", "inverseEntity", "codeGenerationType",
  ]

  /// Attributes of this element that were read but have an unusable value.
  private func unusedValues(_ fields: XcodeFields, since start: Int) -> Set<String> {
    guard start < unknown.count else { return [] }
    return Set(
      unknown[start...].compactMap { entry in
        // An unreadable default is kept in the model.
        if case .value("deletionRule", _) = entry.item, entry.place == fields.place { "deletionRule" } else { nil }
      })
  }

  private mutating func readChildren(of fields: XcodeFields, into property: inout Property) throws(XcodeModelError) {
    for child in fields.element.children {
      switch (child.name, property.kind) {
      case ("userInfo", .attribute(var attribute)):
        property.userInfo = try userInfo(child, at: fields.place)
        if let list = property.userInfo["_NSLocationAttributeDerivedComponents"] {
          attribute.locationComponents = Attribute.locationComponents(list)
          property.kind = .attribute(attribute)
        }
      case ("userInfo", _): property.userInfo = try userInfo(child, at: fields.place)
      case ("fetchRequest", .fetched): break
      default: noteElement(child, in: fields.place)
      }
    }
  }

  // MARK: Relationships and fetched properties

  private mutating func relationship(_ fields: XcodeFields) throws(XcodeModelError) -> Relationship {
    let isToMany = try fields.flag("toMany")
    return Relationship(
      destination: fields.text("destinationEntity") ?? "", inverse: fields.text("inverseName"),
      // The default is 0, even for a required relationship.
      minimumCount: try fields.count("minCount", default: 0),
      maximumCount: try fields.count("maxCount", default: isToMany ? 0 : 1),
      isOrdered: try fields.flag("ordered"), deleteRule: deleteRule(fields))
  }

  private mutating func deleteRule(_ fields: XcodeFields) -> Relationship.DeleteRule {
    switch fields.text("deletionRule") {
    case nil, "Nullify"?: return .nullify
    case "Cascade"?: return .cascade
    case "Deny"?: return .deny
    case "No Action"?: return .noAction
    case let other?:
      note(.value(attribute: "deletionRule", other), at: fields)
      return .nullify
    }
  }

  private mutating func fetched(_ fields: XcodeFields) throws(XcodeModelError) -> FetchedProperty {
    guard let element = fields.element.children(named: "fetchRequest").first else { return FetchedProperty() }
    let request = try fetchRequest(element, in: fields.place)
    return FetchedProperty(entityName: request.entityName, predicate: request.predicate)
  }

  // MARK: Attributes

  private mutating func attribute(_ fields: XcodeFields) throws(XcodeModelError) -> Attribute {
    let type = try attributeType(fields)
    var attribute = Attribute(
      type: type, allowsExternalStorage: try fields.flag("allowsExternalBinaryDataStorage"),
      preservesValueInHistory: try fields.flag("preserveAfterDeletion"), isIndexed: try fields.flag("indexed"))
    let className = fields.text("customClassName")
    attribute.valueClassName = className == type.usualValueClassName ? nil : className
    attribute.valueTransformerName = fields.text("valueTransformerName")
    attribute.defaultValue = defaultValue(of: type, fields)
    readValidation(of: fields, into: &attribute)
    if try fields.flag("derived") {
      guard let text = fields.text("derivationExpression") else {
        throw fields.error("a derived attribute without 'derivationExpression'")
      }
      attribute.derivation = Derivation(expression: Expression(xcodeText: text))
    }
    if type == .composite { attribute.elements = try compositeElements(fields) }
    return attribute
  }

  private func attributeType(_ fields: XcodeFields) throws(XcodeModelError) -> AttributeType {
    guard let name = fields.text("attributeType") else { return .undefined }
    guard let type = AttributeType(named: name) else { throw fields.error("an attribute of unknown type '\(name)'") }
    return type
  }

  private mutating func compositeElements(_ fields: XcodeFields) throws(XcodeModelError) -> [Property] {
    let name = try fields.requiredText("composite")
    let element = try composites.enter(name, from: fields)
    defer { composites.leave(name) }
    var elements: [Property] = []
    for child in element.children {
      guard child.name == "attribute" else {
        noteElement(child, in: fields.place)
        continue
      }
      elements.append(try property(child, entity: fields.place))
    }
    if let twice = Self.firstDuplicate(elements.map(\.name)) {
      throw fields.error("composite '\(name)' has two elements '\(twice)'")
    }
    return elements
  }

  private static func firstDuplicate(_ names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }
}

/// The composites a model declares, and which of them are currently being read.
///
/// A composite may contain others. One that contains itself never ends, and a chain of forty, each containing the next
/// one twice, has 2⁴⁰ elements, so both are rejected.
struct XcodeComposites {
  private var declared: [String: XMLElement] = [:]
  private var open: Set<String> = []
  private var remaining = 100_000

  mutating func declare(_ elements: [XMLElement]) throws(XcodeModelError) {
    for element in elements {
      let name = try XcodeFields(element, "").requiredText("name")
      guard declared.updateValue(element, forKey: name) == nil else {
        throw XcodeModelError(place: "", position: element.position, message: "composite '\(name)' occurs twice")
      }
    }
  }

  mutating func enter(_ name: String, from fields: XcodeFields) throws(XcodeModelError) -> XMLElement {
    guard let element = declared[name] else { throw fields.error("composite '\(name)' is not in the model") }
    guard open.count < 64, !open.contains(name) else {
      throw fields.error("composite '\(name)' contains itself, or composites nest too deep")
    }
    remaining -= min(remaining, element.children.count + 1)
    guard remaining > 0 else { throw fields.error("composites expand beyond all bounds") }
    open.insert(name)
    return element
  }

  mutating func leave(_ name: String) { open.remove(name) }
}
