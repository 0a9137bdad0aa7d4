/// Where in a git repository's history the model of a store was found.
public struct HistoryMatch: Sendable, Equatable {
  /// The repository, as its path was given.
  public var repository: String
  /// Number of commits in which a model file changed.
  public var commits: Int
  /// Number of different models that were read.
  public var models: Int
  /// The models that have all the store's hashes or, if there is none, those that match part of them; newest first.
  public var matches: [Match]
  /// If nothing matches: the model most similar to the store.
  public var nearest: Match?
  /// Models that could not be read.
  public var unreadable: [Unreadable]
  /// Why Swift source was not read, or not all of it; nil if all was read or there is none.
  public var sourceProblem: String?

  /// One state of one model file.
  public struct Match: Sendable, Equatable {
    /// The file's path in the repository.
    public var path: String
    /// The id of the git object with its content.
    public var object: String
    /// The version's name.
    public var name: String
    /// `NSVersionIdentifiers`.
    public var identifiers: [String]
    /// How its hashes compare with the store's.
    public var comparison: HashComparison
    /// The commits that introduced this content at this path; several if on several branches or reintroduced.
    public var introduced: [Commit]
    /// The commits that replaced or removed it; empty while a branch still has it.
    public var ended: [Commit]
    /// Tags that contain the first commit that introduced it and none of those that ended it.
    public var tags: [String]
  }

  /// A commit.
  public struct Commit: Sendable, Equatable {
    /// 40 or 64 hex digits.
    public var id: String
    /// When it was made, seconds since 1970; nil when the commit cannot be read.
    public var time: Int64?
    /// The first line of its message.
    public var subject: String
  }

  /// A model file that could not be read.
  public struct Unreadable: Sendable, Equatable {
    /// The file's path in the repository.
    public var path: String
    /// The id of the git object with its content.
    public var object: String
    /// Why.
    public var reason: String
  }
}
