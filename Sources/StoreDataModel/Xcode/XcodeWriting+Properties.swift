extension XcodeWriting {
  /// Writes a property; `owner` is its entity, or the composite it is an element of.
  mutating func write(_ property: Property, in owner: String) {
    let place = "\(owner).\(property.name)"
    let common: XMLText.Attributes = [
      ("name", property.name), ("optional", property.isOptional ? "YES" : nil),
      ("transient", property.isTransient && !property.isFetched ? "YES" : nil),
    ]
    let identity: XMLText.Attributes = [
      ("versionHashModifier", property.versionHashModifier), ("elementID", property.renamingIdentifier),
    ]
    switch property.kind {
    case .attribute(let attribute):
      if property.isReadOnly != (attribute.derivation != nil) { lose(place, what: Self.readOnly(property.isReadOnly)) }
      let said = common + attributes(of: attribute, named: property.name, at: place) + identity
      write("attribute", said: said, of: property, at: place)
    case .relationship(let relationship):
      if property.isReadOnly { lose(place, what: Self.readOnly(true)) }
      write("relationship", said: common + attributes(of: relationship, property) + identity, of: property, at: place)
    case .fetched(let fetched):
      if !property.isTransient || !property.isReadOnly { lose(place, what: "that it is stored, or not read-only") }
      var request = FetchRequest(name: "fetchedPropertyFetchRequest", entityName: fetched.entityName)
      request.predicate = fetched.predicate
      let said = withOwn(common + identity, of: property, at: place)
      xml.open("fetchedProperty", attributes: said)
      write(request, at: place)
      write(userInfo: property.userInfo)
      xml.close("fetchedProperty")
    }
  }

  private static func readOnly(_ isReadOnly: Bool) -> String {
    isReadOnly ? "the read-only mark" : "that it is derived but not read-only"
  }

  private mutating func write(_ element: String, said: XMLText.Attributes, of property: Property, at place: String) {
    let attributes = withOwn(said, of: property, at: place)
    let userInfo = property.userInfoWithComponents
    guard !userInfo.isEmpty else { return xml.empty(element, attributes: attributes) }
    xml.open(element, attributes: attributes)
    write(userInfo: userInfo)
    xml.close(element)
  }

  private mutating func withOwn(_ said: XMLText.Attributes, of property: Property, at place: String)
    -> XMLText.Attributes
  {
    // A field that was read but is not written has an unusable value; it is written back unchanged.
    let known = Set(said.filter { $0.value != nil }.map(\.name))
    return said + own(property.sourceFields, besides: known, at: place)
  }

  // MARK: Attributes

  private mutating func attributes(
    of attribute: Attribute, named name: String, at place: String
  ) -> XMLText.Attributes {
    let isComposite = attribute.type == .composite
    if isComposite != (attribute.elements != nil) {
      lose(
        place, what: isComposite ? "that the composite has no list of elements" : "the elements, as it is no composite")
    }
    let bounds = bounds(of: attribute, at: place)
    let isDate = attribute.type == .date
    let value = text(of: attribute.defaultValue, attribute.type, at: place)
    return [
      ("attributeType", typeName(attribute.type, at: place)),
      ("composite", isComposite ? composites.name(for: name, attribute.elements ?? []) : nil),
      ("customClassName", attribute.valueClassName), ("valueTransformerName", attribute.valueTransformerName),
      (isDate ? "defaultDateTimeInterval" : "defaultValueString", value),
      (isDate ? "minDateTimeInterval" : "minValueString", bounds.minimum),
      (isDate ? "maxDateTimeInterval" : "maxValueString", bounds.maximum),
      ("regularExpressionString", bounds.pattern),
      ("allowsExternalBinaryDataStorage", attribute.allowsExternalStorage ? "YES" : nil),
      ("preserveAfterDeletion", attribute.preservesValueInHistory ? "YES" : nil),
      ("indexed", attribute.isIndexed ? "YES" : nil), ("derived", attribute.derivation == nil ? nil : "YES"),
      ("derivationExpression", attribute.derivation.map { text(of: $0, at: place) }),
    ]
  }

  private mutating func typeName(_ type: AttributeType, at place: String) -> String? {
    guard AttributeType(named: type.name) != nil else {
      lose(place, what: "the type \(type.rawValue), for which Xcode has no name")
      return nil
    }
    return type == .undefined ? nil : type.name
  }

  private mutating func bounds(of attribute: Attribute, at place: String) -> ValidationTexts {
    let (texts, unsaid) = ValidationBounds.texts(
      for: attribute.validationPredicates, beside: attribute.validationTexts, type: attribute.type)
    for predicate in unsaid { lose(place, what: "the validation rule '\(predicate)'") }
    return texts
  }

  private mutating func text(of value: DefaultValue?, _ type: AttributeType, at place: String) -> String? {
    guard let value else { return nil }
    let text = XcodeText.text(of: value, type)
    if text == nil { lose(place, what: "the default value, \(value.shortDescription)") }
    return text
  }

  private mutating func text(of derivation: Derivation, at place: String) -> String {
    if let filter = derivation.filter { lose(place, what: "the filter '\(filter)' of the derivation") }
    let text = derivation.expression.xcodeText
    if Expression(xcodeText: text) != derivation.expression {
      lose(place, what: "the form of the expression '\(text)', kept as text")
    }
    return text
  }

  // MARK: Relationships

  private func attributes(of relationship: Relationship, _ property: Property) -> XMLText.Attributes {
    let usual: Int32 = relationship.isToMany ? 0 : -1
    return [
      ("toMany", relationship.isToMany ? "YES" : nil),
      ("minCount", relationship.minimumCount == 0 ? nil : String(relationship.minimumCount)),
      // Xcode always writes 1 for a to-one.
      ("maxCount", relationship.maximumCount == usual ? nil : String(relationship.maximumCount)),
      ("ordered", relationship.isOrdered ? "YES" : nil), ("deletionRule", Self.name(of: relationship.deleteRule)),
      ("destinationEntity", relationship.destination), ("inverseName", relationship.inverse),
      (
        "inverseEntity",
        relationship.inverse == nil ? nil : property.sourceFields["inverseEntity"] ?? relationship.destination
      ),
    ]
  }

  private static func name(of rule: Relationship.DeleteRule) -> String {
    switch rule {
    case .noAction: "No Action"
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    }
  }
}

extension Property {
  /// User info including the location components, which Xcode's XML stores there.
  fileprivate var userInfoWithComponents: [String: String] {
    let key = "_NSLocationAttributeDerivedComponents"
    guard let components = attribute?.locationComponents, !components.isEmpty, userInfo[key] == nil else {
      return userInfo
    }
    return userInfo.merging([key: components.joined(separator: ", ")]) { $1 }
  }
}

extension DefaultValue {
  /// The kind of value, for messages; only numbers are shown.
  var shortDescription: String {
    switch self {
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): "the whole number \(value)"
    case .real(let value): "the number \(value)"
    case .string: "a text"
    case .date: "a date"
    case .data(let bytes): "\(bytes.count) bytes"
    case .decimal(let digits): "the decimal number \(digits)"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .object(let className): "which is of class '\(className)'"
    case .unreadable: "a text that is no value of its type"
    }
  }
}
