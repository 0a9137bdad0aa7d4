import StoreDataModel

/// A mapping model that a migration runs by: "looked up by the entity version hashes of source and destination", before a
/// mapping is inferred (`docs/format/mapping-models.md`).
public struct MappingUse: Sendable, Equatable {
  /// Where the mapping model is.
  public var path: String
  /// The classes whose code migrates objects; what they do is not known.
  public var policyClassNames: [String]
  /// What of its models is not read, so that it may be of other versions; sentences.
  public var unread: [String]
  /// How sure it is that it leads from the one version to the other.
  public var grade: Grade
}

extension MappingUse {
  /// The first of the mapping models that leads from the one model of a difference to the other; nil where none does, and
  /// where none is needed.
  public init?(_ inference: MigrationInference, among mappings: [MappingModel]) {
    guard !mappings.isEmpty, !inference.difference.hashesAreEqual else { return nil }
    self.init(
      among: mappings, from: inference.difference.source.versionHashes,
      to: inference.difference.destination.versionHashes)
  }

  /// The first of the mapping models that leads from one version to the other; nil where none does.
  package init?(among mappings: [MappingModel], from source: VersionHashes, to destination: VersionHashes) {
    for mapping in mappings {
      guard let use = MappingUse(mapping, from: source, to: destination) else { continue }
      self = use
      return
    }
    return nil
  }

  /// The use of one mapping model; nil where it leads elsewhere. Of a compiled one the hashes of the entities that are
  /// mapped are known: entities it leaves out have to be equal in both versions for it to be sure.
  package init?(_ mapping: MappingModel, from source: VersionHashes, to destination: VersionHashes) {
    guard mapping.leads(\.sourceHashes, \.source, source),
      mapping.leads(\.destinationHashes, \.destination, destination)
    else { return nil }
    let recorded = Set(mapping.sourceHashes.byEntity.keys).union(mapping.destinationHashes.byEntity.keys)
    let isWhole = source.byEntity.merging(destination.byEntity) { first, _ in first }.keys.allSatisfy { entity in
      recorded.contains(entity) || source.byEntity[entity] == destination.byEntity[entity]
    }
    let unread = mapping.models?.unread ?? []
    self.init(
      path: mapping.path, policyClassNames: mapping.policyClassNames, unread: unread,
      grade: isWhole && unread.isEmpty ? .a : .c)
  }
}

extension MappingModel {
  /// Whether it leads from a version, wherever to.
  package func leads(from version: VersionHashes) -> Bool { leads(\.sourceHashes, \.source, version) }

  /// Whether the hashes of one side are those of a version: all of them where the model stands in it whole, else those of
  /// the entities that are mapped, of which there has to be one.
  fileprivate func leads(
    _ known: KeyPath<MappingModel, VersionHashes>, _ whole: KeyPath<Models, VersionHashes>, _ version: VersionHashes
  ) -> Bool {
    if let models { return models[keyPath: whole] == version }
    let recorded = self[keyPath: known].byEntity
    return !recorded.isEmpty && recorded.allSatisfy { version.byEntity[$0.key] == $0.value }
  }
}

extension MigrationOutcome {
  /// A migration by a mapping model. Whether the rows pass is for its code and expressions to say.
  package init(by mapping: MappingUse) {
    self.init(verdict: .migrates, grade: mapping.grade, mappings: [mapping])
  }
}
