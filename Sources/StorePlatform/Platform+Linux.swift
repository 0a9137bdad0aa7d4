#if !canImport(Darwin)
  extension Platform {
    // MARK: Files

    /// The flag of `open` that leaves access times alone; nil where there is none.
    ///
    /// `O_NOATIME` of x86, ARM and RISC-V; Glibc declares it only with `_GNU_SOURCE`, which Swift does not set.
    package static let withoutAccessTime: Int32? = 0o1_000_000

    /// The command of `fcntl` that locks a file for its open file description, and not for the process.
    ///
    /// `F_OFD_SETLK`, which Glibc declares only with `_GNU_SOURCE`.
    package static let setLockOfOpenFile: Int32 = 37

    /// Keeps access times as they are, and files of a file provider where they are, for all that this process and its
    /// children read; false where there is no such policy.
    @discardableResult package static func keepAccessTimes() -> Bool { false }

    /// Whether this process reads without updating access times, whatever the flags of `open`.
    package static var accessTimesAreKept: Bool { false }

    /// What the user has to allow before this file can be read; nil where nothing is known to help.
    static func permissionNeeded(for path: String) -> String? { nil }

    /// What an error number says of a file that is not on this machine; nil for any other.
    package static func absence(_ code: Int32) -> String? { nil }

    /// Whether a lock of a whole file (`flock`) and SQLite's locks of its bytes do not hinder one another.
    package static let hasLocksApart = true

    /// Whether SQLite has to be told to wait for the drive's own cache.
    package static let needsFullSync = false

    /// The advice that memory is to be given in large pages; nil where there is none.
    package static let adviceForLargePages: Int32? = MADV_HUGEPAGE

    /// Waits until the content of an open file is on disk; 0, or -1 with `errno`.
    package static func sync(_ descriptor: Int32) -> Int32 { fsync(descriptor) }

    /// Renames a file unless the new name is taken; 0, or -1 with `errno`: `EEXIST` where it is, `ENOTSUP` where this file
    /// system offers no such renaming.
    ///
    /// The file gets a second name, and then loses the first. Where that fails it keeps both.
    package static func renameExclusively(_ path: UnsafePointer<CChar>, to other: UnsafePointer<CChar>) -> Int32 {
      guard link(path, other) != 0 else {
        _ = unlink(path)
        return 0
      }
      if [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) { errno = ENOTSUP }
      return -1
    }

    // MARK: Limits

    /// The limit on the size of a core file, for `setrlimit`.
    package static let coreSize = resource(RLIMIT_CORE)
    /// The limit on private memory.
    package static let dataSize = resource(RLIMIT_DATA)
    /// The limit on open files.
    package static let openFiles = resource(RLIMIT_NOFILE)
    /// The most open files that a process may ask for; nil where only its own hard limit counts.
    package static let mostOpenFiles: rlim_t? = nil

    #if canImport(Glibc)
      private static func resource(_ limit: __rlimit_resource) -> __rlimit_resource_t {
        __rlimit_resource_t(UInt32(limit.rawValue))
      }
    #else
      private static func resource(_ limit: Int32) -> Int32 { limit }
    #endif

    // MARK: Connections

    #if canImport(Glibc)
      /// The type of a socket that carries a stream of bytes.
      package static let streamSocket = Int32(SOCK_STREAM.rawValue)
      private static let closedOnExec = Int32(SOCK_CLOEXEC.rawValue)
    #else
      /// The type of a socket that carries a stream of bytes.
      package static let streamSocket = SOCK_STREAM
      private static let closedOnExec = SOCK_CLOEXEC
    #endif

    /// The flags of `send` on an end of `socketPair()`: no signal where the other end is closed.
    package static let sendFlags = Int32(MSG_NOSIGNAL)

    /// The flag of `recv` that waits until as much has come as was asked for.
    package static let receiveWhole = Int32(MSG_WAITALL)

    /// The flag of `recv` that does not wait.
    package static let receiveAtOnce = Int32(MSG_DONTWAIT)

    /// Two connected sockets that programs started meanwhile do not inherit; nil, with `errno`, where there are none.
    package static func socketPair() -> (Int32, Int32)? {
      var ends: [Int32] = [0, 0]
      guard socketpair(AF_UNIX, streamSocket | closedOnExec, 0, &ends) == 0 else { return nil }
      return (ends[0], ends[1])
    }

    // MARK: Processes and threads

    /// What `posix_spawn` does to the descriptors of the new process.
    package typealias SpawnActions = posix_spawn_file_actions_t
    /// How `posix_spawn` sets the new process up.
    package typealias SpawnAttributes = posix_spawnattr_t
    /// A thread.
    typealias Thread = pthread_t
    /// What the first function of a thread is given.
    typealias ThreadArgument = UnsafeMutableRawPointer?

    /// Actions to be initialised by `posix_spawn_file_actions_init`.
    package static var newSpawnActions: SpawnActions { SpawnActions() }
    /// Attributes to be initialised by `posix_spawnattr_init`.
    package static var newSpawnAttributes: SpawnAttributes { SpawnAttributes() }
    /// A thread to be set by `pthread_create`.
    static var newThread: Thread { Thread() }

    /// Further flags of `posix_spawn`, for a program that gets no descriptors but those it is given.
    static let spawnFlags: Int16 = 0

    /// The numbers of the other processes that have a file open, as far as the system tells: not those of other users,
    /// unless asked by root.
    ///
    /// - Parameters:
    ///   - status: what `stat` says of the file.
    ///   - path: its path, which other systems ask by.
    package static func processes(withOpen status: stat, at path: UnsafePointer<CChar>) -> Set<Int32> {
      let ids = numbers(in: "/proc").filter { id in
        id != getpid()
          && numbers(in: "/proc/\(id)/fd").contains { descriptor in
            var open = stat()
            return stat("/proc/\(id)/fd/\(descriptor)", &open) == 0 && open.st_dev == status.st_dev
              && open.st_ino == status.st_ino
          }
      }
      return Set(ids)
    }

    /// What a process calls itself; nil where that is not known.
    package static func name(ofProcess id: Int32) -> [UInt8]? {
      let descriptor = open("/proc/\(id)/comm", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(descriptor, &bytes, bytes.count)
      return Array(bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") })
    }

    /// The names in a folder that are numbers.
    private static func numbers(in folder: String) -> [Int32] {
      guard let directory = opendir(folder) else { return [] }
      defer { closedir(directory) }
      var numbers: [Int32] = []
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if let number = Int32(name) { numbers.append(number) }
      }
      return numbers
    }

    /// The path of the running program, which leads to its file even where it was moved; nil where it is not known.
    package static var programFile: [UInt8]? { Array("/proc/self/exe".utf8) }

    /// The variable of the environment that tunes memory allocation for many small stores, and its value.
    ///
    /// A small store allocates and frees thousands of small pieces of memory. glibc 2.36 caches seven of each size by
    /// default, and the others take five times as long: 3 % of all instructions. Before 2.30, 127 is the limit. Free
    /// memory at the end of the heap goes back to the system and is requested again for the next store: 100,000 to
    /// 220,000 page faults in 10,000 stores, 4,000 with these limits, and 8 % of the time.
    package static let allocatorSettings: (name: String, value: String)? = (
      "GLIBC_TUNABLES",
      "glibc.malloc.tcache_count=127:glibc.malloc.trim_threshold=67108864:glibc.malloc.mmap_threshold=33554432"
    )
  }

  extension stat {
    /// When the content was last changed.
    package var modificationTime: timespec { st_mtim }
    /// When content, name, owner or mode was last changed.
    package var statusChangeTime: timespec { st_ctim }
    /// When the content was last read.
    package var accessTime: timespec { st_atim }
  }
#endif
