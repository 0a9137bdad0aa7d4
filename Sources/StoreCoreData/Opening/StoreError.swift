import StorePlatform
import StoreWords
import StoreSQLite

/// Why a store cannot be inspected: the work could not be done (exit status 2). Damage in a store is not such an
/// error.
///
/// Each case has a sentence of its own that says what was found and what to do.
public struct StoreError: Error, CustomStringConvertible {
  /// The path as the user gave it.
  public var path: String
  /// The problem found instead of a readable store.
  public var problem: Problem

  /// An error about `path`.
  public init(path: String, _ problem: Problem) {
    self.path = path
    self.problem = problem
  }

  /// The problems that can be found instead of a readable store.
  public enum Problem: Sendable {
    case missing
    case notPermitted
    /// "FIFO", "character device", ...
    case notRegularFile(String)
    case empty
    /// A file of a kind that is not a store; the kind explains what to do about it.
    case otherKind(FileKind)
    /// Neither text nor a known format.
    case unknownBytes
    /// `ignoresWAL`: the WAL was not read, so the store's tables may be in it.
    case notCoreData(tables: [String], ignoresWAL: Bool)
    case truncated(expectedBytes: Int64, actualBytes: Int64)
    case unreadable(String)
    /// The file is a database, and what says where its tables lie cannot be read.
    case damaged(String)
    case changedWhileReading(file: String)
    case folderWithoutStore(filesLookedAt: Int, incomplete: String?)
    case folderWithSeveralStores([StoreSummary])
    case undoneHalfway(journal: String)
    /// The store cannot be read as of a commit of its WAL.
    case commitNotReadable(number: Int, why: String)
    /// A main file in WAL mode without a table, and without its log, in which everything may be. With logs that fit.
    case logLeftBehind(logs: [String])
    /// A store that has lost `Z_PRIMARYKEY`, and no model, or none that fits, tells the numbers of its entities.
    case entityNumbersLost
    /// The write-ahead log that was named cannot be read together with the main file.
    case logDoesNotFit(log: String, why: String)
    /// This process, or the machine, has too many files open. The store itself may be fine.
    case noDescriptors
  }

  private static func adviceOnRefusal(of path: String) -> String {
    let advice = Platform.advice(onRefusalOf: path)
    return advice.isEmpty ? "; copy it with its -wal as a user who may, or run as its owner" : advice
  }

  /// The sentence shown to people: what was being done, what was found, what to do next.
  public var description: String {
    let place = quoted(path)
    return switch problem {
    case .missing:
      "cannot read \(place): no such file or folder"
        + (namesArchiveEntry ? "; it is an entry of an archive: unpack that first" : "")
    case .notPermitted:
      "cannot read \(place): permission denied" + Self.adviceOnRefusal(of: path)
    case .notRegularFile(let kind):
      "cannot read \(place): it is a \(kind), not a regular file; copy the store into a file first"
    case .empty:
      "cannot read \(place): the file is empty (0 bytes); "
        + "was it copied without its content, or is its '-wal' elsewhere?"
    case .otherKind(let kind): "cannot read \(place): \(kind.explanation)"
    case .unknownBytes:
      "cannot read \(place): not a SQLite database, and of no kind that is known here"
    case .notCoreData(let tables, let ignoresWAL):
      "cannot inspect \(place): a SQLite database, but not a Core Data store "
        + "(no tables Z_METADATA and Z_PRIMARYKEY); \(listed(tables))"
        + (ignoresWAL ? "; its WAL was left out, and the store may be in there" : "")
    case .truncated(let expected, let actual):
      "cannot read \(place): truncated, \(actual) bytes of \(expected); look for a complete copy, or save what is there with "
        + "'storedoctor salvage'"
    case .unreadable(let message): "cannot read \(place): \(message)"
    case .damaged(let what): "cannot read \(place): \(what); \(SQLiteError.adviceOnDamage)"
    case .changedWhileReading(let file):
      "cannot read \(place): \(quoted(file)) changed while reading; copy the store with its side files first"
    case .folderWithoutStore(let count, let incomplete):
      "found no Core Data store in \(place) (\(counted(count, "file")) looked at\(incomplete.map { "; \($0)" } ?? ""))"
    case .folderWithSeveralStores(let stores):
      "\(place) holds \(stores.count) stores; name one of them, or have all looked at by 'storedoctor audit':\n"
        + (stores.prefix(Self.mostListed).map { "  \($0.line)" }
        + (stores.count > Self.mostListed ? ["  and \(stores.count - Self.mostListed) more"] : [])
        + StoreSummary.states(stores))
        .joined(separator: "\n")
    case .noDescriptors:
      "cannot read \(place): too many files are open; close some, or raise the limit ('ulimit -n')"
    case .commitNotReadable(let number, let why):
      "cannot read \(place) as of commit \(number): \(why); 'storedoctor inspect --commits' lists those that can be read"
    case .logLeftBehind(let logs):
      "cannot inspect \(place): an empty database in WAL mode without its -wal: everything may be in there"
        + (logs.isEmpty ? "" : "; \(FittingLogs.offer(logs))")
    case .entityNumbersLost:
      "cannot read \(place): a Core Data store that has lost its table Z_PRIMARYKEY, and without the numbers of its entities; "
        + "give the model it was made with by --store-model"
    case .logDoesNotFit(let log, let why):
      "cannot read \(place) with the log \(quoted(log)): \(why); without --wal the main file is read with what lies beside it"
    case .undoneHalfway(let journal):
      "refusing \(place): an undo was interrupted; run 'storedoctor undo \(journal)' again first"
    }
  }

  /// The most stores of a folder that are listed.
  private static let mostListed = 10

  /// Whether the path is that of an entry of an archive as `storedoctor audit` writes it.
  private var namesArchiveEntry: Bool {
    path.contains("!") && FileSystem.kind(of: PosixPath(String(path.prefix { $0 != "!" }))) == .file
  }

  private func listed(_ tables: [String]) -> String {
    guard !tables.isEmpty else { return "it has no tables" }
    let shown = tables.prefix(20).map(quoted).joined(separator: ", ")
    let rest = tables.count > 20 ? " and \(tables.count - 20) more" : ""
    return "its tables: \(shown)\(rest)"
  }
}
