import StoreMigration
import StoreDataModel

/// Which of the given versions a store was made with: what `storedoctor model match` says.
///
/// The hashes in the store's metadata are the authority (`docs/format/version-hash.md`); the version identifier is only
/// text.
public struct ModelMatch: Sendable {
  /// The store.
  public var store: MatchedStore
  /// What was found.
  public var answer: Answer
  /// Every version that was looked at, in the order given.
  public var candidates: [Candidate]
  /// The candidate that is most like the store, when none is the store's version.
  public var nearest: Nearest?
  /// The mapping models that were given, in that order.
  public var mappings: [Mapping]
  /// The commits of a git repository whose models were looked at; nil when none was.
  public var history: HistoryMatch?
  /// What else a person should know, most important first.
  public var notes: [Note]

  /// What a store says of its version.
  public struct MatchedStore: Sendable, Equatable {
    /// The main file.
    public var path: String
    /// `NSPersistenceFrameworkVersion`.
    public var frameworkVersion: Int64?
    /// `NSStoreModelVersionIdentifiers`.
    public var identifiers: [String]
    /// `NSStoreModelVersionHashes`.
    public var hashes: VersionHashes
    /// `NSStoreModelVersionChecksumKey`, decoded; nil where there is none (older frameworks) or it is no base-64 of 32
    /// bytes.
    public var checksum: [UInt8]?
    /// Whether the store carries its model.
    public var hasModel: Bool
  }

  /// Whether what made the store is known whole.
  public var isFound: Bool {
    switch answer {
    case .version, .union: true
    case .part, .none: history?.matches.contains(where: \.comparison.isEqual) == true
    }
  }

  /// Which version the store is; candidates by their position.
  public enum Answer: Sendable, Equatable {
    /// These candidates have exactly the store's hashes.
    case version([Int])
    /// No candidate has them all; these have each a part and together all: the app merged several models.
    case union([Int])
    /// These candidates' hashes are all in the store, which has more entities than they have.
    case part([Int], unaccounted: [String])
    /// None.
    case none
  }

  /// One version held against the store.
  public struct Candidate: Sendable {
    /// The version's name.
    public var name: String
    /// Where it was read from.
    public var path: String
    /// The source it is of, as it was given.
    public var source: String
    /// Whether it is its source's current version.
    public var isCurrent: Bool
    /// `NSVersionIdentifiers`.
    public var identifiers: [String]
    /// Computed from the model.
    public var hashes: VersionHashes
    /// How its hashes compare with the store's.
    public var comparison: HashComparison
    /// Whether all of its hashes are known: of what Swift source leaves open they are one of several.
    public var isKnown = true
    /// Whether it is the classes of a container, and no version beside the others.
    public var isContainer = false
    let model: Model
  }

  /// The most similar candidate and what differs.
  public struct Nearest: Sendable {
    /// Its position among the candidates.
    public var candidate: Int
    /// From the store's own model to the candidate, with what a migration makes of it; nil when the store carries no
    /// model.
    public var inference: MigrationInference?
  }

  /// Things that mislead.
  public enum Note: Sendable, Equatable {
    /// The candidate has the store's version identifier, and other hashes: a version was edited after it was shipped.
    case sameIdentifier(candidate: Int)
    /// Candidates with one checksum; staged migration refuses them.
    case equalVersions([Int])
    /// Containers over the same classes, as an app and its widget have them.
    case sameSchema([Int])
    /// `VersionInfo.plist` records hashes for the candidate that its model does not have.
    case recordedHashesDiffer(candidate: Int, entities: [String])
    /// The store's model cache has other hashes than its metadata.
    case cacheDiffers(entities: [String])
    /// The store's checksum does not follow from its hashes.
    case checksumInconsistent
    /// A bundle names a version that is not in it.
    case missingVersion(source: String, name: String)
    /// The mapping model at this position leads neither from nor to anything given.
    case mappingFitsNeither(Int)
    /// Something of the candidate cannot be told from its source; what, and what would settle it.
    case notDerived(candidate: Int, String)
    /// Something of the candidate rests on a rule that nothing has decided.
    case openRule(candidate: Int, String)
    /// The store's hashes decided such a rule.
    case decidedByStore(candidate: Int, String)
  }
}
