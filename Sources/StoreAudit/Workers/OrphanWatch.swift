import StoreSystem
import StoreSQLite
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ends a worker whose audit is gone, whatever the worker is at.
///
/// An audit that is killed can neither end its workers nor clean up. One of them may be at a store that never comes to an
/// end, and what was unpacked are people's stores: so each worker waits, on a thread of its own, for the other end of its
/// connection to close, removes the folder, and ends itself and what it has started.
final class OrphanWatch: Sendable {
  /// The folder that holds all that was unpacked, once this worker has heard of it.
  private let folder = Mutex<PosixPath?>(nil)

  /// Begins to watch standard input.
  init() {
    // A small stack: it counts towards the memory that a worker may take.
    _ = startThread(stackBytes: 512 << 10) { [self] in
      waitForHangUp()
      end()
    }
  }

  /// Cleans up and ends the process, and what it has started: the audit is gone.
  func end() -> Never {
    cleanUp()
    // A worker leads its group.
    if getpgrp() == getpid() { kill(0, SIGKILL) }
    _exit(0)
  }

  /// Takes note of where archives are unpacked.
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
    // What can be read is for the worker; only the end shows without being asked for.
    var connection = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
    return pollDescriptors(&connection, 1, time)
  }

  private func cleanUp() {
    guard let folder = folder.withLock({ $0 }) else { return }
    // This worker may still be writing there, and others of the same audit remove it too.
    for _ in 0..<100 {
      if (try? removeFolder(folder)) != nil { return }
      usleep(10_000)
    }
  }
}

/// The system's function has the name of the method above.
private func pollDescriptors(_ descriptors: UnsafeMutablePointer<pollfd>, _ count: nfds_t, _ time: Int32) -> Int32 {
  poll(descriptors, count, time)
}
