import StoreSystem
import StoreSQLite
import StoreSwiftDataSchemas

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// The SwiftData source of commits
// -------------------------------
//
//   commits ──► their Swift files, some commits at a time, in one private folder ──► storedoctor-swiftdata
//           ──► schemas, plans
//
// A model may be spread over several files, so each commit is read as a whole. A commit whose relevant Swift files
// (see `mayHoldTypes`) equal those of the commit before it reuses that answer.

/// Reads the Swift source of commits.
package struct CommittedSource {
  /// The largest file that is read, and the most bytes of all files of one commit.
  private static let largestFile = 4 << 20
  private static let largestCommit = 64 << 20
  /// How many commits are written to disk and read at once: starting the reader process takes most of the time.
  private static let mostAtOnce = 8

  /// The Swift source of one commit, as read.
  package struct State {
    let commit: GitObjectID
    /// The folder it was read in.
    let folder: String
    package let reading: Result<SourceReading, SwiftDataProgramError>

    /// The path in the repository of a file that was read.
    package func pathInRepository(_ path: String) -> String { String(path.dropFirst(folder.count + 1)) }
  }

  private typealias Files = [[UInt8]: GitObjectID]

  private let folder: PosixPath
  private let repository: GitRepository
  private let objects: GitObjects
  private let program: SwiftDataProgram
  private let defines: [String]
  /// The files on disk, one set for each subfolder; each subfolder holds the source of one commit.
  private var written = [Files](repeating: [:], count: CommittedSource.mostAtOnce)
  private var holdsTypes: [GitObjectID: Bool] = [:]
  /// Files and commits that could not be read, each listed once.
  private(set) var unreadable: [HistoryMatch.Unreadable] = []
  /// Number of different states of the source that were read.
  private(set) var statesRead = 0

  /// - Parameter folder: a private folder, which the source is written to.
  /// - Throws: `SwiftDataProgramError` when the reader of Swift source is not installed; `GitError`.
  package init(_ repository: GitRepository, folder: PosixPath, defines: [String] = []) throws {
    self.repository = repository
    objects = try repository.objects()
    program = try SwiftDataProgram.installed()
    self.folder = folder
    self.defines = defines
  }

  /// Applies `judge` to the source of each commit and returns the answers in order. Neighbours with the same source
  /// are judged once.
  ///
  /// - Throws: `GitError` when the repository cannot be read.
  package mutating func read<Answer>(_ commits: [GitObjectID], _ judge: (State) -> Answer) throws -> [Answer] {
    var (answers, waiting): ([Answer], [(GitObjectID, Files)]) = ([], [])
    var answerOf: [Int] = []
    var last: Files?
    for commit in commits {
      let files = try repository.swiftFiles(of: commit).filter { mayHoldTypes($0.value) }
      if files != last {
        if waiting.count == Self.mostAtOnce {
          answers += try read(waiting).map(judge)
          waiting = []
        }
        waiting.append((commit, files))
        last = files
      }
      answerOf.append(answers.count + waiting.count - 1)
    }
    answers += try read(waiting).map(judge)
    return answerOf.map { answers[$0] }
  }

  private mutating func read(_ commits: [(id: GitObjectID, files: Files)]) throws -> [State] {
    statesRead += commits.count
    for (number, commit) in commits.enumerated() { try write(commit.files, at: number) }
    let present = commits.indices.filter { !written[$0].isEmpty }
    let readings = Dictionary(uniqueKeysWithValues: zip(present, readings(at: present.map(place))))
    return commits.enumerated().map { number, commit in
      let state = State(
        commit: commit.id, folder: place(number), reading: readings[number] ?? .success(SourceReading()))
      if case .failure(let error) = state.reading {
        note(.init(path: "Swift source", object: commit.id.description, reason: error.description))
      }
      return state
    }
  }

  /// Reads all places in one run. If that fails, reads each by itself, so that source that crashes the reader affects
  /// no other.
  private func readings(at places: [String]) -> [Result<SourceReading, SwiftDataProgramError>] {
    if places.count > 1, let all = try? readEachSwiftDataSource(places, defines: defines, with: program) { return all }
    return places.map { place in
      Result { () throws(SwiftDataProgramError) in
        try readSwiftDataSource([place], defines: defines, with: program)
      }
    }
  }

  private func place(_ number: Int) -> String { "\(folder)/\(number)" }

  /// Makes subfolder `number` hold exactly these files.
  private mutating func write(_ files: Files, at number: Int) throws {
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
      if let reason = create(prefix + path, object: object, in: target, total: &total) {
        note(.init(path: String(decoding: path, as: UTF8.self), object: object.description, reason: reason))
      } else {
        written[number][path] = object
      }
    }
  }

  /// Writes a file.
  ///
  /// - Returns: why it cannot be written; nil on success.
  private func create(
    _ path: [UInt8], object: GitObjectID, in target: PrivateFolder, total: inout Int
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

  /// Notes each file once, although many commits may have it.
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

  /// Whether a file may mention models, or declares a type that a property of a model may have.
  private mutating func mayHoldTypes(_ object: GitObjectID) -> Bool {
    if let known = holdsTypes[object] { return known }
    // A file that cannot be read counts as relevant: it is read again when it is written, and reported there.
    let text = content(of: object).map { String(decoding: $0, as: UTF8.self) }
    let answer = text.map { Self.words.contains(where: $0.contains) } ?? true
    holdsTypes[object] = answer
    return answer
  }
}
