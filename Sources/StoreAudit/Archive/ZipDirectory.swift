import StoreSQLite

/// The directory at the end of a zip archive: what is in it, with checksums.
///
///     before each file: "PK" 3 4, flags at 6 (bit 0: encrypted)
///     ...  entry: "PK" 1 2, flags at 8 (the same), CRC-32 at 16, size at 24, lengths of name, extra field and
///          comment at 28, 30, 32, offset of the file at 42, the name at 46
///     end: "PK" 5 6, number of entries at 10, size and offset of the directory at 12 and 16, length of the comment at 20
///
/// Numbers are little-endian. Where 16 or 32 bits do not suffice they are all ones, and the number is in the end record of
/// zip64 ("PK" 6 6: size at 40, offset at 48), which a locator before the end names ("PK" 6 7, offset at 8), or in the
/// extra field 1 of the entry. From PKWARE's APPNOTE 6.3.10, 4.3.12 to 4.3.16 and 4.5.3.
///
/// It is needed because bsdtar 3.6.2 does not report an entry with a wrong checksum when converting an archive: it
/// fills the entry up with zeros, and exits with status 0.
struct ZipDirectory {
  /// One file of the archive.
  struct Entry: Equatable {
    var name: [UInt8]
    /// Whether the directory or the file's local header says so; bsdtar goes by the latter, and would ask for a
    /// password at the terminal.
    var isEncrypted: Bool
    var contents: Contents
    /// The offset of the file; all ones if it does not fit into 32 bits.
    var offset: UInt32
  }

  /// Identifies a file's contents.
  struct Contents: Hashable {
    var size: Int64
    var crc32: UInt32
  }

  /// In their order in the directory.
  let entries: [Entry]

  private static let longestDirectory: Int64 = 64 << 20

  /// Nil where there is no directory that can be read completely.
  init?(of archive: some ByteSource) throws(FileError) {
    guard let place = try Self.place(in: archive), (0...Self.longestDirectory).contains(place.size),
      place.offset >= 0, place.offset <= archive.size - place.size
    else { return nil }
    let bytes = try archive.read(at: place.offset, count: Int(place.size))
    guard bytes.count == Int(place.size) else { return nil }
    var entries: [Entry] = []
    var offset = 0
    while offset < bytes.count {
      guard let (entry, length) = Self.entry(in: bytes, at: offset) else { return nil }
      entries.append(entry)
      offset += length
    }
    for position in entries.indices where !entries[position].isEncrypted {
      entries[position].isEncrypted = try Self.isMarkedEncrypted(entries[position].offset, in: archive)
    }
    self.entries = entries
  }

  private static func place(in archive: some ByteSource) throws(FileError) -> (offset: Int64, size: Int64)? {
    let tail = try archive.read(at: max(0, archive.size - 65557), count: 65557)
    let start = archive.size - Int64(tail.count)
    guard let end = endOffset(in: tail), let size = tail.little(UInt32.self, at: end + 12),
      let offset = tail.little(UInt32.self, at: end + 16)
    else { return nil }
    if size != .max && offset != .max { return (Int64(offset), Int64(size)) }
    let locator = try archive.read(at: start + Int64(end) - 20, count: 20)
    guard locator.starts(with: [0x50, 0x4b, 6, 7]), let record = locator.little(UInt64.self, at: 8) else { return nil }
    let wide = try archive.read(at: Int64(clamping: record), count: 56)
    guard wide.starts(with: [0x50, 0x4b, 6, 6]), let size = wide.little(UInt64.self, at: 40),
      let offset = wide.little(UInt64.self, at: 48)
    else { return nil }
    return (Int64(clamping: offset), Int64(clamping: size))
  }

  /// The offset of the last end record whose comment extends to the end of the file.
  private static func endOffset(in tail: [UInt8]) -> Int? {
    guard tail.count >= 22 else { return nil }
    return (0...tail.count - 22).last { offset in
      tail[offset] == 0x50 && tail[offset...].starts(with: [0x50, 0x4b, 5, 6])
        && tail.little(UInt16.self, at: offset + 20).map { offset + 22 + Int($0) == tail.count } == true
    }
  }

  private static func isMarkedEncrypted(_ file: UInt32, in archive: some ByteSource) throws(FileError) -> Bool {
    let bytes = try archive.read(at: Int64(file), count: 8)
    return bytes.starts(with: [0x50, 0x4b, 3, 4]) && bytes.little(UInt16.self, at: 6).map { $0 & 1 != 0 } == true
  }

  private static func entry(in bytes: [UInt8], at start: Int) -> (Entry, length: Int)? {
    guard bytes[start...].starts(with: [0x50, 0x4b, 1, 2]),
      let flags = bytes.little(UInt16.self, at: start + 8), let crc32 = bytes.little(UInt32.self, at: start + 16),
      let size = bytes.little(UInt32.self, at: start + 24), let name = bytes.little(UInt16.self, at: start + 28),
      let extra = bytes.little(UInt16.self, at: start + 30), let comment = bytes.little(UInt16.self, at: start + 32),
      let offset = bytes.little(UInt32.self, at: start + 42)
    else { return nil }
    let extraStart = start + 46 + Int(name)
    let extraEnd = extraStart + Int(extra)
    guard extraEnd + Int(comment) <= bytes.count else { return nil }
    let wideSize = size == .max ? Self.wideSize(in: bytes[extraStart..<extraEnd]) : Int64(size)
    guard let wideSize else { return nil }
    let entry = Entry(
      name: Array(bytes[(start + 46)..<extraStart]), isEncrypted: flags & 1 != 0,
      contents: Contents(size: wideSize, crc32: crc32), offset: offset)
    return (entry, extraEnd + Int(comment) - start)
  }

  /// The size in extra field 1 (zip64), where it is the first number.
  private static func wideSize(in extra: ArraySlice<UInt8>) -> Int64? {
    var rest = extra
    while let id = rest.little(UInt16.self, at: rest.startIndex),
      let length = rest.little(UInt16.self, at: rest.startIndex + 2)
    {
      if id == 1 { return rest.little(UInt64.self, at: rest.startIndex + 4).map { Int64(clamping: $0) } }
      rest = rest.dropFirst(4 + Int(length))
    }
    return nil
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// A little-endian number; nil where it is cut off.
  fileprivate func little<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number? {
    let size = MemoryLayout<Number>.size
    guard offset >= startIndex, offset <= endIndex - size else { return nil }
    return self[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Number($1) }
  }
}
