import CStoreSQLite
import Synchronization

/// The state behind one connection's files in the VFS.
final class EvidenceSession: Sendable {
  let image: DatabaseImage
  let watch: Watch
  private let failure = Mutex<FileError?>(nil)

  /// The connection itself. Set right after opening, and used only by the thread that uses the connection.
  nonisolated(unsafe) private var handle: OpaquePointer?

  private let onProgress: (@Sendable (Int64) -> Void)?
  /// Called with each page that is read; its place in the main file, nil for the log.
  let onPage: (@Sendable (UnsafeRawBufferPointer, Int64?) -> Void)?
  private let bytesRead = Atomic<Int64>(0)

  init(image: DatabaseImage, watch: Watch, policy: ReadPolicy = ReadPolicy()) {
    self.image = image
    self.watch = watch
    onProgress = policy.onProgress
    onPage = policy.onPage
  }

  /// Bytes between two progress reports.
  private static let reportInterval: Int64 = 1 << 20

  /// Counts bytes read, and reports progress now and then.
  func noteRead(_ count: Int) {
    guard let onProgress else { return }
    let (before, after) = bytesRead.wrappingAdd(Int64(count), ordering: .relaxed)
    if before / Self.reportInterval != after / Self.reportInterval { onProgress(after) }
  }

  /// Sets the connection that reads through this session.
  func attach(to handle: OpaquePointer) {
    self.handle = handle
  }

  /// Interrupts a connection past its deadline that does not check for itself: `integrity_check` is one long
  /// instruction.
  func interruptIfOver() {
    guard let handle, watch.interruption != nil else { return }
    sqlite3_interrupt(handle)
  }

  /// Keeps the error behind an `SQLITE_IOERR`, which has no details itself.
  func note(_ error: FileError) {
    failure.withLock { $0 = error }
  }

  /// The last read error; it is cleared by asking.
  func takeFailure() -> FileError? {
    failure.withLock { failure in
      defer { failure = nil }
      return failure
    }
  }
}

/// A session's entry in the process-wide register, removed when this object goes away.
///
/// SQLite opens files by name. The names are generated, so that nothing in an SQL statement or a database can ever lead
/// to a path.
final class EvidenceRegistration: Sendable {
  /// The name under which SQLite opens the session's files.
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

  /// The session with this name.
  static func session(named name: String) -> EvidenceSession? {
    sessions.withLock { $0.byName[name] }
  }
}
