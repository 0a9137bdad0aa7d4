import StorePropertyLists

/// Reads the entity mappings of an archived mapping model, within the same budget as a model archive.
struct MappingModelReader {
  private var archive: ModelArchiveReader
  /// The most mappings; a model may have as many entities, and each is mapped once.
  private static let maximumMappings = Model.maximumEntities

  static func isMappingModel(_ archive: KeyedArchive) -> Bool {
    archive.root.className == "NSMappingModel" || field("EntityMappings", of: archive.root) != nil
  }

  static func mappings(in bytes: [UInt8]) throws(ModelArchiveError) -> [MappingModel.EntityMapping] {
    let archive: KeyedArchive
    do {
      archive = try KeyedArchive(bytes)
    } catch {
      throw ModelArchiveError(place: "", message: error.description)
    }
    guard isMappingModel(archive) else {
      throw ModelArchiveError(
        place: "",
        message: "the archive holds \(archive.root.className.map { "a '\($0)'" } ?? "no object"), not a mapping model")
    }
    var reader = MappingModelReader(archive: ModelArchiveReader(archive))
    return try reader.mappings(of: archive.root)
  }

  private mutating func mappings(of root: KeyedArchive.Object) throws(ModelArchiveError) -> [MappingModel.EntityMapping]
  {
    guard let listed = Self.field("EntityMappings", of: root)?.elements else {
      throw ModelArchiveError(
        place: "", message: "a mapping model without a list under 'NSEntityMappings': its form is another than assumed")
    }
    guard listed.count <= Self.maximumMappings else {
      throw ModelArchiveError(place: "", message: "\(listed.count) mappings, more than \(Self.maximumMappings)")
    }
    var mappings: [MappingModel.EntityMapping] = []
    for object in listed { mappings.append(try mapping(object)) }
    return mappings
  }

  private mutating func mapping(_ object: KeyedArchive.Object) throws(ModelArchiveError) -> MappingModel.EntityMapping {
    let named = Self.field("Name", of: object) ?? Self.field("MappingName", of: object)
    let name = try archive.text(named, at: "a mapping") ?? ""
    let policy = try archive.text(Self.field("EntityMigrationPolicyClassName", of: object), at: name)
    var mapping = MappingModel.EntityMapping(
      name: name, source: try side("Source", of: object, at: name),
      destination: try side("Destination", of: object, at: name),
      policyClassName: policy.flatMap { $0.isEmpty || $0 == "NSEntityMigrationPolicy" ? nil : $0 })
    mapping.attributes = try properties("Attribute", of: object, at: name)
    mapping.relationships = try properties("Relationship", of: object, at: name)
    readFilter(of: object, into: &mapping)
    return mapping
  }

  /// The mappings of attributes or relationships; nil where they are not there, or one has no name.
  private mutating func properties(
    _ kind: String, of object: KeyedArchive.Object, at place: String
  ) throws(ModelArchiveError) -> [MappingModel.PropertyMapping]? {
    guard let listed = Self.field(kind + "Mappings", of: object)?.elements else { return nil }
    guard listed.count <= Self.maximumMappings else {
      throw ModelArchiveError(place: place, message: "\(listed.count) mappings, more than \(Self.maximumMappings)")
    }
    var mappings: [MappingModel.PropertyMapping] = []
    for property in listed {
      let named = ["DestinationPropertyName", "PropertyName", "Name"].lazy.compactMap { Self.field($0, of: property) }
      guard let name = try archive.text(named.first, at: place), !name.isEmpty else { return nil }
      var value: Expression?
      if Self.field("PropertyTransforms", of: property) != nil {
        value = MappingModel.unreadableExpression
      } else if let expression = Self.field("ValueExpression", of: property) {
        value =
          (try? archive.expression(expression, at: "\(place).\(name)", depth: 0)) ?? MappingModel.unreadableExpression
      }
      mappings.append(.init(name, value))
    }
    return mappings
  }

  /// The condition in the expression that fetches the source objects; TRUEPREDICATE is none.
  private mutating func readFilter(
    of object: KeyedArchive.Object, into mapping: inout MappingModel.EntityMapping
  ) {
    guard let source = Self.field("SourceExpression", of: object) else { return }
    // The request of `FETCH(request, context, count)`.
    let fetch = source.className == "NSFetchRequestExpression" ? Self.field("FRExpression", of: source) : source
    let expression = fetch.flatMap { try? archive.expression($0, at: mapping.name, depth: 0) }
    guard let condition = expression.flatMap(Self.condition) else {
      // A fetch of another form may choose other objects, so what is read of the rest says nothing.
      (mapping.attributes, mapping.relationships) = (nil, nil)
      return
    }
    mapping.filter = condition == "TRUEPREDICATE" ? nil : condition
  }

  /// The predicate of `FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Note", "TRUEPREDICATE")`,
  /// wherever it stands in a fetch.
  private static func condition(in expression: Expression) -> String? {
    guard case .function(let selector, _, let arguments) = expression else { return nil }
    if selector == "fetchRequestForSourceEntityNamed:predicateString:", arguments.count == 2,
      case .constant(.string(let text)) = arguments[1]
    {
      return text
    }
    return arguments.lazy.compactMap(condition).first
  }

  private mutating func side(
    _ side: String, of object: KeyedArchive.Object, at place: String
  ) throws(ModelArchiveError) -> MappingModel.Side? {
    try archive.spend(16, at: place)
    guard let entity = try archive.text(Self.field(side + "EntityName", of: object), at: place), !entity.isEmpty else {
      return nil
    }
    guard let recorded = Self.field(side + "EntityVersionHash", of: object) else {
      return MappingModel.Side(entity: entity, hash: nil)
    }
    let bytes = recorded.data ?? []
    try archive.spend(bytes.count, at: place)
    guard let hash = VersionHash(bytes) else {
      throw ModelArchiveError(
        place: place, message: "the hash of \(side.lowercased()) entity '\(entity)' is not 32 bytes")
    }
    return MappingModel.Side(entity: entity, hash: hash)
  }

  /// The value of a field; its key may have Core Data's prefix or not.
  private static func field(_ name: String, of object: KeyedArchive.Object) -> KeyedArchive.Object? {
    object["NS" + name] ?? object[name.prefix(1).lowercased() + name.dropFirst()]
  }
}
