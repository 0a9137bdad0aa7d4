extension Platform {
  /// How many processor cores there are, at least 1.
  package static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Starts a thread that nobody waits for, with a stack of its own size: `Thread` of Foundation gives no say in that on Linux.
  ///
  /// - Parameters:
  ///   - stackBytes: the size of its stack; what is not touched costs no memory.
  ///   - run: what it does.
  /// - Returns: whether the system gave a thread.
  package static func startThread(stackBytes: Int, run: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    guard pthread_attr_setstacksize(&attributes, stackBytes) == 0,
      pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) == 0
    else { return false }
    let body = Unmanaged.passRetained(ThreadBody(run))
    var thread = newThread
    let hasStarted = pthread_create(&thread, &attributes, enterThread, body.toOpaque()) == 0
    if !hasStarted { body.release() }
    return hasStarted
  }
}

private final class ThreadBody {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func enterThread(_ argument: Platform.ThreadArgument) -> UnsafeMutableRawPointer? {
  let pointer: UnsafeMutableRawPointer? = argument
  if let pointer { Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().run() }
  return nil
}
