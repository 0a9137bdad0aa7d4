import StoreDataModel

/// The hashes of released versions, kept in version control to detect a version that was changed after its release.
/// `storedoctor model pin` writes them and `storedoctor model check` reads them.
public struct ModelPins: Sendable, Equatable {
  /// Sorted by name; numbers in names are compared as numbers.
  public var versions: [Version]

  /// One released version.
  public struct Version: Sendable, Equatable {
    /// The version's name.
    public var name: String
    /// The version checksum, 32 bytes; nil where not all of the version is known.
    public var checksum: [UInt8]?
    /// By entity name.
    public var entities: [String: Entity]
    /// The entities that are not pinned, since their hashes were not known.
    public var unknown: [Unknown] = []

    /// Whether all of the version is pinned.
    public var isWhole: Bool { unknown.isEmpty }
    /// Whether there may be entities that are not named.
    public var mayHaveMore: Bool { unknown.contains { $0.entity == nil } }
    /// Why an entity is not pinned; nil for one that is, or was not there.
    public func reason(for entity: String) -> String? { unknown.first { $0.entity == entity }?.reason }
  }

  /// Something of a released version that was not known when it was pinned.
  public struct Unknown: Sendable, Equatable {
    /// The entity; nil where it is the list of classes.
    public var entity: String?
    /// The reason why it is not known; lower case, no full stop.
    public var reason: String
  }

  /// One entity of a released version.
  public struct Entity: Sendable, Equatable {
    /// Its version hash.
    public var hash: VersionHash
    /// The text that the hash is computed from.
    public var text: HashedText
  }

  /// Pins as read or computed.
  public init(versions: [Version]) { self.versions = versions }

  /// Pins of all versions of a source.
  public init(_ source: ModelSource) { self.init(source.versions) }

  /// Pins of versions: of each the entities that are known, and why others are not.
  public init(_ versions: [ModelSource.Version]) { self.versions = versions.map(Version.init) }
}

extension ModelPins.Version {
  init(_ version: ModelSource.Version) {
    self.init(name: version.name, model: version.model)
    guard !version.doubts.isEmpty else { return }
    checksum = nil
    let reasons = Dictionary(grouping: version.doubts, by: \.entity)
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
