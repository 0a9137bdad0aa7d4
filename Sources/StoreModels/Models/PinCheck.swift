import StoreWords
import StoreDataModel

/// Pinned versions compared with a source: the result of `storedoctor model check`.
package struct PinCheck: Sendable, Equatable {
  /// The source, as its path was given.
  package var path: String
  /// Pinned versions that are unchanged.
  package var kept: [String]
  /// Pinned versions that changed, with their changes.
  package var moved: [Moved]
  /// Pinned versions that the source no longer has.
  package var missing: [String]
  /// Pinned versions for which the source does not tell whether they changed.
  package var undecided: [Undecided]
  /// Of ``kept``, the versions that are as they were only if the source is read in one of several ways, with the reasons:
  /// a type whose form is not known may have the pinned hash, and so may another type that stood in its place.
  package var conditions: [Undecided]
  /// Of the pinned versions, what their pins leave out, since it was not known when they were pinned: it is not
  /// compared.
  package var unpinnedParts: [Undecided]
  /// Versions without a pin, such as the one being worked on.
  package var unpinned: [String]

  /// Whether every pinned version is present and unchanged.
  package var isKept: Bool { hasNotMoved && undecided.isEmpty }
  /// Whether no pinned version is known to be changed or missing.
  package var hasNotMoved: Bool { moved.isEmpty && missing.isEmpty }
  /// The pinned versions that may or may not have changed.
  package var open: [String] { undecided.map(\.name).filter { name in !moved.contains { $0.name == name } } }

  /// A version whose hashes changed.
  package struct Moved: Sendable, Equatable {
    /// The version's name.
    package var name: String
    /// Sorted by entity and property; changes of the entity itself first.
    package var changes: [Change]
  }

  /// A version that may or may not have changed.
  package struct Undecided: Sendable, Equatable {
    /// The version's name.
    package var name: String
    /// The gaps, their places, and how to settle them; lower case, no full stop.
    package var reasons: [String]
  }

  /// One difference that affects a hash.
  package struct Change: Sendable, Hashable {
    /// The entity.
    package var entity: String
    /// The property; nil for the entity itself.
    package var property: String?
    /// The hashed text when it was pinned; nil if it did not exist then.
    package var before: String?
    /// The hashed text now; nil if it no longer exists.
    package var now: String?
  }
}

extension PinCheck {
  /// Compares pins with the versions of a source that they name; other versions need not be readable.
  package init(_ pins: ModelPins, against source: ModelSource) {
    path = source.path
    (kept, moved, missing, undecided, conditions, unpinnedParts) = ([], [], [], [], [], [])
    let versions = Dictionary(source.versions.map { ($0.name, $0) }) { first, _ in first }
    for pinned in pins.versions {
      if !pinned.isWhole { unpinnedParts.append(Undecided(name: pinned.name, reasons: pinned.unknown.map(\.words))) }
      guard let version = versions[pinned.name] else {
        missing.append(pinned.name)
        continue
      }
      let held = HeldVersion(pinned, against: version)
      if held.isMoved { moved.append(Moved(name: pinned.name, changes: held.changes)) }
      if !held.reasons.isEmpty { undecided.append(Undecided(name: pinned.name, reasons: held.reasons)) }
      guard !held.isMoved, held.reasons.isEmpty else { continue }
      kept.append(pinned.name)
      if !held.conditions.isEmpty { conditions.append(Undecided(name: pinned.name, reasons: held.conditions)) }
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

  /// If an entity's hash changed but its own text did not, an ancestor changed, which is listed itself.
  private static func changes(of name: String, from before: HashedText, to now: HashedText) -> [Change] {
    var changes: [Change] = []
    if before.entity != now.entity {
      changes.append(Change(entity: name, property: nil, before: before.entity, now: now.entity))
    }
    for property in Set(before.properties.keys).union(now.properties.keys).sorted(by: codeUnitsPrecede)
    where before.properties[property] != now.properties[property] {
      changes.append(
        Change(
          entity: name, property: property, before: before.properties[property]?.text,
          now: now.properties[property]?.text))
    }
    return changes.isEmpty ? [Change(entity: name, property: nil, before: "hash", now: "an ancestor changed")] : changes
  }
}

/// One pinned version compared with the source's version of that name.
private struct HeldVersion {
  /// The changes that are certain.
  var changes: [PinCheck.Change]
  /// Whether it is certain that the version changed.
  var isMoved: Bool
  /// The gaps in the knowledge of it.
  var reasons: [String]
  /// The open rules for which a reading has the pinned hash.
  var conditions: [String]

  init(_ pinned: ModelPins.Version, against version: ModelSource.Version) {
    let wasOpen = version.doubt?.open ?? []
    // A reading of the source that has the pinned hash is taken.
    let version = version.decided(by: [VersionHashes(pinned.entities.mapValues(\.hash))])
    let now = ModelPins.Version(name: version.name, model: version.model).without(pinned)
    let gaps = version.doubt?.gaps ?? []
    let isListKnown = !gaps.contains { $0.entity == nil }
    let open = (version.doubt?.open ?? []).compactMap(\.entity).filter { pinned.entities[$0] != nil }
    let unknown = Set(gaps.compactMap(\.entity).filter { pinned.reason(for: $0) == nil } + open)
    conditions = wasOpen.filter { gap in
      gap.entity.map { pinned.entities[$0] != nil && !open.contains($0) } ?? false
    }.map(\.message)
    changes = PinCheck.changes(from: pinned.entities, to: now.entities).filter { change in
      !unknown.contains(change.entity) && (isListKnown || now.entities[change.entity] != nil)
    }
    changes += open.flatMap { version.certainChanges(of: $0, since: pinned) }
    if isListKnown {
      changes += pinned.unknown.compactMap(\.entity).filter { name in
        !version.model.entities.contains { $0.name == name }
      }
      .map { PinCheck.Change(entity: $0, property: nil, before: "there", now: nil) }
    }
    let isChecksumMoved = pinned.checksum.map { $0 != now.checksum } ?? false
    isMoved = !changes.isEmpty || unknown.isEmpty && isListKnown && isChecksumMoved
    reasons = version.doubts.filter { gap in gap.entity.map(unknown.contains) ?? true }.map(\.message)
  }
}

extension ModelPins.Version {
  /// Without the entities that a pin leaves out, and where it may leave out more, without those that it does not have.
  fileprivate func without(_ pinned: ModelPins.Version) -> ModelPins.Version {
    var rest = self
    rest.entities = entities.filter { name, _ in
      pinned.reason(for: name) == nil && (!pinned.mayHaveMore || pinned.entities[name] != nil)
    }
    return rest
  }
}

extension ModelPins.Unknown {
  /// The entity, and why it is not known.
  package var words: String { entity.map { "\($0): \(reason)" } ?? reason }
}

extension ModelSource.Version {
  /// The changes of an entity that are the same in every possible reading of its source.
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
