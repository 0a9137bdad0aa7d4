import StoreFindings
import StoreWords
import StoreDataModel

/// The version hashes of every version of a source: what `storedoctor model hash` says.
public struct HashListing: Sendable, Equatable {
  /// The source, as its path was given.
  public var path: String
  /// "momd", "store", ...
  public var format: String
  /// The version an app would use, if known.
  public var currentVersionName: String?
  /// In the source's order.
  public var versions: [Version]
  /// The entities that were asked for, or those of all versions; sorted by name (code units).
  public var entities: [String]
  /// Names of versions that have one checksum: a staged migration refuses them.
  public var equalVersions: [[String]]
  /// Names of containers that are made for the same schema.
  public var sameSchemas: [[String]]
  /// Why the current version is that one, where the source does not say so itself.
  public var currentBasis: String?

  /// One version with its hashes.
  public struct Version: Sendable, Equatable {
    /// The version's name in its source.
    public var name: String
    /// `NSVersionIdentifiers`.
    public var identifiers: [String]
    /// Computed from the model; of entities in doubt there is none.
    public var hashes: VersionHashes
    /// What is not known of the version; with any of it there is no checksum and no digest.
    public var doubts: [ModelSource.Doubt.Gap]
    /// Whether it is the classes of a container, and no version beside the others.
    public var isContainer: Bool
    /// Entities whose hash rests on a rule that no real store has proved, with the rules.
    public var unproven: [String: [UnprovenRule]]
    /// Entities for which the bundle's `VersionInfo.plist` records another hash, or that are on one side only; nil when it
    /// records none.
    public var recordedDifferently: [String]?
    /// Whether the checksum that `VersionInfo.plist` records is the computed one; nil when it records none.
    public var recordedChecksumEqual: Bool?
  }
}

extension HashListing {
  /// Computes the hashes of every version of a source; of the given entities only, where some are.
  ///
  /// - Throws: `UnknownEntity` when no version has an entity that was asked for.
  public init(_ source: ModelSource, entities: [String] = []) throws {
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

  /// Versions by checksum, where several have the same.
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
  }
}
