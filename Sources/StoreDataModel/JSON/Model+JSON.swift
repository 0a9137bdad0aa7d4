import StoreJSON

extension Model {
  /// The model in the format of `docs/schemas/model.json`, with the hash of each entity for information.
  package var json: JSONValue {
    let hashes = versionHashes.byEntity
    return .object([
      ("entities", .array(entities.map { $0.json(hash: hashes[$0.name]) })),
      ("configurations", configurations.isEmpty ? nil : .object(configurations.mapValues(JSONValue.strings))),
      ("versionIdentifiers", .nonEmpty(versionIdentifiers)),
      ("fetchRequests", fetchRequests.isEmpty ? nil : .array(fetchRequests.map(\.json))),
    ])
  }

  init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["entities", "configurations", "versionIdentifiers", "fetchRequests"])
    let places = try members.required("entities").elements()
    var entities: [Entity] = []
    for place in places { entities.append(try Entity(place)) }
    var configurations: [String: [String]] = [:]
    for (name, place) in try members["configurations"]?.entries() ?? [] { configurations[name] = try place.strings() }
    var fetchRequests: [FetchRequest] = []
    for place in try members.elements("fetchRequests") { fetchRequests.append(try FetchRequest(place)) }
    let versionIdentifiers = try members.strings("versionIdentifiers")
    do throws(ModelError) {
      self = try Model(
        entities: entities, configurations: configurations, versionIdentifiers: versionIdentifiers,
        fetchRequests: fetchRequests, keepsFaults: true)
    } catch {
      // If a name occurs twice, the error is reported at its last occurrence.
      let position = entities.lastIndex { $0.name == error.entity }
      throw (position.map { places[$0] } ?? place).error(error.description)
    }
    try checkHashes(zip(entities.map(\.name), places))
  }

  /// Checks the hash written beside each entity. The hash is always computed, so it is not needed; but a wrong one
  /// means that the model was edited and the hash was kept, or that two tools disagree about a rule. Either would
  /// mislead readers.
  private func checkHashes(_ entities: some Sequence<(String, JSONPlace)>) throws(JSONError) {
    let hashes = versionHashes.byEntity
    for (name, place) in entities {
      guard let stated = try place.members(Entity.names)["versionHash"], let hash = hashes[name] else { continue }
      guard try stated.string() == hash.description else {
        throw stated.error("the version hash of '\(name)' is \(hash); correct the entity, or leave the hash out")
      }
    }
  }
}

extension Entity {
  fileprivate static let names: Set<String> = [
    "name", "parent", "abstract", "className", "attributes", "relationships", "fetchedProperties",
    "uniquenessConstraints", "indexes", "compoundIndexes", "versionHashModifier", "renamingIdentifier", "userInfo",
    "sourceFields", "versionHash",
  ]

  /// The entity in the format of the schema, with its hash for information.
  package func json(hash: VersionHash?) -> JSONValue {
    .object([
      ("name", .string(name)), ("parent", .optional(parent)), ("abstract", .whenTrue(isAbstract)),
      ("className", .optional(className)),
      ("attributes", properties(where: { $0.attribute != nil })),
      ("relationships", properties(where: { $0.relationship != nil })),
      ("fetchedProperties", properties(where: \.isFetched)),
      ("uniquenessConstraints", .nonEmpty(uniquenessConstraints)),
      ("indexes", indexes.isEmpty ? nil : .array(indexes.map(\.json))),
      ("compoundIndexes", .nonEmpty(compoundIndexes)), ("versionHashModifier", .optional(versionHashModifier)),
      ("renamingIdentifier", .optional(renamingIdentifier)), ("userInfo", .nonEmpty(userInfo)),
      ("sourceFields", .nonEmpty(sourceFields)), ("versionHash", .optional(hash?.description)),
    ])
  }

  private func properties(where isWanted: (Property) -> Bool) -> JSONValue? {
    let wanted = properties.filter(isWanted)
    return wanted.isEmpty ? nil : .array(wanted.map(\.json))
  }

  /// Reads an entity of a document, without checking its hash.
  package init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(Self.names)
    self.init(
      name: try members.required("name").string(), parent: try members.string("parent"),
      isAbstract: try members.flag("abstract"), className: try members.string("className"),
      compoundIndexes: try members.lists("compoundIndexes"),
      versionHashModifier: try members.string("versionHashModifier"),
      renamingIdentifier: try members.string("renamingIdentifier"))
    uniquenessConstraints = try members.lists("uniquenessConstraints")
    userInfo = try members.texts("userInfo")
    sourceFields = try members.texts("sourceFields")
    takeRenamingIdentifier()
    for place in try members.elements("attributes") { properties.append(try Property(attribute: place)) }
    for place in try members.elements("relationships") { properties.append(try Property(relationship: place)) }
    for place in try members.elements("fetchedProperties") { properties.append(try Property(fetched: place)) }
    for place in try members.elements("indexes") { indexes.append(try FetchIndex(place)) }
  }
}

extension FetchIndex {
  fileprivate var json: JSONValue {
    .object([
      ("name", .string(name)), ("elements", .array(elements.map(\.json))),
      ("partialPredicate", partialPredicate?.json),
    ])
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["name", "elements", "partialPredicate"])
    self.init(name: try members.required("name").string(), elements: [])
    for place in try members.required("elements").elements() { elements.append(try Element(place)) }
    if let place = members["partialPredicate"] { partialPredicate = try Predicate(place) }
  }
}

extension FetchIndex.Element {
  fileprivate var json: JSONValue {
    .object([
      ("property", .string(propertyName)), ("expression", expression?.json), ("descending", .whenTrue(!isAscending)),
      ("rTree", .whenTrue(kind == .rTree)),
    ])
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["property", "expression", "descending", "rTree"])
    self.init(
      try members.required("property").string(), isAscending: try !members.flag("descending"),
      kind: try members.flag("rTree") ? .rTree : .binary)
    if let place = members["expression"] { expression = try Expression(place) }
  }
}

extension FetchRequest {
  fileprivate var json: JSONValue {
    .object([
      ("name", .string(name)), ("entity", .optional(entityName)), ("predicate", predicate?.json),
      ("sourceFields", .nonEmpty(sourceFields)),
    ])
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["name", "entity", "predicate", "sourceFields"])
    self.init(name: try members.required("name").string(), entityName: try members.string("entity"))
    if let place = members["predicate"] { predicate = try Predicate(place) }
    sourceFields = try members.texts("sourceFields")
  }
}

extension JSONValue {
  /// An object with text values; nil if empty.
  static func nonEmpty(_ texts: [String: String]) -> JSONValue? {
    texts.isEmpty ? nil : .object(texts.mapValues(JSONValue.string))
  }

  /// A list of lists of texts; nil if empty.
  static func nonEmpty(_ lists: [[String]]) -> JSONValue? {
    lists.isEmpty ? nil : .array(lists.map(JSONValue.strings))
  }
}

extension JSONMembers {
  fileprivate func lists(_ name: String) throws(JSONError) -> [[String]] {
    var result: [[String]] = []
    for place in try elements(name) { result.append(try place.strings()) }
    return result
  }
}
