import StoreSystem
import StoreDataModel
import StoreCoreData
import StoreSQLite
import StoreSwiftDataSchemas

// Where in a git history the SwiftData source of a store's model is
// -------------------------------------------------------------
//
//   commits that changed a Swift file ──► their source (`CommittedSource`) ──► versions ──► hashes against the store's

/// Walks the commits that changed Swift files and finds those whose models have the hashes of a store.
struct SourceHistory {
  /// The most commits that are read.
  static let mostCommits = 2_000

  /// A version in the source of a commit, compared with the store.
  struct Found: Equatable {
    var name: String
    /// File and line in the repository.
    var path: String
    var identifiers: [String]
    var comparison: HashComparison
  }

  private let metadata: StoreMetadata
  private let hashes: VersionHashes
  private var source: CommittedSource
  private var failures: [HistoryMatch.Unreadable] = []

  /// - Throws: `SwiftDataProgramError` when the reader of Swift source is not installed; `GitError`.
  init(
    of repository: GitRepository, store: Store, hashes: VersionHashes, folder: PosixPath, defines: [String]
  ) throws {
    source = try CommittedSource(repository, folder: folder, defines: defines)
    metadata = store.metadata
    self.hashes = hashes
  }

  var unreadable: [HistoryMatch.Unreadable] { source.unreadable + failures }
  /// Number of different states of the source that were read.
  var statesRead: Int { source.statesRead }

  /// The versions found in each commit, by the commit's position; none for a commit that cannot be read.
  mutating func versions(_ commits: [(id: GitObjectID, parents: [GitObjectID])]) throws -> [[Found]] {
    let (metadata, hashes) = (metadata, hashes)
    var failures: [HistoryMatch.Unreadable] = []
    // Oldest first, so that a commit with unchanged model source can reuse the answer of the one before.
    let found = try source.read(commits.map(\.id).reversed()) { state in
      do throws(ModelSourceError) {
        return try state.versions(metadata, hashes: hashes)
      } catch {
        failures.append(.init(path: "Swift source", object: state.commit.description, reason: error.message))
        return []
      }
    }
    self.failures += failures
    return found.reversed()
  }
}

extension CommittedSource.State {
  /// The versions of its source, compared with a store; none if the source cannot be read.
  fileprivate func versions(
    _ metadata: StoreMetadata, hashes: VersionHashes
  ) throws(ModelSourceError) -> [SourceHistory.Found] {
    guard case .success(let reading) = reading, !reading.schemas.isEmpty else { return [] }
    return try ModelSource(reading, path: folder).settled(by: metadata).versions.map { version in
      SourceHistory.Found(
        name: version.name, path: pathInRepository(version.path), identifiers: version.model.versionIdentifiers,
        comparison: HashComparison(
          store: hashes, model: version.model.versionHashes, gaps: version.doubt?.gaps ?? []))
    }
  }
}

/// Finds the commits of a repository whose Swift source has the model of a store, and adds them to `match`.
///
/// - Parameters:
///   - opening: how the store is opened.
///   - defines: conditions for `#if`: `DEBUG`, or `DEBUG=false`.
///   - temporaryFolder: where a private folder for the source of the commits is made.
/// - Throws: `GitError` when the repository cannot be read.
package func matchSourceHistory(
  _ path: PosixPath, opening: Store.Options, repository: String, defines: [String] = [], temporaryFolder: PosixPath,
  adding match: inout HistoryMatch
) throws {
  let repository = try GitRepository(path: repository)
  let all = try repository.sourceCommits()
  guard !all.isEmpty else { return }
  let store = try Store(StoreLocator.locate(path), options: opening)
  guard let hashes = store.metadata.hashes else { return }
  guard let folder = newPrivateFolder(named: "storedoctor-history", in: temporaryFolder) else {
    match.sourceProblem = "no private folder can be made in the folder for temporary files"
    return
  }
  defer { try? removeFolder(folder) }
  do {
    var search = try SourceHistory(of: repository, store: store, hashes: hashes, folder: folder, defines: defines)
    // The newest commits: a store is rarely older than those.
    let commits = Array(all.prefix(SourceHistory.mostCommits))
    let versions = try search.versions(commits)
    let objects = try repository.objects()
    match.commits += commits.count
    match.models += search.statesRead
    match.unreadable += search.unreadable
    match.add(try describe(commits, versions: versions, in: repository, objects: objects))
    if commits.count < all.count {
      match.sourceProblem =
        "of \(all.count) commits that changed Swift files the newest \(commits.count) were looked at"
    }
  } catch let error as SwiftDataProgramError {
    match.sourceProblem = error.description
  }
}

extension HistoryMatch {
  fileprivate mutating func add(_ found: (matches: [Match], nearest: Match?)) {
    matches += found.matches
    let candidates = [nearest, found.nearest].compactMap(\.self)
    nearest = matches.isEmpty ? candidates.max { $0.comparison.similarity < $1.comparison.similarity } : nil
  }
}

/// The commits that introduced and ended the versions with all of the store's hashes; if there is none, the most
/// similar version.
private func describe(
  _ commits: [(id: GitObjectID, parents: [GitObjectID])], versions: [[SourceHistory.Found]],
  in repository: GitRepository, objects: GitObjects
) throws -> (matches: [HistoryMatch.Match], nearest: HistoryMatch.Match?) {
  let positions = Dictionary(commits.enumerated().map { ($1.id, $0) }) { first, _ in first }
  func fits(_ position: Int) -> SourceHistory.Found? { versions[position].first(where: \.comparison.isEqual) }
  func parents(_ position: Int) -> [Int] { commits[position].parents.compactMap { positions[$0] } }
  let equal = commits.indices.filter { fits($0) != nil }
  if let newest = equal.first, let found = fits(newest) {
    let introduced = equal.filter { position in parents(position).allSatisfy { fits($0) == nil } }
    let ended = commits.indices.filter { position in
      fits(position) == nil && parents(position).contains { fits($0) != nil }
    }
    let last = ended.map { commits[$0].id }
    let match = HistoryMatch.Match(
      path: found.path, object: commits[newest].id.description, name: found.name, identifiers: found.identifiers,
      comparison: found.comparison, introduced: try introduced.map { try objects.commit(commits[$0].id) },
      ended: try last.map(objects.commit),
      tags: try introduced.last.map { try repository.tags(containing: commits[$0].id, without: last) } ?? [])
    return ([match], nil)
  }
  let all = commits.indices.flatMap { position in versions[position].map { (position, $0) } }
  guard let (position, best) = all.max(by: { $0.1.comparison.similarity < $1.1.comparison.similarity }),
    best.comparison.similarity > 0
  else { return ([], nil) }
  let nearest = HistoryMatch.Match(
    path: best.path, object: commits[position].id.description, name: best.name, identifiers: best.identifiers,
    comparison: best.comparison, introduced: [try objects.commit(commits[position].id)], ended: [], tags: [])
  return ([], nearest)
}
