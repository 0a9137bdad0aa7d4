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
    /// The version checksum, 32 bytes.
    public var checksum: [UInt8]
    /// By entity name.
    public var entities: [String: Entity]
  }

  /// One entity of a released version.
  public struct Entity: Sendable, Equatable {
    /// Its version hash.
    public var hash: VersionHash
    /// What the hash is computed from, as text.
    public var text: HashedText
  }

  /// Pins as read or computed.
  public init(versions: [Version]) { self.versions = versions }

  /// Pins of all versions of a source.
  public init(_ source: ModelSource) { self.init(source.versions) }

  /// Pins of versions, which must be completely known (``ModelSource/wholeVersions()``).
  public init(_ versions: [ModelSource.Version]) {
    self.versions = versions.map { Version(name: $0.name, model: $0.model) }
  }
}

extension ModelPins.Version {
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
