import StoreWords

/// A mapping model: the versions it maps between, and its entity mappings.
///
/// Xcode's form (`.xcmappingmodel`) contains both models completely, so all their hashes can be computed. The compiled
/// form (`.cdm`), a keyed archive of an `NSMappingModel`, records only the hashes of the mapped entities.
///
/// Verified with 5 mapping models in Xcode's form, whose 10 models have the hashes of the compiled versions, and with
/// one compiled mapping model, which has the hashes of the models it maps between (`docs/format/mapping-models.md`).
package struct MappingModel: Sendable, Equatable {
  /// Its path, as given.
  package let path: String
  /// The entity mappings, in order.
  package let entityMappings: [EntityMapping]
  /// Both models, if it contains them.
  package let models: Models?
  /// The name of the version it was made from, where Xcode's form records its path.
  package var sourceName: String?
  /// The name of the version it was made for, where Xcode's form records its path.
  package var destinationName: String?

  /// How one entity is mapped.
  package struct EntityMapping: Sendable, Equatable {
    /// The mapping's name: "PostToPost".
    package var name: String
    /// The source entity; nil for new entities.
    package var source: Side?
    /// The destination entity; nil for removed entities.
    package var destination: Side?
    /// The class whose code migrates the objects, if it is not Core Data's own.
    package var policyClassName: String?
    /// The condition that source objects must fulfil, in Apple's predicate format; nil for all objects.
    package var filter: String?
    /// The values of the destination's attributes; nil where they could not be read.
    package var attributes: [PropertyMapping]? = nil
    /// The links of the destination's relationships; nil where they could not be read.
    package var relationships: [PropertyMapping]? = nil
  }

  /// How one property of the destination is filled.
  package struct PropertyMapping: Sendable, Equatable {
    /// The property's name.
    package var name: String
    /// The expression that gives its value; nil where nothing is set, so that a new object's default stays.
    package var value: Expression?

    /// A mapping of a property.
    package init(_ name: String, _ value: Expression?) {
      self.name = name
      self.value = value
    }
  }

  /// An entity on one side of a mapping.
  package struct Side: Sendable, Equatable {
    /// The entity's name.
    package var entity: String
    /// The version hash recorded for it, if any.
    package var hash: VersionHash?

    /// Creates a side.
    package init(entity: String, hash: VersionHash?) {
      self.entity = entity
      self.hash = hash
    }
  }

  /// The two models of Xcode's form, as hashes of all their entities.
  package struct Models: Sendable, Equatable {
    /// The hashes of the source model.
    package var source: VersionHashes
    /// The hashes of the destination model.
    package var destination: VersionHashes
    /// Parts of the models that could not be read, so that the real hashes may differ; one sentence each.
    package var unread: [String]
  }

  /// The manager's function for the objects that a relationship's objects became, by whatever entity mapping.
  package static let instancesOfRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  /// The manager's function for the objects that source objects became by one entity mapping.
  package static let instancesOfMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"

  /// Stands for an expression whose archive cannot be read.
  static let unreadableExpression = Expression.other(className: "an expression that cannot be read")

  /// The known hashes of the source model's entities; the first if an entity has two.
  package var sourceHashes: VersionHashes { models?.source ?? hashes(\.source) }

  /// The known hashes of the destination model's entities; the first if an entity has two.
  package var destinationHashes: VersionHashes { models?.destination ?? hashes(\.destination) }

  /// The classes whose code migrates objects, sorted, each once.
  package var policyClassNames: [String] {
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
  package static func read(_ path: String) throws(ModelSourceError) -> MappingModel {
    var files = try ModelFiles(path: path)
    guard files.kind == .folder else { return try read(try files.read(), path: path) }
    guard try files.kind(of: "xcmapping.xml") == .file else {
      let isNamedSo = path.hasSuffix(".xcmappingmodel") || path.hasSuffix(".xcmappingmodel/")
      throw ModelSourceError(
        path, .unsupported,
        message: isNamedSo
          ? "it has no file 'xcmapping.xml'"
          : "a folder, not a mapping model; give the '.cdm' or '.xcmappingmodel' itself")
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
  package static func read(_ bytes: [UInt8], path: String) throws(ModelSourceError) -> MappingModel {
    do throws(ModelArchiveError) {
      if case .xcodeMapping = ModelContent(of: bytes) { return try XcodeMappingReader.mapping(in: bytes, path: path) }
      return MappingModel(path: path, entityMappings: try MappingModelReader.mappings(in: bytes), models: nil)
    } catch {
      throw ModelSourceError(path, .damaged, message: error.description)
    }
  }
}
