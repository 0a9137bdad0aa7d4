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
// A model is spread over files, so each commit is looked at as a whole. One that has the same files with types in them as
// the one before has the same answer; the program itself parses only the files that matter.

/// Reads the Swift source of commits.
package struct CommittedSource {
  /// The largest file that is taken, in bytes, and all files of a commit together.
  private static let largestFile = 4 << 20
  private static let largestCommit = 64 << 20
  /// How many states are on disk and read at once: most of the time is the start of a process.
  private static let mostAtOnce = 8

  /// The source of a commit that may say something of models, and what it says.
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
  /// What lies in the folder, in a folder for each of the states that are read at once.
  private var written = [Files](repeating: [:], count: CommittedSource.mostAtOnce)
  private var holdsTypes: [GitObjectID: Bool] = [:]
  /// Files that could not be read, and commits whose source could not, each once.
  private(set) var unreadable: [HistoryMatch.Unreadable] = []
  /// Different states of the source that were read.
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

  /// What `judge` makes of the source of each commit, in their order; of neighbours with the same source it is asked once.
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

  /// All in one run; where that fails, each by itself, so that source which brings the program down hides no other.
  private func readings(at places: [String]) -> [Result<SourceReading, SwiftDataProgramError>] {
    if places.count > 1, let all = try? readEachSwiftDataSource(places, defines: defines, with: program) { return all }
    return places.map { place in
      Result { () throws(SwiftDataProgramError) in
        try readSwiftDataSource([place], defines: defines, with: program)
      }
    }
  }

  private func place(_ number: Int) -> String { "\(folder)/\(number)" }

  /// Makes one of the folders in the folder hold these files and no others.
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
