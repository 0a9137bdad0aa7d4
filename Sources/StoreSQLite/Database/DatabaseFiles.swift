#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The files of one database: the main file and what SQLite keeps beside it.
///
/// Side files are those of the link's target: `realpath` comes first, as in SQLite. All of them are opened once and
/// stay open, so that everything is read from the same files.
public final class DatabaseFiles: Sendable {
  /// The path as it was given.
  public let path: String
  /// The main file's path with all links followed, which the names of the side files begin with.
  public let resolvedPath: String
  /// The database file.
  public let main: EvidenceFile
  /// The file named `-wal`, when there is one that can be opened.
  public let wal: EvidenceFile?
  /// The file named `-journal`, when there is one that can be opened.
  public let journal: EvidenceFile?
  /// What is known of the file named `-shm`; it is never read, since it holds nothing the WAL does not.
  public let sharedMemory: FileIdentity?
  /// Side files that are there but could not be opened. Nothing is known of what they hold.
  public let problems: [FileError]
  /// Side files that lie beside a link instead of its target. SQLite does not look at them, and neither do we.
  public let sideFilesBesideLink: [String]

  package let location: PosixPath
  private let before: Beginnings
  /// Whether there was a side file of each of `Suffix.all`.
  private let werePresent: [Bool]

  /// Opens the files of the database at `path`.
  ///
  /// - Throws: `FileError` when the main file cannot be opened. Trouble with a side file is in `problems`.
  public convenience init(path: String) throws(FileError) {
    try self.init(PosixPath(path))
  }

  /// Opens the files of the database at `path`, which need not be UTF-8.
  ///
  /// - Throws: `FileError` when the main file cannot be opened, or the process has no descriptor left. Other trouble with
  ///   a side file is in `problems`.
  public init(_ path: PosixPath) throws(FileError) {
    location = try path.resolved()
    self.path = path.description
    resolvedPath = location.description
    main = try EvidenceFile(location)

    let wal = Self.sideFile(location.appending(Suffix.wal))
    let journal = Self.sideFile(location.appending(Suffix.journal))
    self.wal = wal.file
    self.journal = journal.file
    sharedMemory = try? FileStatus(of: location.appending(Suffix.sharedMemory)).identity
    problems = [wal.problem, journal.problem].compactMap(\.self)
    // What the process cannot open is no fact about the database.
    if let shortage = problems.first(where: \.isOfDescriptors) { throw shortage }
    werePresent = [
      wal.file != nil || wal.problem != nil, journal.file != nil || journal.problem != nil, sharedMemory != nil,
    ]
    sideFilesBesideLink = Self.sideFiles(beside: path, unlessBeside: location)
    before = try Beginnings(main: main, wal: self.wal, journal: self.journal)
  }

  /// True where the system did not allow reading without updating the access time of one of the files.
  public var accessTimeMayChange: Bool {
    [main, wal, journal].contains { $0?.accessTimeMayChange == true }
  }

  /// Whether nothing has touched the files since they were opened, as far as can be told.
  public func unchanged() -> Bool { changedFile() == nil }

  /// The path of the first file that is not as it was when it was opened, nil when all are.
  ///
  /// Compared are device, inode, size and times, the first bytes of each file, and whether side files have come or
  /// gone. Another process that works on the database in the meantime shows in one of these.
  public func changedFile() -> String? {
    for file in [main, wal, journal].compactMap(\.self) where (try? file.currentIdentity()) != file.identity {
      return file.path
    }
    for (suffix, wasPresent) in zip(Suffix.all, werePresent) {
      let path = location.appending(suffix)
      if Self.isPresent(path) != wasPresent { return path.description }
    }
    guard let now = try? Beginnings(main: main, wal: wal, journal: journal) else { return main.path }
    if now.main != before.main { return main.path }
    if now.wal != before.wal { return wal?.path }
    return now.journal == before.journal ? nil : journal?.path
  }

  /// Whether the super-journal a journal names is there.
  ///
  /// Only its last part is looked up, in the database's own folder: copied evidence does not lie where it was, and
  /// a path out of a file is not followed wherever it leads.
  func isPresent(superJournal: PosixPath) -> Bool {
    let name = superJournal.name
    guard !name.isEmpty, name != Array(".".utf8), name != Array("..".utf8) else { return false }
    return (try? FileStatus(of: location.sibling(named: name))) != nil
  }

  private static func isPresent(_ path: PosixPath) -> Bool {
    do throws(FileError) {
      _ = try FileStatus(of: path)
      return true
    } catch {
      return !error.saysThatNothingIsThere
    }
  }

  private static func sideFile(_ path: PosixPath) -> (file: EvidenceFile?, problem: FileError?) {
    do throws(FileError) {
      return (try EvidenceFile(path), nil)
    } catch {
      return (nil, error.saysThatNothingIsThere ? nil : error)
    }
  }

  private static func sideFiles(beside path: PosixPath, unlessBeside resolved: PosixPath) -> [String] {
    // Unless the name itself is a link, both paths lead to the same folder.
    guard path.isLink else { return [] }
    return Suffix.all.compactMap { suffix in
      guard let beside = try? FileStatus(of: path.appending(suffix)).identity,
        (try? FileStatus(of: resolved.appending(suffix)).identity)?.isSameFile(as: beside) != true
      else { return nil }
      return path.appending(suffix).description
    }
  }

  /// "has the same name as the database file but with the string "-wal" appended"
  private enum Suffix {
    static let wal = "-wal"
    static let journal = "-journal"
    static let sharedMemory = "-shm"
    static let all = [wal, journal, sharedMemory]
  }

  /// The first bytes of each file: where a writer that keeps size and times still shows.
  private struct Beginnings: Sendable {
    var main: [UInt8]
    var wal: [UInt8]
    var journal: [UInt8]

    init(main: EvidenceFile, wal: EvidenceFile?, journal: EvidenceFile?) throws(FileError) {
      self.main = try main.read(at: 0, count: DatabaseHeader.size)
      self.wal = try wal?.read(at: 0, count: WALHeader.size) ?? []
      self.journal = try journal?.read(at: 0, count: JournalHeader.size) ?? []
    }
  }
}

extension FileError {
  /// Whether there is no such file; a name that is too long for the file system is no file's. A database whose own name is
  /// nearly as long as it may be can have no side files.
  fileprivate var saysThatNothingIsThere: Bool {
    switch kind {
    case .missing: true
    case .io(let code): code == ENAMETOOLONG
    default: false
    }
  }
}
