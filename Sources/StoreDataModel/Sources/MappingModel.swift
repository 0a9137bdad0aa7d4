import StoreWords

/// A mapping model: between which versions of the entities it leads, and what it says of how.
///
/// Xcode's form (`.xcmappingmodel`) holds both models whole, so that all hashes of both are computed. The compiled form
/// (`.cdm`), a keyed archive of an `NSMappingModel`, records the hashes of the entities that are mapped.
///
/// Measured: 5 of Xcode's form with 10 models, whose hashes equal the compiled versions', and one compiled, whose hashes are
/// those of the models it maps between (`docs/format/mapping-models.md`).
public struct MappingModel: Sendable, Equatable {
  /// Where it is, as it was given.
  public let path: String
  /// The entity mappings, in order.
  public let entityMappings: [EntityMapping]
  /// Both models, where they stand in it.
  public let models: Models?

  /// How one entity is mapped.
  public struct EntityMapping: Sendable, Equatable {
    /// The mapping's name: "PostToPost".
    public var name: String
    /// The entity objects come from; nil for entities that are new.
    public var source: Side?
    /// The entity objects become; nil for entities that are removed.
    public var destination: Side?
    /// The class whose code migrates the objects, where it is not Core Data's own.
    public var policyClassName: String?
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

  /// The models of Xcode's form, by the hashes of all their entities.
  public struct Models: Sendable, Equatable {
    /// Of the model it leads from.
    public var source: VersionHashes
    /// Of the one it leads to.
    public var destination: VersionHashes
    /// What of the models is not read, so that their hashes may be others; sentences.
    public var unread: [String]
  }

  /// The hashes of the source model's entities, as far as they are known; of two for one entity the first.
  public var sourceHashes: VersionHashes { models?.source ?? hashes(\.source) }

  /// The hashes of the destination model's entities, as far as they are known; of two for one entity the first.
  public var destinationHashes: VersionHashes { models?.destination ?? hashes(\.destination) }

  /// The classes whose code migrates objects, in order, each once.
  public var policyClassNames: [String] {
    Set(entityMappings.compactMap(\.policyClassName)).sorted(by: codeUnitsPrecede)
  }

  private func hashes(_ side: KeyPath<EntityMapping, Side?>) -> VersionHashes {
    let recorded = entityMappings.compactMap { $0[keyPath: side] }.compactMap { side in
      side.hash.map { (side.entity, $0) }
    }
    return VersionHashes(Dictionary(recorded) { first, _ in first })
  }

  /// Reads the mapping model at a path: a `.cdm`, an `.xcmappingmodel`, or the `xcmapping.xml` in it. Told by content.
  ///
  /// - Throws: ``ModelSourceError`` for anything else, with what it is.
  public static func read(_ path: String) throws(ModelSourceError) -> MappingModel {
    var files = try ModelFiles(path: path)
    guard files.kind == .folder else { return try read(try files.read(), path: path) }
    guard try files.kind(of: "xcmapping.xml") == .file else {
      throw ModelSourceError(
        path, .unsupported, "a folder, not a mapping model; give the '.cdm' or '.xcmappingmodel' itself")
    }
    let bytes = try files.read("xcmapping.xml")
    do throws(ModelArchiveError) {
      return try XcodeMappingReader.mapping(in: bytes, path: path)
    } catch {
      throw ModelSourceError(files.shown("xcmapping.xml"), .damaged, error.description)
    }
  }

  /// Reads the bytes of one file that came from elsewhere; `path` is for errors.
  ///
  /// - Throws: ``ModelSourceError`` for anything else, with what it is.
  public static func read(_ bytes: [UInt8], path: String) throws(ModelSourceError) -> MappingModel {
    do throws(ModelArchiveError) {
      if case .xcodeMapping = ModelContent(of: bytes) { return try XcodeMappingReader.mapping(in: bytes, path: path) }
      return MappingModel(path: path, entityMappings: try MappingModelReader.mappings(in: bytes), models: nil)
    } catch {
      throw ModelSourceError(path, .damaged, error.description)
    }
  }
}
