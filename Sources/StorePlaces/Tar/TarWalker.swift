/// Goes through a tar from header to header.
struct TarWalker {
  private let bytes: any ForwardBytes
  /// What was said for all members that follow.
  private var general = PaxRecords()
  private var next: Int64 = 0
  /// A header that was read already.
  private var ahead: [UInt8]?
  /// How many members there were.
  private(set) var count = 0
  /// Why it ended; nil for a whole archive.
  private(set) var problem: String?

  /// The longest name, and the longest pax header; longer ones are damage.
  private static let longestName: Int64 = 1 << 16
  private static let longestRecords: Int64 = 1 << 20

  init(_ bytes: any ForwardBytes) {
    self.bytes = bytes
  }

  private static let early = "the archive ends early or is damaged; what comes later in it is missing"

  /// The next member, with its content still to come; nil at the end.
  mutating func nextMember() throws -> ArchiveMember? {
    var (longName, records) = ([UInt8]?.none, general)
    while true {
      guard let block = try nextBlock(), let header = TarHeader(block) else { return nil }
      let data = bytes.position
      guard pass(Self.hasContent(header.type) ? header.contentSize : 0) else { return nil }
      switch header.type {
      case UInt8(ascii: "L"):
        guard let name = try content(header, atMost: Self.longestName) else { return nil }
        longName = Array(name.prefix { $0 != 0 })
      case UInt8(ascii: "K"): break
      case UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "g"):
        guard let text = try content(header, atMost: Self.longestRecords) else { return nil }
        records.take(text)
        if header.type == UInt8(ascii: "g") { general = records }
      default:
        count += 1
        return try member(header, block: block, data: data, name: longName, records)
      }
    }
  }

  /// Whether content follows a header of this type: none follows symbolic links, devices, folders and pipes, whatever
  /// size they state.
  private static func hasContent(_ type: UInt8) -> Bool {
    !(UInt8(ascii: "2")...UInt8(ascii: "6")).contains(type)
  }

  /// The next header's bytes; nil at the end, or where there is none.
  private mutating func nextBlock() throws -> [UInt8]? {
    if let block = ahead {
      ahead = nil
      return block
    }
    if next > bytes.position { try bytes.skip(next - bytes.position) }
    var block = try bytes.read(TarHeader.size)
    guard block.count == TarHeader.size, !bytes.isDamaged else {
      problem = Self.early
      return nil
    }
    if block.allSatisfy({ $0 == 0 }) {
      guard let more = try blockBehindEnd() else { return nil }
      block = more
    }
    guard TarHeader(block) != nil else {
      problem = Self.early
      return nil
    }
    return block
  }

  /// A header behind the zeros that end an archive: another was put behind it, or one block of it was lost.
  private mutating func blockBehindEnd() throws -> [UInt8]? {
    for _ in 0..<Self.mostBlankBlocks {
      let block = try bytes.read(TarHeader.size)
      guard block.count == TarHeader.size else { return nil }
      if block.allSatisfy({ $0 == 0 }) { continue }
      if TarHeader.isMarked(block) { return block }
      problem = "what lies behind its end was not read"
      return nil
    }
    return nil
  }

  /// As many as a tape's record of the largest usual size has.
  private static let mostBlankBlocks = 2048

  /// Notes where the next header is.
  private mutating func pass(_ size: Int64) -> Bool { pass(from: bytes.position, size) }

  private mutating func pass(from data: Int64, _ size: Int64) -> Bool {
    let (end, isBeyond) = data.addingReportingOverflow(size)
    guard !isBeyond, end <= .max - 512 else {
      problem = Self.early
      return false
    }
    next = (end + 511) / 512 * 512
    return true
  }

  private mutating func content(_ header: TarHeader, atMost limit: Int64) throws -> [UInt8]? {
    let wanted = Int(min(header.contentSize, limit))
    let content = try bytes.read(wanted)
    guard content.count == wanted, header.contentSize <= limit else {
      problem = Self.early
      return nil
    }
    return content
  }

  private mutating func member(
    _ header: TarHeader, block: [UInt8], data: Int64, name: [UInt8]?, _ records: PaxRecords
  ) throws -> ArchiveMember? {
    var dataSize = Self.hasContent(header.type) ? records.size ?? header.contentSize : 0
    // Old programs state a hard link's size although no content follows.
    if header.type == UInt8(ascii: "1"), dataSize > 0 {
      let block = try bytes.read(TarHeader.size)
      if TarHeader(block) != nil {
        ahead = block
        dataSize = 0
        _ = pass(0)
      }
    }
    guard dataSize >= 0, dataSize == header.contentSize || ahead != nil || pass(from: data, dataSize) else {
      problem = problem ?? Self.early
      return nil
    }
    var member = ArchiveMember(
      name: records.sparseName ?? records.path ?? name ?? header.name, size: dataSize,
      kind: Self.kind(header), place: .tar(.init(data: data, dataSize: dataSize)))
    member.modified = records.modified ?? TarHeader.number(block[136..<148])
    if member.name.last == UInt8(ascii: "/"), member.kind == .file { member.kind = .folder }
    if records.isDamaged { member.obstacle = "its pax header is damaged" }
    try addParts(to: &member, header, block: block, records)
    return member
  }

  private static func kind(_ header: TarHeader) -> ArchiveMember.Kind {
    switch header.type {
    // '7' is a contiguous file, 'S' a sparse one.
    case 0, UInt8(ascii: "0"), UInt8(ascii: "7"), UInt8(ascii: "S"): .file
    case UInt8(ascii: "1"), UInt8(ascii: "2"): .link
    case UInt8(ascii: "5"): .folder
    default: .other
    }
  }

  // MARK: Sparse files

  private mutating func addParts(
    to member: inout ArchiveMember, _ header: TarHeader, block: [UInt8], _ records: PaxRecords
  ) throws {
    let parts: [ArchiveMember.TarPlace.Part]?
    var (data, dataSize) = (bytes.position, member.size)
    var size = records.sparseSize
    if header.type == UInt8(ascii: "S") {
      size = TarHeader.number(block[483..<495])
      parts = try oldParts(block)
      // The headers that continue the first are not counted as content.
      data = bytes.position
      _ = pass(dataSize)
    } else if records.hasMapInData {
      parts = try partsInData(dataSize)
      dataSize -= bytes.position - data
      data = bytes.position
    } else if let map = records.sparseMap {
      parts = SparseMap.parts(map)
    } else if records.hasOtherMap {
      member.obstacle = "it is a sparse file of an old kind, which is not read"
      return
    } else {
      return
    }
    guard let parts, let size, size >= 0, dataSize >= 0, SparseMap.fits(parts, size: size, dataSize: dataSize) else {
      member.obstacle = "it is a sparse file whose parts make no sense"
      return
    }
    member.size = size
    member.place = .tar(.init(data: data, dataSize: dataSize, parts: parts))
  }

  private mutating func oldParts(_ block: [UInt8]) throws -> [ArchiveMember.TarPlace.Part]? {
    guard var parts = SparseMap.parts(of: block, at: 386, count: 4) else { return nil }
    var continues = block[482] != 0
    while continues {
      let more = try bytes.read(TarHeader.size)
      guard more.count == TarHeader.size, parts.count < SparseMap.mostParts,
        let added = SparseMap.parts(of: more, at: 0, count: 21)
      else { return nil }
      parts += added
      continues = more[504] != 0
    }
    return parts
  }

  /// Lines of decimal numbers, how many parts first, filled up to a whole block.
  private mutating func partsInData(_ dataSize: Int64) throws -> [ArchiveMember.TarPlace.Part]? {
    let start = bytes.position
    var (numbers, digits, wanted) = ([Int64](), [UInt8](), 1)
    while numbers.count < wanted {
      guard bytes.position - start + Int64(TarHeader.size) <= dataSize else { return nil }
      let block = try bytes.read(TarHeader.size)
      guard block.count == TarHeader.size else { return nil }
      for byte in block where numbers.count < wanted {
        guard byte == UInt8(ascii: "\n") else {
          digits.append(byte)
          if digits.count > 20 { return nil }
          continue
        }
        guard let number = decimal(digits) else { return nil }
        digits = []
        if numbers.isEmpty {
          guard number <= Int64(SparseMap.mostParts) else { return nil }
          wanted = 1 + 2 * Int(number)
        }
        numbers.append(number)
      }
    }
    return stride(from: 1, to: numbers.count, by: 2).map { .init(offset: numbers[$0], size: numbers[$0 + 1]) }
  }
}
