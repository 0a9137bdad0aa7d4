import CStoreProcess
import StorePlatform
import StoreSQLite

/// Removes files when this process ends and could not do so itself, as after SIGKILL: a small copy of it waits for that.
///
/// What ends all processes at once, such as a power cut, ends the copy too.
package final class RemovalAtEnd {
  private let copy: pid_t
  /// Open for as long as this process runs.
  private let end: Int32

  /// Waits with `files`, and a folder with all that is in it; none of them has to be there yet. Nil where no process can be
  /// started.
  package init?(of files: [PosixPath], folder: PosixPath) {
    var copies: [UnsafeMutablePointer<CChar>?] = []
    defer { for copy in copies { free(copy) } }
    for path in files { copies.append(path.copy) }
    guard !copies.contains(nil) else { return nil }
    let names = copies.map { UnsafePointer($0) } + [nil]
    var end: Int32 = -1
    copy = folder.withCString { storedoctor_remove_at_end(names, $0, &end) }
    self.end = end
    guard copy > 0 else { return nil }
  }

  /// Nothing is removed any more.
  deinit {
    kill(copy, SIGKILL)
    var status: Int32 = 0
    while waitpid(copy, &status, 0) < 0, errno == EINTR {}
    close(end)
  }
}

extension PosixPath {
  /// Its bytes in memory of their own, to be freed; nil where there is none.
  fileprivate var copy: UnsafeMutablePointer<CChar>? {
    var copy: UnsafeMutablePointer<CChar>?
    _ = withCString { name in
      copy = strdup(name)
      return 0
    }
    return copy
  }
}
