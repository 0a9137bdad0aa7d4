import StoreWords
import StoreMigration
import StoreDataModel

/// Two versions of a model compared, as far as their source tells: the result of `storedoctor model diff`.
package struct ModelComparison: Sendable {
  /// The older version.
  package var source: ModelSource.Version
  /// The newer version.
  package var destination: ModelSource.Version
  /// The judged difference: what is the same in every reading of the doubtful entities, which appear in their likeliest
  /// one.
  package var inference: MigrationInference
  /// The entities that are not completely known in one of the versions, by name.
  package var doubtful: [Doubtful]
  /// Whether a mapping can be inferred, as far as the models decide it; nil where that depends on the reading.
  package var isInferable: Bool?

  /// Whether more changes than those of `inference`, depending on the reading.
  package var isUndecided: Bool { doubtful.contains(where: \.isUndecided) }

  /// An entity that is not completely known.
  package struct Doubtful: Sendable, Equatable {
    /// The entity.
    package var entity: String
    /// Whether it differs between the versions, as far as their source tells.
    package var isChanged: Bool
    /// Whether what changed in it depends on the reading; what all readings say alike is said all the same.
    package var isUndecided: Bool
    /// The gaps, their places, and how to settle them; lower case, no full stop.
    package var messages: [String]
  }
}

// How versions in doubt are compared
// ----------------------------------
//
//   the same class in both, whatever is open in it ──► not changed
//   only one version has the entity                ──► added or removed, whatever it contains
//   else                                           ──► every reading of one side is compared with every one of the
//                                                      other; only what they all say counts
//   a part of it could not be read at all          ──► nothing is said of it

/// Compares the deciding versions of two sources, property by property.
///
/// - Throws: `ModelSourceError` if it is not known which versions these are or which entities they have, or if there are
///   too many readings to compare.
package func diffModels(
  from source: ModelSource, to destination: ModelSource
) throws(ModelSourceError) -> ModelComparison {
  try DoubtfulVersions(
    old: .init(version: source.decidingVersion(), isWritten: source.isWrittenByCoreData),
    new: .init(version: destination.decidingVersion(), isWritten: destination.isWrittenByCoreData)
  ).comparison()
}

extension ModelSource {
  /// Whether Core Data itself computed its hashes, so that an equal hash proves a reading of Swift source.
  fileprivate var isWrittenByCoreData: Bool {
    switch format {
    case .store, .compiled, .compiledBundle: true
    case .xcode, .xcodeBundle, .json, .swift: false
    }
  }
}

/// Two versions, either of which may be in doubt.
private struct DoubtfulVersions {
  let old: Side
  let new: Side

  struct Side {
    var version: ModelSource.Version
    var isWritten: Bool

    func entity(_ name: String) -> DoubtfulEntity? { version.doubt?.entities[name] }
    func has(_ name: String) -> Bool { version.model.entity(named: name) != nil }
    func messages(of name: String) -> [String] { version.doubts.filter { $0.entity == name }.map(\.message) }
  }

  /// One reading of each doubtful entity on both sides, as positions.
  struct Reading {
    var old: [String: Int] = [:]
    var new: [String: Int] = [:]
  }

  /// The most readings that are compared.
  private static let mostReadings = 64

  func comparison() throws(ModelSourceError) -> ModelComparison {
    for side in [old, new] {
      let lists = side.version.doubts.filter { $0.entity == nil }
      guard lists.isEmpty else { throw side.version.incomplete(lists) }
    }
    let names = Set((old.version.doubts + new.version.doubts).compactMap(\.entity)).sorted(by: codeUnitsPrecede)
    let changed = names.filter { !isSame($0) }
    let unread = Set(changed.filter { old.has($0) && new.has($0) && hasGap($0) })
    let inferences = try readings(of: changed.filter { !unread.contains($0) }).compactMap(inference)
    guard let first = inferences.first else { throw dependent(on: changed) }
    let common = Agreement(inferences, without: unread)
    let proved = names.filter { isProved($0, by: first) }
    let answers = Set(inferences.map(\.isInferable))
    let inference = first.keeping(common.isSaidByAll)
    let isInferable: Bool? =
      if !inference.isInferable {
        false
      } else if answers.count == 1, unread.isEmpty {
        first.isInferable
      } else {
        nil
      }
    return ModelComparison(
      source: old.version, destination: new.version, inference: inference,
      doubtful: names.filter { !proved.contains($0) }.map { name in
        .init(
          entity: name, isChanged: changed.contains(name), isUndecided: common.undecided.contains(name),
          messages: messages(of: name))
      },
      isInferable: isInferable)
  }

  /// Whether both versions declare the same class.
  private func isSame(_ name: String) -> Bool {
    guard let before = old.entity(name), let after = new.entity(name) else { return false }
    return before.isSame(as: after)
  }

  private func hasGap(_ name: String) -> Bool {
    [old, new].contains { side in side.version.doubt?.gaps.contains { $0.entity == name } ?? false }
  }

  /// Whether a hash computed by Core Data on one side equals that of the chosen reading on the other.
  private func isProved(_ name: String, by inference: MigrationInference) -> Bool {
    guard old.isWritten || new.isWritten else { return false }
    let difference = inference.difference
    return difference.source.versionHashes.byEntity[name] == difference.destination.versionHashes.byEntity[name]
  }

  // MARK: Readings

  private func readings(of names: [String]) throws(ModelSourceError) -> [Reading] {
    var all = [Reading()]
    for name in names {
      let pairs = pairs(of: name)
      all = all.flatMap { reading in
        pairs.map { pair in
          var reading = reading
          reading.old[name] = pair.0
          reading.new[name] = pair.1
          return reading
        }
      }
      guard all.count <= Self.mostReadings else { throw dependent(on: names) }
    }
    return all
  }

  /// The combinations of readings of an entity that can be true together. If both sides have the same open rules,
  /// they must be read alike.
  private func pairs(of name: String) -> [(Int?, Int?)] {
    switch (old.entity(name), new.entity(name)) {
    case (nil, nil): return [(nil, nil)]
    case (let before?, nil): return before.proved(by: new, name).map { ($0.position, nil) }
    case (nil, let after?): return after.proved(by: old, name).map { (nil, $0.position) }
    case (let before?, let after?):
      let isOfSameRules = Set(before.readings.map(\.choices)) == Set(after.readings.map(\.choices))
      return before.readings.flatMap { one -> [(Int?, Int?)] in
        after.readings.filter { !isOfSameRules || $0.choices == one.choices }.map { (one.position, $0.position) }
      }
    }
  }

  /// Nil if the readings contradict each other, such as those of the two ends of a relationship.
  private func inference(_ reading: Reading) -> MigrationInference? {
    guard let before = old.version.model(reading.old), let after = new.version.model(reading.new) else { return nil }
    for (model, side, positions) in [(before, old, reading.old), (after, new, reading.new)] {
      let hashes = model.versionHashes.byEntity
      for (name, position) in positions {
        let chosen = side.entity(name)?.readings.first { $0.position == position }
        if let hash = chosen?.hash, hashes[name] != hash { return nil }
      }
    }
    return MigrationInference(ModelDifference(from: before, to: after))
  }

  // MARK: Words

  private func messages(of name: String) -> [String] { old.messages(of: name) + new.messages(of: name) }

  private func dependent(on names: [String]) -> ModelSourceError {
    let shown = names.flatMap(messages).prefix(5).joined(separator: "; ")
    return ModelSourceError(
      new.version.path, .unsupported,
      message:
        "what differs between \(quoted(old.version.name)) and \(quoted(new.version.name)) depends on what the source does "
        + "not tell: \(shown); a store that such a version wrote, given in its place or with --store, settles it")
  }
}

extension DoubtfulEntity {
  /// The readings possible in view of the other side: if Core Data wrote that and one reading has its hash, only that
  /// one.
  fileprivate func proved(by other: DoubtfulVersions.Side, _ name: String) -> [Reading] {
    guard other.isWritten, let hash = other.version.model.versionHashes.byEntity[name],
      let reading = readings.first(where: { $0.hash == hash })
    else { return readings }
    return [reading]
  }
}

extension ModelSource.Version {
  fileprivate func model(_ choices: [String: Int]) -> Model? {
    choices.isEmpty ? model : doubt?.choose(choices)
  }
}

/// The facts on which all readings agree.
private struct Agreement {
  /// The entities of which readings say different things, or that were not read.
  private(set) var undecided: Set<String>
  /// The changes of the first reading that another one lacks, or judges otherwise.
  private var dropped: [ModelChange] = []

  init(_ inferences: [MigrationInference], without unread: Set<String>) {
    undecided = unread
    guard let first = inferences.first else { return }
    for other in inferences.dropFirst() {
      for (change, effect) in first.judged where !other.judged.contains(where: { $0 == (change, effect) }) {
        if !dropped.contains(change) { dropped.append(change) }
        undecided.formUnion(change.place.entities)
      }
      for (change, effect) in other.judged where !first.judged.contains(where: { $0 == (change, effect) }) {
        undecided.formUnion(change.place.entities)
      }
    }
    dropped += first.difference.changes.filter { !unread.isDisjoint(with: $0.place.entities) }
  }

  func isSaidByAll(_ change: ModelChange) -> Bool { !dropped.contains(change) }
}

extension ModelChange.Place {
  fileprivate var entities: [String] { [sourceEntity, destinationEntity].compactMap(\.self) }
}
