import StoreDataModel
import StoreText
import StoreWords
import Synchronization

/// When the versions of a model came into a git repository, and when they were changed.
///
/// Each answer searches the whole history, and is kept.
package final class VersionHistory: Sendable {
  /// The repository, as its path was given.
  package let repository: String
  private let known = Mutex<[[String: VersionHash]: Result<[HistoryMatch.Match], GitError>]>([:])

  /// The history of a repository, bare or not.
  package init(_ repository: String) { self.repository = repository }

  /// The contents in the history with exactly these hashes; newest first.
  ///
  /// - Throws: `GitError` if the repository cannot be read.
  package func matches(_ hashes: VersionHashes) throws(GitError) -> [HistoryMatch.Match] {
    if let known = known.withLock({ $0[hashes.byEntity] }) { return try known.get() }
    let result: Result<[HistoryMatch.Match], GitError>
    do {
      result = .success(try matchHistory(hashes, repository: repository).matches.filter(\.comparison.isEqual))
    } catch let error as GitError {
      result = .failure(error)
    } catch {
      result = .failure(GitError(path: repository, message: "\(error)"))
    }
    known.withLock { $0[hashes.byEntity] = result }
    return try result.get()
  }

  /// The time of the first commit with these hashes; nil if none is known.
  package func firstTime(_ hashes: VersionHashes) -> Int64? {
    (try? matches(hashes))?.flatMap(\.introduced).compactMap(\.time).min()
  }

  /// Until which commit a version was as a mapping model has it: "it was so until commit 1a2b3c4d ("Add notes")".
  package func words(_ hashes: VersionHashes) -> String {
    let found: [HistoryMatch.Match]
    do throws(GitError) {
      found = try matches(hashes)
    } catch {
      return error.description
    }
    guard let match = found.first(where: { !$0.ended.isEmpty }) ?? found.first else {
      return "no commit of \(quoted(repository)) has a version like that"
    }
    guard let commit = match.ended.last else { return "\(quoted(match.path)) is so in \(quoted(repository))" }
    let day = commit.time.map { " of \(DateText.text(secondsSince1970: Int($0)).prefix(10))" } ?? ""
    return "\(quoted(match.path)) was so until commit \(commit.id.prefix(12))\(day) (\(quoted(commit.subject)))"
  }
}
