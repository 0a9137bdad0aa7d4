#if canImport(Darwin)
  extension Platform {
    // MARK: Files

    /// The flag of `open` that leaves access times alone; nil where there is none.
    package static let withoutAccessTime: Int32? = nil

    /// The command of `fcntl` that locks a file for its open file description, and not for the process.
    package static let setLockOfOpenFile = F_OFD_SETLK

    /// Waits until the content of an open file is on disk; 0, or -1 with `errno`.
    package static func sync(_ descriptor: Int32) -> Int32 {
      // Darwin's fsync leaves the bytes in the drive's cache.
      fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
    }

    /// Renames a file unless the new name is taken; 0, or -1 with `errno`: `EEXIST` where it is, `ENOTSUP` where this file
    /// system offers no such renaming.
    package static func renameExclusively(_ path: UnsafePointer<CChar>, to other: UnsafePointer<CChar>) -> Int32 {
      renamex_np(path, other, UInt32(RENAME_EXCL))
    }

    // MARK: Limits

    /// The limit on the size of a core file, for `setrlimit`.
    package static let coreSize = RLIMIT_CORE
    /// The limit on private memory.
    package static let dataSize = RLIMIT_DATA
    /// The limit on open files.
    package static let openFiles = RLIMIT_NOFILE
    /// The most open files that a process may ask for; nil where only its own hard limit counts.
    ///
    /// setrlimit(2): "setrlimit() now returns with errno set to EINVAL in places that historically succeeded. It no
    /// longer accepts "rlim_cur = RLIM_INFINITY" for RLIM_NOFILE. Use "rlim_cur = min(OPEN_MAX, rlim_max)"."
    package static let mostOpenFiles: rlim_t? = rlim_t(OPEN_MAX)

    // MARK: Connections

    /// The type of a socket that carries a stream of bytes.
    package static let streamSocket = SOCK_STREAM

    /// The flags of `send` on an end of `socketPair()`: the sockets themselves are told to send no signal.
    package static let sendFlags: Int32 = 0

    /// The flag of `recv` that waits until as much has come as was asked for.
    package static let receiveWhole = MSG_WAITALL

    /// Two connected sockets that programs started meanwhile do not inherit; nil, with `errno`, where there are none.
    package static func socketPair() -> (Int32, Int32)? {
      var ends: [Int32] = [0, 0]
      guard socketpair(AF_UNIX, streamSocket, 0, &ends) == 0 else { return nil }
      for end in ends {
        var on: Int32 = 1
        setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
      return (ends[0], ends[1])
    }

    // MARK: Processes and threads

    /// What `posix_spawn` does to the descriptors of the new process.
    package typealias SpawnActions = posix_spawn_file_actions_t?
    /// How `posix_spawn` sets the new process up.
    package typealias SpawnAttributes = posix_spawnattr_t?
    /// A thread.
    package typealias Thread = pthread_t?
    /// What the first function of a thread is given.
    package typealias ThreadArgument = UnsafeMutableRawPointer

    /// Actions to be initialised by `posix_spawn_file_actions_init`.
    package static var newSpawnActions: SpawnActions { nil }
    /// Attributes to be initialised by `posix_spawnattr_init`.
    package static var newSpawnAttributes: SpawnAttributes { nil }
    /// A thread to be set by `pthread_create`.
    package static var newThread: Thread { nil }

    /// The path of the running program, which leads to its file even where it was moved; nil where it is not known.
    package static var programFile: [UInt8]? {
      // PROC_PIDPATHINFO_MAXSIZE, a macro that Swift does not see.
      var path = [UInt8](repeating: 0, count: 4 * Int(MAXPATHLEN))
      let length = proc_pidpath(getpid(), &path, UInt32(path.count))
      return length > 0 ? Array(path.prefix(Int(length))) : nil
    }

    /// The variable of the environment that tunes memory allocation for many small stores, and its value.
    package static let allocatorSettings: (name: String, value: String)? = nil
  }

  extension stat {
    /// When the content was last changed.
    package var modificationTime: timespec { st_mtimespec }
    /// When content, name, owner or mode was last changed.
    package var statusChangeTime: timespec { st_ctimespec }
    /// When the content was last read.
    package var accessTime: timespec { st_atimespec }
  }
#endif
