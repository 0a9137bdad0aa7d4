import StoreDataModel

/// A mapping model that a migration uses. Core Data looks it up "by the entity version hashes of source and
/// destination" before it infers a mapping (`docs/format/mapping-models.md`).
public struct MappingUse: Sendable, Equatable {
  /// Where the mapping model is.
  public var path: String
  /// Classes whose code migrates objects; its effect is not known.
  public var policyClassNames: [String]
  /// Parts of its models that could not be read, so that its real source or destination may differ; one sentence
  /// each.
  public var unread: [String]
  /// How certain it is that it maps between these two versions.
  public var grade: Grade
}

extension MappingUse {
  /// The first mapping model between the two models of a difference; nil if there is none, or if the hashes are equal
  /// and none is needed.
  package init?(_ inference: MigrationInference, among mappings: [MappingModel]) {
    guard !mappings.isEmpty, !inference.difference.hashesAreEqual else { return nil }
    self.init(
      among: mappings, from: inference.difference.source.versionHashes,
      to: inference.difference.destination.versionHashes)
  }

  /// The first mapping model between two versions; nil if there is none.
  package init?(among mappings: [MappingModel], from source: VersionHashes, to destination: VersionHashes) {
    for mapping in mappings {
      guard let use = MappingUse(mapping, from: source, to: destination) else { continue }
      self = use
      return
    }
    return nil
  }

  /// The use of one mapping model; nil if it is for other versions. A compiled one records only the hashes of the
  /// entities it maps; it is certain only if all others are equal in both versions.
  package init?(_ mapping: MappingModel, from source: VersionHashes, to destination: VersionHashes) {
    guard mapping.leads(known: \.sourceHashes, whole: \.source, version: source),
      mapping.leads(known: \.destinationHashes, whole: \.destination, version: destination)
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
  /// Whether a version is its source, whatever its destination.
  package func leads(from version: VersionHashes) -> Bool {
    leads(known: \.sourceHashes, whole: \.source, version: version)
  }

  /// Whether the hashes of one side equal those of a version. If the mapping model contains the whole model, all must
  /// be equal; otherwise those of the mapped entities, of which there must be one.
  fileprivate func leads(
    known: KeyPath<MappingModel, VersionHashes>, whole: KeyPath<Models, VersionHashes>, version: VersionHashes
  ) -> Bool {
    if let models { return models[keyPath: whole] == version }
    let recorded = self[keyPath: known].byEntity
    return !recorded.isEmpty && recorded.allSatisfy { version.byEntity[$0.key] == $0.value }
  }
}

extension MigrationOutcome {
  /// A migration with a mapping model. Whether the rows pass depends on its code and expressions, which are not
  /// judged.
  package init(by mapping: MappingUse) {
    self.init(verdict: .migrates, grade: mapping.grade, mappings: [mapping])
  }
}
