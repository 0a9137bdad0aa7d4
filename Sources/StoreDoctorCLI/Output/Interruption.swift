import StorePlatform

/// Turns signals that request termination into a readable descriptor, so that work in progress is cleaned up.
enum Interruption {
  /// Becomes readable at such a signal.
  static let descriptor: Int32? = {
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // A signal that a shell or nohup set to be ignored stays ignored.
      let before = signal(number) { interrupted($0) }
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
    }
    // Ignore SIGPIPE: a closed reader is reported by `write`.
    signal(SIGPIPE, SIG_IGN)
    return ends[0]
  }()

  nonisolated(unsafe) fileprivate static var ends: [Int32] = [-1, -1]
}

private func interrupted(_ number: Int32) {
  // A second signal ends the process at once, for example when the reader of its output has stopped.
  signal(number, SIG_DFL)
  var byte: UInt8 = 1
  _ = write(Interruption.ends[1], &byte, 1)
}
