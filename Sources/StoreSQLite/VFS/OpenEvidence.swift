import CStoreSQLite

/// A file that SQLite has opened through the VFS.
final class OpenEvidence {
  let session: EvidenceSession
  private let role: Role
  private var index: WALIndexMemory
  /// All of a small database, read on first access: one system call instead of one for each page.
  private var whole: [UInt8]?
  /// Whether some of it cannot be read; other parts still can.
  private var hasUnreadableParts = false

  /// The largest database that is read as a whole.
  private static let mostBytesAtOnce: Int64 = 256 << 10

  private enum Role {
    case database
    case wal
  }

  /// The file with this name; nil where there is none to open.
  ///
  /// A WAL can always be opened, because a database in WAL mode cannot be read without; one that is absent or hidden
  /// appears empty.
  init?(name: String, flags: Int32) {
    if flags & SQLITE_OPEN_MAIN_DB != 0, let session = EvidenceRegistration.session(named: name) {
      self.session = session
      role = .database
    } else if flags & SQLITE_OPEN_WAL != 0, let session = Self.session(ofWAL: name) {
      self.session = session
      role = .wal
    } else {
      return nil
    }
    index = WALIndexMemory(walSize: session.image.wal?.size ?? 0)
  }

  /// Whether SQLite finds a file with this name: the database, and the WAL if it is to be read. A journal is never
  /// found; a hot one is part of the image already.
  static func exists(name: String) -> Bool {
    EvidenceRegistration.session(named: name) != nil || session(ofWAL: name)?.image.wal != nil
  }

  private static func session(ofWAL name: String) -> EvidenceSession? {
    name.hasSuffix("-wal") ? EvidenceRegistration.session(named: String(name.dropLast(4))) : nil
  }

  /// Length in bytes.
  var size: Int64 {
    switch role {
    case .database: session.image.size
    case .wal: session.image.wal?.size ?? 0
    }
  }

  /// "If xRead() returns SQLITE_IOERR_SHORT_READ it must also fill in the unread portions of the buffer with zeros."
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int32 {
    session.interruptIfOver()
    do throws(FileError) {
      let count = try bytes(into: buffer, at: offset)
      session.noteRead(count)
      guard count < buffer.count else {
        session.onPage?(UnsafeRawBufferPointer(buffer), role == .database ? offset : nil)
        return SQLITE_OK
      }
      buffer.zero(from: count)
      return ResultCode.shortRead
    } catch {
      session.note(error)
      return ResultCode.readFailed
    }
  }

  private func bytes(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int {
    switch role {
    case .database: try readDatabase(into: buffer, at: offset)
    case .wal: try session.image.wal?.read(into: buffer, at: offset) ?? 0
    }
  }

  private func readDatabase(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int {
    let size = session.image.size
    // Only for page reads; of a file that is no database only the header is read.
    if whole == nil, size <= Self.mostBytesAtOnce, buffer.count >= 512, !hasUnreadableParts {
      whole = try? session.image.read(at: 0, count: Int(size))
      hasUnreadableParts = whole == nil
    }
    guard let whole else { return try session.image.read(into: buffer, at: offset) }
    guard offset >= 0, offset < whole.count else { return 0 }
    let part = whole[Int(offset)...].prefix(buffer.count)
    part.withUnsafeBytes { buffer.copyMemory(from: $0) }
    return part.count
  }

  /// Block `number` of the WAL index, allocated if `extend` is true.
  func indexBlock(_ number: Int, size: Int, extend: Bool) -> WALIndexMemory.Answer {
    index.block(number, size: size, extend: extend)
  }

  /// Frees the WAL index.
  func dropIndex() {
    index.removeAll()
  }
}

/// The WAL index in memory, in the 32 KiB blocks that SQLite asks for.
struct WALIndexMemory: ~Copyable {
  private var blocks: [UnsafeMutableRawPointer] = []
  private let mostBlocks: Int

  enum Answer {
    case block(UnsafeMutableRawPointer)
    case notThere
    case noMemory
  }

  /// Limits the index by the WAL's size: a block holds at least 4062 frames, each of at least 536 bytes.
  init(walSize: Int64) {
    mostBlocks = Int(clamping: walSize / (4062 * 536)) + 2
  }

  deinit {
    for block in blocks { block.deallocate() }
  }

  mutating func block(_ number: Int, size: Int, extend: Bool) -> Answer {
    guard number >= 0, size > 0, number < mostBlocks else { return .noMemory }
    while blocks.count <= number {
      guard extend else { return .notThere }
      let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      blocks.append(block)
    }
    return .block(blocks[number])
  }

  mutating func removeAll() {
    for block in blocks { block.deallocate() }
    blocks = []
  }
}
