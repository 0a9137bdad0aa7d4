import CStoreZlib
import StorePropertyLists

/// A zip, written byte by byte, with whatever a program or a person may have done to one.
struct ZipMaker {
  private(set) var bytes: [UInt8] = []
  private var directory: [UInt8] = []
  private var count = 0

  /// What is special about a member.
  struct Traits {
    var method: UInt16 = 8
    var flags: UInt16 = 0
    var crc: UInt32?
    var mode: UInt32 = 0
    /// Sizes only behind the data, as of a zip that was written to a pipe.
    var isStreamed = false
    /// Sizes and offset in 64 bits.
    var isWide = false
    var time: UInt32?
    /// The system on which it was made; 3 is Unix.
    var system: UInt8 = 3
  }

  /// Begins with what is put before an archive, whose offsets do not count it.
  init(prefix: [UInt8] = []) { self.prefix = prefix }
  private let prefix: [UInt8]

  mutating func add(_ name: [UInt8], _ content: [UInt8], _ traits: Traits = Traits()) throws {
    let packed = traits.method == 8 ? try RawDeflate.deflate(content) : content
    let crc = traits.crc ?? checksum(content)
    let flags = traits.flags | (traits.isStreamed ? 8 : 0)
    let offset = bytes.count
    let stated = traits.isStreamed ? [0, 0, 0] : [crc, UInt32(packed.count), UInt32(content.count)]
    bytes += [0x50, 0x4b, 3, 4] + little(UInt16(20)) + little(flags) + little(traits.method) + little(UInt32(0))
    bytes += stated.flatMap { little($0) } + little(UInt16(name.count)) + little(UInt16(0)) + name + packed
    if traits.isStreamed {
      bytes += [0x50, 0x4b, 7, 8] + [crc, UInt32(packed.count), UInt32(content.count)].flatMap { little($0) }
    }
    var extra: [UInt8] = []
    if traits.isWide {
      extra += little(UInt16(1)) + little(UInt16(24))
      extra += [content.count, packed.count, offset].flatMap { little(UInt64($0)) }
    }
    if let time = traits.time { extra += little(UInt16(0x5455)) + little(UInt16(5)) + [1] + little(time) }
    func number(_ value: Int) -> [UInt8] { little(traits.isWide ? UInt32.max : UInt32(value)) }
    directory += [0x50, 0x4b, 1, 2] + [20, traits.system] + little(UInt16(20)) + little(flags)
    directory += little(traits.method) + little(UInt32(0)) + little(crc) + number(packed.count) + number(content.count)
    directory += little(UInt16(name.count)) + little(UInt16(extra.count)) + [UInt8](repeating: 0, count: 6)
    directory += little(traits.mode << 16) + number(offset) + name + extra
    count += 1
  }

  mutating func add(_ name: String, _ content: [UInt8], _ traits: Traits = Traits()) throws {
    try add(Array(name.utf8), content, traits)
  }

  /// The whole archive.
  func archive(isWide: Bool = false, comment: [UInt8] = []) -> [UInt8] {
    var end: [UInt8] = []
    if isWide {
      let record = bytes.count + directory.count
      end += [0x50, 0x4b, 6, 6] + little(UInt64(44)) + [UInt8](repeating: 0, count: 12)
      end += [count, count, directory.count, bytes.count].flatMap { little(UInt64($0)) }
      end += [0x50, 0x4b, 6, 7] + little(UInt32(0)) + little(UInt64(record)) + little(UInt32(1))
    }
    func half(_ value: Int) -> [UInt8] { little(isWide ? UInt16.max : UInt16(value)) }
    func word(_ value: Int) -> [UInt8] { little(isWide ? UInt32.max : UInt32(value)) }
    end += [0x50, 0x4b, 5, 6, 0, 0, 0, 0] + half(count) + half(count) + word(directory.count) + word(bytes.count)
    end += little(UInt16(comment.count)) + comment
    return prefix + bytes + directory + end
  }
}

/// A tar, written block by block.
struct TarMaker {
  private(set) var bytes: [UInt8] = []

  /// Adds a header and its content.
  mutating func add(
    _ name: [UInt8], _ content: [UInt8] = [], type: Character = "0", size: Int? = nil, isWide: Bool = false,
    edit: (inout [UInt8]) -> Void = { _ in }
  ) {
    var block = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      for (position, byte) in text.utf8.enumerated() { block[offset + position] = byte }
    }
    for (position, byte) in name.prefix(100).enumerated() { block[position] = byte }
    put("0000644\0", at: 100)
    put("0000000\0", at: 108)
    put("0000000\0", at: 116)
    let size = size ?? content.count
    if isWide {
      block[124] = 0x80
      for position in 0..<8 { block[135 - position] = UInt8(truncatingIfNeeded: size >> (8 * position)) }
    } else {
      put(octal(size, digits: 11) + "\0", at: 124)
    }
    put("00000000000\0", at: 136)
    block[156] = type.asciiValue ?? 0
    put("ustar\u{0}00", at: 257)
    edit(&block)
    put("        ", at: 148)
    put(octal(block.reduce(0) { $0 + Int($1) }, digits: 6) + "\0 ", at: 148)
    bytes += block + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
  }

  mutating func add(_ name: String, _ content: [UInt8] = [], type: Character = "0") {
    add(Array(name.utf8), content, type: type)
  }

  /// Adds a pax header for what follows.
  mutating func addRecords(_ records: [(String, String)]) {
    let text = records.map { key, value in
      let rest = " \(key)=\(value)\n"
      var length = rest.utf8.count + 1
      while "\(length)".utf8.count + rest.utf8.count != length { length += 1 }
      return "\(length)\(rest)"
    }
    add(Array("PaxHeaders/x".utf8), Array(text.joined().utf8), type: "x")
  }

  /// The whole archive.
  var archive: [UInt8] { bytes + [UInt8](repeating: 0, count: 1024) }

  private func octal(_ value: Int, digits: Int) -> String {
    let text = String(value, radix: 8)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

/// One gzip member.
func gzip(_ content: [UInt8]) throws -> [UInt8] {
  try [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3] + RawDeflate.deflate(content) + little(checksum(content))
    + little(UInt32(truncatingIfNeeded: content.count))
}

func checksum(_ bytes: [UInt8]) -> UInt32 {
  UInt32(truncatingIfNeeded: bytes.withUnsafeBytes { crc32_z(0, $0.bindMemory(to: UInt8.self).baseAddress, $0.count) })
}

func little(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
