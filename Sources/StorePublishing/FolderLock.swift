import StorePlatform
import StoreSQLite

/// A lock of a folder that keeps other processes of storedoctor from publishing there at the same moment. It is on the
/// folder itself, so that no file is needed, and ends with this object or the process.
final class FolderLock {
  private let descriptor: Int32

  /// Waits for the lock; nil where the file system has none, as on some network shares.
  init?(_ folder: PosixPath) {
    descriptor = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        close(descriptor)
        return nil
      }
    }
  }

  deinit { close(descriptor) }
}
