import StoreWords

/// A mapping model: the versions it maps between, and its entity mappings.
///
/// Xcode's form (`.xcmappingmodel`) contains both models completely, so all their hashes can be computed. The compiled
/// form (`.cdm`), a keyed archive of an `NSMappingModel`, records only the hashes of the mapped entities.
///
/// Verified with 5 mapping models in Xcode's form, whose 10 models have the hashes of the compiled versions, and with
/// one compiled mapping model, which has the hashes of the models it maps between (`docs/format/mapping-models.md`).
public struct MappingModel: Sendable, Equatable {
  /// Its path, as given.
  public let path: String
  /// The entity mappings, in order.
  public let entityMappings: [EntityMapping]
  /// Both models, if it contains them.
  public let models: Models?

  /// How one entity is mapped.
  public struct EntityMapping: Sendable, Equatable {
    /// The mapping's name: "PostToPost".
    public var name: String
    /// The source entity; nil for new entities.
    public var source: Side?
    /// The destination entity; nil for removed entities.
    public var destination: Side?
    /// The class whose code migrates the objects, if it is not Core Data's own.
    public var policyClassName: String?
  }

  /// An entity on one side of a mapping.
  public struct Side: Sendable, Equatable {
    /// The entity's name.
    public var entity: String
    /// The version hash recorded for it, if any.
    public var hash: VersionHash?

    /// Creates a side.
    public init(entity: String, hash: VersionHash?) {
      self.entity = entity
      self.hash = hash
    }
  }

  /// The two models of Xcode's form, as hashes of all their entities.
  public struct Models: Sendable, Equatable {
    /// The hashes of the source model.
    public var source: VersionHashes
    /// The hashes of the destination model.
    public var destination: VersionHashes
    /// Parts of the models that could not be read, so that the real hashes may differ; one sentence each.
    public var unread: [String]
  }

  /// The known hashes of the source model's entities; the first if an entity has two.
  public var sourceHashes: VersionHashes { models?.source ?? hashes(\.source) }

  /// The known hashes of the destination model's entities; the first if an entity has two.
  public var destinationHashes: VersionHashes { models?.destination ?? hashes(\.destination) }

  /// The classes whose code migrates objects, sorted, each once.
  public var policyClassNames: [String] {
    Set(entityMappings.compactMap(\.policyClassName)).sorted(by: codeUnitsPrecede)
  }

  private func hashes(_ side: KeyPath<EntityMapping, Side?>) -> VersionHashes {
    let recorded = entityMappings.compactMap { $0[keyPath: side] }.compactMap { side in
      side.hash.map { (side.entity, $0) }
    }
    return VersionHashes(Dictionary(recorded) { first, _ in first })
  }

  /// Reads the mapping model at a path: a `.cdm`, an `.xcmappingmodel`, or the `xcmapping.xml` in it. The content
  /// decides.
  ///
  /// - Throws: ``ModelSourceError`` for anything else, saying what it is.
  public static func read(_ path: String) throws(ModelSourceError) -> MappingModel {
    var files = try ModelFiles(path: path)
    guard files.kind == .folder else { return try read(try files.read(), path: path) }
    guard try files.kind(of: "xcmapping.xml") == .file else {
      throw ModelSourceError(
        path, .unsupported, message: "a folder, not a mapping model; give the '.cdm' or '.xcmappingmodel' itself")
    }
    let bytes = try files.read("xcmapping.xml")
    do throws(ModelArchiveError) {
      return try XcodeMappingReader.mapping(in: bytes, path: path)
    } catch {
      throw ModelSourceError(files.shown("xcmapping.xml"), .damaged, message: error.description)
    }
  }

  /// Reads a mapping model from the bytes of one file; `path` is for errors.
  ///
  /// - Throws: ``ModelSourceError`` for anything else, saying what it is.
  public static func read(_ bytes: [UInt8], path: String) throws(ModelSourceError) -> MappingModel {
    do throws(ModelArchiveError) {
      if case .xcodeMapping = ModelContent(of: bytes) { return try XcodeMappingReader.mapping(in: bytes, path: path) }
      return MappingModel(path: path, entityMappings: try MappingModelReader.mappings(in: bytes), models: nil)
    } catch {
      throw ModelSourceError(path, .damaged, message: error.description)
    }
  }
}
