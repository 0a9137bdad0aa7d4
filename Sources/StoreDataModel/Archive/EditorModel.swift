import StorePropertyLists

/// A model as archived by Xcode's editor in the mapping models it writes, as far as it enters version hashes.
///
/// Layout, seen in 10 such models of 2 projects: the root is an `XDPMModel`; its `_xd_rootPackage` has a dictionary of
/// name to `XDPMEntity`, each with a dictionary of name to `XDPMAttribute` or `XDPMRelationship`. The settings of each
/// are in its stereotypes: dictionaries of name to an object with a `_default`.
///
/// ```
/// XDPMAttribute 'rating'  XD_PPSK_isOptional false, XD_PAttK_attributeType 100, XD_PAttK_maxValueString null, ...
/// ```
struct EditorModel {
  /// The model with names, types, options, counts and constraints, but without defaults and validation, which are not
  /// hashed.
  let model: Model
  /// Settings with a value that are not known here and may affect hashes; one sentence each.
  let unread: [String]

  /// - Throws: `ModelArchiveError` if it is neither such a model nor a compiled one.
  init(_ bytes: [UInt8]) throws(ModelArchiveError) {
    let archive: KeyedArchive
    do {
      archive = try KeyedArchive(bytes)
    } catch {
      throw ModelArchiveError(place: "", message: error.description)
    }
    guard archive.root.className == "XDPMModel" else {
      model = try ModelArchive.model(from: archive)
      unread = []
      return
    }
    var reader = EditorModelReader(archive)
    model = try reader.model(archive.root)
    unread = reader.unread
  }
}

private struct EditorModelReader {
  private var archive: ModelArchiveReader
  private(set) var unread: [String] = []
  private static let mostUnread = 20

  /// Settings that are not hashed and therefore ignored.
  private static let notHashed: Set<String> = [
    "XDPMCompoundIndexes", "XD_PSK_classMapping", "XD_PSK_elementID", "XD_PSK_entityClassName",
    "XD_PSK_fetchRequestsArray", "XD_PSK_userInfo", "XD_PPSK_elementID", "XD_PPSK_isIndexed",
    "XD_PPSK_isSpotlightIndexed", "XD_PPSK_isStoredInTruthFile", "XD_PPSK_userInfo", "XD_PAttK_defaultValueAsString",
    "XD_PAttK_maxValueString", "XD_PAttK_minValueString", "XD_PAttK_regularExpressionString",
    "XD_PAttK_valueTransformerName", "XD_PRK_deleteRule",
  ]

  init(_ archive: KeyedArchive) { self.archive = ModelArchiveReader(archive) }

  mutating func model(_ root: KeyedArchive.Object) throws(ModelArchiveError) -> Model {
    guard let package = root["_xd_rootPackage"] else {
      throw ModelArchiveError(place: "", message: "'_xd_rootPackage' is missing")
    }
    var entities: [Entity] = []
    for (key, object) in try archive.values(package["XDBucketForClassesstorage"], at: "the package") {
      guard let name = try archive.text(key, at: "an entity") else { continue }
      entities.append(try entity(named: name, object))
    }
    do throws(ModelError) {
      return try Model(entities: entities)
    } catch {
      throw ModelArchiveError(place: "", message: error.description)
    }
  }

  private mutating func entity(
    named name: String, _ object: KeyedArchive.Object
  ) throws(ModelArchiveError) -> Entity {
    var fields = try fields(of: object, name)
    var entity = Entity(name: name, isAbstract: flag(fields.removeValue(forKey: "XD_PSK_isAbstract")))
    let general = try archive.elements(object["XDBucketForGeneralizationsstorage"], at: name).first?["_general"]
    entity.parent = try archive.text(general?["_name"], at: name)
    entity.versionHashModifier = try archive.text(fields.removeValue(forKey: "XD_PSK_versionHashModifier"), at: name)
    for constraint in try archive.elements(fields.removeValue(forKey: "XDPMUniquenessConstraints"), at: name) {
      var properties: [String] = []
      for property in try archive.elements(constraint, at: name) {
        if let text = try archive.text(property, at: name) { properties.append(text) }
      }
      if !properties.isEmpty { entity.uniquenessConstraints.append(properties) }
    }
    note(fields, of: name)
    for (key, property) in try archive.values(object["XDBucketForOwnedAttributesstorage"], at: name) {
      guard let propertyName = try archive.text(key, at: name) else { continue }
      entity.properties.append(try self.property(named: propertyName, property, of: name))
    }
    return entity
  }

  private mutating func property(
    named name: String, _ object: KeyedArchive.Object, of entity: String
  ) throws(ModelArchiveError) -> Property {
    let place = "\(entity).\(name)"
    var fields = try fields(of: object, place)
    var property = Property(
      name: name, isOptional: flag(fields.removeValue(forKey: "XD_PPSK_isOptional")),
      isTransient: flag(fields.removeValue(forKey: "XD_PPSK_isTransient")),
      versionHashModifier: try archive.text(fields.removeValue(forKey: "XD_PPSK_versionHashModifier"), at: place),
      kind: .fetched(FetchedProperty()))
    switch object.className {
    case "XDPMAttribute": property.kind = .attribute(try attribute(&fields, at: place))
    case "XDPMRelationship": property.kind = .relationship(try relationship(&fields, at: place))
    case "XDPMFetchedProperty": (property.isTransient, property.isReadOnly) = (true, true)
    case let other: note("a '\(other ?? "property without a class")'", at: place)
    }
    if flag(object["_isDerived"]) { note("that it is derived", at: place) }
    note(fields, of: place)
    return property
  }

  private mutating func attribute(
    _ fields: inout [String: KeyedArchive.Object], at place: String
  ) throws(ModelArchiveError) -> Attribute {
    guard let number = fields.removeValue(forKey: "XD_PAttK_attributeType")?.integer, let type = Int32(exactly: number)
    else { throw ModelArchiveError(place: place, message: "XD_PAttK_attributeType is missing or no number") }
    return Attribute(
      type: AttributeType(rawValue: type),
      allowsExternalStorage: flag(fields.removeValue(forKey: "XD_PAttK_allowsExternalBinaryDataStorage")))
  }

  private mutating func relationship(
    _ fields: inout [String: KeyedArchive.Object], at place: String
  ) throws(ModelArchiveError) -> Relationship {
    let destination = fields.removeValue(forKey: "XD_PRK_destination")
    guard let name = try archive.text(destination?["_name"], at: place) else {
      throw ModelArchiveError(place: place, message: "XD_PRK_destination is missing or has no name")
    }
    let isToMany = flag(fields.removeValue(forKey: "XD_PRK_isToMany"))
    let inverse = fields.removeValue(forKey: "XD_PRK_inverseRelationship")
    return Relationship(
      destination: name, inverse: try archive.text(inverse?["_name"], at: place),
      minimumCount: count(fields.removeValue(forKey: "XD_PRK_minCount")) ?? 0,
      maximumCount: count(fields.removeValue(forKey: "XD_PRK_maxCount")) ?? (isToMany ? 0 : 1),
      isOrdered: flag(fields.removeValue(forKey: "XD_PRK_ordered")))
  }

  // MARK: Stereotypes

  /// The settings of an entity or property, by name; null ones are left out.
  private mutating func fields(
    of object: KeyedArchive.Object, _ place: String
  ) throws(ModelArchiveError) -> [String: KeyedArchive.Object] {
    var fields: [String: KeyedArchive.Object] = [:]
    for (_, stereotype) in try archive.values(object["XDBucketForStereotypesstorage"], at: place) {
      for (key, value) in try archive.values(stereotype["XDBucketForOwnedAttributesstorage"], at: place) {
        guard let name = try archive.text(key, at: place), let value = value["_default"] else { continue }
        fields[name] = value
      }
    }
    return fields
  }

  private func flag(_ object: KeyedArchive.Object?) -> Bool { object?.boolean ?? (object?.integer ?? 0 != 0) }

  private func count(_ object: KeyedArchive.Object?) -> Int32? { object?.integer.flatMap { Int32(exactly: $0) } }

  private mutating func note(_ fields: [String: KeyedArchive.Object], of place: String) {
    for (name, value) in fields.sorted(by: { $0.key < $1.key })
    where !Self.notHashed.contains(name) && !value.isNothing {
      note("'\(name)'", at: place)
    }
  }

  private mutating func note(_ what: String, at place: String) {
    if unread.count < Self.mostUnread { unread.append("\(place): \(what) is not known here") }
  }
}

extension KeyedArchive.Object {
  /// Whether a value has no effect: false, 0, an empty text or list.
  fileprivate var isNothing: Bool {
    if let boolean { return !boolean }
    if let integer { return integer == 0 }
    if let string { return string.isEmpty }
    if let elements { return elements.isEmpty }
    return entries?.isEmpty ?? false
  }
}
