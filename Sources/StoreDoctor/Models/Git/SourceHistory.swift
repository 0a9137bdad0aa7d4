import CoreDataModel
import CoreDataStore
import SQLite
import SwiftDataSchemas

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Where in a history the SwiftData source of a store's model is
// -------------------------------------------------------------
//
//   commits that changed a Swift file ──► their Swift files, some commits at a time, in one private folder
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
  private static let largestCommit = 64 << 20
  /// How many states are on disk and read at once: most of the time is the start of a process.
  private static let mostAtOnce = 8

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
  /// What lies in the folder, in a folder for each of the states that are read at once.
  private var written = [[[UInt8]: GitObjectID]](repeating: [:], count: SourceHistory.mostAtOnce)
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
    // From the oldest on, so that a commit that changed nothing that matters has its parent's answer.
    var (answers, waiting): ([[Found]], [State]) = ([], [])
    var answerOf = [Int](repeating: 0, count: commits.count)
    var last: [[UInt8]: GitObjectID]?
    for position in commits.indices.reversed() {
      let files = try repository.swiftFiles(of: commits[position].id).filter { mayHoldTypes($0.value) }
      if files != last {
        if waiting.count == Self.mostAtOnce {
          answers += try read(waiting)
          waiting = []
        }
        waiting.append(State(commit: commits[position].id, files: files))
        last = files
      }
      answerOf[position] = answers.count + waiting.count - 1
    }
    answers += try read(waiting)
    return answerOf.map { answers[$0] }
  }

  /// The source of a commit that may say something of models.
  private struct State {
    var commit: GitObjectID
    var files: [[UInt8]: GitObjectID]
  }

  private mutating func read(_ states: [State]) throws -> [[Found]] {
    statesRead += states.count
    for (number, state) in states.enumerated() { try write(state.files, at: number) }
    let present = states.indices.filter { !written[$0].isEmpty }
    let readings = readings(at: present.map { place($0) })
    var found = [[Found]](repeating: [], count: states.count)
    for (number, reading) in zip(present, readings) {
      found[number] = versions(reading, place(number), states[number].commit)
    }
    return found
  }

  /// All in one run; where that fails, each by itself, so that source which brings the program down hides no other.
  private func readings(at places: [String]) -> [Result<SourceReading, SwiftDataProgramError>] {
    if places.count > 1, let all = try? readEachSwiftDataSource(places, with: program) { return all }
    return places.map { place in
      Result { () throws(SwiftDataProgramError) in try readSwiftDataSource([place], with: program) }
    }
  }

  private func place(_ number: Int) -> String { "\(folder)/\(number)" }

  private mutating func versions(
    _ reading: Result<SourceReading, SwiftDataProgramError>, _ place: String, _ commit: GitObjectID
  ) -> [Found] {
    do {
      let reading = try reading.get()
      guard !reading.schemas.isEmpty else { return [] }
      let source = try ModelSource(reading, path: place).settled(by: metadata)
      return source.versions.map { version in
        Found(
          name: version.name, path: String(version.path.dropFirst(place.count + 1)),
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

  /// Makes one of the folders in the folder hold these files and no others.
  private mutating func write(_ files: [[UInt8]: GitObjectID], at number: Int) throws {
    let target = try PrivateFolder(folder)
    let prefix = Array("\(number)/".utf8)
    for (path, object) in written[number] where files[path] != object {
      if let entry = try? EntryPath(prefix + path, limits: .standard) { target.remove(entry) }
      written[number][path] = nil
    }
    var total = 0
    let paths = files.keys.filter { written[number][$0] == nil }.sorted { $0.lexicographicallyPrecedes($1) }
    for path in paths {
      guard let object = files[path] else { continue }
      if let reason = create(prefix + path, object, in: target, &total) {
        note(.init(path: String(decoding: path, as: UTF8.self), object: object.description, reason: reason))
      } else {
        written[number][path] = object
      }
    }
  }

  /// Writes a file.
  ///
  /// - Returns: why it cannot be; nil when it was.
  private func create(
    _ path: [UInt8], _ object: GitObjectID, in target: PrivateFolder, _ total: inout Int
  ) -> String? {
    switch try? objects.read(object, limit: Self.largestFile) {
    case .missing, nil: return "not in the repository (a shallow or partial clone?)"
    case .tooLarge(let bytes): return "\(bytes) bytes, more than \(Self.largestFile)"
    case .content(let bytes):
      total += bytes.count
      guard total <= Self.largestCommit else { return "its commit has more than \(Self.largestCommit) bytes of source" }
      do throws(EntryPath.Refusal) {
        try target.create(EntryPath(path, limits: .standard)).write(bytes[...], at: 0)
        return nil
      } catch {
        return error.reason
      }
    }
  }

  /// Once, although many commits may have the file.
  private mutating func note(_ file: HistoryMatch.Unreadable) {
    if !unreadable.contains(file) { unreadable.append(file) }
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
