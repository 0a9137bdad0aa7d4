import StoreDigests
import StoreText

/// Replaces UUIDs, alike wherever they stand: as 16 bytes, as text, within a text, as the name of a file.
final class IdentifierMapping {
  private let key: MappingKey
  private let table: RunFilter.Table

  init(_ key: MappingKey, _ table: RunFilter.Table) { (self.key, self.table) = (key, table) }

  /// 16 bytes in the place of 16 others, with the same version and variant. One of equal bytes, such as zeros, stays.
  func replaced(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count == 16, !Self.isUniform(bytes) else { return bytes }
    var hash = KeyedHash(key, 0x7575_6964)
    bytes.withUnsafeBytes { hash.combine($0) }
    var result = bytes
    // A text of hexadecimal digits has runs that others have, too: each digit is chosen so that none stands there.
    for attempt in 0..<200 as Range<UInt64> {
      var turn = hash
      turn.combine(attempt)
      var stream = SplitMix64(seed: turn.finish())
      var window = RunWindow(table)
      for nibble in 0..<32 {
        if [8, 12, 16, 20].contains(nibble) { _ = window.take(byte: 0x2d) }
        let old = nibble % 2 == 0 ? bytes[nibble / 2] >> 4 : bytes[nibble / 2] & 15
        let digit: UInt8
        switch nibble {
        case 12: digit = Self.value(window.choose([Self.digits[Int(old)]], &stream))
        case 16:
          // The variant is in the two highest bits.
          let same = (0..<4).map { Self.digits[Int(old & 12 | $0)] }
          digit = Self.value(window.choose(same, &stream))
        default: digit = Self.value(window.choose(Self.digits, &stream))
        }
        let place = nibble / 2
        result[place] = nibble % 2 == 0 ? result[place] & 15 | digit << 4 : result[place] & 0xf0 | digit
      }
      if window.hits == 0, !RunWindow.hits(table, result), result != bytes { break }
    }
    return result
  }

  /// Whether all bytes are equal.
  static func isUniform(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 == bytes[0] } }

  private static let digits = Array("0123456789abcdef".utf8).map(UInt32.init)

  private static func value(_ digit: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: digit >= 0x61 ? digit - 0x57 : digit &- 0x30)
  }

  /// For texts without case: the places of hexadecimal digits of UUIDs, with the digits that come there.
  func replacements(in letters: [UInt32]) -> [Int: UInt32] {
    guard letters.count >= 36 else { return [:] }
    var result: [Int: UInt32] = [:]
    var start = 0
    while start + 36 <= letters.count {
      // The third hyphen of four is looked at first: few texts have one.
      guard letters[start + 18] == 0x2d, letters[start + 8] == 0x2d, letters[start + 13] == 0x2d,
        letters[start + 23] == 0x2d,
        let bytes = UUIDText.bytes(
          String(String.UnicodeScalarView(letters[start..<start + 36].compactMap(Unicode.Scalar.init))))
      else {
        start += 1
        continue
      }
      for (place, digit) in UUIDText.text(replaced(bytes)).utf8.enumerated() {
        result[start + place] = UInt32(Runs.lowercased(digit))
      }
      start += 36
    }
    return result
  }
}
