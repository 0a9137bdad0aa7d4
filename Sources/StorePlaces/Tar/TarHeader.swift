/// The block before each entry of a tar:
///
///     offset  bytes  field
///        0     100   name, ended by NUL where it is shorter
///      124      12   size: octal digits in spaces or NUL; or 0x80 and a big-endian number
///      148       8   checksum: the sum of all bytes, those of the checksum taken as spaces; octal digits
///      156       1   type: '0', NUL and '7' regular files; '1' a hard link, '2' a symbolic one; 'L' the name of the next
///      257       5   "ustar"; then NUL "00", or in GNU's format two spaces and NUL
///      345     155   ustar, not GNU: what comes before the name and a slash
///
/// From POSIX.1-2017, pax, "ustar Interchange Format", and the GNU tar manual, "Basic Tar Format".
package struct TarHeader {
  /// Bytes of a header; contents are filled up to a multiple of it.
  package static let size = 512

  /// The name, any bytes but NUL.
  package let name: [UInt8]
  /// Bytes of content that follow.
  package let contentSize: Int64
  /// The type, a letter.
  package let type: UInt8
  /// Whether it says "ustar" and its fields are those of a tar; tars from before 1988 do not say it.
  ///
  /// It guards against text in another format with a correct checksum in the right place: bsdtar takes what it does not
  /// recognise as a tar for another format, and a list in mtree format can name any file of this machine as content.
  package let isMarked: Bool

  /// Nil when the block is not 512 bytes, the checksum is wrong or the size is not a number.
  package init?(_ block: [UInt8]) {
    guard Self.hasSum(block), let contentSize = Self.number(block[124..<136]) else { return nil }
    self.contentSize = contentSize
    type = block[156]
    isMarked = Self.isMarked(block)
    let name = block[0..<100].prefix { $0 != 0 }
    // GNU's format has times in place of the prefix.
    let isPosix = Self.saysUstar(block) && block[262] == 0
    let prefix = isPosix ? block[345..<500].prefix { $0 != 0 } : []
    self.name = prefix.isEmpty ? Array(name) : prefix + [UInt8(ascii: "/")] + name
  }

  /// Whether a block is marked as a tar's header, even if it is damaged, for example by a negative size.
  package static func isMarked(_ block: [UInt8]) -> Bool { hasSum(block) && saysUstar(block) && hasFieldsOfTar(block) }

  /// Whether a block says "ustar" in its place.
  package static func saysUstar(_ block: [UInt8]) -> Bool {
    block.count >= 262 && block[257..<262].elementsEqual("ustar".utf8)
  }

  private static func hasSum(_ block: [UInt8]) -> Bool {
    block.count == size && number(block[148..<156]).map { isSum($0, of: block) } == true
  }

  /// Whether version, type and all numbers are as libarchive requires, or stricter.
  private static func hasFieldsOfTar(_ block: [UInt8]) -> Bool {
    let version = block[262..<265]
    let isVersion = version.elementsEqual("\u{0}00".utf8) || version.elementsEqual("  \u{0}".utf8)
    let (type, first) = (block[156], block.prefix(6))
    let isType =
      type == 0 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(type)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(type)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(type)
    // Mode, user, group, size, time, and the device numbers.
    let numbers = [100..<108, 108..<116, 116..<124, 124..<136, 136..<148, 329..<337, 337..<345]
    return isVersion && isType && !first.elementsEqual("#mtree".utf8) && isPlainSum(block[148..<156])
      && numbers.allSatisfy { isNumber(block[$0]) }
  }

  /// Whether the checksum field consists of octal digits, spaces and NULs, also after the number: libarchive rejects
  /// any other block as a tar's, even with a correct sum.
  private static func isPlainSum(_ field: ArraySlice<UInt8>) -> Bool {
    field.allSatisfy { $0 == 0 || $0 == UInt8(ascii: " ") || (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
  }

  /// Whether a field has octal digits between spaces or NULs, or a number in base 256.
  private static func isNumber(_ field: ArraySlice<UInt8>) -> Bool {
    if field.first == 0x80 || field.first == 0xFF { return true }
    let digits = field.drop { $0 == UInt8(ascii: " ") }
    let end = digits.drop { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
    return end.allSatisfy { $0 == 0 || $0 == UInt8(ascii: " ") }
  }

  /// Whether the sum is right; old programs summed signed bytes.
  private static func isSum(_ sum: Int64, of block: [UInt8]) -> Bool {
    var unsigned: Int64 = 0
    var signed: Int64 = 0
    for (offset, byte) in block.enumerated() {
      let byte = (148..<156).contains(offset) ? UInt8(ascii: " ") : byte
      unsigned += Int64(byte)
      signed += Int64(Int8(bitPattern: byte))
    }
    return sum == unsigned || sum == signed
  }

  static func number(_ field: ArraySlice<UInt8>) -> Int64? {
    if let first = field.first, first & 0x80 != 0 {
      return first == 0x80 ? digits(field.dropFirst(), base: 256) { $0 } : nil
    }
    let text = field.drop { $0 == UInt8(ascii: " ") }.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
    return digits(text, base: 8) { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) ? $0 - UInt8(ascii: "0") : nil }
  }

  private static func digits(
    _ field: ArraySlice<UInt8>, base: Int64, value: (UInt8) -> UInt8?
  ) -> Int64? {
    var result: Int64 = 0
    for byte in field {
      guard let digit = value(byte) else { return nil }
      let (product, overflow) = result.multipliedReportingOverflow(by: base)
      guard !overflow, product <= .max - Int64(digit) else { return nil }
      result = product + Int64(digit)
    }
    return result
  }
}
