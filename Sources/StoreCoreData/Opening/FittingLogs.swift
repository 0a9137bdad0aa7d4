import StoreSQLite

/// Write-ahead logs that lie beside a store under other names and fit it: renamed, with a hashed name, or with another
/// ending.
///
/// The main file holds no salts, so nothing proves that a log is a store's: an older copy of the same main file passes
/// every test. They are only offered.
package struct FittingLogs: Sendable, Equatable {
  /// Where they lie, in byte order.
  package private(set) var paths: [PosixPath] = []
  /// Why there may be others; lower case, no full stop. Nil where all were looked at.
  package private(set) var gap: String?

  /// The most logs that are held against one store.
  private static let mostLogs = 16
  /// The most bytes of main file and log whose pages are checked together.
  private static let mostBytesChecked: Int64 = 64 << 20

  init() {}

  /// What a person may do about logs that fit; lower case, no full stop.
  static func offer(_ paths: [String]) -> String {
    if paths.count == 1 {
      return
        "a log that fits lies at '\(paths[0])': --wal '\(paths[0])' reads it; it would fit an older copy of this file "
        + "as well, so that it belongs is not proved"
    }
    let names = paths.map { "'\($0)'" }.joined(separator: ", ")
    return
      "\(paths.count) logs that fit lie at \(names): --wal FILE reads one of them; which belongs, if any, is not proved"
  }

  /// Looks beside a main file.
  ///
  /// - Parameter shown: the main file's path as the user knows it, from which the paths are made.
  init(beside files: DatabaseFiles, header: DatabaseHeader, shownAs shown: PosixPath) {
    let main = files.location
    let parent = main.sibling(named: [])
    let folder = parent.bytes.isEmpty ? PosixPath(".") : parent
    let found = StrayLogs(in: folder)
    gap = found.gap
    let salts = Self.salts(inIndexBeside: main)
    let candidates = found.logs.filter { log in
      log.pageSize == header.pageSize && !Self.belongsToAnother(log.name, in: folder, main: main)
    }
    if candidates.count > Self.mostLogs {
      gap = "of \(candidates.count) logs beside it \(Self.mostLogs) were held against it"
    }
    for log in candidates.prefix(Self.mostLogs)
    where Self.fits(main.sibling(named: log.name), main, header: header, salts: salts) {
      paths.append(shown.sibling(named: log.name))
    }
  }

  /// Whether its name makes it the log of a file that is there.
  private static func belongsToAnother(_ name: [UInt8], in folder: PosixPath, main: PosixPath) -> Bool {
    let suffix = Array("-wal".utf8)
    guard name.count > suffix.count, name.suffix(suffix.count).elementsEqual(suffix) else { return false }
    return FileSystem.kind(of: folder.appending(component: Array(name.dropLast(suffix.count)))) == .file
  }

  private static func fits(_ log: PosixPath, _ main: PosixPath, header: DatabaseHeader, salts: [UInt8]?) -> Bool {
    guard let files = try? DatabaseFiles(main, log: log), let file = files.wal, !file.accessTimeMayChange,
      let wal = try? WAL(scanning: file), wal.hasCommits
    else { return false }
    if let salts, let own = try? file.read(at: 16, count: 8), own != salts { return false }
    let examiner = WALExaminer(wal: wal, main: files.main, mainHeader: header)
    guard let news = try? examiner.pagesNotInMain(), news > 0,
      var evidence = try? examiner.evidenceFromPages(pagesNotInMain: news), !evidence.hasDoubt
    else { return false }
    let bytes = files.main.size.addingReportingOverflow(file.size)
    var policy = ReadPolicy()
    policy.instructionLimit = 5_000_000 + 10 * Int(clamping: min(bytes.partialValue, mostBytesChecked))
    let (more, connection) = WALExaminer.evidenceFromStores(files, wal: wal, policy: policy)
    evidence += more
    guard !evidence.hasDoubt, evidence.verdict != .no, let connection, isStore(connection) else { return false }
    guard !bytes.overflow, bytes.partialValue <= mostBytesChecked else { return evidence.verdict == .yes }
    if isSound(connection) { return true }
    // What is damaged without it too does not tell.
    policy.useWAL = false
    return evidence.verdict == .yes && !((try? Connection(reading: files, policy: policy)).map(isSound) ?? false)
  }

  private static func isStore(_ connection: Connection) -> Bool {
    let names = Set(((try? connection.schema()) ?? []).filter(\.isOrdinaryTable).map(\.name))
    return names.isSuperset(of: ["Z_METADATA", "Z_PRIMARYKEY"])
  }

  private static func isSound(_ connection: Connection) -> Bool {
    guard let statement = try? connection.prepare("PRAGMA integrity_check(1)"), (try? statement.step()) == true else {
      return false
    }
    return statement.string(0) == "ok"
  }

  /// The salts of the log that the index beside a main file was made for, as they stand in the log's header; nil where
  /// there is none, or it is of an empty log.
  private static func salts(inIndexBeside main: PosixPath) -> [UInt8]? {
    let path = main.appending("-shm")
    guard FileSystem.kind(of: path, followingLinks: false) == .file, let file = try? EvidenceFile(path),
      !file.accessTimeMayChange, let bytes = try? file.read(at: 0, count: 40), bytes.count == 40
    else { return nil }
    // Whether it is filled in, and how many frames it knows.
    guard bytes[12] == 1, bytes[16..<20].contains(where: { $0 != 0 }) else { return nil }
    return Array(bytes[32..<40])
  }
}
