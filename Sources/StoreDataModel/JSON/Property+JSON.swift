import StoreJSON

extension Property {
  private static let names: Set<String> = [
    "name", "optional", "transient", "readOnly", "versionHashModifier", "renamingIdentifier", "userInfo",
    "sourceFields",
  ]
  private static let namesOfAttribute = names.union([
    "type", "externalStorage", "preservedAfterDeletion", "indexed", "valueClassName", "valueTransformerName",
    "default", "derivation", "elements", "validationPredicates", "validationTexts", "locationComponents",
  ])
  private static let namesOfRelationship = names.union([
    "destination", "inverse", "minimumCount", "maximumCount", "ordered", "deleteRule",
  ])
  private static let namesOfFetched = names.union(["entity", "predicate"])

  /// The property in the list of its kind.
  var json: JSONValue {
    let common: [(String, JSONValue?)] = [
      ("name", .string(name)), ("optional", .whenTrue(isOptional)), ("transient", .whenTrue(isTransient)),
      ("readOnly", .whenTrue(isReadOnly)), ("versionHashModifier", .optional(versionHashModifier)),
      ("renamingIdentifier", .optional(renamingIdentifier)), ("userInfo", .nonEmpty(userInfo)),
      ("sourceFields", .nonEmpty(sourceFields)),
    ]
    return switch kind {
    case .attribute(let attribute): .object(common + attribute.jsonMembers)
    case .relationship(let relationship): .object(common + relationship.jsonMembers)
    case .fetched(let fetched):
      .object(common + [("entity", .optional(fetched.entityName)), ("predicate", fetched.predicate?.json)])
    }
  }

  init(attribute place: JSONPlace) throws(JSONError) {
    let members = try place.members(Self.namesOfAttribute)
    try self.init(members, .attribute(Attribute(members)))
  }

  init(relationship place: JSONPlace) throws(JSONError) {
    let members = try place.members(Self.namesOfRelationship)
    try self.init(members, .relationship(Relationship(members)))
  }

  init(fetched place: JSONPlace) throws(JSONError) {
    let members = try place.members(Self.namesOfFetched)
    var fetched = FetchedProperty(entityName: try members.string("entity"))
    if let place = members["predicate"] { fetched.predicate = try Predicate(place) }
    try self.init(members, .fetched(fetched))
  }

  private init(_ members: JSONMembers, _ kind: Kind) throws(JSONError) {
    self.init(
      name: try members.required("name").string(), isOptional: try members.flag("optional"),
      isTransient: try members.flag("transient"), isReadOnly: try members.flag("readOnly"),
      versionHashModifier: try members.string("versionHashModifier"),
      renamingIdentifier: try members.string("renamingIdentifier"), kind: kind)
    userInfo = try members.texts("userInfo")
    sourceFields = try members.texts("sourceFields")
    takeUnreadFields()
  }

  /// Documents of earlier storedoctor versions have Xcode's renaming identifier and unparsed defaults among the source
  /// fields; these are now parsed as in the XML.
  private mutating func takeUnreadFields() {
    takeRenamingIdentifier()
    guard case .attribute(var attribute) = kind else { return }
    for name in ["defaultDateTimeInterval", "defaultValueString"] {
      guard let text = sourceFields.removeValue(forKey: name), attribute.defaultValue == nil else { continue }
      attribute.defaultValue = XcodeText.defaultValue(text, of: attribute.type)
    }
    if case .decimal(let text)? = attribute.defaultValue, let digits = DecimalDigits(text), digits.fitsDecimal {
      attribute.defaultValue = .decimal(digits.shortest)
    }
    kind = .attribute(attribute)
  }
}

/// An entity or property with a renaming identifier.
protocol Renameable {
  var name: String { get }
  var renamingIdentifier: String? { get set }
  var sourceFields: [String: String] { get set }
}

extension Entity: Renameable {}
extension Property: Renameable {}

extension Renameable {
  /// Moves `elementID`, which is Xcode's renaming identifier, out of the source fields.
  mutating func takeRenamingIdentifier() {
    guard let identifier = sourceFields.removeValue(forKey: "elementID"), !identifier.isEmpty else { return }
    renamingIdentifier = identifier == name ? nil : identifier
  }
}

extension Relationship {
  private static let deleteRules: [DeleteRule] = [.noAction, .nullify, .cascade, .deny]

  fileprivate var jsonMembers: [(String, JSONValue?)] {
    [
      ("destination", .string(destination)), ("inverse", .optional(inverse)),
      ("minimumCount", minimumCount == 0 ? nil : .integer(Int64(minimumCount))),
      ("maximumCount", maximumCount == 0 ? nil : .integer(Int64(maximumCount))), ("ordered", .whenTrue(isOrdered)),
      ("deleteRule", deleteRule == .nullify ? nil : .string(deleteRule.description)),
    ]
  }

  fileprivate init(_ members: JSONMembers) throws(JSONError) {
    self.init(
      destination: try members.required("destination").string(), inverse: try members.string("inverse"),
      minimumCount: try Self.count(members["minimumCount"]), maximumCount: try Self.count(members["maximumCount"]),
      isOrdered: try members.flag("ordered"))
    if let place = members["deleteRule"] {
      let name = try place.string()
      guard let rule = Self.deleteRules.first(where: { $0.description == name }) else {
        throw place.error("'\(name)' is no delete rule; there are noAction, nullify, cascade and deny")
      }
      deleteRule = rule
    }
  }

  private static func count(_ place: JSONPlace?) throws(JSONError) -> Int32 {
    guard let place else { return 0 }
    return try place.integer()
  }
}
