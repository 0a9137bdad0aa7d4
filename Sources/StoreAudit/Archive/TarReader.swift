import StorePlaces

/// Reads the entries of a tar from a stream: GNU's format and ustar, without pax headers.
struct TarReader {
  /// An entry's header.
  struct Entry: Equatable {
    /// The name without the NUL at its end, at most 64 KiB of it.
    var name: [UInt8]
    /// Bytes of content.
    var size: Int64
    /// The kind of entry.
    var kind: Kind

    /// The kinds of entries that are distinguished.
    enum Kind: Equatable { case file, link, other }
  }

  /// Why reading ended before the end.
  enum Failure: Error, Equatable, CustomStringConvertible {
    /// The bytes ended in the middle of an entry, or without the block of zeros at the end.
    case endsEarly
    /// A block that should be a header is not one.
    case noHeader

    var description: String {
      switch self {
      case .endsEarly: "the tar archive ends early"
      case .noHeader: "the tar archive has no header where one has to be"
      }
    }
  }

  private let more: () throws -> [UInt8]
  private var chunk: ArraySlice<UInt8> = []
  /// How much remains of the current entry's content, and of the padding of its last block.
  private var contentLeft: Int64 = 0
  private var paddingLeft = 0

  /// The longest name; longer ones are cut.
  private static let longestName: Int64 = 1 << 16

  /// Reads from `more`, which gives a part at a time and an empty one at the end.
  init(_ more: @escaping () throws -> [UInt8]) {
    self.more = more
  }

  /// The next entry, skipping the rest of the last one; nil at the end.
  ///
  /// - Throws: `Failure`, and what the source throws.
  mutating func next() throws -> Entry? {
    var longName: [UInt8]?
    while true {
      try finishEntry()
      let block = try take(TarHeader.size)
      if block.allSatisfy({ $0 == 0 }) { return nil }
      guard let header = TarHeader(block) else { throw Failure.noHeader }
      contentLeft = header.contentSize
      paddingLeft = (TarHeader.size - Int(contentLeft % Int64(TarHeader.size))) % TarHeader.size
      switch header.type {
      case UInt8(ascii: "L"): longName = try readName()
      // The target of a link.
      case UInt8(ascii: "K"): continue
      case let type: return Entry(name: longName ?? header.name, size: contentLeft, kind: Self.kind(type))
      }
    }
  }

  /// The next part of the current entry's content, never more than `limit` bytes; empty at its end.
  ///
  /// - Throws: `Failure.endsEarly`, and what the source throws.
  mutating func read(atMost limit: Int = .max) throws -> ArraySlice<UInt8> {
    let part = try takePart(atMost: Int(clamping: min(contentLeft, Int64(max(0, limit)))))
    contentLeft -= Int64(part.count)
    return part
  }

  /// The first `count` bytes of the current entry's content; fewer where it is shorter.
  mutating func readHead(_ count: Int) throws -> [UInt8] {
    var head: [UInt8] = []
    while head.count < count, contentLeft > 0 { head += try read(atMost: count - head.count) }
    return head
  }

  private static func kind(_ type: UInt8) -> Entry.Kind {
    switch type {
    // '7' is a contiguous file.
    case 0, UInt8(ascii: "0"), UInt8(ascii: "7"): .file
    case UInt8(ascii: "1"), UInt8(ascii: "2"): .link
    default: .other
    }
  }

  private mutating func readName() throws -> [UInt8] {
    let name = try readHead(Int(min(contentLeft, Self.longestName)))
    return Array(name.reversed().drop { $0 == 0 }.reversed())
  }

  private mutating func finishEntry() throws {
    while contentLeft > 0 { _ = try read() }
    _ = try take(paddingLeft)
    paddingLeft = 0
  }

  private mutating func take(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += try takePart(atMost: count - bytes.count) }
    return bytes
  }

  /// The next bytes, at least one unless `limit` is 0.
  private mutating func takePart(atMost limit: Int) throws -> ArraySlice<UInt8> {
    guard limit > 0 else { return [] }
    if chunk.isEmpty {
      chunk = try more()[...]
      guard !chunk.isEmpty else { throw Failure.endsEarly }
    }
    let part = chunk.prefix(limit)
    chunk.removeFirst(part.count)
    return part
  }
}
