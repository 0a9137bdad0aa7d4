import StorePlatform
import StoreSystem
import StoreSQLite
import Synchronization

/// Ends a worker when its audit is gone, whatever the worker is doing.
///
/// An audit that is killed can neither end its workers nor clean up. A worker may be busy with a store forever, and
/// unpacked files are people's stores. So each worker waits, on a thread of its own, for the other end of its
/// connection to close; then it removes the folder, and ends itself and what it has started.
final class OrphanWatch: Sendable {
  /// The folder with everything unpacked, once this worker knows it.
  private let folder = Mutex<PosixPath?>(nil)

  /// Starts watching standard input.
  init() {
    // A small stack: it counts towards the memory that a worker may take.
    _ = startThread(stackBytes: 512 << 10) { [self] in
      waitForHangUp()
      end()
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
  var hasHungUp: Bool { poll(forMilliseconds: 0) > 0 }

  private func waitForHangUp() {
    while poll(forMilliseconds: -1) < 0 && errno == EINTR {}
  }

  private func poll(forMilliseconds time: Int32) -> Int32 {
    // Input is for the worker to read; with no events requested, `poll` reports only a hang-up.
    var connection = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
    return pollDescriptors(&connection, 1, time)
  }

  private func cleanUp() {
    guard let folder = folder.withLock({ $0 }) else { return }
    // Repeated, because this worker may still be writing there, and other workers remove it at the same time.
    for _ in 0..<100 {
      if (try? removeFolder(folder)) != nil { return }
      usleep(10_000)
    }
  }
}

/// Outside the class, where the system's function is not shadowed by the method of the same name.
private func pollDescriptors(_ descriptors: UnsafeMutablePointer<pollfd>, _ count: nfds_t, _ time: Int32) -> Int32 {
  poll(descriptors, count, time)
}
