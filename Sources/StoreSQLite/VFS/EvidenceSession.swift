import CStoreSQLite
import Synchronization

/// What stands behind one connection's file names in the VFS.
final class EvidenceSession: Sendable {
  let image: DatabaseImage
  let watch: Watch
  private let failure = Mutex<FileError?>(nil)

  /// The connection itself. Set right after opening, and used only by the thread that uses the connection.
  nonisolated(unsafe) private var handle: OpaquePointer?

  private let onProgress: (@Sendable (Int64) -> Void)?
  private let bytesRead = Atomic<Int64>(0)

  init(image: DatabaseImage, watch: Watch, onProgress: (@Sendable (Int64) -> Void)? = nil) {
    self.image = image
    self.watch = watch
    self.onProgress = onProgress
  }

  /// Bytes between two reports of progress.
  private static let reportInterval: Int64 = 1 << 20

  /// Counts what has been read, and reports it now and then.
  func noteRead(_ count: Int) {
    guard let onProgress else { return }
    let (before, after) = bytesRead.wrappingAdd(Int64(count), ordering: .relaxed)
    if before / Self.reportInterval != after / Self.reportInterval { onProgress(after) }
  }

  /// Tells which connection reads through this session.
  func attach(to handle: OpaquePointer) {
    self.handle = handle
  }

  /// Interrupts a connection that should stop but does not ask: `integrity_check` is one long instruction that
  /// reads and reads.
  func interruptIfOver() {
    guard let handle, watch.interruption != nil else { return }
    sqlite3_interrupt(handle)
  }

  /// Keeps the error behind an `SQLITE_IOERR`, which carries none itself.
  func note(_ error: FileError) {
    failure.withLock { $0 = error }
  }

  /// The last error while reading, forgotten once it was asked for.
  func takeFailure() -> FileError? {
    failure.withLock { failure in
      defer { failure = nil }
      return failure
    }
  }
}

/// The place of a session in the process-wide register; its name is free again when this goes.
///
/// SQLite opens files by name. The names are made up here, so that nothing in an SQL statement or a database can ever
/// lead to a path.
final class EvidenceRegistration: Sendable {
  /// The name to open with SQLite.
  let name: String

  private static let sessions = Mutex<(next: UInt64, byName: [String: EvidenceSession])>((0, [:]))

  init(_ session: EvidenceSession) {
    name = Self.sessions.withLock { sessions in
      let name = "evidence-\(sessions.next)"
      sessions.next += 1
      sessions.byName[name] = session
      return name
    }
  }

  deinit {
    Self.sessions.withLock { $0.byName[name] = nil }
  }

  /// The session a name belongs to.
  static func session(named name: String) -> EvidenceSession? {
    sessions.withLock { $0.byName[name] }
  }
}
