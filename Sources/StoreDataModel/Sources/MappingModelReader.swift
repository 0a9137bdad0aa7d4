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
    return MappingModel.EntityMapping(
      name: name, source: try side("Source", of: object, at: name),
      destination: try side("Destination", of: object, at: name),
      policyClassName: policy.flatMap { $0.isEmpty ? nil : $0 })
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
