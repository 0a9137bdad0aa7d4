import StoreWords
import StoreDataModel
import StoreJSON

extension SourceSchema {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("place", place.json), ("origin", .string(origin.rawValue)),
      ("identifier", identifier.json), ("listProblem", .optional(listProblem)),
      ("listDoubtful", .whenTrue(isListDoubtful)),
      ("entities", .list(entities.map(\.json))),
    ])
  }

  /// - Parameter known: the entities that are meant by their numbers.
  init(_ place: JSONPlace, known: [SourceEntity]) throws(JSONError) {
    let members = try place.members([
      "name", "place", "origin", "identifier", "listProblem", "listDoubtful", "entities",
    ])
    self.init(
      name: try members.required("name").string(), place: try members.place(), origin: try members.word("origin"),
      identifier: try Identifier(members.required("identifier")), listProblem: try members.string("listProblem"))
    isListDoubtful = try members.flag("listDoubtful")
    for place in try members.elements("entities") {
      guard case .integer = place.value else {
        entities.append(try SourceEntity(place))
        continue
      }
      let number: Int = try place.integer()
      guard known.indices.contains(number) else { throw place.error("no entity has this number") }
      entities.append(known[number])
    }
  }
}

extension SourceSchema.Identifier {
  /// An empty object where nothing is said.
  fileprivate var json: JSONValue {
    switch self {
    case .stated(let text): .object([("stated", .string(text))])
    case .left: .object([:])
    case .unknown(let reason): .object([("unknown", .string(reason))])
    }
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["stated", "unknown"])
    if let text = try members.string("stated") {
      self = .stated(text)
    } else {
      self = try members.string("unknown").map { .unknown($0) } ?? .left
    }
  }
}

extension SourceEntity {
  var json: JSONValue {
    .object([
      ("className", .string(className)), ("place", place.json), ("listed", .whenTrue(isListed)),
      ("variants", .list(variants.map(\.json))), ("openRules", .nonEmpty(openRules.map(\.rawValue))),
      (
        "openProperties",
        openProperties.isEmpty
          ? nil
          : .object(
            Dictionary(uniqueKeysWithValues: openProperties.map { ($0.rawValue, JSONValue.strings($1)) }))
      ),
      ("unmeasured", .nonEmpty(unmeasured.map(\.rawValue))), ("assumed", .nonEmpty(assumed)),
      ("reasons", .list(reasons.map(\.json))),
      ("propertyPlaces", propertyPlaces.isEmpty ? nil : .object(propertyPlaces.mapValues(\.json))),
      ("enums", details.enums.isEmpty ? nil : .object(details.enums.mapValues(\.json))),
      ("initialValues", details.initialValues.isEmpty ? nil : .object(details.initialValues.mapValues { .string($0) })),
      ("options", details.options.isEmpty ? nil : .object(details.options.mapValues { .strings($0) })),
      ("lists", details.lists.isEmpty ? nil : .object(details.lists.mapValues { .string($0) })),
      ("uniqueMacro", .optional(details.hasUniqueMacro)),
    ])
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members([
      "className", "place", "listed", "variants", "openRules", "openProperties", "unmeasured", "assumed", "reasons",
      "propertyPlaces", "enums",
      "initialValues", "options", "lists", "uniqueMacro",
    ])
    var variants: [Variant] = []
    for place in try members.required("variants").elements() { variants.append(try Variant(place)) }
    guard !variants.isEmpty else { throw place.error("an entity without a variant") }
    self.init(
      className: try members.required("className").string(), place: try members.place(),
      isListed: try members.flag("listed"), variants: variants, openRules: try members.words("openRules"),
      unmeasured: try members.words("unmeasured"))
    for (name, place) in try members["openProperties"]?.entries() ?? [] {
      guard let rule = OpenRule(rawValue: name) else { throw place.error("'\(name)' is not known") }
      openProperties[rule] = try place.strings()
    }
    assumed = try members.strings("assumed")
    for place in try members.elements("reasons") { reasons.append(try Reason(place)) }
    for (name, place) in try members["propertyPlaces"]?.entries() ?? [] {
      propertyPlaces[name] = try SourcePlace(place)
    }
    for (name, place) in try members["enums"]?.entries() ?? [] { details.enums[name] = try SwiftDataEnum(place) }
    for (name, place) in try members["initialValues"]?.entries() ?? [] {
      details.initialValues[name] = try place.string()
    }
    for (name, place) in try members["lists"]?.entries() ?? [] { details.lists[name] = try place.string() }
    details.hasUniqueMacro = try members["uniqueMacro"]?.bool()
    for (name, place) in try members["options"]?.entries() ?? [] {
      var options: [String] = []
      for option in try place.elements() { options.append(try option.string()) }
      details.options[name] = options
    }
  }
}

extension SourceEntity.Variant {
  fileprivate var json: JSONValue {
    .object([
      ("choices", .nonEmpty(choices)), ("fromFramework", .optional(frameworks.from.map { Int64($0) })),
      ("belowFramework", .optional(frameworks.below.map { Int64($0) })),
      ("entity", entity.json(hash: hash)),
    ])
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["choices", "fromFramework", "belowFramework", "entity"])
    let entity = try members.required("entity")
    var read = try Entity(entity)
    // The document has attributes and relationships apart.
    read.properties.sort { codeUnitsPrecede($0.name, $1.name) }
    self.init(
      choices: try members.strings("choices"),
      frameworks: FrameworkRange(
        from: try members["fromFramework"]?.integer(), below: try members["belowFramework"]?.integer()),
      entity: read, hash: try Self.hash(beside: entity))
  }

  private static func hash(beside entity: JSONPlace) throws(JSONError) -> VersionHash? {
    guard let place = try entity.entries().first(where: { $0.name == "versionHash" })?.place else { return nil }
    guard let hash = VersionHash(hexadecimal: try place.string()) else {
      throw place.error("64 hex digits are expected")
    }
    return hash
  }
}

extension SourceEntity.Reason {
  fileprivate var json: JSONValue {
    .object([
      ("property", .optional(property)), ("type", .optional(type)), ("message", .string(message)),
      ("remedy", .optional(remedy)), ("doubt", .whenTrue(isDoubt)), ("place", place?.json),
    ])
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["property", "type", "message", "remedy", "doubt", "place"])
    self.init(
      property: try members.string("property"), type: try members.string("type"),
      try members.required("message").string(), remedy: try members.string("remedy"),
      isDoubt: try members.flag("doubt"), place: try members.optionalPlace())
  }
}

extension SwiftDataEnum {
  fileprivate var json: JSONValue {
    .object([
      ("name", .string(qualifiedName)), ("rawType", .optional(rawType)), ("conformances", .nonEmpty(conformances)),
      ("cases", .strings(cases)), ("initialCase", .optional(initialCase)),
    ])
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["name", "rawType", "conformances", "cases", "initialCase"])
    self.init(
      qualifiedName: try members.required("name").string(), rawType: try members.string("rawType"),
      conformances: try members.strings("conformances"), cases: try members.strings("cases"),
      initialCase: try members.string("initialCase"))
  }
}
