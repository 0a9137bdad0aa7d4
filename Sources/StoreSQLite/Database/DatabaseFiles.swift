import StorePlatform

/// The files of one database: the main file and its side files.
///
/// Links are resolved first, as SQLite does with `realpath`, so side files are those beside a link's target. All files
/// are opened once and stay open, so that everything is read from the same files.
package final class DatabaseFiles: Sendable {
  /// The path as it was given.
  package let path: String
  /// The main file's path with all links followed, which the names of the side files begin with.
  package let resolvedPath: String
  /// The database file.
  package let main: EvidenceFile
  /// The write-ahead log: the file named `-wal`, when there is one that can be opened, or the one that was named.
  package let wal: EvidenceFile?
  /// The log's path as it was named, whatever lies beside the main file; nil where none was named.
  package let namedLog: PosixPath?
  /// The file named `-journal`, when there is one that can be opened.
  package let journal: EvidenceFile?
  /// The identity of the file named `-shm`. It is never read, since it holds nothing that the WAL does not.
  package let sharedMemory: FileIdentity?
  /// Side files that exist but could not be opened, so that nothing is known of their contents.
  package let problems: [FileError]
  /// Side files beside a link instead of its target. SQLite ignores them, and so does storedoctor.
  package let sideFilesBesideLink: [String]

  package let location: PosixPath
  private let before: Beginnings
  /// For each of `Suffix.all`, whether there was such a side file.
  private let werePresent: [Bool]

  /// Opens the files of the database at `path`.
  ///
  /// - Throws: `FileError` when the main file cannot be opened. Trouble with a side file is in `problems`.
  package convenience init(path: String) throws(FileError) {
    try self.init(PosixPath(path))
  }

  /// Opens the files of the database at `path`, which need not be UTF-8.
  ///
  /// - Parameter log: the write-ahead log to read in place of the one named `-wal`; nil for that one.
  /// - Throws: `FileError` when the main file or a named log cannot be opened, or the process has no descriptor left.
  ///   Other trouble with a side file is in `problems`.
  package init(_ path: PosixPath, log: PosixPath? = nil) throws(FileError) {
    location = try path.resolved()
    self.path = path.description
    resolvedPath = location.description
    main = try EvidenceFile(location)

    let wal =
      try log.map { log throws(FileError) in
        (file: Optional(try EvidenceFile(log.resolved())), problem: FileError?.none)
      } ?? Self.sideFile(location.appending(Suffix.wal))
    let journal = Self.sideFile(location.appending(Suffix.journal))
    self.wal = wal.file
    namedLog = log
    self.journal = journal.file
    sharedMemory = try? FileStatus(of: location.appending(Suffix.sharedMemory)).identity
    problems = [wal.problem, journal.problem].compactMap(\.self)
    // Running out of descriptors is no fact about the database.
    if let shortage = problems.first(where: \.isOfDescriptors) { throw shortage }
    werePresent = [
      log == nil
        ? wal.file != nil || wal.problem != nil : Self.isPresent(location.appending(Suffix.wal)),
      journal.file != nil || journal.problem != nil, sharedMemory != nil,
    ]
    sideFilesBesideLink = Self.sideFiles(beside: path, unlessBeside: location)
    before = try Beginnings(main: main, wal: self.wal, journal: self.journal)
  }

  /// Whether the system did not allow reading one of the files without updating its access time.
  package var accessTimeMayChange: Bool {
    [main, wal, journal].contains { $0?.accessTimeMayChange == true }
  }

  /// The path of the first file that has changed since it was opened; nil when none has.
  ///
  /// It compares device, inode, size and times, the first bytes of each file, and whether side files appeared or went
  /// away. Another process that works on the database shows in one of these.
  package func changedFile() -> String? {
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

  /// Whether the super-journal that a journal names exists.
  ///
  /// Only its last path component is looked up, in the database's own folder: evidence may have been copied from
  /// elsewhere, and a path from a file is not to be trusted.
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
    // Both paths have the same folder unless the last component is a link.
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

  /// The first bytes of each file, which reveal a writer that preserves size and times.
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
  /// Whether no such file exists. A name too long for the file system is no file's: a database whose own name is nearly
  /// that long has no side files.
  fileprivate var saysThatNothingIsThere: Bool {
    switch kind {
    case .missing: true
    case .io(let code): code == ENAMETOOLONG
    default: false
    }
  }
}
