import StoreDataModel
import StoreWords

/// A mapping model held against the versions of a model: which versions it leads from and to, or what moved in a
/// version since the mapping model was made. Core Data looks a mapping model up by the hashes of both ends, so one that is
/// out of date is not found (134140).
package struct MappingFit: Sendable, Equatable {
  /// Where the mapping model is.
  package var path: String
  /// The end it migrates from.
  package var source: Side
  /// The end it migrates to.
  package var destination: Side
  /// Parts of its models that could not be read, so that its ends may be others; one sentence each.
  package var unread: [String]

  /// One end of a mapping model.
  package struct Side: Sendable, Equatable {
    /// The hashes recorded for it.
    package var hashes: VersionHashes
    /// The versions that have them.
    package var versions: [String]
    /// If no version has them: the most similar version, and what moved in it.
    package var moved: Moved?
  }

  /// How a version differs from what a mapping model was made for.
  package struct Moved: Sendable, Equatable {
    /// The version.
    package var version: String
    /// Entities that both have, with other hashes.
    package var changed: [String]
    /// Entities the mapping model has and the version lacks.
    package var missing: [String]
    /// Entities the version has, and the whole model inside the mapping model lacks.
    package var added: [String]
    /// Whether the version has at least one entity as the mapping model has it.
    package var isSimilar: Bool

    /// The entities that moved.
    package var entities: [String] { changed + missing + added }
  }

  /// A version to compare with.
  package struct Version {
    /// Its name.
    package var name: String
    /// Its hashes.
    package var hashes: VersionHashes

    /// A version with its hashes.
    package init(name: String, hashes: VersionHashes) {
      self.name = name
      self.hashes = hashes
    }
  }

  /// Whether both ends are versions.
  package var isCurrent: Bool { source.moved == nil && destination.moved == nil }
  /// Whether neither end is a version.
  package var fitsNeither: Bool { source.versions.isEmpty && destination.versions.isEmpty }
  /// Whether it is about this model at all: an end is a version of it, or has an entity in common with one.
  package var concernsModel: Bool {
    [source, destination].contains { !$0.versions.isEmpty || $0.moved?.isSimilar == true }
  }

  /// Compares a mapping model with versions.
  package init(_ mapping: MappingModel, versions: [Version]) {
    path = mapping.path
    unread = mapping.models?.unread ?? []
    let isWhole = mapping.models != nil
    source = Side(mapping.sourceHashes, isWhole: isWhole, named: mapping.sourceName, versions)
    destination = Side(mapping.destinationHashes, isWhole: isWhole, named: mapping.destinationName, versions)
    // The version of the one end is not what became of the other.
    if source.moved != nil, mapping.sourceName == nil {
      source = Side(
        mapping.sourceHashes, isWhole: isWhole, named: nil, versions, besides: destination.versions)
    }
    if destination.moved != nil, mapping.destinationName == nil {
      destination = Side(
        mapping.destinationHashes, isWhole: isWhole, named: nil, versions, besides: source.versions)
    }
  }
}

extension MappingFit.Side {
  /// - Parameters:
  ///   - isWhole: whether the hashes are those of a whole model, and not only of the entities that are mapped.
  ///   - name: the name its version had when the mapping model was made.
  ///   - others: versions that are not compared, if there are others.
  fileprivate init(
    _ hashes: VersionHashes, isWhole: Bool, named name: String?, _ versions: [MappingFit.Version],
    besides others: [String] = []
  ) {
    func fits(_ version: MappingFit.Version) -> Bool {
      isWhole
        ? version.hashes == hashes
        : !hashes.byEntity.isEmpty && hashes.byEntity.allSatisfy { version.hashes.byEntity[$0.key] == $0.value }
    }
    let fitting = versions.filter(fits).map(\.name)
    self.init(hashes: hashes, versions: fitting, moved: nil)
    guard fitting.isEmpty else { return }
    let rest = versions.filter { !others.contains($0.name) }
    let compared = rest.isEmpty ? versions : rest
    // Of equally similar versions the last, which is more often the one under work.
    let nearest =
      compared.first { $0.name == name }
      ?? compared.max { hashes.similarity(to: $0.hashes) <= hashes.similarity(to: $1.hashes) }
    moved = nearest.map { MappingFit.Moved($0, since: hashes, isWhole: isWhole) }
  }
}

extension VersionHashes {
  /// The share of entities with equal hashes.
  fileprivate func similarity(to other: VersionHashes) -> Double {
    HashComparison(store: self, model: other).similarity
  }
}

extension MappingFit.Moved {
  fileprivate init(_ version: MappingFit.Version, since hashes: VersionHashes, isWhole: Bool) {
    let (made, now) = (hashes.byEntity, version.hashes.byEntity)
    self.init(
      version: version.name,
      changed: made.keys.filter { now[$0] != nil && now[$0] != made[$0] }.sorted(by: codeUnitsPrecede),
      missing: made.keys.filter { now[$0] == nil }.sorted(by: codeUnitsPrecede),
      added: isWhole ? now.keys.filter { made[$0] == nil }.sorted(by: codeUnitsPrecede) : [],
      isSimilar: made.contains { now[$0.key] == $0.value })
  }
}

extension MappingFit {
  /// Why Core Data does not find the mapping model for versions of this model; a sentence each, none where it does.
  package var reasons: [String] {
    guard unread.isEmpty else {
      return isCurrent ? [] : ["parts of it could not be read, so that its ends may be others: \(unread[0])"]
    }
    let ends = [source.moved.map { ("from", $0) }, destination.moved.map { ("to", $0) }].compactMap(\.self)
    return ends.map { way, moved in
      moved.isSimilar || !fitsNeither
        ? "it leads \(way) another \(quoted(moved.version)): \(moved.words)"
        : "it leads \(way) no version: none has an entity as it was when the mapping model was made"
    }
  }
}

extension MappingFit.Moved {
  /// "'Account' has changed since, 'CgmEvent' is not in it".
  package var words: String {
    [
      Self.words(changed, one: "has changed since", more: "have changed since"),
      Self.words(missing, one: "is not in it", more: "are not in it"),
      Self.words(added, one: "came after", more: "came after"),
    ].compactMap(\.self).joined(separator: ", ")
  }

  private static func words(_ entities: [String], one: String, more: String) -> String? {
    guard !entities.isEmpty else { return nil }
    let shown = entities.prefix(3).map(quoted).joined(separator: ", ")
    let rest = entities.count > 3 ? " and \(entities.count - 3) more" : ""
    return "\(shown)\(rest) \(entities.count == 1 ? one : more)"
  }
}
