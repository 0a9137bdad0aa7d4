import StoreCoreData
import StoreMigration
import StoreDataModel

/// Which of the given versions a store was made with: the result of `storedoctor model match`.
///
/// The hashes in the store's metadata decide (`docs/format/version-hash.md`); the version identifier is
/// informational.
public struct ModelMatch: Sendable {
  /// The store.
  public var store: MatchedStore
  /// The answer.
  public var answer: Answer
  /// Every version that was compared, in the order given.
  public var candidates: [Candidate]
  /// The candidate most similar to the store, if no candidate is the store's version.
  public var nearest: Nearest?
  /// The mapping models that were compared, in the order given.
  public var mappings: [Mapping]
  /// The search of a git repository's history; nil if none was searched.
  package var history: HistoryMatch?
  /// Further things the user should know, most important first.
  public var notes: [Note]

  /// The facts in a store's metadata about its version.
  public struct MatchedStore: Sendable, Equatable {
    /// The main file.
    public var path: String
    /// Path, UUID and versions.
    package var identity: StoreIdentity
    /// `NSPersistenceFrameworkVersion`.
    public var frameworkVersion: Int64?
    /// `NSStoreModelVersionIdentifiers`.
    public var identifiers: [String]
    /// `NSStoreModelVersionHashes`.
    package var hashes: VersionHashes
    /// `NSStoreModelVersionChecksumKey`, decoded; nil if it is missing (older frameworks) or is not base-64 of 32
    /// bytes.
    public var checksum: [UInt8]?
    /// Whether the store contains its own model (the model cache).
    public var hasModel: Bool
  }

  /// Whether the complete model of the store was found.
  public var isFound: Bool {
    switch answer {
    case .version, .union: true
    case .part, .none: history?.matches.contains(where: \.comparison.isEqual) == true
    }
  }

  /// The candidates that may be the store's version because nothing known of them differs; empty if the version was
  /// found.
  public var possible: [Int] {
    guard !isFound else { return [] }
    return candidates.indices.filter { !candidates[$0].comparison.isWhole && !candidates[$0].comparison.differs }
  }

  /// Which candidates, by position, make up the store's version.
  public enum Answer: Sendable, Equatable {
    /// These candidates have exactly the store's hashes.
    case version([Int])
    /// No candidate has all the hashes; together these have them all: the app merged several models.
    case union([Int])
    /// These candidates' hashes are all in the store, but the store has further entities, listed in `unaccounted`.
    case part([Int], unaccounted: [String])
    /// No candidate matches.
    case none
  }

  /// One version compared with the store.
  public struct Candidate: Sendable {
    /// The version's name.
    public var name: String
    /// Where it was read from.
    public var path: String
    /// The source it comes from, as its path was given.
    public var source: String
    /// Whether it is its source's current version.
    public var isCurrent: Bool
    /// `NSVersionIdentifiers`.
    public var identifiers: [String]
    /// Computed from the model.
    package var hashes: VersionHashes
    /// How its hashes compare with the store's.
    public var comparison: HashComparison
    /// Whether all its hashes are known; if not, `hashes` are one of several possible readings of the Swift source.
    public var isKnown = true
    /// Whether it is the list of classes given to a `ModelContainer` rather than a version of its own.
    public var isContainer = false
    let model: Model
  }

  /// The most similar candidate and its differences.
  public struct Nearest: Sendable {
    /// Its position among the candidates.
    public var candidate: Int
    /// The migration that would be inferred from the store's own model to the candidate; nil if the store does not
    /// contain its model.
    package var inference: MigrationInference?
  }

  /// Observations that explain a match or warn about it.
  public enum Note: Sendable, Equatable {
    /// The candidate has the store's version identifier but other hashes: a version was edited after it was shipped.
    case sameIdentifier(candidate: Int)
    /// Candidates with equal checksums; a staged migration refuses them.
    case equalVersions([Int])
    /// Containers with the same classes, such as those of an app and its widget.
    case sameSchema([Int])
    /// `VersionInfo.plist` records hashes for the candidate that its model does not have.
    case recordedHashesDiffer(candidate: Int, entities: [String])
    /// The store's model cache has other hashes than its metadata.
    case cacheDiffers(entities: [String])
    /// The store's checksum does not follow from its hashes.
    case checksumInconsistent
    /// A bundle names a version that it does not contain.
    case missingVersion(source: String, name: String)
    /// The mapping model at this position matches nothing given, neither by source nor by destination.
    case mappingFitsNeither(Int)
    /// Something about the candidate cannot be determined from its source; the text says what, and what would settle
    /// it.
    case notDerived(candidate: Int, String)
    /// Something about the candidate depends on a rule that is still undecided.
    case openRule(candidate: Int, String)
    /// The candidate's model contradicts itself in these ways, a sentence each.
    case faults(candidate: Int, [String])
    /// Not all systems make the store's model of the candidates' source; the text says which do.
    case madeBySystem([Int], String)
    /// The store's hashes decided such a rule; the text says how.
    case decidedByStore(candidate: Int, String)
  }
}
