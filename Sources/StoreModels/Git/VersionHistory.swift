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
  private let known = Mutex<[[String: VersionHash]: Result<Found, GitError>]>([:])

  /// What was found, and why that may not be all.
  private struct Found {
    var matches: [HistoryMatch.Match]
    var gap: String?

    init(_ history: HistoryMatch) {
      matches = history.matches.filter(\.comparison.isEqual)
      gap = history.isWhole ? nil : history.gap
    }
  }

  /// The history of a repository, bare or not.
  package init(_ repository: String) { self.repository = repository }

  /// The contents in the history with exactly these hashes; newest first.
  ///
  /// - Throws: `GitError` if the repository cannot be read.
  package func matches(_ hashes: VersionHashes) throws(GitError) -> [HistoryMatch.Match] {
    try found(hashes).matches
  }

  private func found(_ hashes: VersionHashes) throws(GitError) -> Found {
    if let known = known.withLock({ $0[hashes.byEntity] }) { return try known.get() }
    let result: Result<Found, GitError>
    do {
      result = .success(Found(try matchHistory(hashes, repository: repository)))
    } catch let error as GitError {
      result = .failure(error)
    } catch {
      result = .failure(GitError(path: repository, message: "\(error)"))
    }
    known.withLock { $0[hashes.byEntity] = result }
    return try result.get()
  }

  /// The time of the first commit with these hashes; nil if none is known, or an earlier one may be missing.
  package func firstTime(_ hashes: VersionHashes) -> Int64? {
    guard let found = try? found(hashes), found.gap == nil else { return nil }
    return found.matches.flatMap(\.introduced).compactMap(\.time).min()
  }

  /// Why what was asked of the history so far is not known; nil where it is.
  package var problem: String? {
    let results = known.withLock { Array($0.values) }
    for result in results {
      switch result {
      case .failure(let error): return error.description
      case .success(let found):
        guard let gap = found.gap else { continue }
        return
          "of the git repository \(quoted(repository)) not all could be read (\(gap)): when versions came into it is not "
          + "known"
      }
    }
    return nil
  }

  /// Until which commit a version was as a mapping model has it: "it was so until commit 1a2b3c4d ("Add notes")".
  package func words(_ hashes: VersionHashes) -> String {
    let found: Found
    do throws(GitError) {
      found = try self.found(hashes)
    } catch {
      return error.description
    }
    guard let match = found.matches.first(where: { !$0.ended.isEmpty }) ?? found.matches.first else {
      if let gap = found.gap {
        return "no version like that was found in \(quoted(repository)), of which not all could be read (\(gap))"
      }
      return "no commit of \(quoted(repository)) has a version like that"
    }
    guard let commit = match.ended.last else { return "\(quoted(match.path)) is so in \(quoted(repository))" }
    let day = commit.time.map { " of \(DateText.text(secondsSince1970: Int($0)).prefix(10))" } ?? ""
    return "\(quoted(match.path)) was so until commit \(commit.id.prefix(12))\(day) (\(quoted(commit.subject)))"
  }
}
