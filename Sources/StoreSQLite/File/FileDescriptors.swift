#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The file descriptors of this process: how many files, pipes and connections may be open at once.
package enum FileDescriptors {
  /// Raises the limit as far as the system allows, for this process and its children. Usual limits are 256 (macOS) and
  /// 1,024 (Linux).
  package static func raiseLimit() {
    guard var limit = current else { return }
    var most = limit.rlim_max
    #if canImport(Darwin)
      // setrlimit(2): "setrlimit() now returns with errno set to EINVAL in places that historically succeeded. It no
      // longer accepts "rlim_cur = RLIM_INFINITY" for RLIM_NOFILE. Use "rlim_cur = min(OPEN_MAX, rlim_max)"."
      most = min(most, rlim_t(OPEN_MAX))
    #endif
    guard limit.rlim_cur < most else { return }
    limit.rlim_cur = most
    setrlimit(resource, &limit)
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
    return getrlimit(resource, &limit) == 0 ? limit : nil
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
  #else
    private static let resource = RLIMIT_NOFILE
  #endif
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
