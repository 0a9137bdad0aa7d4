import CoreDataModel
import CoreDataStore
import SQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Where in a history the SwiftData source of a store's model is
// -------------------------------------------------------------
//
//   commits that changed a Swift file ──► their Swift files, one after the other, in one private folder
//                                    ──► storedoctor-swiftdata ──► versions ──► hashes against the store's
//
// A model is spread over files, so each commit is looked at as a whole. One that changed no file with a type in it has the
// versions of its parent; the program itself parses only the files that matter.

/// Walks the commits that changed Swift files and finds those whose models have the hashes of a store.
struct SourceHistory {
  /// The most commits that are looked at.
  static let mostCommits = 2_000
  /// The largest file that is taken, in bytes, and all files of a commit together.
  private static let largestFile = 4 << 20
  private static let largestCommit = 256 << 20

  /// A version of a commit that fits, or a part of it.
  struct Found: Equatable {
    var name: String
    /// File and line in the repository.
    var path: String
    var identifiers: [String]
    var comparison: HashComparison
  }

  private let repository: GitRepository
  private let objects: GitObjects
  private let metadata: StoreMetadata
  private let hashes: VersionHashes
  private let program: SwiftDataProgram
  private let folder: PosixPath
  private var written: [[UInt8]: GitObjectID] = [:]
  private var holdsTypes: [GitObjectID: Bool] = [:]
  private(set) var unreadable: [HistoryMatch.Unreadable] = []
  /// Different states of the source that were read.
  private(set) var statesRead = 0

  /// - Throws: `SwiftDataProgramError` when the reader of Swift source is not installed; `GitError`.
  init(_ repository: GitRepository, _ store: Store, _ hashes: VersionHashes, folder: PosixPath) throws {
    self.repository = repository
    objects = try repository.objects()
    metadata = store.metadata
    self.hashes = hashes
    program = try SwiftDataProgram.installed()
    self.folder = folder
  }

  /// The versions of each commit, by its position; a commit that cannot be read has none.
  mutating func versions(_ commits: [(id: GitObjectID, parents: [GitObjectID])]) throws -> [[Found]] {
    var found = [[Found]](repeating: [], count: commits.count)
    // From the oldest on, so that a commit that changed nothing that matters has its parent's answer.
    var last: (types: [[UInt8]: GitObjectID], versions: [Found])?
    for position in commits.indices.reversed() {
      let files = try repository.swiftFiles(of: commits[position].id)
      let types = files.filter { mayHoldTypes($0.value) }
      if let last, last.types == types {
        found[position] = last.versions
        continue
      }
      let versions = try read(types, commits[position].id)
      found[position] = versions
      last = (types, versions)
    }
    return found
  }

  private mutating func read(_ files: [[UInt8]: GitObjectID], _ commit: GitObjectID) throws -> [Found] {
    statesRead += 1
    try write(files)
    guard !files.isEmpty else { return [] }
    do {
      let reading = try readSwiftDataSource([folder.description], with: program)
      guard !reading.schemas.isEmpty else { return [] }
      let source = try ModelSource(reading, path: folder.description).settled(by: metadata)
      return source.versions.map { version in
        Found(
          name: version.name, path: String(version.path.dropFirst(folder.description.count + 1)),
          identifiers: version.model.versionIdentifiers,
          comparison: HashComparison(
            store: hashes, model: version.model.versionHashes, gaps: version.doubt?.gaps ?? []))
      }
    } catch {
      let reason = (error as? ModelSourceError)?.message ?? "\(error)"
      unreadable.append(.init(path: "Swift source", object: commit.description, reason: reason))
      return []
    }
  }

  /// Makes the folder hold these files and no others.
  private mutating func write(_ files: [[UInt8]: GitObjectID]) throws {
    let target = try PrivateFolder(folder)
    let limits = ArchiveLimits.standard
    for (path, object) in written where files[path] != object {
      if let entry = try? EntryPath(path, limits: limits) { target.remove(entry) }
      written[path] = nil
    }
    var total = 0
    for (path, object) in files where written[path] == nil {
      do throws(EntryPath.Refusal) {
        let entry = try EntryPath(path, limits: limits)
        guard let bytes = content(of: object) else { throw .system(message: "it is missing or too large") }
        total += bytes.count
        guard total <= Self.largestCommit else { throw .system(message: "its commit has too much source") }
        try target.create(entry).write(bytes[...], at: 0)
        written[path] = object
      } catch {
        unreadable.append(
          .init(path: String(decoding: path, as: UTF8.self), object: object.description, reason: error.reason))
      }
    }
  }

  private func content(of object: GitObjectID) -> [UInt8]? {
    guard case .content(let bytes) = try? objects.read(object, limit: Self.largestFile) else { return nil }
    return bytes
  }

  private static let words = [
    "@Model", "Schema", "ModelContainer", "modelContainer", "Codable", "Decodable", "enum ", "typealias ",
  ]

  /// Whether a file may say something of models, or declares a type of value that a model may have.
  private mutating func mayHoldTypes(_ object: GitObjectID) -> Bool {
    if let known = holdsTypes[object] { return known }
    // One that cannot be read is asked for again when it is needed, and named then.
    let text = content(of: object).map { String(decoding: $0, as: UTF8.self) }
    let answer = text.map { Self.words.contains(where: $0.contains) } ?? true
    holdsTypes[object] = answer
    return answer
  }
}

/// Finds the commits of a repository whose Swift source has the model of a store, and adds them to what was found of
/// other models.
///
/// - Parameter temporaryFolder: where a private folder is made for the source of each commit in turn.
/// - Throws: `GitError` when the repository cannot be read.
public func matchSourceHistory(
  _ path: PosixPath, repository: String, temporaryFolder: PosixPath, adding match: inout HistoryMatch
) throws {
  let repository = try GitRepository(path: repository)
  let all = try repository.sourceCommits()
  guard !all.isEmpty else { return }
  let store = try Store(StoreLocator.locate(path))
  guard let hashes = store.metadata.hashes else { return }
  guard let folder = newPrivateFolder(named: "storedoctor-history", in: temporaryFolder) else {
    match.sourceProblem = "no private folder can be made in the folder for temporary files"
    return
  }
  defer { try? removeFolder(folder) }
  do {
    var search = try SourceHistory(repository, store, hashes, folder: folder)
    // The newest: a store is rarely older than those.
    let commits = Array(all.prefix(SourceHistory.mostCommits))
    let versions = try search.versions(commits)
    let objects = try repository.objects()
    match.commits += commits.count
    match.models += search.statesRead
    match.unreadable += search.unreadable
    match.add(try describe(commits, versions, repository, objects))
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

/// Which commits brought and took the versions with all of the store's hashes; without any, the most similar version.
private func describe(
  _ commits: [(id: GitObjectID, parents: [GitObjectID])], _ versions: [[SourceHistory.Found]],
  _ repository: GitRepository, _ objects: GitObjects
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
