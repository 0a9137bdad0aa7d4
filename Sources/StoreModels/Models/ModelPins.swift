import StoreDataModel

/// The hashes of released versions, kept in version control to detect a version that was changed after its release.
/// `storedoctor model pin` writes them and `storedoctor model check` reads them.
package struct ModelPins: Sendable, Equatable {
  /// Sorted by name; numbers in names are compared as numbers.
  package var versions: [Version]

  /// One released version.
  package struct Version: Sendable, Equatable {
    /// The version's name.
    package var name: String
    /// The version checksum, 32 bytes; nil where not all of the version is known.
    package var checksum: [UInt8]?
    /// By entity name.
    package var entities: [String: Entity]
    /// The entities that are not pinned, since their hashes were not known.
    package var unknown: [Unknown] = []

    /// Whether all of the version is pinned.
    package var isWhole: Bool { unknown.isEmpty }
    /// Whether there may be entities that are not named.
    package var mayHaveMore: Bool { unknown.contains { $0.entity == nil } }
    /// Why an entity is not pinned; nil for one that is, or was not there.
    package func reason(for entity: String) -> String? { unknown.first { $0.entity == entity }?.reason }
  }

  /// Something of a released version that was not known when it was pinned.
  package struct Unknown: Sendable, Equatable {
    /// The entity; nil where it is the list of classes.
    package var entity: String?
    /// The reason why it is not known; lower case, no full stop.
    package var reason: String
  }

  /// One entity of a released version.
  package struct Entity: Sendable, Equatable {
    /// Its version hash.
    package var hash: VersionHash
    /// The text that the hash is computed from.
    package var text: HashedText
  }

  /// Pins as read or computed.
  package init(versions: [Version]) { self.versions = versions }

  /// Pins of all versions of a source.
  package init(_ source: ModelSource) { self.init(source.versions) }

  /// Pins of versions: of each the entities that are known, and why others are not.
  package init(_ versions: [ModelSource.Version]) { self.versions = versions.map(Version.init) }
}

extension ModelPins.Version {
  init(_ version: ModelSource.Version) {
    self.init(name: version.name, model: version.model)
    let assumed = (version.doubt?.assumedEntities ?? []).map {
      ModelSource.Doubt.Gap(entity: $0, "what a property of it is stored as was assumed (--assume)")
    }
    let doubts = version.doubts + assumed
    guard !doubts.isEmpty else { return }
    checksum = nil
    let reasons = Dictionary(grouping: doubts, by: \.entity)
    unknown = reasons.map { entity, doubts in
      ModelPins.Unknown(entity: entity, reason: doubts.map(\.message).joined(separator: "; "))
    }.sorted { ($0.entity ?? "") < ($1.entity ?? "") }
    for entity in reasons.keys.compactMap(\.self) { entities[entity] = nil }
  }

  init(name: String, model: Model) {
    let hashes = model.versionHashes
    self.init(
      name: name, checksum: hashes.checksum,
      entities: Dictionary(
        uniqueKeysWithValues: model.entities.compactMap { entity in
          guard let hash = hashes.byEntity[entity.name], let text = model.hashedText(of: entity.name) else {
            return nil
          }
          return (entity.name, ModelPins.Entity(hash: hash, text: text))
        }))
  }
}
