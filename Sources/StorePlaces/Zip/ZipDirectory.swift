import StoreSQLite

/// Where the directory of a zip is, by the record at its end.
///
///     end: "PK" 5 6, number of entries at 10, size and offset of the directory at 12 and 16, length of the comment at 20
///     before it, where 16 or 32 bits do not suffice: "PK" 6 7, the offset of the next at 8; "PK" 6 6, number of entries
///     at 32, size at 40, offset at 48
///
/// Numbers are little-endian. From PKWARE's APPNOTE 6.3.10, 4.3.12 to 4.3.16.
struct ZipDirectoryPlace {
  /// Where the directory begins, and how long it is.
  var offset: Int64
  var size: Int64
  /// How many entries it is said to have.
  var count: Int64
  /// What is to be added to every offset: the length of what was put before the archive.
  var shift: Int64
  /// Bytes behind the record at the end and its comment: what was put behind the archive, or what is left of one in which
  /// this directory's archive lies.
  private(set) var bytesBehind: Int64 = 0

  private static let endSize = 22
  private static let longestComment = 65535

  /// Nil where there is no such record, or it leads nowhere.
  init?(in source: any ByteSource) throws(FileError) {
    let tailSize = Self.endSize + Self.longestComment
    let tail = try source.read(at: max(0, source.size - Int64(tailSize)), count: tailSize)
    let tailStart = source.size - Int64(tail.count)
    guard let end = Self.endOffset(in: tail), let entries = tail.little(UInt16.self, at: end + 10),
      let statedSize = tail.little(UInt32.self, at: end + 12), let statedOffset = tail.little(UInt32.self, at: end + 16)
    else { return nil }
    (size, offset, count) = (Int64(statedSize), Int64(statedOffset), Int64(entries))
    var directoryEnd = tailStart + Int64(end)
    let comment = Int(tail.little(UInt16.self, at: end + 20) ?? 0)
    bytesBehind = Int64(max(0, tail.count - end - Self.endSize - comment))
    if statedSize == .max || statedOffset == .max || entries == .max,
      let wide = try Self.wide(before: directoryEnd, in: source)
    {
      (size, offset, count, directoryEnd) = (wide.size, wide.offset, wide.count, wide.start)
    }
    guard size >= 0, offset >= 0, size <= directoryEnd else { return nil }
    shift = 0
    // What was put before the archive moves everything, and the offsets were not told.
    if try !Self.isEntry(at: offset, in: source), size > 0 {
      shift = directoryEnd - size - offset
      offset = directoryEnd - size
    }
    guard offset >= 0, offset <= source.size, size <= source.size - offset else { return nil }
  }

  private static func isEntry(at offset: Int64, in source: any ByteSource) throws(FileError) -> Bool {
    try source.read(at: offset, count: 4) == ZipEntry.magic
  }

  /// The offset of the last end record whose comment goes to the end of the file; else of the last one, as something may
  /// have been put behind it.
  private static func endOffset(in tail: [UInt8]) -> Int? {
    guard tail.count >= endSize else { return nil }
    var last: Int?
    for offset in (0...tail.count - endSize).reversed()
    where tail[offset] == 0x50 && tail[offset + 1] == 0x4b && tail[offset + 2] == 5 && tail[offset + 3] == 6 {
      let comment = Int(tail.little(UInt16.self, at: offset + 20) ?? 0)
      if offset + endSize + comment == tail.count { return offset }
      last = last ?? offset
    }
    return last
  }

  private static func wide(
    before end: Int64, in source: any ByteSource
  ) throws(FileError) -> (start: Int64, size: Int64, offset: Int64, count: Int64)? {
    guard end >= 20 else { return nil }
    let locator = try source.read(at: end - 20, count: 20)
    guard locator.starts(with: [0x50, 0x4b, 6, 7]), let stated = locator.little(UInt64.self, at: 8) else { return nil }
    // Straight before its locator where something was put before the archive.
    for start in [Int64(clamping: stated), end - 20 - 56] where start >= 0 && start <= end - 20 - 56 {
      let record = try source.read(at: start, count: 56)
      if record.starts(with: [0x50, 0x4b, 6, 6]), let count = record.little(UInt64.self, at: 32),
        let size = record.little(UInt64.self, at: 40), let offset = record.little(UInt64.self, at: 48)
      {
        return (start, Int64(clamping: size), Int64(clamping: offset), Int64(clamping: count))
      }
    }
    return nil
  }
}

/// One entry of a zip's directory.
///
///     "PK" 1 2, made by at 4 and the system at 5, flags at 8 (bit 0: encrypted), method at 10, CRC-32 at 16, packed size at 20, size at 24,
///     lengths of name, extra field and comment at 28, 30, 32, attributes at 38, offset of the file at 42, the name at 46
struct ZipEntry {
  static let fixedSize = 46
  static let magic: [UInt8] = [0x50, 0x4b, 1, 2]

  var member: ArchiveMember

  /// Nil where there is no entry, or it is cut off.
  ///
  /// - Returns: the entry and its length.
  init?(_ bytes: ArraySlice<UInt8>, shift: Int64) {
    let start = bytes.startIndex
    guard let flags = bytes.little(UInt16.self, at: start + 8), let method = bytes.little(UInt16.self, at: start + 10),
      let crc32 = bytes.little(UInt32.self, at: start + 16), let packed = bytes.little(UInt32.self, at: start + 20),
      let size = bytes.little(UInt32.self, at: start + 24), let nameSize = bytes.little(UInt16.self, at: start + 28),
      let extraSize = bytes.little(UInt16.self, at: start + 30), let system = bytes.little(UInt8.self, at: start + 5),
      let attributes = bytes.little(UInt32.self, at: start + 38), let offset = bytes.little(UInt32.self, at: start + 42)
    else { return nil }
    let extraStart = start + Self.fixedSize + Int(nameSize)
    guard extraStart + Int(extraSize) <= bytes.endIndex else { return nil }
    let name = bytes[(start + Self.fixedSize)..<extraStart]
    let extra = ZipExtra(bytes[extraStart..<extraStart + Int(extraSize)], size: size, packed: packed, offset: offset)
    let (header, isBeyond) = extra.offset.addingReportingOverflow(shift)
    member = ArchiveMember(
      name: MemberName.ofZip(name, system: system), size: extra.size,
      kind: Self.kind(name: name, size: extra.size, mode: system == 3 || system == 19 ? attributes >> 16 : 0),
      isEncrypted: flags & 1 != 0, obstacle: Self.obstacle(method: method), modified: extra.modified,
      place: .zip(
        .init(header: isBeyond ? -1 : header, packedSize: extra.packed, method: method, crc32: crc32)))
  }

  /// The length of the entry that begins here, by its fixed part; nil where none does.
  static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
    let start = bytes.startIndex
    guard bytes.starts(with: magic), let name = bytes.little(UInt16.self, at: start + 28),
      let extra = bytes.little(UInt16.self, at: start + 30), let comment = bytes.little(UInt16.self, at: start + 32)
    else { return nil }
    return fixedSize + Int(name) + Int(extra) + Int(comment)
  }

  /// The kind by the name and, of programs of Unix, the mode.
  static func kind(name: ArraySlice<UInt8>, size: Int64, mode: UInt32) -> ArchiveMember.Kind {
    if name.last == UInt8(ascii: "/") { return .folder }
    return switch mode & 0o170000 {
    case 0, 0o100000: .file
    case 0o040000: .folder
    case 0o120000: .link
    default: .other
    }
  }

  static func obstacle(method: UInt16) -> String? {
    switch method {
    case 0, 8: nil
    case 9: "it is packed with Deflate64, which is not read"
    case 99: "it is encrypted"
    default: "it is packed with method \(method), which is not read"
    }
  }
}

/// What the extra field of an entry says: numbers of more than 32 bits (field 1), and times (field 0x5455).
struct ZipExtra {
  var size: Int64
  var packed: Int64
  var offset: Int64
  var modified: Int64?

  init(_ extra: ArraySlice<UInt8>, size: UInt32, packed: UInt32, offset: UInt32) {
    (self.size, self.packed, self.offset) = (Int64(size), Int64(packed), Int64(offset))
    var rest = extra
    while let id = rest.little(UInt16.self, at: rest.startIndex),
      let length = rest.little(UInt16.self, at: rest.startIndex + 2)
    {
      let field = rest.dropFirst(4).prefix(Int(length))
      if id == 1 { widen(field, isSizeWide: size == .max, isPackedWide: packed == .max, isOffsetWide: offset == .max) }
      if id == 0x5455, let flags = field.first, flags & 1 != 0,
        let seconds = field.little(UInt32.self, at: field.startIndex + 1)
      {
        modified = Int64(Int32(bitPattern: seconds))
      }
      rest = rest.dropFirst(4 + Int(length))
    }
  }

  /// Takes the numbers that did not fit, in their order.
  private mutating func widen(
    _ field: ArraySlice<UInt8>, isSizeWide: Bool, isPackedWide: Bool, isOffsetWide: Bool
  ) {
    var rest = field
    func next() -> Int64? {
      guard let number = rest.little(UInt64.self, at: rest.startIndex) else { return nil }
      rest = rest.dropFirst(8)
      return Int64(clamping: number)
    }
    if isSizeWide, let wide = next() { size = wide }
    if isPackedWide, let wide = next() { packed = wide }
    if isOffsetWide, let wide = next() { offset = wide }
  }
}
