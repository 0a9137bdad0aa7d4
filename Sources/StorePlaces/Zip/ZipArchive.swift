import CStoreZlib
import StoreSQLite

/// A zip, read in place: its members by its directory, one by one.
///
/// The directory is read in windows and not kept, since that of a phone's file system has 100 MB and more. Where it is
/// missing, the headers before the members are followed from the beginning.
package final class ZipArchive: ArchiveReader {
  private let source: any ByteSource
  private let directory: ZipDirectoryPlace?
  private let inflater: Inflater
  /// Whether it begins with a member, and not with what was put before it.
  private let beginsWithMember: Bool
  private let limit: Int64
  package private(set) var problems: [String] = []
  package let keepsBeginnings = false
  /// How much was unpacked to find out where members end.
  package private(set) var bytesUnpacked: Int64 = 0

  /// Nil where there is neither a directory nor a member at the beginning, or zlib has not enough memory.
  ///
  /// - Parameter limit: the most bytes that are unpacked to find out where members end.
  package init?(_ source: any ByteSource, limit: Int64 = .max) throws(FileError) {
    self.source = source
    self.limit = limit
    directory = try ZipDirectoryPlace(in: source)
    guard let inflater = Inflater(.raw) else { return nil }
    self.inflater = inflater
    beginsWithMember = try source.read(at: 0, count: 4) == ZipLocalHeader.magic
    guard directory != nil || beginsWithMember else { return nil }
  }

  package func forEachMember(
    headSize: ([UInt8]) -> Int, _ body: (_ member: ArchiveMember, _ head: [UInt8]) throws -> Void
  ) throws {
    problems = []
    guard let directory, !isOfAnother else {
      problems.append(
        directory == nil
          ? "the archive ends early: its directory is missing"
          : "the archive ends early or is damaged: the directory at its end is that of another archive in it")
      return try forEachLocalMember(headSize: headSize, body)
    }
    let found = try forEachEntry(of: directory, headSize: headSize, body)
    if found.count == 0, directory.size > 0, beginsWithMember {
      // Nothing of its directory is left.
      problems = ["its directory is damaged; its members were followed from its beginning"]
      return try forEachLocalMember(headSize: headSize, body)
    }
    // A count of 16 bits that overflowed, without the record that has it whole.
    if !found.isDamaged, found.count != directory.count, found.count & 0xFFFF != directory.count {
      problems.append("its directory names \(found.count) entries and is said to have \(directory.count)")
    }
  }

  /// Whether the record at the end belongs to an archive that lies in this one, which was cut: what comes before that
  /// one begins with a member, and so is no program that unpacks it.
  private var isOfAnother: Bool { (directory?.shift ?? 0) > 0 && beginsWithMember }

  private func forEachEntry(
    of directory: ZipDirectoryPlace, headSize: ([UInt8]) -> Int, _ body: (ArchiveMember, [UInt8]) throws -> Void
  ) throws -> (count: Int64, isDamaged: Bool) {
    var window: [UInt8] = []
    var (offset, start) = (directory.offset, 0)
    let end = directory.offset + directory.size
    var (count, isDamaged) = (Int64(0), false)
    while offset + Int64(start) < end {
      if window.count - start < Self.longestEntry, offset + Int64(window.count) < end {
        offset += Int64(start)
        window = try source.read(at: offset, count: Int(clamping: min(Int64(Self.windowSize), end - offset)))
        start = 0
        // The file was cut since.
        guard !window.isEmpty else { break }
      }
      if let length = ZipEntry.length(window[start...]), start + length <= window.count,
        let entry = ZipEntry(window[start..<start + length], shift: directory.shift)
      {
        start += length
        count += 1
        try hand(entry.member, headSize: headSize, body)
        continue
      }
      if !isDamaged {
        problems.append("its directory is damaged after \(count) entries; what it names there is missing")
      }
      isDamaged = true
      start = Self.nextEntry(in: window, after: start)
    }
    return (count, isDamaged)
  }

  /// Where the next entry may begin; at the end, as many bytes before it as a signature that is cut has.
  private static func nextEntry(in window: [UInt8], after start: Int) -> Int {
    var next = start + 1
    while next + 4 <= window.count {
      if window[next] == 0x50, window[next + 1] == 0x4b, window[next + 2] == 1, window[next + 3] == 2 { return next }
      next += 1
    }
    return next
  }

  private static let windowSize = 1 << 20
  private static let longestEntry = ZipEntry.fixedSize + 3 * 65535

  private func hand(
    _ member: ArchiveMember, headSize: ([UInt8]) -> Int, _ body: (ArchiveMember, [UInt8]) throws -> Void
  ) throws {
    var member = member
    let wanted = member.kind == .file && member.obstacle == nil && !member.isEncrypted ? headSize(member.name) : 0
    guard wanted > 0, case .zip(let place) = member.place else { return try body(member, []) }
    guard let local = try ZipLocalHeader(at: place.header, in: source) else {
      member.obstacle = "it does not lie where the directory says"
      return try body(member, [])
    }
    if local.isEncrypted { member.isEncrypted = true }
    try body(member, member.isEncrypted ? [] : head(of: place, local, count: wanted))
  }

  /// The first bytes of a member's content, from no more than a few packed ones.
  private func head(
    of place: ArchiveMember.ZipPlace, _ local: ZipLocalHeader, count: Int
  ) throws(FileError) -> [UInt8] {
    let packed = min(max(0, place.packedSize), Int64(place.method == 0 ? count : Self.mostPackedHead))
    let isInside = local.ahead.count >= Int(min(packed, Int64(count + 256)))
    let bytes = isInside ? local.ahead.prefix(Int(packed)) : try source.read(at: local.data, count: Int(packed))[...]
    guard place.method == 8 else { return Array(bytes.prefix(count)) }
    let head = inflated(bytes, count: count)
    guard head.count < count, isInside, bytes.count < Int(packed) else { return head }
    return inflated(try source.read(at: local.data, count: Int(packed))[...], count: count)
  }

  private func inflated(_ packed: ArraySlice<UInt8>, count: Int) -> [UInt8] {
    inflater.reset()
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      packed.withUnsafeBytes { packed in
        var rest = packed[...]
        while filled < count {
          let room = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
          let step = inflater.step(UnsafeRawBufferPointer(rebasing: rest), into: room)
          filled += step.filled
          rest = rest.dropFirst(step.used)
          if step.state != .more || step.used + step.filled == 0 { return }
        }
      }
    }
  }

  private static let mostPackedHead = 4096

  // MARK: Without a directory

  private func forEachLocalMember(
    headSize: ([UInt8]) -> Int, _ body: (_ member: ArchiveMember, _ head: [UInt8]) throws -> Void
  ) throws {
    var (offset, measured): (Int64, Int64) = (0, 0)
    while let local = try ZipLocalHeader(at: offset, in: source) {
      guard let stated = local.place else {
        if let end = try endOfStream(local, limit: limit - measured) {
          offset = end.next
          measured += end.size
          bytesUnpacked = measured
          try hand(local.member(end.place, size: end.size), headSize: headSize, body)
          continue
        }
        var member = local.member(.init(header: offset, packedSize: 0, method: local.method, crc32: 0), size: 0)
        member.obstacle = "its size is lost with the archive's directory"
        try body(member, [])
        return sayWhatFollows(local.data)
      }
      var place = stated
      let (end, isBeyond) = local.data.addingReportingOverflow(place.packedSize)
      if isBeyond || end > source.size { place.packedSize = max(0, source.size - local.data) }
      var member = local.member(place, size: local.size)
      if isBeyond || end > source.size { member.obstacle = "it is damaged, or the archive ends in it" }
      try hand(member, headSize: headSize, body)
      guard !isBeyond, end > offset else { return }
      offset = end
    }
    if try source.read(at: offset, count: 4) != ZipEntry.magic { sayWhatFollows(offset) }
  }

  private func sayWhatFollows(_ offset: Int64) {
    guard offset < source.size else { return }
    problems.append("what lies behind byte \(offset) of it, \(source.size - offset) bytes, was not read")
  }

  /// Where a deflated member of unknown length ends: behind its stream, and the record with its sizes.
  private func endOfStream(
    _ local: ZipLocalHeader, limit: Int64
  ) throws -> (next: Int64, size: Int64, place: ArchiveMember.ZipPlace)? {
    guard local.method == 8, !local.isEncrypted,
      let bytes = MeasuredDeflate(source, from: local.data)
    else { return nil }
    let found = try bytes.measure(atMost: limit)
    guard let found else { return nil }
    var record = try source.read(at: local.data + found.packed, count: 24)[...]
    var length: Int64 = 12
    if record.starts(with: [0x50, 0x4b, 7, 8]) {
      record = record.dropFirst(4)
      length += 4
    }
    // The record's sizes have 32 bits or, in zip64, 64.
    let place = ArchiveMember.ZipPlace(
      header: local.offset, packedSize: found.packed, method: 8,
      crc32: record.little(UInt32.self, at: record.startIndex) ?? 0)
    let next = local.data + found.packed + length
    let isNext = try ZipLocalHeader(at: next, in: source) != nil
    return (isNext ? next : next + 8, found.size, place)
  }

  // MARK: Content

  package func read(
    _ members: [(member: ArchiveMember, most: Int64)],
    piece: (_ position: Int, _ bytes: UnsafeRawBufferPointer) throws -> Void,
    end: (_ position: Int, _ doubt: String?) throws -> Void
  ) throws {
    for (position, wanted) in members.enumerated() {
      try end(position, doubt(of: wanted.member, most: wanted.most) { try piece(position, $0) })
    }
  }

  /// Reads one member; what is wrong with it.
  private func doubt(
    of member: ArchiveMember, most: Int64, piece: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> String? {
    guard case .zip(let place) = member.place else { return "it is no member of this archive" }
    if let obstacle = member.obstacle { return obstacle }
    guard let local = try ZipLocalHeader(at: place.header, in: source) else {
      return "it does not lie where the directory says"
    }
    guard let bytes = content(place, local) else { return "zlib has not enough memory" }
    var crc: uLong = 0
    let wanted = min(member.size, max(0, most))
    let count = try bytes.forEachPiece(of: wanted) { part in
      crc = crc32_z(crc, part.bindMemory(to: UInt8.self).baseAddress, part.count)
      try piece(part)
    }
    if bytes.isDamaged || count < wanted { return "it is damaged, or the archive ends in it" }
    guard wanted == member.size else { return nil }
    // What comes behind the stated size would not be read.
    guard try bytes.read(1).isEmpty else { return "it holds more than the directory says" }
    return UInt32(truncatingIfNeeded: crc) == place.crc32 ? nil : "its bytes do not fit its checksum"
  }

  private func content(_ place: ArchiveMember.ZipPlace, _ local: ZipLocalHeader) -> (any ForwardBytes)? {
    place.method == 0
      ? PlainBytes(source, from: local.data, size: place.packedSize)
      : InflatedBytes(source, from: local.data, size: place.packedSize, .raw)
  }

  package func source(of member: ArchiveMember, named name: String) -> (any ByteSource)? {
    guard case .zip(let place) = member.place, place.method == 0, member.obstacle == nil, !member.isEncrypted,
      place.packedSize == member.size, let local = try? ZipLocalHeader(at: place.header, in: source),
      member.size <= source.size - local.data
    else { return nil }
    return SlicedBytes(base: source, start: local.data, size: member.size, name: name)
  }
}
