import StoreText
import StoreWords
import StoreSQLite

/// A rollback journal beside a store.
package struct JournalFacts: Sendable, Equatable {
  /// Whether it is hot: SQLite would roll it back before reading; here it is rolled back in memory.
  package var isHot: Bool
  /// The number of pages restored to their content before the unfinished transaction.
  package var pagesRestored: Int

  /// Reads a journal; nil without one.
  init?(_ file: EvidenceFile?, databasePageSize: Int) throws {
    guard let file else { return nil }
    let journal = try RollbackJournal(scanning: file, databasePageSize: databasePageSize)
    // The main file is not empty here: opening an empty one has failed before.
    isHot = journal.isHot(
      databaseIsEmpty: false,
      superJournalExists: journal.superJournal.map { FileSystem.kind(of: $0) != nil } ?? false)
    pagesRestored = isHot ? journal.pages.count : 0
  }
}

/// A database opened for reading, after its files were examined and its WAL was judged.
///
/// The order matters: storedoctor's own readers examine the files first, so that SQLite only gets input it can handle
/// and each kind of unusable input gets an error of its own.
struct OpenedDatabase {
  var files: DatabaseFiles
  var header: DatabaseHeader
  var wal: WALFacts?
  var journal: JournalFacts?
  var connection: Connection
  /// The commit as of which it is read, if one is asked for.
  var asOf: StoreMoment?
  var shape: Shape
  /// Looks at each page that is read, where that was asked for.
  var pageWatcher: PageWatcher?
  /// Set if the main file is shorter than its header says.
  var truncation: (expected: Int64, actual: Int64)?

  /// - Throws: `StoreError` only.
  init(_ path: PosixPath, options: Store.Options) throws {
    let files: DatabaseFiles
    let log = try options.log.map { try PlacedFile.located($0) }
    do {
      files = try DatabaseFiles.settled(path, log: log)
    } catch {
      let isOfLog = [options.log, try? options.log?.resolved()].contains { $0?.description == error.path }
      throw StoreError(path: isOfLog ? error.path : path.description, error)
    }
    if let mark = UnfinishedUndo.marks(beside: files.location).first {
      throw StoreError(path: path.description, .undoneHalfway(journal: quoted(mark.journal.description)))
    }
    do {
      try self.init(files, path: path.description, options: options)
    } catch {
      throw StoreError(path: path.description, error, reading: files)
    }
  }

  /// The database that is read in place of one that cannot be opened.
  init(_ standIn: StandIn) throws {
    (files, header, connection) = (standIn.files, standIn.header, standIn.connection)
    shape = try Shape(reading: connection)
  }

  private init(_ files: DatabaseFiles, path: String, options: Store.Options) throws {
    self.files = files
    header = try Self.mainHeader(files, path: path)
    journal = try JournalFacts(files.journal, databasePageSize: header.pageSize)
    let expected = Int64(header.pageCount) * Int64(header.pageSize)
    if header.isPageCountValid, expected > files.main.size, journal?.isHot != true {
      truncation = (expected, files.main.size)
    }
    // The pages of the schema are looked at in any case, which are few and which everything rests on.
    pageWatcher = PageWatcher(header)
    let reading: WALReading
    do {
      reading = try WALReading(
        files: files, mainHeader: header, isTruncated: truncation != nil, options: options, watcher: pageWatcher)
    } catch let refusal as CommitRefusal {
      throw StoreError(path: path, .commitNotReadable(number: options.asOfCommit ?? 0, why: refusal.why))
    } catch let refusal as NamedLogRefusal {
      throw StoreError(path: path, .logDoesNotFit(log: refusal.log, why: refusal.why))
    }
    wal = reading.facts
    asOf = reading.asOf
    if asOf != nil, journal?.isHot == true {
      throw CommitRefusal(
        "a hot rollback journal lies beside it, so its write-ahead log does not begin where the main file ends")
    }
    // During a checkpoint the main file may still be shorter than its header says; the WAL has the missing pages.
    if reading.hasMissingPages { truncation = nil }
    if let newer = reading.newerHeader { header = newer }
    // SQLite refuses a header that asks for more pages than the last commit of the log leaves.
    if let pages = reading.pagesAfterLog, header.isPageCountValid, header.pageCount > pages {
      truncation = (Int64(header.pageCount) * Int64(header.pageSize), Int64(pages) * Int64(header.pageSize))
    }
    do {
      connection = try reading.connection ?? Connection(reading: files, policy: reading.policy)
      shape = try options.knownModels?.shape(reading: connection) ?? Shape(reading: connection)
      if !options.watchesPages { pageWatcher?.stop() }
    } catch let error as SQLiteError {
      throw truncation.map { StoreError(path: path, truncation: $0) } ?? error
    }
    guard shape.isOfStore else {
      let names = shape.tables.keys.filter { !$0.hasPrefix("sqlite_") } + shape.unreadable.keys
      if names.isEmpty, header.isWAL, files.wal == nil {
        let logs = FittingLogs(beside: files, header: header, shownAs: PosixPath(path)).paths
        throw StoreError(path: path, .logLeftBehind(logs: logs.map(\.description)))
      }
      // Before its first checkpoint a store is in its log alone.
      if names.isEmpty, header.isWAL, files.wal != nil,
        (wal?.committedFrames ?? 0) == 0 || wal?.openEnd ?? wal?.damage != nil
      {
        throw StoreError(
          path: path,
          .unreadable(
            "an empty database in WAL mode, and its -wal, in which everything may be, cannot be read to its end"
              + "; look for a complete copy of both"))
      }
      throw StoreError(
        path: path,
        .notCoreData(tables: names.sorted(), ignoresWAL: wal.map { !$0.isRead && $0.committedFrames > 0 } ?? false))
    }
  }

  /// The main file's header; throws what the file is if it is not a database.
  private static func mainHeader(_ files: DatabaseFiles, path: String) throws -> DatabaseHeader {
    do {
      return try DatabaseHeader(of: files.main)
    } catch {
      throw try StoreError(path: path, noDatabaseIn: files, after: error)
    }
  }
}

extension StoreError {
  /// A file whose header is not that of a database: what it is, as far as its bytes tell.
  package init(path: String, noDatabase file: EvidenceFile, after error: any Error) throws {
    self.init(path: path, try Self.what(file, after: error))
  }

  /// The same of a main file with what lies beside it: where it is empty, everything may be in its log.
  package init(path: String, noDatabaseIn files: DatabaseFiles, after error: any Error) throws {
    guard files.main.size == 0, let log = files.wal, log.size > Int64(WALHeader.size) else {
      try self.init(path: path, noDatabase: files.main, after: error)
      return
    }
    let examiner = WALExaminer(wal: try WAL(scanning: log), main: files.main, mainHeader: nil)
    let isWhole = examiner.wal.hasCommits && examiner.damage == nil && examiner.openEnd == nil
    self.init(
      path: path,
      .unreadable(
        "the file is empty (0 bytes), and its -wal, in which everything may be, cannot be read "
          + (isWhole ? "without it" : "to its end")
          + "; look for a complete copy of both, and open neither: SQLite deletes the log of an empty file"))
  }

  private static func what(_ file: EvidenceFile, after error: any Error) throws -> Problem {
    guard file.size > 0 else { return .empty }
    if let kind = try FileKind(of: file) { return .otherKind(kind) }
    guard try file.read(at: 0, count: 16) == DatabaseHeader.magic else { return .unknownBytes }
    let why = (error as? DatabaseHeader.Invalid)?.explanation ?? "\(error)"
    return .damaged("a SQLite database with a damaged header: \(why)")
  }
}

extension StoreError {
  /// The main file is too short to be read at all.
  init(path: String, truncation: (expected: Int64, actual: Int64)) {
    self.init(path: path, .truncated(expectedBytes: truncation.expected, actualBytes: truncation.actual))
  }

  /// Explains a failure while reading. A file that changed meanwhile explains any failure, which then is no damage.
  init(path: String, _ error: any Error, reading files: DatabaseFiles) {
    if let changed = files.changedFile() {
      self.init(path: path, .changedWhileReading(file: changed))
    } else if let error = error as? StoreError {
      self = error
    } else if let error = error as? FileError {
      self.init(path: path, error)
    } else if let kind = FileKind.encryptedBehindHeader(files.main) {
      self.init(path: path, .otherKind(kind))
    } else if let damage = (error as? SQLiteError)?.damage {
      self.init(path: path, .damaged("it is damaged: \(Self.firstPageIsLost(files) ?? damage)"))
    } else {
      self.init(path: path, .unreadable(String(describing: error)))
    }
  }

  /// Says so where page 1 of the main file counts and is no page of a tree.
  private static func firstPageIsLost(_ files: DatabaseFiles) -> String? {
    guard files.wal == nil, let kind = try? files.main.read(at: Int64(DatabaseHeader.size), count: 1).first,
      ![5, 13].contains(kind)
    else { return nil }
    return "its first page, which leads to all tables, cannot be read"
  }

  /// A file that cannot be read.
  package init(path: String, _ error: FileError) {
    switch error.kind {
    case .missing: self.init(path: path, .missing)
    case .notPermitted: self.init(path: path, .notPermitted)
    case .notRegularFile(let kind): self.init(path: path, .notRegularFile(kind))
    case .io where error.isOfDescriptors: self.init(path: path, .noDescriptors)
    case .tooShort, .io, .notToBeHad: self.init(path: path, .unreadable(error.description))
    case .changed: self.init(path: path, .changedWhileReading(file: error.path))
    }
  }
}

/// How a store's WAL is read: judged by its pages, then by opening the store with and without it.
private struct WALReading {
  var facts: WALFacts?
  var policy: ReadPolicy
  /// The connection opened while judging, if it can be kept.
  var connection: Connection?
  /// The header as of the last commit in the WAL.
  var newerHeader: DatabaseHeader?
  /// How many pages there are after the last commit of the WAL, where that is read.
  var pagesAfterLog: UInt32?
  /// Whether the WAL is read and has every page beyond the end of the main file.
  var hasMissingPages = false
  /// The commit as of which it is read, if one is asked for.
  var asOf: StoreMoment?

  /// 2⁴⁸ bytes, more than the largest database SQLite makes.
  private static let largestSize: Int64 = 1 << 48

  init(
    files: DatabaseFiles, mainHeader: DatabaseHeader, isTruncated: Bool, options: Store.Options,
    watcher: PageWatcher?
  ) throws {
    policy = ReadPolicy()
    if let watcher { policy.onPage = { watcher.look(at: $0, offset: $1) } }
    policy.deadline = options.deadline.map { .seconds($0) }
    policy.useWAL = !options.ignoresWAL
    // Sparse files can claim to have exabytes.
    let totalBytes = min(files.main.size, Self.largestSize) + min(files.wal?.size ?? 0, Self.largestSize)
    // A row takes some ten bytes, and reading it about as many instructions as it has columns.
    policy.instructionLimit = 5_000_000 + 10 * Int(totalBytes)
    if let report = options.onProgress {
      policy.onProgress = { report(Store.ReadProgress(bytesRead: $0, totalBytes: totalBytes)) }
    }
    // SQLite refuses a database with fewer pages than its header says, unless it is told to tolerate damage.
    policy.toleratesDamagedSchema = isTruncated
    guard let file = files.wal else {
      if let commit = options.asOfCommit {
        guard commit == 0 else { throw CommitRefusal("it has no write-ahead log, so there is only commit 0") }
        asOf = StoreMoment(commit: 0, commits: 0)
      }
      return
    }
    let wal = try WAL(scanning: file)
    let examiner = WALExaminer(wal: wal, main: files.main, mainHeader: mainHeader)
    let pagesNotInMain = try examiner.pagesNotInMain()
    var evidence = try examiner.evidenceFromPages(pagesNotInMain: pagesNotInMain)
    if wal.hasCommits, evidence.verdict != .no {
      let (found, opened) = WALExaminer.evidenceFromStores(files, wal: wal, policy: policy)
      evidence += found
      connection = options.ignoresWAL ? nil : opened
    }
    if !evidence.allowReading {
      policy.useWAL = false
      connection = nil
    }
    if let log = files.namedLog {
      guard wal.hasCommits, evidence.allowReading else {
        throw NamedLogRefusal(log, evidence: evidence, header: wal.header)
      }
    }
    let isRead = policy.useWAL && wal.hasCommits
    facts = WALFacts(examiner, evidence: evidence, pagesNotInMain: pagesNotInMain, isRead: isRead)
    if let commit = options.asOfCommit {
      try readAsOf(commit, in: files, log: file, mainHeader: mainHeader)
      return
    }
    hasMissingPages = isRead && examiner.firstPageInNeither == nil
    pagesAfterLog = isRead ? wal.pageCountAfterLastCommit : nil
    if isRead, let page = try wal.page(1) { newerHeader = try? DatabaseHeader(page) }
  }

  /// Ends the WAL at a commit.
  private mutating func readAsOf(
    _ number: Int, in files: DatabaseFiles, log: EvidenceFile, mainHeader: DatabaseHeader
  ) throws {
    let history = try WALHistory(of: log, over: files.main)
    let last = history.commits.count - 1
    guard let commit = number >= 0 && number <= last ? history.commits[number] : nil else {
      throw CommitRefusal(
        "its write-ahead log has \(last == 0 ? "no commits" : last == 1 ? "1 commit" : "\(last) commits")")
    }
    if let why = facts?.refusal(ofCommit: commit, last: last) { throw CommitRefusal(why) }
    asOf = StoreMoment(commit: number, commits: last)
    connection = nil
    policy.useWAL = true
    policy.walBytes = history.length(upTo: commit)
    facts?.isRead = number > 0
    guard number > 0, let length = policy.walBytes else { return }
    let wal = try WAL(scanning: LeadingBytes(log, count: length))
    // That no page is in neither file is known from the history.
    hasMissingPages = true
    if let page = try wal.page(1) { newerHeader = try? DatabaseHeader(page) }
  }
}

/// Why a log that the user named is not read.
private struct NamedLogRefusal: Error, CustomStringConvertible {
  let log: String
  let why: String

  var description: String { "\(log) is not read: \(why)" }

  init(_ path: PosixPath, evidence: [WALEvidence], header: Result<WALHeader, WALHeader.Invalid>) {
    log = path.description
    if case .failure(.magic) = header {
      why = "it is no write-ahead log"
      return
    }
    let decisive = evidence.filter { $0.weight == .excludes || $0.weight == .precludes }
    why = (decisive.isEmpty ? evidence : decisive).map(\.sentence).joined(separator: "; ")
  }
}

extension WALFacts {
  fileprivate init(_ examiner: WALExaminer, evidence: [WALEvidence], pagesNotInMain: Int, isRead: Bool) {
    let wal = examiner.wal
    self.init(
      frames: wal.frames, committedFrames: wal.committedFrames, pagesNotInMain: pagesNotInMain,
      belongsToStore: evidence.verdict, reasons: evidence.map(\.sentence) + wal.tail.sentences,
      hasDoubt: evidence.hasDoubt, damage: examiner.damage, openEnd: examiner.openEnd, isRead: isRead,
      isReadable: evidence.allowReading)
  }

  /// Of the log of a database that need not be a store; nil without a log. Nothing identifies it, so that a log of which
  /// anything speaks against belonging is read only where it was named.
  ///
  /// - Parameter header: that of the main file.
  /// - Throws: `FileError`.
  package init?(pagesOf files: DatabaseFiles, header: DatabaseHeader) throws {
    guard let file = files.wal else { return nil }
    let examiner = WALExaminer(wal: try WAL(scanning: file), main: files.main, mainHeader: header)
    let pagesNotInMain = try examiner.pagesNotInMain()
    var evidence = try examiner.evidenceFromPages(pagesNotInMain: pagesNotInMain)
    if examiner.wal.hasCommits, evidence.verdict != .no { evidence += try examiner.evidenceFromSchemas(files) }
    let isNamed = files.namedLog != nil
    let isReadable = evidence.verdict == .yes || evidence.allowReading && (isNamed || !evidence.hasDoubt)
    self.init(
      examiner, evidence: evidence, pagesNotInMain: pagesNotInMain, isRead: isReadable && examiner.wal.hasCommits)
    self.isReadable = isReadable
  }
}

extension WALTail {
  /// Describes what follows the last commit; all of it is normal.
  package var sentences: [String] {
    let isUnfinished = unsignedFrames > 0
    let parts = [
      (unfinishedFrames, "of a transaction that was \(isUnfinished ? "never finished" : "not committed")"),
      (isUnfinished && hiddenCommits == 0 ? 0 : tornFrames, "torn or damaged"),
      (leftoverFrames, "left over from before the last checkpoint"),
      (blankFrames, "blank"),
    ]
    var sentences = parts.filter { $0.0 > 0 }.map { count, what in
      "after the last commit \(count) \(count == 1 ? "frame" : "frames") \(what): not read, as SQLite does"
    }
    if partialBytes > 0 { sentences.append("it ends with \(partialBytes) bytes of an incomplete frame: not read") }
    return sentences
  }
}

extension DatabaseHeader.Invalid {
  /// The problem in words.
  fileprivate var explanation: String {
    switch self {
    case .tooShort(let bytes): "\(bytes) bytes, fewer than a header has"
    case .notSQLite: "it does not begin as a SQLite database does"
    case .pageSize(let size): "page size \(size), which is not a power of two from 512 to 65536"
    case .reservedBytes(let bytes): "\(bytes) bytes of each page are reserved, which leaves too few"
    case .payloadFractions(let most, let least, let leaf):
      "payload fractions \(most), \(least), \(leaf), not 64, 32, 32"
    }
  }
}
