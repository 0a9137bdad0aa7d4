import StoreJSON

extension Attribute {
  var jsonMembers: [(String, JSONValue?)] {
    [
      ("type", type.json), ("externalStorage", .whenTrue(allowsExternalStorage)),
      ("preservedAfterDeletion", .whenTrue(preservesValueInHistory)), ("indexed", .whenTrue(isIndexed)),
      ("valueClassName", .optional(valueClassName)), ("valueTransformerName", .optional(valueTransformerName)),
      ("default", defaultValue?.json), ("derivation", derivation?.json),
      ("elements", elements.map { .array($0.map(\.json)) }),
      ("validationPredicates", validationPredicates.isEmpty ? nil : .array(validationPredicates.map(\.json))),
      ("validationTexts", validationTexts?.json), ("locationComponents", .nonEmpty(locationComponents)),
    ]
  }

  init(_ members: JSONMembers) throws(JSONError) {
    self.init(
      type: try AttributeType(members.required("type")), allowsExternalStorage: try members.flag("externalStorage"),
      preservesValueInHistory: try members.flag("preservedAfterDeletion"), isIndexed: try members.flag("indexed"),
      valueClassName: try members.string("valueClassName"),
      valueTransformerName: try members.string("valueTransformerName"))
    locationComponents = try members.strings("locationComponents")
    if let place = members["default"] { defaultValue = try DefaultValue(place) }
    if let place = members["derivation"] { derivation = try Derivation(place) }
    if let place = members["validationTexts"] { validationTexts = try ValidationTexts(place) }
    for place in try members.elements("validationPredicates") { validationPredicates.append(try Predicate(place)) }
    guard let list = members["elements"] else { return }
    var elements: [Property] = []
    for place in try list.elements() { elements.append(try Property(attribute: place)) }
    self.elements = elements
  }
}

extension AttributeType {
  /// Xcode's name of the type, or its number if it has no name.
  fileprivate var json: JSONValue {
    AttributeType(named: name) == nil ? .integer(Int64(rawValue)) : .string(name)
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    if case .integer = place.value {
      self.init(rawValue: try place.integer())
      return
    }
    let name = try place.string()
    guard let type = AttributeType(named: name) else {
      throw place.error("'\(name)' is no attribute type; 'Integer 64', 'String' or 'Date' are, and so is a number")
    }
    self = type
  }
}

extension ValidationTexts {
  fileprivate var json: JSONValue {
    .object([
      ("minimum", .optional(minimum)), ("maximum", .optional(maximum)), ("pattern", .optional(pattern)),
    ])
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["minimum", "maximum", "pattern"])
    self.init(
      minimum: try members.string("minimum"), maximum: try members.string("maximum"),
      pattern: try members.string("pattern"))
  }
}

extension Derivation {
  fileprivate var json: JSONValue {
    .object([("expression", expression.json), ("filter", filter?.json)])
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["expression", "filter"])
    self.init(expression: try Expression(members.required("expression")))
    if let place = members["filter"] { filter = try Predicate(place) }
  }
}
