import SQLite
import SwiftDataSchemas

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// The SwiftData source of commits
// -------------------------------
//
//   a commit ──► its Swift files, in one private folder ──► storedoctor-swiftdata ──► schemas, plans
//
// A model is spread over files, so each commit is looked at as a whole. One that has the same files with types in them as
// the one read before has the same answer; the program itself parses only the files that matter.

/// Reads the Swift source of commits, one after the other.
struct CommittedSource {
  /// The largest file that is taken, in bytes, and all files of a commit together.
  private static let largestFile = 4 << 20
  private static let largestCommit = 256 << 20

  /// What became of a commit.
  enum Answer {
    /// Nothing that matters is different from the commit read before.
    case asBefore
    case reading(SourceReading)
    /// It is listed in ``CommittedSource/unreadable``.
    case unreadable
  }

  /// The private folder that the files are written to.
  let folder: PosixPath
  private let repository: GitRepository
  private let objects: GitObjects
  private let program: SwiftDataProgram
  private let defines: [String]
  private var written: [[UInt8]: GitObjectID] = [:]
  private var holdsTypes: [GitObjectID: Bool] = [:]
  private var last: [[UInt8]: GitObjectID]?
  private(set) var unreadable: [HistoryMatch.Unreadable] = []
  /// Different states of the source that were read.
  private(set) var statesRead = 0

  /// - Throws: `SwiftDataProgramError` when the reader of Swift source is not installed; `GitError`.
  init(_ repository: GitRepository, folder: PosixPath, defines: [String] = []) throws {
    self.repository = repository
    objects = try repository.objects()
    program = try SwiftDataProgram.installed()
    self.folder = folder
    self.defines = defines
  }

  /// The path in the repository of a file that was read.
  func pathInRepository(_ path: String) -> String { String(path.dropFirst(folder.description.count + 1)) }

  /// - Throws: `GitError` when the repository cannot be read.
  mutating func read(_ commit: GitObjectID) throws -> Answer {
    let files = try repository.swiftFiles(of: commit)
    let types = files.filter { mayHoldTypes($0.value) }
    if last == types { return .asBefore }
    last = types
    statesRead += 1
    try write(types)
    guard !types.isEmpty else { return .reading(SourceReading()) }
    do throws(SwiftDataProgramError) {
      return .reading(try readSwiftDataSource([folder.description], defines: defines, with: program))
    } catch {
      unreadable.append(.init(path: "Swift source", object: commit.description, reason: error.description))
      return .unreadable
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
