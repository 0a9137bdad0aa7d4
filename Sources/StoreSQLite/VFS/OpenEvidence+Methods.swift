import CStoreSQLite

extension OpenEvidence {
  /// Makes `file` refer to this object, which lives until SQLite closes the file.
  func attach(to file: UnsafeMutablePointer<sqlite3_file>) {
    Self.ours(file).pointee.object = Unmanaged.passRetained(self).toOpaque()
    file.pointee.pMethods = UnsafePointer(Self.methods)
  }

  private static func object(of file: UnsafeMutablePointer<sqlite3_file>?) -> OpenEvidence? {
    guard let file, let object = ours(file).pointee.object else { return nil }
    return Unmanaged<OpenEvidence>.fromOpaque(object).takeUnretainedValue()
  }

  /// SQLite allocates `szOsFile` bytes for each file; they begin with SQLite's own part.
  private static func ours(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<storedoctor_file> {
    UnsafeMutableRawPointer(file).assumingMemoryBound(to: storedoctor_file.self)
  }

  /// The method table that all files share, allocated once and never changed.
  nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: makeMethods())
    return methods
  }()

  private static func makeMethods() -> sqlite3_io_methods {
    var methods = sqlite3_io_methods()
    // Version 2 includes the WAL index. Version 3 would add memory mapping, which is never used for evidence.
    methods.iVersion = 2
    methods.xClose = { OpenEvidence.closeFile($0) }
    methods.xRead = { OpenEvidence.readFile($0, into: $1, count: $2, offset: $3) }
    methods.xFileSize = { OpenEvidence.sizeOfFile($0, $1) }

    methods.xWrite = { _, _, _, _ in SQLITE_READONLY }
    methods.xTruncate = { _, _ in SQLITE_READONLY }
    methods.xSync = { _, _ in SQLITE_OK }
    methods.xLock = { _, _ in SQLITE_OK }
    methods.xUnlock = { _, _ in SQLITE_OK }
    methods.xCheckReservedLock = { _, isLocked in
      isLocked?.pointee = 0
      return SQLITE_OK
    }
    methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    methods.xSectorSize = { _ in 4096 }
    methods.xDeviceCharacteristics = { _ in 0 }

    methods.xShmMap = { OpenEvidence.mapIndex(of: $0, number: $1, size: $2, extend: $3, result: $4) }
    methods.xShmLock = { _, _, _, _ in SQLITE_OK }
    methods.xShmBarrier = { _ in }
    methods.xShmUnmap = { file, _ in
      OpenEvidence.object(of: file)?.dropIndex()
      return SQLITE_OK
    }
    return methods
  }

  private static func closeFile(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
    guard let file, let object = ours(file).pointee.object else { return SQLITE_OK }
    ours(file).pointee.object = nil
    Unmanaged<OpenEvidence>.fromOpaque(object).release()
    return SQLITE_OK
  }

  private static func readFile(
    _ file: UnsafeMutablePointer<sqlite3_file>?, into buffer: UnsafeMutableRawPointer?, count: Int32, offset: Int64
  ) -> Int32 {
    guard let object = object(of: file), let buffer, count >= 0 else { return ResultCode.readFailed }
    return object.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)), at: offset)
  }

  private static func sizeOfFile(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ size: UnsafeMutablePointer<Int64>?
  ) -> Int32 {
    guard let object = object(of: file), let size else { return SQLITE_IOERR }
    size.pointee = object.size
    return SQLITE_OK
  }

  private static func mapIndex(
    of file: UnsafeMutablePointer<sqlite3_file>?, number: Int32, size: Int32, extend: Int32,
    result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> Int32 {
    result?.pointee = nil
    guard let object = object(of: file) else { return SQLITE_IOERR }
    switch object.indexBlock(Int(number), size: Int(size), extend: extend != 0) {
    case .block(let block): result?.pointee = block
    case .notThere: break
    case .noMemory: return SQLITE_NOMEM
    }
    return SQLITE_OK
  }
}
