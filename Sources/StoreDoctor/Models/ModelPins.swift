import CoreDataModel

/// The hashes of released versions, kept in version control so that a version that was changed after its release is
/// found before it ships: what `storedoctor model pin` writes and `storedoctor model check` reads.
public struct ModelPins: Sendable, Equatable {
  /// By name, numbers in names compared as numbers.
  public var versions: [Version]

  /// One released version.
  public struct Version: Sendable, Equatable {
    /// The version's name.
    public var name: String
    /// 32 bytes.
    public var checksum: [UInt8]
    /// By entity name.
    public var entities: [String: Entity]
  }

  /// One entity of a released version.
  public struct Entity: Sendable, Equatable {
    /// Its version hash.
    public var hash: VersionHash
    /// What the hash is made of, in words.
    public var text: HashedText
  }

  /// Pins as read or computed.
  public init(versions: [Version]) { self.versions = versions }

  /// Pins of all versions of a source.
  public init(_ source: ModelSource) {
    versions = source.versions.map { Version(name: $0.name, model: $0.model) }
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

/// Pins held against a source: what `storedoctor model check` says.
public struct PinCheck: Sendable, Equatable {
  /// The source, as its path was given.
  public var path: String
  /// Pinned versions that are as they were.
  public var kept: [String]
  /// Pinned versions that are not, with what moved.
  public var moved: [Moved]
  /// Pinned versions the source has no more.
  public var missing: [String]
  /// Versions that are not pinned, such as the one that is being worked on.
  public var unpinned: [String]

  /// Whether every pinned version is there and as it was.
  public var isKept: Bool { moved.isEmpty && missing.isEmpty }

  /// A version whose hashes moved.
  public struct Moved: Sendable, Equatable {
    /// The version's name.
    public var name: String
    /// Sorted by entity and property; what concerns the entity itself first.
    public var changes: [Change]
  }

  /// One difference that enters a hash.
  public struct Change: Sendable, Equatable {
    /// The entity.
    public var entity: String
    /// The property; nil for the entity itself.
    public var property: String?
    /// The words when it was pinned; nil when it was not there.
    public var before: String?
    /// The words now; nil when it is gone.
    public var now: String?
  }
}

extension PinCheck {
  /// Holds pins against all versions of a source.
  public init(_ pins: ModelPins, against source: ModelSource) {
    path = source.path
    let now = Dictionary(ModelPins(source).versions.map { ($0.name, $0) }) { first, _ in first }
    (kept, moved, missing) = ([], [], [])
    for pinned in pins.versions {
      guard let version = now[pinned.name] else {
        missing.append(pinned.name)
        continue
      }
      let changes = Self.changes(from: pinned.entities, to: version.entities)
      if pinned.checksum == version.checksum && changes.isEmpty {
        kept.append(pinned.name)
      } else {
        moved.append(Moved(name: pinned.name, changes: changes))
      }
    }
    let pinned = Set(pins.versions.map(\.name))
    unpinned = source.versions.map(\.name).filter { !pinned.contains($0) }
  }

  private static func changes(
    from pinned: [String: ModelPins.Entity], to now: [String: ModelPins.Entity]
  ) -> [Change] {
    Set(pinned.keys).union(now.keys).sorted(by: codeUnitsPrecede).flatMap { name -> [Change] in
      switch (pinned[name], now[name]) {
      case (nil, _): [Change(entity: name, property: nil, before: nil, now: "added")]
      case (_, nil): [Change(entity: name, property: nil, before: "there", now: nil)]
      case (let before?, let now?): before.hash == now.hash ? [] : changes(of: name, from: before.text, to: now.text)
      }
    }
  }

  /// An entity whose hash moved and whose words did not has a changed ancestor, which is listed itself.
  private static func changes(of name: String, from before: HashedText, to now: HashedText) -> [Change] {
    var changes: [Change] = []
    if before.entity != now.entity {
      changes.append(Change(entity: name, property: nil, before: before.entity, now: now.entity))
    }
    for property in Set(before.properties.keys).union(now.properties.keys).sorted(by: codeUnitsPrecede)
    where before.properties[property] != now.properties[property] {
      changes.append(
        Change(
          entity: name, property: property, before: before.properties[property], now: now.properties[property]))
    }
    return changes.isEmpty ? [Change(entity: name, property: nil, before: "hash", now: "an ancestor changed")] : changes
  }
}
