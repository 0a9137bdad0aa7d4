import StoreSQLite

/// A tar, or one packed with gzip, read in place from front to back. A gzip file has no directory: its members are listed in
/// one pass, and those that are wanted read in a second.
package final class TarArchive: ArchiveReader {
  private let source: any ByteSource
  private let isPacked: Bool
  private let limit: Int64
  package private(set) var problems: [String] = []
  package let keepsBeginnings = true
  package private(set) var bytesUnpacked: Int64 = 0

  /// Nil where the first block, unpacked, is no header of a tar and no end of one.
  ///
  /// - Parameter limit: the most bytes that a packed one may unpack to.
  package init?(_ source: any ByteSource, limit: Int64) throws {
    self.source = source
    self.limit = limit
    isPacked = try source.read(at: 0, count: 2) == [0x1f, 0x8b]
    guard let bytes = opened() else { return nil }
    let head = try bytes.read(TarHeader.size)
    guard head.count == TarHeader.size, TarHeader.isMarked(head) || head.allSatisfy({ $0 == 0 }) else { return nil }
  }

  private func opened() -> (any ForwardBytes)? {
    isPacked ? InflatedBytes(source, .gzip, limit: limit) : PlainBytes(source)
  }

  package func forEachMember(
    headSize: ([UInt8]) -> Int, _ body: (_ member: ArchiveMember, _ head: [UInt8]) throws -> Void
  ) throws {
    problems = []
    guard let bytes = opened() else { return problems.append("zlib has not enough memory") }
    var walker = TarWalker(bytes)
    defer { bytesUnpacked = isPacked ? bytes.position : 0 }
    do {
      while let member = try walker.nextMember() {
        let wanted = member.kind == .file && member.obstacle == nil ? headSize(member.name) : 0
        try body(member, wanted > 0 ? try Self.head(of: member, from: bytes, count: wanted) : [])
      }
      if let problem = walker.problem { return problems.append(problem) }
      // The checksum of what is packed comes last.
      if isPacked { try bytes.skip(.max) }
    } catch is InflatedBytes.TooMuch {
      guard walker.count > 0 else { throw InflatedBytes.TooMuch() }
      problems.append("it unpacks to more than \(limit) bytes, of which no more were read")
    }
    if isPacked, bytes.isDamaged, problems.isEmpty {
      problems.append("it is damaged, or its checksum is missing: what was read of it may be wrong")
    }
  }

  /// The first bytes of a member, whose content comes next.
  private static func head(of member: ArchiveMember, from bytes: any ForwardBytes, count: Int) throws -> [UInt8] {
    guard case .tar(let place) = member.place else { return [] }
    let head = try bytes.read(Int(clamping: min(Int64(count), place.dataSize)))
    guard let first = place.parts?.first else { return place.parts == nil ? head : [] }
    // A sparse file may begin with a hole.
    return first.offset == 0 ? Array(head.prefix(Int(clamping: first.size))) : []
  }

  package func read(
    _ members: [(member: ArchiveMember, most: Int64)],
    piece: (_ position: Int, _ bytes: UnsafeRawBufferPointer) throws -> Void,
    end: (_ position: Int, _ doubt: String?) throws -> Void
  ) throws {
    guard let bytes = opened() else {
      for position in members.indices { try end(position, "zlib has not enough memory") }
      return
    }
    for (position, wanted) in members.enumerated() {
      guard case .tar(let place) = wanted.member.place, place.data >= bytes.position else {
        try end(position, "it is no member of this archive")
        continue
      }
      if let obstacle = wanted.member.obstacle {
        try end(position, obstacle)
        continue
      }
      try bytes.skip(place.data - bytes.position)
      try end(position, doubt(of: wanted.member, place, most: wanted.most, from: bytes) { try piece(position, $0) })
    }
  }

  private func doubt(
    of member: ArchiveMember, _ place: ArchiveMember.TarPlace, most: Int64, from bytes: any ForwardBytes,
    piece: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> String? {
    let parts = place.parts ?? [.init(offset: 0, size: place.dataSize)]
    let wanted = min(member.size, max(0, most))
    var written: Int64 = 0
    for part in parts where part.offset < wanted {
      try Self.zeros(part.offset - written, piece)
      let size = min(part.size, wanted - part.offset)
      let count = try bytes.forEachPiece(of: size, piece)
      guard count == size else { return "the archive ends in it" }
      written = part.offset + size
    }
    try Self.zeros(wanted - written, piece)
    return nil
  }

  /// Hands over as many zeros.
  private static func zeros(_ count: Int64, _ piece: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard count > 0 else { return }
    let zeros = [UInt8](repeating: 0, count: Int(clamping: min(count, 256 << 10)))
    var left = count
    try zeros.withUnsafeBytes { zeros in
      while left > 0 {
        try piece(UnsafeRawBufferPointer(rebasing: zeros[..<Int(clamping: min(left, Int64(zeros.count)))]))
        left -= Int64(zeros.count)
      }
    }
  }

  package func source(of member: ArchiveMember, named name: String) -> (any ByteSource)? {
    guard !isPacked, case .tar(let place) = member.place, place.parts == nil, member.obstacle == nil,
      place.data <= source.size, place.dataSize <= source.size - place.data
    else { return nil }
    return SlicedBytes(base: source, start: place.data, size: place.dataSize, name: name)
  }
}
