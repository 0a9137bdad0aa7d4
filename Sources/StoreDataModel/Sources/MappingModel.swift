/// A compiled mapping model (`.cdm`): between which versions of the entities it leads.
///
/// A keyed archive of an `NSMappingModel`. No sample of one was at hand: the keys are assumed to be those of the class's
/// documented properties in the spelling other archives of Core Data have (`NSEntityMappings`,
/// `NSSourceEntityVersionHash`), with or without the prefix. An archive with other keys is refused, so hashes that are
/// read were recorded in it.
public struct MappingModel: Sendable, Equatable {
  /// Where it is, as it was given.
  public let path: String
  /// The entity mappings, in order.
  public let entityMappings: [EntityMapping]

  /// How one entity is mapped.
  public struct EntityMapping: Sendable, Equatable {
    /// The mapping's name: "PostToPost".
    public var name: String
    /// The entity objects come from; nil for entities that are new.
    public var source: Side?
    /// The entity objects become; nil for entities that are removed.
    public var destination: Side?
  }

  /// An entity on one side of a mapping.
  public struct Side: Sendable, Equatable {
    /// The entity's name.
    public var entity: String
    /// The version hash recorded for it, if one is.
    public var hash: VersionHash?

    /// An entity with the hash recorded for it.
    public init(entity: String, hash: VersionHash?) {
      self.entity = entity
      self.hash = hash
    }
  }

  /// The hashes of the source model's entities, as far as they are recorded; of two for one entity the first.
  public var sourceHashes: VersionHashes { hashes(\.source) }

  /// The hashes of the destination model's entities, as far as they are recorded; of two for one entity the first.
  public var destinationHashes: VersionHashes { hashes(\.destination) }

  private func hashes(_ side: KeyPath<EntityMapping, Side?>) -> VersionHashes {
    let recorded = entityMappings.compactMap { $0[keyPath: side] }.compactMap { side in
      side.hash.map { (side.entity, $0) }
    }
    return VersionHashes(Dictionary(recorded) { first, _ in first })
  }

  /// Reads the mapping model at a path.
  ///
  /// - Throws: ``ModelSourceError`` as ``ModelSource/read(_:)`` does, for Xcode's `.xcmappingmodel` too.
  public static func read(_ path: String) throws(ModelSourceError) -> MappingModel {
    var files = try ModelFiles(path: path)
    guard files.kind == .file else { throw ModelSourceError(path, .unsupported, "a folder, not a mapping model") }
    return try read(try files.read(), path: path)
  }

  /// Reads the bytes of one file that came from elsewhere; `path` is for errors.
  ///
  /// - Throws: ``ModelSourceError`` for anything else, with what it is.
  public static func read(_ bytes: [UInt8], path: String) throws(ModelSourceError) -> MappingModel {
    do throws(ModelArchiveError) {
      return MappingModel(path: path, entityMappings: try MappingModelReader.mappings(in: bytes))
    } catch {
      throw ModelSourceError(path, .damaged, error.description)
    }
  }
}
