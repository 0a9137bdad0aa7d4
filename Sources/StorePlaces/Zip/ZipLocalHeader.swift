import StoreSQLite

/// The header before a member of a zip.
///
///     "PK" 3 4, flags at 6 (bit 0: encrypted, bit 3: sizes only behind the data), method at 8, CRC-32 at 14, packed size
///     at 18, size at 22, lengths of name and extra field at 26 and 28, the name at 30
struct ZipLocalHeader {
  static let magic: [UInt8] = [0x50, 0x4b, 3, 4]
  private static let fixedSize = 30
  /// How much is read at once: for most members the header and what their first bytes are packed in.
  private static let readSize = 1024

  /// Where it begins.
  let offset: Int64
  /// Where the content begins.
  let data: Int64
  let isEncrypted: Bool
  let method: UInt16
  /// What was read of the content together with the header.
  let ahead: ArraySlice<UInt8>
  let size: Int64
  /// The place of the content; nil where its length is not known.
  let place: ArchiveMember.ZipPlace?
  private let name: [UInt8]
  private let modified: Int64?

  /// Nil where there is no header.
  init?(at offset: Int64, in source: any ByteSource) throws(FileError) {
    let bytes = try source.read(at: offset, count: Self.readSize)
    guard bytes.starts(with: Self.magic), let flags = bytes.little(UInt16.self, at: 6),
      let method = bytes.little(UInt16.self, at: 8), let crc32 = bytes.little(UInt32.self, at: 14),
      let packed = bytes.little(UInt32.self, at: 18), let size = bytes.little(UInt32.self, at: 22),
      let nameSize = bytes.little(UInt16.self, at: 26), let extraSize = bytes.little(UInt16.self, at: 28)
    else { return nil }
    let length = Self.fixedSize + Int(nameSize) + Int(extraSize)
    let (data, isBeyond) = offset.addingReportingOverflow(Int64(length))
    guard !isBeyond else { return nil }
    self.offset = offset
    self.data = data
    self.method = method
    isEncrypted = flags & 1 != 0
    ahead = length < bytes.count ? bytes[length...] : []
    let whole = length <= bytes.count ? bytes : try source.read(at: offset, count: length)
    name = MemberName.ofZip(whole.dropFirst(Self.fixedSize).prefix(Int(nameSize)))
    let extra = ZipExtra(
      whole.dropFirst(Self.fixedSize + Int(nameSize)).prefix(Int(extraSize)), size: size, packed: packed, offset: 0)
    self.size = extra.size
    modified = extra.modified
    place =
      flags & 8 != 0 && packed == 0
      ? nil : ArchiveMember.ZipPlace(header: offset, packedSize: extra.packed, method: method, crc32: crc32)
  }

  /// The member, where there is no directory to name it.
  func member(_ place: ArchiveMember.ZipPlace, size: Int64) -> ArchiveMember {
    ArchiveMember(
      name: name, size: size, kind: name.last == UInt8(ascii: "/") ? .folder : .file, isEncrypted: isEncrypted,
      obstacle: ZipEntry.obstacle(method: method), modified: modified, place: .zip(place))
  }
}

/// A deflate stream whose length is not known.
struct MeasuredDeflate {
  private let source: any ByteSource
  private let start: Int64
  private let inflater: Inflater

  /// Nil where zlib has not enough memory.
  init?(_ source: any ByteSource, from start: Int64) {
    guard let inflater = Inflater(.raw) else { return nil }
    (self.source, self.start, self.inflater) = (source, start, inflater)
  }

  /// How many bytes it has, packed and not; nil where it has no end, or none so far.
  func measure(atMost limit: Int64) throws(FileError) -> (packed: Int64, size: Int64)? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var (packed, size): (Int64, Int64) = (0, 0)
    while true {
      let input = try source.read(at: start + packed, count: 128 << 10)
      guard !input.isEmpty else { return nil }
      var used = 0
      while used < input.count {
        let step = input[used...].withUnsafeBytes { inflater.step($0, into: buffer) }
        used += step.used
        size += Int64(step.filled)
        guard size <= limit else { return nil }
        switch step.state {
        case .end: return (packed + Int64(used), size)
        case .damaged: return nil
        case .more: guard step.used + step.filled > 0 else { return nil }
        }
      }
      packed += Int64(used)
    }
  }
}
