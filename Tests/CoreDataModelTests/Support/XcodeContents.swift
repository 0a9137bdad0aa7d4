import CoreDataModel

/// A model in Xcode's form, for tests of its reader: every attribute that says something, none that has its default.
enum XcodeContents {
  static func write(_ model: Model) -> [UInt8] {
    var writer = Writer()
    let identifier = model.versionIdentifiers.first.map { ["userDefinedModelVersionIdentifier": $0] } ?? [:]
    writer.element("model", identifier.map { ($0.key, $0.value) }) { writer in
      for entity in model.entities { writer.write(entity) }
      for request in model.fetchRequests { writer.write(request) }
      for (name, members) in model.configurations.sorted(by: { $0.key < $1.key }) {
        writer.element("configuration", [("name", name)]) { writer in
          for member in members { writer.element("memberEntity", [("name", member)]) }
        }
      }
      writer.writeComposites()
    }
    return Array(writer.text.utf8)
  }
}

private struct Writer {
  typealias Fields = [(String, String?)]

  var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private var composites: [(name: String, elements: [Property])] = []

  mutating func element(_ name: String, _ fields: Fields, _ inside: (inout Writer) -> Void = { _ in }) {
    text += "<\(name)"
    for case (let field, let value?) in fields { text += " \(field)=\"\(Self.escaped(value))\"" }
    text += ">"
    inside(&self)
    text += "</\(name)>\n"
  }

  private static func escaped(_ value: String) -> String {
    value.unicodeScalars.map { scalar in
      switch scalar {
      case "&", "<", "\"", "\n", "\t", "\r": "&#\(scalar.value);"
      default: String(scalar)
      }
    }.joined()
  }

  // MARK: Entities

  mutating func write(_ entity: Entity) {
    element(
      "entity",
      [
        ("name", entity.name), ("parentEntity", entity.parent), ("isAbstract", entity.isAbstract ? "YES" : nil),
        ("representedClassName", entity.className), ("versionHashModifier", entity.versionHashModifier),
        ("renamingIdentifier", entity.renamingIdentifier),
      ]
    ) { writer in
      for property in entity.properties { writer.write(property, in: entity.name) }
      for index in entity.indexes { writer.write(index) }
      writer.write(entity.compoundIndexes, "compoundIndexes", "compoundIndex", "index")
      writer.write(entity.uniquenessConstraints, "uniquenessConstraints", "uniquenessConstraint", "constraint")
      writer.write(userInfo: entity.userInfo)
    }
  }

  private mutating func write(_ lists: [[String]], _ all: String, _ one: String, _ member: String) {
    guard !lists.isEmpty else { return }
    element(all, []) { writer in
      for list in lists {
        writer.element(one, []) { writer in
          for name in list { writer.element(member, [("value", name)]) }
        }
      }
    }
  }

  private mutating func write(_ index: FetchIndex) {
    element("fetchIndex", [("name", index.name)]) { writer in
      for element in index.elements {
        writer.element(
          "fetchIndexElement",
          [
            ("property", element.propertyName), ("type", element.kind == .rTree ? "RTree" : "Binary"),
            ("order", element.isAscending ? "ascending" : "descending"),
          ])
      }
    }
  }

  private mutating func write(userInfo: [String: String]) {
    guard !userInfo.isEmpty else { return }
    element("userInfo", []) { writer in
      for (key, value) in userInfo.sorted(by: { $0.key < $1.key }) {
        writer.element("entry", [("key", key), ("value", value)])
      }
    }
  }

  mutating func write(_ request: FetchRequest) {
    element(
      "fetchRequest",
      [
        ("name", request.name), ("entity", request.entityName),
        ("predicateString", request.predicate?.description),
      ])
  }

  mutating func writeComposites() {
    var written = 0
    while written < composites.count {
      let (name, elements) = composites[written]
      written += 1
      element("composite", [("name", name)]) { writer in
        for property in elements { writer.write(property, in: name) }
      }
    }
  }

  // MARK: Properties

  private mutating func write(_ property: Property, in place: String) {
    let common: Fields = [
      ("name", property.name), ("optional", property.isOptional ? "YES" : nil),
      ("versionHashModifier", property.versionHashModifier), ("renamingIdentifier", property.renamingIdentifier),
    ]
    let transient: Fields = [("transient", property.isTransient ? "YES" : nil)]
    switch property.kind {
    case .attribute(let attribute):
      let composite = attribute.elements.map { elements in
        composites.append(("\(place).\(property.name)", elements))
        return "\(place).\(property.name)"
      }
      let fields = common + transient + [("composite", composite)] + fields(of: attribute)
      element("attribute", fields) { $0.write(userInfo: property.userInfo) }
    case .relationship(let relationship):
      element("relationship", common + transient + fields(of: relationship)) { $0.write(userInfo: property.userInfo) }
    case .fetched(let fetched):
      element("fetchedProperty", common) { writer in
        var request = FetchRequest(name: "fetchedPropertyFetchRequest", entityName: fetched.entityName)
        request.predicate = fetched.predicate
        writer.write(request)
        writer.write(userInfo: property.userInfo)
      }
    }
  }

  private func fields(of attribute: Attribute) -> Fields {
    let value = defaultValue(attribute)
    let bounds = bounds(attribute)
    return [
      ("attributeType", attribute.type == .undefined ? nil : attribute.type.name),
      ("allowsExternalBinaryDataStorage", attribute.allowsExternalStorage ? "YES" : nil),
      ("preserveAfterDeletion", attribute.preservesValueInHistory ? "YES" : nil),
      ("indexed", attribute.isIndexed ? "YES" : nil), ("customClassName", attribute.valueClassName),
      ("valueTransformerName", attribute.valueTransformerName),
      (attribute.type == .date ? "defaultDateTimeInterval" : "defaultValueString", value),
      ("minValueString", bounds.minimum), ("maxValueString", bounds.maximum),
      ("regularExpressionString", bounds.pattern), ("derived", attribute.derivation == nil ? nil : "YES"),
      ("derivationExpression", attribute.derivation?.expression.description),
    ]
  }

  private func defaultValue(_ attribute: Attribute) -> String? {
    switch attribute.defaultValue {
    case nil, .data?, .object?: nil
    case .boolean(let value)?: value ? "YES" : "NO"
    case .integer(let value)?: String(value)
    case .real(let value)?, .date(let value)?: String(value)
    case .string(let text)?, .decimal(let text)?, .uri(let text)?: text
    case .uuid(let bytes)?:
      bytes.enumerated().map { index, byte in
        ([4, 6, 8, 10].contains(index) ? "-" : "") + hexadecimal([byte])
      }.joined()
    }
  }

  private func bounds(_ attribute: Attribute) -> ValidationTexts {
    var texts = attribute.validationTexts ?? ValidationTexts()
    for case .comparison(let rule) in attribute.validationPredicates {
      if rule.operator == .greaterThanOrEqual { texts.minimum = rule.right.description }
      if rule.operator == .lessThanOrEqual { texts.maximum = rule.right.description }
    }
    return texts
  }

  private func fields(of relationship: Relationship) -> Fields {
    let rules: [Relationship.DeleteRule: String] = [
      .noAction: "No Action", .nullify: "Nullify", .cascade: "Cascade", .deny: "Deny",
    ]
    let usual: Int32 = relationship.isToMany ? 0 : 1
    return [
      ("destinationEntity", relationship.destination), ("inverseName", relationship.inverse),
      ("toMany", relationship.isToMany ? "YES" : nil),
      ("minCount", relationship.minimumCount == 0 ? nil : String(relationship.minimumCount)),
      ("maxCount", relationship.maximumCount == usual ? nil : String(relationship.maximumCount)),
      ("ordered", relationship.isOrdered ? "YES" : nil), ("deletionRule", rules[relationship.deleteRule]),
    ]
  }
}
