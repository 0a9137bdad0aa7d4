import StorePlatform
import StoreSystem
import StoreSQLite
import Synchronization

/// Ends a worker when its audit is gone, whatever the worker is doing.
///
/// An audit that is killed can neither end its workers nor clean up. A worker may be busy with a store forever, and
/// unpacked files are people's stores. So each worker has a second connection, on which nothing is ever sent, and waits on
/// a thread of its own for its other end to close; then it removes the folder, and ends itself and what it has started.
/// Not the connection with requests: those are for the worker to read, and macOS reports no hang-up to who asks for
/// nothing else.
final class OrphanWatch: Sendable {
  /// The folder with everything unpacked, once this worker knows it.
  private let folder = Mutex<PosixPath?>(nil)

  /// The descriptor under which a worker has the connection that only tells whether the audit is there.
  static let descriptor: Int32 = 4

  /// Starts watching.
  init() {
    // A small stack: it counts towards the memory that a worker may take.
    _ = Platform.startThread(stackBytes: 512 << 10) { [self] in
      if Self.isHungUp(Self.descriptor, waiting: true) { end() }
    }
  }

  /// Cleans up, and ends the process and what it has started.
  func end() -> Never {
    cleanUp()
    // A worker leads a process group.
    if getpgrp() == getpid() { kill(0, SIGKILL) }
    _exit(0)
  }

  /// Remembers the folder in which archives are unpacked.
  func note(_ request: WorkerRequest) {
    guard let unpacked = request.folder ?? request.item.unpacked?.folder else { return }
    folder.withLock { $0 = UnpackingFolders.root(of: unpacked) }
  }

  /// Whether the audit is gone.
  var hasHungUp: Bool {
    // Of an audit that is killed, the connection with requests closes first.
    Self.isHungUp(STDIN_FILENO, waiting: false) || Self.isHungUp(Self.descriptor, waiting: false)
  }

  /// Whether the other end of a connection is closed and nothing is left to read; false too where this process was started
  /// without that connection, by hand.
  private static func isHungUp(_ descriptor: Int32, waiting: Bool) -> Bool {
    var byte: UInt8 = 0
    while true {
      let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | (waiting ? 0 : Platform.receiveAtOnce))
      if count >= 0 { return count == 0 }
      if errno != EINTR { return errno == ECONNRESET }
    }
  }

  private func cleanUp() {
    guard let folder = folder.withLock({ $0 }) else { return }
    // Repeated for ten seconds, because this worker may still be writing there, and other workers remove it at the same
    // time; on a busy machine neither is quick.
    for _ in 0..<1_000 {
      if (try? removeFolder(folder)) != nil { return }
      usleep(10_000)
    }
  }
}
