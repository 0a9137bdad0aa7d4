import CStoreSQLite
import StoreSQLite
import Synchronization

/// A VFS for tests that passes everything on to the system's own, and fails when told to.
///
/// A connection uses it only if it is given its name.
///
/// ```swift
/// let vfs = try FaultVFS(failing: 7, with: SQLITE_FULL)
/// let connection = try Connection(changing: path, locking: .exclusive, vfs: vfs.name)
/// ```
package final class FaultVFS: Sendable {
  /// The operations that can fail.
  package enum Operation: Hashable, CaseIterable, Sendable { case open, read, write, truncate, sync, delete, lock }

  /// The name under which SQLite knows the VFS.
  package let name: String

  fileprivate let fault: Mutex<Fault>
  // Written once, before the object is shared.
  nonisolated(unsafe) fileprivate let vfs: UnsafeMutablePointer<sqlite3_vfs>
  nonisolated(unsafe) fileprivate let system: UnsafeMutablePointer<sqlite3_vfs>
  nonisolated(unsafe) private let cName: UnsafeMutablePointer<CChar>

  fileprivate struct Fault {
    var operations: Set<Operation>
    var remaining: Int
    var code: Int32
    var lasts: Bool
    var hasFired = false
  }

  private static let number = Atomic<Int>(0)

  /// A VFS whose n-th operation of these kinds fails with `code`, and if it `lasts`, all later ones too, as after a
  /// power cut. A failing write still writes its first half.
  ///
  /// - Throws: `SQLiteError` if SQLite does not register it.
  package init(
    failing n: Int, of operations: Set<Operation> = Set(Operation.allCases), with code: Int32,
    lasting lasts: Bool = false
  ) throws(SQLiteError) {
    name = "storedoctor-fault-\(Self.number.add(1, ordering: .relaxed).newValue)"
    fault = Mutex(Fault(operations: operations, remaining: n, code: code, lasts: lasts))
    guard let system = sqlite3_vfs_find(nil) else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "there is no VFS", path: name)
    }
    self.system = system
    let bytes = name.utf8CString
    cName = .allocate(capacity: bytes.count)
    cName.initialize(from: Array(bytes), count: bytes.count)
    vfs = .allocate(capacity: 1)
    vfs.initialize(to: system.pointee)
    vfs.pointee.pNext = nil
    vfs.pointee.zName = UnsafePointer(cName)
    vfs.pointee.szOsFile = Int32(MemoryLayout<storedoctor_file>.size)
    vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
    forward()
    let code = sqlite3_vfs_register(vfs, 0)
    guard code == SQLITE_OK else { throw SQLiteError(code: code, message: "cannot register", path: name) }
  }

  deinit {
    sqlite3_vfs_unregister(vfs)
    vfs.deallocate()
    cName.deallocate()
  }

  /// Whether something has failed.
  package var hasFired: Bool { fault.withLock(\.hasFired) }

  /// The code with which an operation fails now; nil if it does not.
  fileprivate func failure(of operation: Operation) -> Int32? {
    fault.withLock { fault in
      guard fault.operations.contains(operation) else { return nil }
      if fault.hasFired { return fault.lasts ? fault.code : nil }
      fault.remaining -= 1
      guard fault.remaining <= 0 else { return nil }
      fault.hasFired = true
      return fault.code
    }
  }

  private func forward() {
    vfs.pointee.xOpen = { vfs, name, file, flags, outFlags in
      guard let file else { return SQLITE_CANTOPEN }
      file.pointee.pMethods = nil
      guard let fault = faultVFS(vfs) else { return SQLITE_CANTOPEN }
      if fault.failure(of: .open) != nil { return SQLITE_CANTOPEN }
      return FaultFile.open(fault, name, file, flags, outFlags)
    }
    vfs.pointee.xDelete = { vfs, name, syncs in
      guard let fault = faultVFS(vfs) else { return SQLITE_IOERR }
      if let code = fault.failure(of: .delete) { return code }
      return fault.system.pointee.xDelete?(fault.system, name, syncs) ?? SQLITE_IOERR
    }
    vfs.pointee.xAccess = { vfs, name, flags, result in
      guard let fault = faultVFS(vfs) else { return SQLITE_IOERR }
      return fault.system.pointee.xAccess?(fault.system, name, flags, result) ?? SQLITE_IOERR
    }
    vfs.pointee.xFullPathname = { vfs, name, capacity, result in
      guard let fault = faultVFS(vfs) else { return SQLITE_IOERR }
      return fault.system.pointee.xFullPathname?(fault.system, name, capacity, result) ?? SQLITE_IOERR
    }
    // Without waiting: SQLite sleeps between attempts to get a lock, and here nobody else holds one.
    vfs.pointee.xSleep = { _, microseconds in microseconds }
  }
}

private func faultVFS(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> FaultVFS? {
  vfs?.pointee.pAppData.map { Unmanaged<FaultVFS>.fromOpaque($0).takeUnretainedValue() }
}

/// A file that was opened through the VFS: the system's file, and what makes it fail.
private final class FaultFile {
  let vfs: FaultVFS
  let file: UnsafeMutablePointer<sqlite3_file>
  private let memory: UnsafeMutableRawPointer

  private init(_ vfs: FaultVFS) {
    self.vfs = vfs
    let size = max(Int(vfs.system.pointee.szOsFile), MemoryLayout<sqlite3_file>.size)
    memory = .allocate(byteCount: size, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    file = memory.assumingMemoryBound(to: sqlite3_file.self)
  }

  deinit { memory.deallocate() }

  static func open(
    _ vfs: FaultVFS, _ name: UnsafePointer<CChar>?, _ outer: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    let opened = FaultFile(vfs)
    let code = vfs.system.pointee.xOpen?(vfs.system, name, opened.file, flags, outFlags) ?? SQLITE_CANTOPEN
    guard code == SQLITE_OK else { return code }
    ours(outer).pointee.object = Unmanaged.passRetained(opened).toOpaque()
    outer.pointee.pMethods = UnsafePointer(methods)
    return SQLITE_OK
  }

  private static func ours(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<storedoctor_file> {
    UnsafeMutableRawPointer(file).assumingMemoryBound(to: storedoctor_file.self)
  }

  /// Calls the system's method, unless `operation` fails now.
  static func call(
    _ outer: UnsafeMutablePointer<sqlite3_file>?, _ operation: FaultVFS.Operation? = nil,
    _ body: (FaultFile, sqlite3_io_methods) -> Int32?
  ) -> Int32 {
    guard let outer, let object = ours(outer).pointee.object else { return SQLITE_IOERR }
    let opened = Unmanaged<FaultFile>.fromOpaque(object).takeUnretainedValue()
    guard let methods = opened.file.pointee.pMethods else { return SQLITE_IOERR }
    if let operation, let code = opened.vfs.failure(of: operation) { return code }
    return body(opened, methods.pointee) ?? SQLITE_IOERR
  }

  private static func close(_ outer: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
    let code = call(outer) { $1.xClose?($0.file) }
    if let outer, let object = ours(outer).pointee.object {
      ours(outer).pointee.object = nil
      Unmanaged<FaultFile>.fromOpaque(object).release()
    }
    return code
  }

  private static func write(
    _ outer: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
  ) -> Int32 {
    call(outer) { opened, methods in
      guard let code = opened.vfs.failure(of: .write) else { return methods.xWrite?(opened.file, bytes, count, offset) }
      _ = methods.xWrite?(opened.file, bytes, count / 2, offset)
      return code
    }
  }

  /// Allocated once and never changed.
  nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: makeMethods())
    return methods
  }()

  private static func makeMethods() -> sqlite3_io_methods {
    var methods = sqlite3_io_methods()
    methods.iVersion = 2
    methods.xClose = { FaultFile.close($0) }
    methods.xRead = { file, buffer, count, offset in
      FaultFile.call(file, .read) { $1.xRead?($0.file, buffer, count, offset) }
    }
    methods.xWrite = { FaultFile.write($0, $1, $2, $3) }
    methods.xTruncate = { file, size in FaultFile.call(file, .truncate) { $1.xTruncate?($0.file, size) } }
    methods.xSync = { file, flags in FaultFile.call(file, .sync) { $1.xSync?($0.file, flags) } }
    methods.xFileSize = { file, size in FaultFile.call(file) { $1.xFileSize?($0.file, size) } }
    methods.xLock = { file, level in FaultFile.call(file, .lock) { $1.xLock?($0.file, level) } }
    methods.xUnlock = { file, level in FaultFile.call(file) { $1.xUnlock?($0.file, level) } }
    methods.xCheckReservedLock = { file, isLocked in
      FaultFile.call(file) { $1.xCheckReservedLock?($0.file, isLocked) }
    }
    methods.xFileControl = { file, operation, argument in
      FaultFile.call(file) { $1.xFileControl?($0.file, operation, argument) }
    }
    methods.xSectorSize = { file in FaultFile.call(file) { $1.xSectorSize?($0.file) } }
    methods.xDeviceCharacteristics = { file in FaultFile.call(file) { $1.xDeviceCharacteristics?($0.file) } }
    methods.xShmMap = { file, number, size, extend, result in
      FaultFile.call(file) { $1.xShmMap?($0.file, number, size, extend, result) }
    }
    methods.xShmLock = { file, offset, count, flags in
      FaultFile.call(file, .lock) { $1.xShmLock?($0.file, offset, count, flags) }
    }
    methods.xShmBarrier = { file in
      _ = FaultFile.call(file) { opened, methods in
        methods.xShmBarrier?(opened.file)
        return SQLITE_OK
      }
    }
    methods.xShmUnmap = { file, deletes in FaultFile.call(file) { $1.xShmUnmap?($0.file, deletes) } }
    return methods
  }
}
