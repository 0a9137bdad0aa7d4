import StoreWords
import StoreDataModel

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
  /// Pinned versions of which the source does not tell whether they are as they were.
  public var undecided: [Undecided]
  /// Versions that are not pinned, such as the one that is being worked on.
  public var unpinned: [String]

  /// Whether every pinned version is there and as it was.
  public var isKept: Bool { hasNotMoved && undecided.isEmpty }
  /// Whether no pinned version is known to be another or gone.
  public var hasNotMoved: Bool { moved.isEmpty && missing.isEmpty }
  /// The pinned versions that may be as they were, and may not.
  public var open: [String] { undecided.map(\.name).filter { name in !moved.contains { $0.name == name } } }

  /// A version whose hashes moved.
  public struct Moved: Sendable, Equatable {
    /// The version's name.
    public var name: String
    /// Sorted by entity and property; what concerns the entity itself first.
    public var changes: [Change]
  }

  /// A version that may be as it was.
  public struct Undecided: Sendable, Equatable {
    /// The version's name.
    public var name: String
    /// What is not known, where, and what would settle it; lower case, no full stop.
    public var reasons: [String]
  }

  /// One difference that enters a hash.
  public struct Change: Sendable, Hashable {
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
  /// Holds pins against the versions of a source that they name; of others nothing has to be known.
  public init(_ pins: ModelPins, against source: ModelSource) {
    path = source.path
    (kept, moved, missing, undecided) = ([], [], [], [])
    let versions = Dictionary(source.versions.map { ($0.name, $0) }) { first, _ in first }
    for pinned in pins.versions {
      guard let version = versions[pinned.name] else {
        missing.append(pinned.name)
        continue
      }
      let held = HeldVersion(pinned, against: version)
      if held.isMoved { moved.append(Moved(name: pinned.name, changes: held.changes)) }
      if !held.reasons.isEmpty { undecided.append(Undecided(name: pinned.name, reasons: held.reasons)) }
      if !held.isMoved, held.reasons.isEmpty { kept.append(pinned.name) }
    }
    let pinned = Set(pins.versions.map(\.name))
    unpinned = source.versions.map(\.name).filter { !pinned.contains($0) }
  }

  fileprivate static func changes(
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

/// One pinned version held against that of the source.
private struct HeldVersion {
  /// What is known to have moved.
  var changes: [PinCheck.Change]
  /// Whether it is known to be another.
  var isMoved: Bool
  /// What of it cannot be told.
  var reasons: [String]

  init(_ pinned: ModelPins.Version, against version: ModelSource.Version) {
    // A pinned hash that one reading has proves the reading, as the hash of a store does.
    let version = version.decided(by: [VersionHashes(pinned.entities.mapValues(\.hash))])
    let now = ModelPins.Version(name: version.name, model: version.model)
    let gaps = version.doubt?.gaps ?? []
    let isListKnown = !gaps.contains { $0.entity == nil }
    let open = (version.doubt?.open ?? []).compactMap(\.entity).filter { pinned.entities[$0] != nil }
    let unknown = Set(gaps.compactMap(\.entity) + open)
    changes = PinCheck.changes(from: pinned.entities, to: now.entities).filter { change in
      !unknown.contains(change.entity) && (isListKnown || now.entities[change.entity] != nil)
    }
    changes += open.flatMap { version.certainChanges(of: $0, since: pinned) }
    isMoved = !changes.isEmpty || unknown.isEmpty && isListKnown && pinned.checksum != now.checksum
    reasons = version.doubts.filter { gap in gap.entity.map(unknown.contains) ?? true }.map(\.message)
  }
}

extension ModelSource.Version {
  /// What moved in an entity however its open rules are read.
  fileprivate func certainChanges(of entity: String, since pinned: ModelPins.Version) -> [PinCheck.Change] {
    guard let doubt, let before = pinned.entities[entity], let readings = doubt.entities[entity]?.readings else {
      return []
    }
    let all = readings.map { reading -> [PinCheck.Change] in
      guard let model = doubt.choose([entity: reading.position]),
        let now = ModelPins.Version(name: name, model: model).entities[entity]
      else { return [] }
      return PinCheck.changes(from: [entity: before], to: [entity: now])
    }
    return (all.first ?? []).filter { change in
      change.property != nil && all.dropFirst().allSatisfy { $0.contains(change) }
    }
  }
}
