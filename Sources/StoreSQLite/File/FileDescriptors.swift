import StorePlatform

/// The file descriptors of this process: how many files, pipes and connections may be open at once.
package enum FileDescriptors {
  /// Raises the limit as far as the system allows, for this process and its children. Usual limits are 256 (macOS) and
  /// 1,024 (Linux).
  package static func raiseLimit() {
    guard var limit = current else { return }
    let most = min(limit.rlim_max, Platform.mostOpenFiles ?? limit.rlim_max)
    guard limit.rlim_cur < most else { return }
    limit.rlim_cur = most
    setrlimit(Platform.openFiles, &limit)
  }

  /// How many more can be opened. The system always hands out the lowest free number, so this is exact unless higher
  /// numbers are in use; then it is too high.
  package static var free: Int {
    guard let limit = current else { return .max }
    let next = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
    guard next >= 0 else { return 0 }
    close(next)
    return max(Int(clamping: limit.rlim_cur) - Int(next), 0)
  }

  private static var current: rlimit? {
    var limit = rlimit()
    return getrlimit(Platform.openFiles, &limit) == 0 ? limit : nil
  }
}

extension FileError {
  /// Whether too many files are open, in this process or on the machine, which says nothing about the file.
  package var isOfDescriptors: Bool {
    switch kind {
    case .io(let code): code == EMFILE || code == ENFILE
    default: false
    }
  }
}
