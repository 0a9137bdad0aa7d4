#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A signal that asks to end comes as something that can be read, so that what is in the air is cleaned up.
enum Interruption {
  /// Becomes readable.
  static let descriptor: Int32? = {
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // What a shell or nohup has it ignore stays ignored.
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
  // Who asks again does not want to wait for what is in the air, as for a reader of our lines that has stopped.
  signal(number, SIG_DFL)
  var byte: UInt8 = 1
  _ = write(Interruption.ends[1], &byte, 1)
}
