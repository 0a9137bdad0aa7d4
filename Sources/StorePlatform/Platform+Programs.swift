extension Platform {
  /// Why a program could not be started: the error number of `posix_spawnp`.
  package struct StartFailure: Error, CustomStringConvertible {
    package var code: Int32

    /// What the system says.
    package var description: String { String(cString: strerror(code)) }
  }

  /// Starts a program, looked up in `PATH`, that gets none of this process's descriptors but those it is given.
  ///
  /// The starting thread may block signals, and this process may ignore some; a program would inherit both, so it starts
  /// with none blocked, and is ended by `SIGPIPE`.
  ///
  /// - Parameters:
  ///   - words: its name and its arguments.
  ///   - environment: its whole environment; nil for this process's own.
  ///   - descriptors: what it gets as 0, 1, 2 and on; nil for nothing to read. Later ones must not have the numbers of
  ///     earlier places.
  ///   - leadsGroup: whether it gets a process group of its own.
  /// - Returns: the number of its process.
  package static func startProgram(
    _ words: [String], environment: [String: String]? = nil, descriptors: [Int32?], leadsGroup: Bool = false
  ) throws(StartFailure) -> pid_t {
    var actions = newSpawnActions
    var attributes = newSpawnAttributes
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var pipes = sigset_t()
    sigemptyset(&pipes)
    sigaddset(&pipes, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &pipes)
    let flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | spawnFlags
    posix_spawnattr_setflags(&attributes, leadsGroup ? flags | Int16(POSIX_SPAWN_SETPGROUP) : flags)
    for (place, descriptor) in zip((0 as Int32)..., descriptors) {
      if let descriptor {
        posix_spawn_file_actions_adddup2(&actions, descriptor, place)
      } else {
        posix_spawn_file_actions_addopen(&actions, place, "/dev/null", O_RDONLY, 0)
      }
    }
    var arguments = words.map { strdup($0) } + [nil]
    var settings = (environment ?? [:]).map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + settings { free(text) } }
    guard let name = arguments[0] else { throw StartFailure(code: EINVAL) }
    var process: pid_t = 0
    let code =
      environment == nil
      ? posix_spawnp(&process, name, &actions, &attributes, &arguments, environ)
      : posix_spawnp(&process, name, &actions, &attributes, &arguments, &settings)
    guard code == 0 else { throw StartFailure(code: code) }
    return process
  }
}
