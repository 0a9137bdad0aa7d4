import StoreWords
import StorePropertyLists

/// A model read from a keyed archive whose root is an `NSManagedObjectModel`: a store's model cache or a `.mom`.
///
/// Layout: the root's `NSEntities` is a dictionary of entity name to `NSEntityDescription`; each entity has a
/// dictionary of properties, in which inherited ones are listed again as copies or as `_NSPropertyDescriptionProxy`.
/// The archive is untrusted: objects may be shared, cyclic and of the wrong class, so all decoding is limited by one
/// budget and ends with a value or an error.
package enum ModelArchive {
  /// - Parameter archive: an archive whose root is a managed object model.
  /// - Throws: `ModelArchiveError` saying which object cannot be read.
  package static func model(from archive: KeyedArchive) throws(ModelArchiveError) -> Model {
    var reader = ModelArchiveReader(archive)
    return try reader.model(archive.root)
  }
}

/// Why an archive is not a usable model.
package struct ModelArchiveError: Error, Equatable, CustomStringConvertible {
  /// The entity or property concerned; empty for the whole archive.
  package var place: String
  /// The problem; lower case, no full stop.
  package var message: String

  /// The sentence shown to people.
  package var description: String { place.isEmpty ? message : "\(place): \(message)" }
}

/// Decodes one archive and counts the work, which shared objects could otherwise multiply.
struct ModelArchiveReader {
  /// The most objects and bytes of text that are decoded; the largest real cache (Photos, 88 entities) needs 400,000.
  private var budget = 6_000_000
  /// Cache of decoded texts by object: names and classes occur in every property.
  private var texts: [String?]
  let keys: ModelArchiveKeys
  private static let maximumDepth = 64

  init(_ archive: KeyedArchive) {
    texts = Array(repeating: nil, count: archive.count)
    keys = ModelArchiveKeys(archive)
  }

  mutating func spend(_ amount: Int, at place: String) throws(ModelArchiveError) {
    budget -= min(amount, budget)
    guard budget > 0 else { throw ModelArchiveError(place: place, message: "the archive expands beyond all bounds") }
  }

  mutating func text(_ object: KeyedArchive.Object?, at place: String) throws(ModelArchiveError) -> String? {
    guard let object, let text = text(of: object) else { return nil }
    try spend(text.utf8.count, at: place)
    return text
  }

  /// The text that an object has under a key.
  mutating func text(
    of object: KeyedArchive.Object, _ key: KeyedArchive.Key, place: String
  ) throws(ModelArchiveError) -> String? {
    guard let id = object.id(under: key) else { return nil }
    guard texts.indices.contains(id), let known = texts[id] else { return try text(object[key], at: place) }
    try spend(known.utf8.count, at: place)
    return known
  }

  private mutating func text(of object: KeyedArchive.Object) -> String? {
    guard texts.indices.contains(object.id) else { return object.string }
    if let known = texts[object.id] { return known }
    texts[object.id] = object.string
    return texts[object.id]
  }

  mutating func requiredText(
    of object: KeyedArchive.Object, _ key: KeyedArchive.Key, place: String
  ) throws(ModelArchiveError) -> String {
    guard let text = try text(of: object, key, place: place) else {
      throw ModelArchiveError(place: place, message: "\(key.name) is missing or not text")
    }
    return text
  }

  /// The elements of an array or set; none if the key is missing.
  mutating func elements(
    _ object: KeyedArchive.Object?, at place: String
  ) throws(ModelArchiveError) -> [KeyedArchive.Object] {
    guard let elements = object?.elements else { return [] }
    try spend(elements.count + 1, at: place)
    return elements
  }

  mutating func values(
    _ object: KeyedArchive.Object?, at place: String
  ) throws(ModelArchiveError) -> [(key: KeyedArchive.Object, value: KeyedArchive.Object)] {
    guard let entries = object?.entries else { return [] }
    try spend(entries.count + 1, at: place)
    return entries
  }
}

extension ModelArchiveReader {
  mutating func model(_ root: KeyedArchive.Object) throws(ModelArchiveError) -> Model {
    guard root.has(keys.entities) else {
      throw ModelArchiveError(
        place: "", message: "the archive holds \(root.className.map { "a '\($0)'" } ?? "no object"), not a model")
    }
    var described: [(name: String, object: KeyedArchive.Object)] = []
    for (_, object) in try values(root[keys.entities], at: "NSEntities") {
      described.append((try requiredText(of: object, keys.entityName, place: "an entity"), object))
    }
    var listed: [Entity] = []
    for (name, object) in described { listed.append(try entity(named: name, object)) }
    let versionIdentifiers = try texts(root[keys.versionIdentifiers], at: "NSVersionIdentifiers")
    let configurations = try configurations(root[keys.configurations])
    let fetchRequests = try fetchRequests(root[keys.fetchRequestTemplates])
    do throws(ModelError) {
      return try Model(
        entities: listed.withoutInheritedCopies, configurations: configurations,
        versionIdentifiers: versionIdentifiers, fetchRequests: fetchRequests, keepsFaults: true)
    } catch {
      throw ModelArchiveError(place: "", message: error.description)
    }
  }

  private mutating func texts(
    _ object: KeyedArchive.Object?, at place: String
  ) throws(ModelArchiveError) -> [String] {
    var result: [String] = []
    for element in try elements(object, at: place) {
      if let text = try text(element, at: place) { result.append(text) }
    }
    return result
  }

  private mutating func configurations(
    _ object: KeyedArchive.Object?
  ) throws(ModelArchiveError) -> [String: [String]] {
    var result: [String: [String]] = [:]
    for (key, value) in try values(object, at: "NSConfigurations") {
      guard let name = try text(key, at: "NSConfigurations") else { continue }
      var members: [String] = []
      for entity in try elements(value, at: name) {
        if let member = try text(entity[keys.entityName] ?? entity, at: name) { members.append(member) }
      }
      result[name] = members.sorted(by: codeUnitsPrecede)
    }
    return result
  }

  private mutating func fetchRequests(
    _ object: KeyedArchive.Object?
  ) throws(ModelArchiveError) -> [FetchRequest] {
    var result: [FetchRequest] = []
    for (key, value) in try values(object, at: "NSFetchRequestTemplates") {
      guard let name = try text(key, at: "NSFetchRequestTemplates") else { continue }
      var request = FetchRequest(name: name)
      request.entityName = try text(value[keys.entity]?[keys.entityName], at: name)
      request.predicate = try value[keys.predicate].flatMap { value throws(ModelArchiveError) in
        try predicate(value, at: name, depth: 0)
      }
      result.append(request)
    }
    return result
  }

  private mutating func entity(
    named name: String, _ object: KeyedArchive.Object
  ) throws(ModelArchiveError) -> Entity {
    var entity = Entity(name: name)
    entity.parent = try object[keys.superentity].flatMap { parent throws(ModelArchiveError) in
      try requiredText(of: parent, keys.entityName, place: name)
    }
    entity.isAbstract = object.boolean(keys.isAbstract) ?? false
    entity.className = try text(of: object, keys.classNameForEntity, place: name)
    entity.versionHashModifier = try text(of: object, keys.versionHashModifier, place: name)
    entity.renamingIdentifier = try renaming(object, of: name)
    entity.userInfo = try userInfo(object, at: name)
    for (_, value) in try values(object[keys.properties], at: name) {
      if let property = try property(value, entity: name, depth: 0) { entity.properties.append(property) }
    }
    for tuple in try elements(object[keys.uniqueTuples], at: name) {
      let names = try texts(tuple, at: name)
      if !names.isEmpty { entity.uniquenessConstraints.append(names) }
    }
    for compound in try elements(object[keys.compoundIndexes], at: name) {
      entity.compoundIndexes.append(try texts(compound, at: name))
    }
    for index in try elements(object[keys.fetchIndexDescriptions], at: name) {
      entity.indexes.append(try fetchIndex(index, entity: name))
    }
    return entity
  }

  private mutating func renaming(
    _ object: KeyedArchive.Object, of name: String
  ) throws(ModelArchiveError) -> String? {
    let identifier = try text(of: object, keys.renamingIdentifier, place: name)
    return identifier == name ? nil : identifier
  }

  private mutating func fetchIndex(
    _ object: KeyedArchive.Object, entity: String
  ) throws(ModelArchiveError) -> FetchIndex {
    var index = FetchIndex(name: try requiredText(of: object, keys.indexName, place: entity), elements: [])
    for element in try elements(object[keys.indexElements], at: entity) {
      let described = element[keys.indexedProperty]
      index.elements.append(
        FetchIndex.Element(
          try requiredText(of: element, keys.propertyName, place: "\(entity).\(index.name)"),
          expression: try described?[keys.expression].flatMap { value throws(ModelArchiveError) in
            try expression(value, at: "\(entity).\(index.name)", depth: 0)
          },
          isAscending: element.boolean(keys.ascending) ?? true,
          kind: FetchIndex.Element.Kind(rawValue: Int(element.integer(keys.fetchIndexElementType) ?? 0)) ?? .binary))
    }
    index.partialPredicate = try object[keys.partialIndexPredicate].flatMap { value throws(ModelArchiveError) in
      try predicate(value, at: "\(entity).\(index.name)", depth: 0)
    }
    return index
  }

  // MARK: Properties

  private mutating func property(
    _ listed: KeyedArchive.Object, entity: String, depth: Int
  ) throws(ModelArchiveError) -> Property? {
    // A `_NSPropertyDescriptionProxy` wraps the ancestor's property.
    let object = listed[keys.underlyingProperty] ?? listed
    try spend(32, at: entity)
    let name = try requiredText(of: object, keys.propertyName, place: entity)
    let place = "\(entity).\(name)"
    guard depth <= Self.maximumDepth else {
      throw ModelArchiveError(place: place, message: "composite attributes nest too deep")
    }
    var property = Property(
      name: name, isOptional: object.boolean(keys.isOptional) ?? false,
      isTransient: object.boolean(keys.isTransient) ?? false,
      isReadOnly: object.boolean(keys.isReadOnly) ?? false,
      versionHashModifier: try text(of: object, keys.versionHashModifier, place: place),
      renamingIdentifier: try renaming(object, of: name),
      kind: try kind(of: object, entity: entity, place, depth: depth))
    property.userInfo = try userInfo(object, at: place)
    return property
  }

  /// The user info with text values; other values, which only code can set, are left out.
  private mutating func userInfo(
    _ object: KeyedArchive.Object, at place: String
  ) throws(ModelArchiveError) -> [String: String] {
    var result: [String: String] = [:]
    for (key, value) in try values(object[keys.userInfo], at: place) {
      if let key = try text(key, at: place), let value = try text(value, at: place) { result[key] = value }
    }
    return result
  }

  private mutating func kind(
    of object: KeyedArchive.Object, entity: String, _ place: String, depth: Int
  ) throws(ModelArchiveError) -> Property.Kind {
    if object.has(keys.destinationEntityName) || object.has(keys.destinationEntity) {
      return .relationship(try relationship(object, at: place))
    }
    if object.has(keys.fetchRequest) { return .fetched(try fetched(object, at: place)) }
    guard let type = object.integer(keys.attributeType).flatMap(Int32.init(exactly:)) else {
      throw ModelArchiveError(
        place: place, message: "a property of class '\(object.className ?? "none")' without an attribute type")
    }
    return .attribute(
      try attribute(object, type: AttributeType(rawValue: type), entity: entity, place: place, depth: depth))
  }

  private mutating func relationship(
    _ object: KeyedArchive.Object, at place: String
  ) throws(ModelArchiveError) -> Relationship {
    var destination = try text(of: object, keys.destinationEntityName, place: place)
    if destination == nil { destination = try text(object[keys.destinationEntity]?[keys.entityName], at: place) }
    var inverse = try text(of: object, keys.inverseRelationshipName, place: place)
    if inverse == nil { inverse = try text(object[keys.inverseRelationship]?[keys.propertyName], at: place) }
    return Relationship(
      destination: destination ?? "", inverse: inverse,
      minimumCount: try count(of: object, keys.minCount, place: place),
      maximumCount: try count(of: object, keys.maxCount, place: place),
      isOrdered: object.boolean(keys.isOrdered) ?? false,
      deleteRule: Relationship.DeleteRule(rawValue: Int(object.integer(keys.deleteRule) ?? 1)) ?? .nullify)
  }

  private func count(
    of object: KeyedArchive.Object, _ key: KeyedArchive.Key, place: String
  ) throws(ModelArchiveError) -> Int32 {
    let value = object[key]?.integer ?? 0
    // The hash includes four bytes of it; -1 may be archived as a 32-bit or a 64-bit number.
    if let count = Int32(exactly: value) { return count }
    if let count = UInt32(exactly: value) { return Int32(bitPattern: count) }
    throw ModelArchiveError(place: place, message: "\(key.name) is \(value), which is no count")
  }

  private mutating func fetched(
    _ object: KeyedArchive.Object, at place: String
  ) throws(ModelArchiveError) -> FetchedProperty {
    FetchedProperty(
      entityName: try text(of: object, keys.fetchRequestEntityName, place: place),
      predicate: try object[keys.fetchRequest]?[keys.predicate].flatMap { value throws(ModelArchiveError) in
        try predicate(value, at: place, depth: 0)
      })
  }

  private mutating func attribute(
    _ object: KeyedArchive.Object, type: AttributeType, entity: String, place: String, depth: Int
  ) throws(ModelArchiveError) -> Attribute {
    let flags = object.integer(keys.flags) ?? 0
    var attribute = Attribute(
      type: type, allowsExternalStorage: flags & 4 != 0, preservesValueInHistory: flags & 16 != 0,
      isIndexed: object.boolean(keys.isIndexed) ?? false)
    let valueClassName = try text(of: object, keys.attributeValueClassName, place: place)
    attribute.valueClassName = valueClassName == type.usualValueClassName ? nil : valueClassName
    attribute.valueTransformerName = try text(of: object, keys.valueTransformerName, place: place)
    attribute.defaultValue = try object[keys.defaultValue].flatMap { value throws(ModelArchiveError) in
      try defaultValue(value, of: type, at: place)
    }
    for rule in try elements(object[keys.validationPredicates], at: place) {
      attribute.validationPredicates.append(try predicate(rule, at: place, depth: 0))
    }
    attribute.locationComponents = try locationComponents(object[keys.userInfo], at: place)
    if let derivation = object[keys.derivationExpression] {
      attribute.derivation = Derivation(
        expression: try expression(derivation, at: place, depth: 0),
        filter: try object[keys.filteringPredicate].flatMap { value throws(ModelArchiveError) in
          try predicate(value, at: place, depth: 0)
        })
    }
    if object.has(keys.compositeElements) {
      var elements: [Property] = []
      for element in try self.elements(object[keys.compositeElements], at: place) {
        if let property = try property(element, entity: place, depth: depth + 1) { elements.append(property) }
      }
      attribute.elements = elements
    }
    return attribute
  }

  /// "latitude, longitude" as text, or a list of names in older models (Photos).
  private mutating func locationComponents(
    _ userInfo: KeyedArchive.Object?, at place: String
  ) throws(ModelArchiveError) -> [String] {
    for (key, value) in try values(userInfo, at: place) {
      guard try text(key, at: place) == "_NSLocationAttributeDerivedComponents" else { continue }
      if let list = try text(value, at: place) {
        return Attribute.locationComponents(list)
      }
      return try texts(value, at: place)
    }
    return []
  }

  private mutating func defaultValue(
    _ object: KeyedArchive.Object, of type: AttributeType, at place: String
  ) throws(ModelArchiveError) -> DefaultValue? {
    if let text = try text(object, at: place) { return .string(text) }
    // Older compilers archived the default of a boolean as the number 0 or 1.
    if type == .boolean, let value = object.integer, 0...1 ~= value { return .boolean(value == 1) }
    if let value = object.boolean { return .boolean(value) }
    if let value = object.integer { return .integer(value) }
    if let value = object.real { return .real(value) }
    if let value = object.date { return .date(value) }
    if let value = object.data {
      try spend(value.count, at: place)
      return .data(value)
    }
    if let bytes = object["NS.uuidbytes"]?.data, bytes.count == 16 { return .uuid(bytes) }
    if let uri = try text(object["NS.relative"], at: place) { return .uri(uri) }
    return .object(className: object.className ?? "unknown")
  }
}

extension Attribute {
  /// The names in a text such as "latitude, longitude".
  static func locationComponents(_ list: String) -> [String] {
    list.split(separator: ",").map { String($0.drop { $0 == " " }) }
  }
}

extension [Entity] {
  /// The entities without the copies of inherited properties that an archive lists in every subentity.
  ///
  /// A copy that equals the nearest ancestor's property is inherited; one that differs is re-declared. Invalid
  /// inheritance is detected by ``Model``.
  fileprivate var withoutInheritedCopies: [Entity] {
    let names = Set(compactMap(\.parent))
    let parents = Dictionary(filter { names.contains($0.name) }.map { ($0.name, ListedProperties($0)) }) { one, _ in one
    }
    return map { entity in
      guard entity.parent != nil else { return entity }
      var own = entity
      own.properties.removeAll { property in
        var ancestor = entity.parent.flatMap { parents[$0] }
        for _ in 0..<Model.maximumInheritanceDepth {
          if let inherited = ancestor?[property.name] { return inherited == property }
          ancestor = ancestor?.parent.flatMap { parents[$0] }
        }
        return false
      }
      return own
    }
  }
}

/// The properties an archive lists for an entity that has subentities.
private struct ListedProperties {
  let parent: String?
  private let properties: [Property]
  private let positions: [String: Int]

  init(_ entity: Entity) {
    parent = entity.parent
    properties = entity.properties
    positions = Dictionary(properties.indices.map { [properties] in (properties[$0].name, $0) }) { one, _ in one }
  }

  subscript(name: String) -> Property? { positions[name].map { properties[$0] } }
}
