import StorePlatform
import StoreSystem
import StoreSQLite
import StoreSwiftDataSchemas
import StoreText

// The SwiftData source of commits
// -------------------------------
//
//   commits ──► their files, with the contents that the commit before did not have, in a private folder
//           ──► storedoctor-swiftdata, which keeps what it made of files of the commit before ──► schemas, plans
//
// A model may be spread over several files, so each commit is read as a whole. A commit whose relevant files (see
// `mayHoldTypes`) equal those of the commit before it reuses that answer. While one commit is read, the next is written.

/// Reads the Swift source of commits.
package struct CommittedSource {
  /// The largest file that is read, and the most bytes of all files of one commit. On disk lies what two commits have
  /// at most, and as much is kept in memory by the program that reads them.
  private static let largestFile = 4 << 20
  private static let largestCommit = 64 << 20

  /// The Swift source of one commit, as read.
  package struct State {
    let commit: GitObjectID
    /// Stands before the paths in the repository.
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
  /// The running program, until it ends.
  private var states: SwiftDataStates?
  /// The contents that the running program has of the last commit it was asked about, with their sizes.
  private var handed: [GitObjectID: Int] = [:]
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

  /// A commit that the program is asked about.
  private struct Question {
    var commit: GitObjectID
    var files: Files
    /// The name of the file with its source.
    var state: String { "state-\(commit)" }
  }

  /// Applies `judge` to the source of each commit and returns the answers in order. Neighbours with the same source
  /// are judged once.
  ///
  /// - Throws: `GitError` when the repository cannot be read.
  package mutating func read<Answer>(_ commits: [GitObjectID], judge: (State) -> Answer) throws -> [Answer] {
    let target = try PrivateFolder(folder)
    (states, handed) = (nil, [:])
    var (answers, answerOf): ([Answer], [Int]) = ([], [])
    var last: Files?
    var waiting: Question?
    for commit in commits {
      let files = try repository.sourceFiles(of: commit).filter { mayHoldTypes($0.value, at: $0.key) }
      if files != last {
        let question = Question(commit: commit, files: files)
        ask(question, in: target)
        if let waiting { answers.append(judge(answer(to: waiting, before: question, in: target))) }
        (waiting, last) = (question, files)
        statesRead += 1
      }
      answerOf.append(answers.count)
    }
    if let waiting { answers.append(judge(answer(to: waiting, before: nil, in: target))) }
    return answerOf.map { answers[$0] }
  }

  // MARK: Asking

  private mutating func ask(_ question: Question, in target: PrivateFolder) {
    // Why it cannot be started is said where its answer is wanted.
    if states == nil { states = try? start() }
    write(question, to: target)
    states?.ask(question.state)
  }

  private func start() throws(SwiftDataProgramError) -> SwiftDataStates {
    try SwiftDataStates(program, folder: folder.description, defines: defines)
  }

  /// The source of a commit. Source that ends the program costs its own commit only.
  ///
  /// - Parameter next: what was asked after it.
  private mutating func answer(to question: Question, before next: Question?, in target: PrivateFolder) -> State {
    let reading: Result<SourceReading, SwiftDataProgramError>
    do throws(SwiftDataProgramError) {
      guard let states else { throw failureToStart }
      reading = try states.answer()
    } catch {
      reading = .failure(error)
    }
    if case .failure(let error) = reading {
      // A new program, which has nothing of the commits before.
      (states, handed) = (nil, [:])
      if let next {
        remove(next.state, from: target)
        ask(next, in: target)
      }
      note(.init(path: "Swift source", object: question.commit.description, reason: error.description))
    }
    remove(question.state, from: target)
    return State(commit: question.commit, folder: Self.root, reading: reading)
  }

  private var failureToStart: SwiftDataProgramError {
    do throws(SwiftDataProgramError) { _ = try start() } catch { return error }
    return .failed("\(SwiftDataProgram.name) could not be started")
  }

  // MARK: Writing

  /// Stands before the paths of files, so that none is taken for a file of the working directory.
  private static let root = "commit:"

  /// Writes the files of a commit, with those contents that the program does not have yet.
  private mutating func write(_ question: Question, to target: PrivateFolder) {
    var (total, state): (Int, [UInt8]) = (0, [])
    var has: [GitObjectID: Int] = [:]
    for (path, object) in question.files.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      var bytes: [UInt8]?
      var reason = refusal(of: path)
      if reason == nil, let size = handed[object] ?? has[object] {
        total += size
        has[object] = size
      } else if reason == nil {
        switch try? objects.read(object, limit: Self.largestFile) {
        case .missing, nil: reason = "not in the repository (a shallow or partial clone?)"
        case .tooLarge(let bytes): reason = "\(bytes) bytes, more than \(Self.largestFile)"
        case .content(let content):
          total += content.count
          (bytes, has[object]) = (content, content.count)
        }
      }
      if total > Self.largestCommit {
        (reason, has[object]) = ("its commit has more than \(Self.largestCommit) bytes of source", nil)
      }
      if let reason {
        note(.init(path: String(decoding: path, as: UTF8.self), object: object.description, reason: reason))
      } else {
        state +=
          Array("\(object) \(bytes.map { String($0.count) } ?? "-") \(Self.root)/".utf8) + path + [0] + (bytes ?? [])
      }
    }
    handed = has
    if let reason = create(question.state, bytes: state, in: target) {
      note(.init(path: "Swift source", object: question.commit.description, reason: reason))
    }
  }

  private func refusal(of path: [UInt8]) -> String? {
    do throws(EntryPath.Refusal) { _ = try EntryPath(path, limits: .standard) } catch { return error.reason }
    return nil
  }

  /// - Returns: why it cannot be written; nil on success.
  private func create(_ name: String, bytes: [UInt8], in target: PrivateFolder) -> String? {
    do throws(EntryPath.Refusal) {
      try target.create(EntryPath(Array(name.utf8), limits: .standard)).write(bytes[...], at: 0)
      return nil
    } catch {
      return error.reason
    }
  }

  private func remove(_ name: String, from target: PrivateFolder) {
    if let entry = try? EntryPath(Array(name.utf8), limits: .standard) { target.remove(entry) }
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

  /// Whether a file may mention models, or declares a type that a property of a model may have, or says what is built
  /// into which target.
  private mutating func mayHoldTypes(_ object: GitObjectID, at path: [UInt8]) -> Bool {
    guard !GitRepository.isProject(path) else { return true }
    if let known = holdsTypes[object] { return known }
    // A file that cannot be read counts as relevant: it is read again when it is written, and reported there.
    let text = content(of: object).map { String(decoding: $0, as: UTF8.self) }
    let answer = text.map { Self.words.contains(where: $0.contains) } ?? true
    holdsTypes[object] = answer
    return answer
  }
}
