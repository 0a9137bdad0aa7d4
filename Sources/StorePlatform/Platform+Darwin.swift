#if canImport(Darwin)
  extension Platform {
    // MARK: Files

    /// The flag of `open` that leaves access times alone; nil where there is none.
    package static let withoutAccessTime: Int32? = nil

    /// The command of `fcntl` that locks a file for its open file description, and not for the process.
    package static let setLockOfOpenFile = F_OFD_SETLK

    /// Keeps access times as they are, and files of a file provider where they are, for all that this process and its
    /// children read; false where there is no such policy.
    ///
    /// Reading a file that iCloud has taken off this Mac would download it; with the policy it fails with `EDEADLK`.
    @discardableResult package static func keepAccessTimes() -> Bool {
      setiopolicy_np(
        IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES, IOPOL_SCOPE_PROCESS, IOPOL_MATERIALIZE_DATALESS_FILES_OFF)
      return setiopolicy_np(IOPOL_TYPE_VFS_ATIME_UPDATES, IOPOL_SCOPE_PROCESS, IOPOL_ATIME_UPDATES_OFF) == 0
    }

    /// Whether this process reads without updating access times, whatever the flags of `open`.
    package static var accessTimesAreKept: Bool {
      getiopolicy_np(IOPOL_TYPE_VFS_ATIME_UPDATES, IOPOL_SCOPE_PROCESS) == IOPOL_ATIME_UPDATES_OFF
    }

    /// What the user has to allow before this file can be read; nil where nothing is known to help.
    ///
    /// macOS keeps what is below a user's `Library` from programs that were not let in, with `EPERM`; permissions of the
    /// file itself give `EACCES`.
    static func permissionNeeded(for path: String) -> String? {
      let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      if descriptor >= 0 {
        close(descriptor)
        return nil
      }
      guard errno == EPERM, let place = realpath(path, nil) else { return nil }
      defer { free(place) }
      guard (String(cString: place) + "/").contains("/Library/") else { return nil }
      return "Full Disk Access for the terminal (System Settings, Privacy & Security)"
    }

    /// What an error number says of a file that is not on this machine; nil for any other.
    package static func absence(_ code: Int32) -> String? {
      code == EDEADLK ? "it is in iCloud and not on this Mac; download it in Finder first" : nil
    }

    /// Whether a lock of a whole file (`flock`) and SQLite's locks of its bytes do not hinder one another.
    package static let hasLocksApart = false

    /// Whether SQLite has to be told to wait for the drive's own cache.
    package static let needsFullSync = true

    /// The advice that memory is to be given in large pages; nil where there is none.
    package static let adviceForLargePages: Int32? = nil

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

    /// The flag of `recv` that does not wait.
    package static let receiveAtOnce = MSG_DONTWAIT

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
    typealias Thread = pthread_t?
    /// What the first function of a thread is given.
    typealias ThreadArgument = UnsafeMutableRawPointer

    /// Actions to be initialised by `posix_spawn_file_actions_init`.
    package static var newSpawnActions: SpawnActions { nil }
    /// Attributes to be initialised by `posix_spawnattr_init`.
    package static var newSpawnAttributes: SpawnAttributes { nil }
    /// A thread to be set by `pthread_create`.
    static var newThread: Thread { nil }

    /// Further flags of `posix_spawn`, for a program that gets no descriptors but those it is given: a socket cannot be
    /// created as closed-on-exec, so a program started on another thread could inherit it.
    static let spawnFlags = Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)

    /// The numbers of the other processes that have a file open, as far as the system tells: not those of other users,
    /// unless asked by root.
    ///
    /// - Parameters:
    ///   - status: what `stat` says of the file, which other systems ask by.
    ///   - path: its path.
    package static func processes(withOpen status: stat, at path: UnsafePointer<CChar>) -> Set<Int32> {
      var ids = [pid_t](repeating: 0, count: 256)
      while true {
        let size = Int32(clamping: ids.count * MemoryLayout<pid_t>.stride)
        let filled = proc_listpidspath(UInt32(PROC_ALL_PIDS), 0, path, 0, &ids, size)
        guard filled > 0 else { return [] }
        if filled < size || ids.count >= 1 << 20 {
          return Set(ids.prefix(Int(filled) / MemoryLayout<pid_t>.stride)).subtracting([getpid(), 0])
        }
        ids = [pid_t](repeating: 0, count: ids.count * 4)
      }
    }

    /// What a process calls itself; nil where that is not known.
    package static func name(ofProcess id: Int32) -> [UInt8]? {
      var name = [UInt8](repeating: 0, count: 2 * Int(MAXCOMLEN) + 1)
      let length = proc_name(id, &name, UInt32(name.count))
      return length > 0 ? Array(name.prefix(Int(length))) : nil
    }

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
