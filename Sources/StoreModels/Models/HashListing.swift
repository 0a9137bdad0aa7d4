import StoreFindings
import StoreWords
import StoreDataModel

/// The version hashes of every version of a source: the result of `storedoctor model hash`.
package struct HashListing: Sendable, Equatable {
  /// The source, as its path was given.
  package var path: String
  /// "momd", "store", ...
  package var format: String
  /// The version an app would use, if known.
  package var currentVersionName: String?
  /// In the source's order.
  package var versions: [Version]
  /// The entities that were asked for, or else all entities of all versions; sorted by name (code units).
  package var entities: [String]
  /// Groups of version names with equal checksums: a staged migration refuses such versions.
  package var equalVersions: [[String]]
  /// Groups of container names with equal schemas.
  package var sameSchemas: [[String]]
  /// Why `currentVersionName` is the current version, if the source does not state it itself.
  package var currentBasis: String?

  /// One version with its hashes.
  package struct Version: Sendable, Equatable {
    /// The version's name in its source.
    package var name: String
    /// `NSVersionIdentifiers`.
    package var identifiers: [String]
    /// Computed from the model; entities in doubt are left out.
    package var hashes: VersionHashes
    /// The gaps in the knowledge of the version; if this is not empty, it has no checksum and no digest.
    package var doubts: [ModelSource.Doubt.Gap]
    /// The ways in which its model contradicts itself, a sentence each.
    package var faults: [String]
    /// Whether it is the list of classes given to a `ModelContainer` rather than a version of its own.
    package var isContainer: Bool
    /// Entities whose hash relies on a rule not yet confirmed by a real store, with those rules.
    package var unproven: [String: [UnprovenRule]]
    /// Entities whose hash in the bundle's `VersionInfo.plist` differs from the computed one, or that only one side
    /// has; nil if no hashes are recorded.
    package var recordedDifferently: [String]?
    /// Whether the checksum recorded in `VersionInfo.plist` equals the computed one; nil if none is recorded.
    package var recordedChecksumEqual: Bool?
    /// What properties of Swift source were taken for, a few words each; nothing proves the hashes of their entities.
    package var assumed: [String] = []
    /// The other models that systems make of its source, oldest first; empty where all make the same.
    package var systems: [System] = []
  }

  /// Another model that some systems make of a version's source.
  package struct System: Sendable, Equatable {
    /// The systems.
    package var frameworks: FrameworkRange
    /// Whether they are known to make it; else they may.
    package var isCertain: Bool
    /// The hashes of the entities that are others.
    package var hashes: VersionHashes
    /// The checksum and digest of the whole model; nil where something of the version is in doubt.
    package var whole: VersionHashes?
    /// What makes the source one model, in words; nil where nothing is known to.
    package var remedy: String?
  }
}

extension HashListing {
  /// Computes the hashes of every version of a source; `entities`, unless empty, names those to list.
  ///
  /// - Throws: `UnknownEntity` when no version has an entity that was asked for.
  package init(_ source: ModelSource, entities: [String] = []) throws {
    let known = Set(source.versions.flatMap { $0.model.entities.map(\.name) })
    if let unknown = entities.first(where: { !known.contains($0) }) {
      throw UnknownEntity(name: unknown, known: Array(known), place: "model")
    }
    path = source.path
    format = source.format.rawValue
    currentVersionName = source.currentVersionName
    versions = source.versions.map(Version.init)
    equalVersions = Self.groups(of: versions.filter { !$0.isContainer })
    sameSchemas = Self.groups(of: versions.filter(\.isContainer))
    currentBasis = source.currentBasis
    self.entities = (entities.isEmpty ? known : Set(entities)).sorted(by: codeUnitsPrecede)
  }

  /// Whether all hashes that were asked for are known.
  package var isKnown: Bool {
    versions.allSatisfy { version in
      version.doubts.allSatisfy { doubt in
        // Gaps in the list matter unless it has all that was asked for.
        guard let entity = doubt.entity else { return entities.allSatisfy { version.hashes.byEntity[$0] != nil } }
        return !entities.contains(entity)
      } && (version.doubts.isEmpty || !version.hashes.byEntity.isEmpty)
    }
  }

  /// Groups of version names with equal checksums; versions in doubt are left out.
  static func groups(of versions: [Version]) -> [[String]] {
    Dictionary(grouping: versions.filter(\.doubts.isEmpty), by: \.hashes.checksum).values.filter { $0.count > 1 }
      .map { $0.map(\.name) }.sorted { $0[0] < $1[0] }
  }
}

extension HashListing.Version {
  init(_ version: ModelSource.Version) {
    name = version.name
    identifiers = version.model.versionIdentifiers
    doubts = version.doubts
    faults = version.model.faults.map(\.explanation)
    isContainer = version.isContainer
    let doubtful = Set(doubts.compactMap(\.entity))
    let computed = VersionHashes(version.model.versionHashes.byEntity.filter { !doubtful.contains($0.key) })
    hashes = computed
    unproven = Dictionary(
      uniqueKeysWithValues: version.model.entities.compactMap { entity in
        let rules = version.model.unprovenRules(of: entity.name)
        return rules.isEmpty ? nil : (entity.name, rules)
      })
    recordedDifferently = version.recorded?.hashes.map { recorded in
      Set(recorded.byEntity.keys).union(computed.byEntity.keys)
        .filter { recorded.byEntity[$0] != computed.byEntity[$0] }.sorted(by: codeUnitsPrecede)
    }
    recordedChecksumEqual = version.recorded?.checksum.map { $0 == computed.checksum }
    assumed = version.doubt?.assumed ?? []
    let isWhole = version.doubts.isEmpty
    systems = version.systems.compactMap { system in
      let own = version.model.versionHashes.byEntity
      let others = system.model.versionHashes
      let changed = others.byEntity.filter { own[$0.key] != $0.value && !doubtful.contains($0.key) }
      guard !changed.isEmpty else { return nil }
      return .init(
        frameworks: system.frameworks, isCertain: system.isCertain, hashes: VersionHashes(changed),
        whole: isWhole ? others : nil, remedy: version.systems.remedy)
    }
  }
}
