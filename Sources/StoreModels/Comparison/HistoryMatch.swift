/// Where in a git repository's history the model of a store was found.
package struct HistoryMatch: Sendable, Equatable {
  /// The repository, as its path was given.
  package var repository: String
  /// Number of commits in which a model file changed.
  package var commits: Int
  /// Number of different models that were read.
  package var models: Int
  /// The models that have all the store's hashes or, if there is none, those that match part of them; newest first.
  package var matches: [Match]
  /// If nothing matches: the model most similar to the store.
  package var nearest: Match?
  /// Models that could not be read.
  package var unreadable: [Unreadable]
  /// Whether older commits are not in the repository, because it is a shallow clone.
  package var isShallow: Bool
  /// Why Swift source was not read, or not all of it; nil if all was read or there is none.
  package var sourceProblem: String?

  /// Whether all that the repository's history names was read, so that what was not found is not there.
  package var isWhole: Bool { unreadable.isEmpty && !isShallow && sourceProblem == nil }

  /// What of it was not read; lower case, no full stop.
  package var gap: String {
    let models = unreadable.count == 1 ? "1 model" : "\(unreadable.count) models"
    let parts = [
      unreadable.isEmpty ? nil : "\(models): \(unreadable[0].reason)",
      isShallow ? "older commits are missing in a shallow clone" : nil, sourceProblem,
    ]
    return parts.compactMap(\.self).joined(separator: "; ")
  }

  /// One state of one model file.
  package struct Match: Sendable, Equatable {
    /// The file's path in the repository.
    package var path: String
    /// The id of the git object with its content.
    package var object: String
    /// The version's name.
    package var name: String
    /// `NSVersionIdentifiers`.
    package var identifiers: [String]
    /// How its hashes compare with the store's.
    package var comparison: HashComparison
    /// The commits that introduced this content at this path; several if on several branches or reintroduced.
    package var introduced: [Commit]
    /// The commits that replaced or removed it; empty while a branch still has it.
    package var ended: [Commit]
    /// Tags that contain the first commit that introduced it and none of those that ended it.
    package var tags: [String]
  }

  /// A commit.
  package struct Commit: Sendable, Equatable {
    /// 40 or 64 hex digits.
    package var id: String
    /// When it was made, seconds since 1970; nil when the commit cannot be read.
    package var time: Int64?
    /// The first line of its message.
    package var subject: String
  }

  /// A model file that could not be read.
  package struct Unreadable: Sendable, Equatable {
    /// The file's path in the repository.
    package var path: String
    /// The id of the git object with its content.
    package var object: String
    /// Why.
    package var reason: String
  }
}
