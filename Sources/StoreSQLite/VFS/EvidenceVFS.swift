import CStoreSQLite

/// The virtual file system through which evidence is read. The only thing it does to a disk is `pread`.
///
/// - The database and its WAL are those of an `EvidenceSession`, looked up by its generated name. No other file can be
///   opened, not even temporary ones.
/// - Writing and truncating fail with `SQLITE_READONLY`; locking, syncing and deleting do nothing and succeed.
/// - The WAL index, for which SQLite usually creates a `-shm` file, is in memory.
///
/// It is written in Swift because it does little but call `DatabaseImage`; C code would have to call back through the
/// same function pointers.
///
/// https://www.sqlite.org/c3ref/vfs.html, https://www.sqlite.org/c3ref/io_methods.html
enum EvidenceVFS {
  /// The name SQLite knows the VFS by.
  static let name: StaticString = "storedoctor-evidence"

  /// Registers the VFS at the first call; returns SQLite's result code.
  static func register() -> Int32 { registered }

  private static let registered: Int32 = {
    // Must come before the first use of the library, which registering is.
    PageSlack.install()
    // SQLite keeps the pointer for as long as the process lives.
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    vfs.initialize(to: makeVFS())
    return sqlite3_vfs_register(vfs, 0)
  }()

  private static func makeVFS() -> sqlite3_vfs {
    var vfs = sqlite3_vfs()
    vfs.iVersion = 2
    vfs.szOsFile = Int32(MemoryLayout<storedoctor_file>.size)
    vfs.mxPathname = 64
    vfs.zName = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    vfs.xOpen = { _, name, file, flags, outFlags in EvidenceVFS.open(name, into: file, flags: flags, outFlags: outFlags)
    }
    vfs.xDelete = { _, _, _ in SQLITE_OK }
    vfs.xAccess = { _, name, flags, result in EvidenceVFS.access(name, flags: flags, result: result) }
    vfs.xFullPathname = { _, name, capacity, result in
      EvidenceVFS.fullPath(of: name, capacity: capacity, result: result)
    }
    vfs.xDlOpen = { _, _ in nil }
    vfs.xDlError = { _, capacity, message in if capacity > 0 { message?.pointee = 0 } }
    vfs.xDlSym = { _, _, _ in nil }
    vfs.xDlClose = { _, _ in }
    vfs.xGetLastError = { _, _, _ in 0 }
    // Time and randomness come from the system's own VFS.
    vfs.xRandomness = { _, count, bytes in
      let system = sqlite3_vfs_find(nil)
      return system?.pointee.xRandomness?(system, count, bytes) ?? 0
    }
    vfs.xSleep = { _, microseconds in
      let system = sqlite3_vfs_find(nil)
      return system?.pointee.xSleep?(system, microseconds) ?? 0
    }
    vfs.xCurrentTime = { _, days in
      let system = sqlite3_vfs_find(nil)
      return system?.pointee.xCurrentTime?(system, days) ?? SQLITE_ERROR
    }
    vfs.xCurrentTimeInt64 = { _, milliseconds in
      let system = sqlite3_vfs_find(nil)
      return system?.pointee.xCurrentTimeInt64?(system, milliseconds) ?? SQLITE_ERROR
    }
    return vfs
  }

  private static func open(
    _ name: UnsafePointer<CChar>?, into file: UnsafeMutablePointer<sqlite3_file>?, flags: Int32,
    outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let file else { return SQLITE_CANTOPEN }
    // "The xOpen method must set the sqlite3_file.pMethods to either a valid sqlite3_io_methods object or to NULL.
    // xOpen must do this even if the open fails."
    file.pointee.pMethods = nil
    guard let name = name.map({ String(cString: $0) }), let opened = OpenEvidence(name: name, flags: flags) else {
      return SQLITE_CANTOPEN
    }
    opened.attach(to: file)
    outFlags?.pointee = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY
    return SQLITE_OK
  }

  private static func access(
    _ name: UnsafePointer<CChar>?, flags: Int32, result: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    let isWritableAsked = flags == SQLITE_ACCESS_READWRITE
    let exists = name.map { OpenEvidence.exists(name: String(cString: $0)) } ?? false
    result?.pointee = exists && !isWritableAsked ? 1 : 0
    return SQLITE_OK
  }

  private static func fullPath(
    of name: UnsafePointer<CChar>?, capacity: Int32, result: UnsafeMutablePointer<CChar>?
  ) -> Int32 {
    guard let name, let result, capacity > 0 else { return SQLITE_CANTOPEN }
    let path = String(cString: name).utf8CString
    guard path.count <= Int(capacity) else { return SQLITE_CANTOPEN }
    for (index, byte) in path.enumerated() { result[index] = byte }
    return SQLITE_OK
  }
}
