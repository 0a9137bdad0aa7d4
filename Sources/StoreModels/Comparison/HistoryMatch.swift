/// Where in a git repository's history the model of a store is.
public struct HistoryMatch: Sendable, Equatable {
  /// The repository, as its path was given.
  public var repository: String
  /// Commits in which a model's file changed.
  public var commits: Int
  /// Different models that were read.
  public var models: Int
  /// The models with the store's hashes, or with a part of them; the newest first.
  public var matches: [Match]
  /// When nothing matches: the model that is most like the store, its last change first.
  public var nearest: Match?
  /// Models that could not be read.
  public var unreadable: [Unreadable]
  /// Why Swift source was not looked at, or not all of it; nil when it was, or there is none.
  public var sourceProblem: String?

  /// One state of one model file.
  public struct Match: Sendable, Equatable {
    /// The file's path in the repository.
    public var path: String
    /// The name git gives its content.
    public var object: String
    /// The version's name.
    public var name: String
    /// `NSVersionIdentifiers`.
    public var identifiers: [String]
    /// How its hashes compare with the store's.
    public var comparison: HashComparison
    /// The commits that brought this content to this path; several on several branches, or where it came back.
    public var introduced: [Commit]
    /// The commits that replaced or removed it; empty while a branch still has it.
    public var ended: [Commit]
    /// Tags that have it: those that hold the first commit that introduced it and none of those that ended it.
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
    /// The name git gives its content.
    public var object: String
    /// Why.
    public var reason: String
  }
}
