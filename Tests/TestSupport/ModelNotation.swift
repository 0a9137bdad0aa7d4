import StoreDataModel

/// The short notation of models in `migration-cases.json`, for tests that show both versions of a model in a few lines.
///
/// `Name<Parent flags: property; property`; an attribute is `name Type?=default flags`, a relationship
/// `name ->Dest?~inverse flags` or `->>` to many; without `?` it is required. Flags of an entity: `abstract`,
/// `was(Old)`, `mod(x)`, `unique(a,b)`, `class(K)`, `index(a)`; of a property: `transient`, `ext`, `keep`, `was(old)`,
/// `mod(x)`, `derived(text)`, `of(leaf Type?,…)`, `min(n)`, `max(n)`, `transformer(T)`, `ordered`, `delete(rule)`.
package enum ModelNotation {
  /// A mistake in the notation.
  package struct Mistake: Error { var text: String }

  /// A model from lines, one for each entity.
  package static func model(_ lines: [String]) throws -> Model { try Model(entities: lines.map(entity)) }

  private static func entity(_ line: String) throws -> Entity {
    let colon = line.firstIndex(of: ":") ?? line.endIndex
    let words = tokens(line[..<colon], at: " ")
    let names = words[0].split(separator: "<").map(String.init)
    var entity = Entity(name: names[0], parent: names.count > 1 ? names[1] : nil)
    for word in words.dropFirst() {
      let (flag, value) = flag(word)
      switch flag {
      case "abstract": entity.isAbstract = true
      case "was": entity.renamingIdentifier = value
      case "mod": entity.versionHashModifier = value
      case "unique": entity.uniquenessConstraints.append(value.split(separator: ",").map(String.init))
      case "class": entity.className = value
      case "index": entity.indexes.append(FetchIndex(name: "by_" + value, elements: [.init(value)]))
      default: throw Mistake(text: word)
      }
    }
    guard colon < line.endIndex else { return entity }
    entity.properties = try tokens(line[line.index(after: colon)...], at: ";").map(property)
    return entity
  }

  private static func property(_ text: String) throws -> Property {
    let words = tokens(text[...], at: " ")
    guard words.count >= 2 else { throw Mistake(text: text) }
    var property = Property(name: words[0], kind: .fetched(FetchedProperty()))
    if words[1].hasPrefix("->") {
      try readRelationship(words, into: &property)
    } else {
      try readAttribute(words, into: &property)
    }
    return property
  }

  private static func readRelationship(_ words: [String], into property: inout Property) throws {
    let isToMany = words[1].hasPrefix("->>")
    let parts = words[1].dropFirst(isToMany ? 3 : 2).split(separator: "~").map(String.init)
    property.isOptional = parts[0].hasSuffix("?")
    var relationship = Relationship(
      destination: parts[0].replacing("?", with: ""), inverse: parts.count > 1 ? parts[1] : nil,
      maximumCount: isToMany ? 0 : 1)
    for word in words.dropFirst(2) {
      let (flag, value) = flag(word)
      switch (flag, value) {
      case ("ordered", _): relationship.isOrdered = true
      case ("was", _): property.renamingIdentifier = value
      case ("mod", _): property.versionHashModifier = value
      case ("delete", "cascade"): relationship.deleteRule = .cascade
      case ("delete", "nullify"): relationship.deleteRule = .nullify
      case ("min", _): relationship.minimumCount = Int32(value) ?? 0
      case ("max", _): relationship.maximumCount = Int32(value) ?? 0
      default: throw Mistake(text: word)
      }
    }
    property.kind = .relationship(relationship)
  }

  private static func readAttribute(_ words: [String], into property: inout Property) throws {
    let parts = words[1].split(separator: "=", maxSplits: 1).map(String.init)
    property.isOptional = parts[0].hasSuffix("?")
    guard let type = types[parts[0].replacing("?", with: "")] else { throw Mistake(text: words[1]) }
    var attribute = Attribute(type: type)
    if parts.count > 1 { attribute.defaultValue = defaultValue(parts[1], type) }
    for word in words.dropFirst(2) {
      let (flag, value) = flag(word)
      switch flag {
      case "transient": property.isTransient = true
      case "ext": attribute.allowsExternalStorage = true
      case "keep": attribute.preservesValueInHistory = true
      case "was": property.renamingIdentifier = value
      case "mod": property.versionHashModifier = value
      case "transformer": attribute.valueTransformerName = value
      case "max": attribute.validationTexts = ValidationTexts(maximum: value)
      case "of": attribute.elements = try tokens(value[...], at: ",").map(self.property)
      case "derived":
        attribute.derivation = Derivation(expression: .text(value))
        property.isReadOnly = true
      default: throw Mistake(text: word)
      }
    }
    property.kind = .attribute(attribute)
  }

  private static func defaultValue(_ text: String, _ type: AttributeType) -> DefaultValue {
    switch type {
    case .string: .string(text.replacing("\"", with: ""))
    case .double, .float: .real(Double(text) ?? 0)
    case .boolean: .boolean(text == "1")
    case .decimal: .decimal(text)
    default: .integer(Int64(text) ?? 0)
    }
  }

  private static let types: [String: AttributeType] = [
    "I16": .integer16, "I32": .integer32, "I64": .integer64, "Decimal": .decimal, "Double": .double, "Float": .float,
    "String": .string, "Bool": .boolean, "Date": .date, "Binary": .binary, "UUID": .uuid, "URI": .uri,
    "Transformable": .transformable, "Composite": .composite,
  ]

  /// "was(old)" as "was" and "old".
  private static func flag(_ word: String) -> (String, String) {
    guard let open = word.firstIndex(of: "("), word.hasSuffix(")") else { return (word, "") }
    return (String(word[..<open]), String(word[word.index(after: open)...].dropLast()))
  }

  /// The parts between separators outside parentheses, trimmed; empty ones are left out.
  private static func tokens(_ text: Substring, at separator: Character) -> [String] {
    var pieces = [""]
    var depth = 0
    for character in text {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == separator && depth == 0 { pieces.append("") } else { pieces[pieces.count - 1].append(character) }
    }
    return pieces.map { piece in
      String(piece.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }.filter { !$0.isEmpty }
  }
}
