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
    for attempt in 0..<200 as Range<UInt64> {
      var turn = hash
      turn.combine(attempt)
      var stream = SplitMix64(seed: turn.finish())
      // What chance makes mostly does. Else each digit is chosen so that its text has no run that others have.
      let hits = attempt == 0 ? make(&result, like: bytes, &stream) : choose(&result, like: bytes, &stream)
      if hits == 0, !RunWindow.hits(table, result), result != bytes { break }
    }
    return result
  }

  /// Bytes of chance with the version and the variant of others; how many runs of replaced values their text has.
  private func make(_ result: inout [UInt8], like bytes: [UInt8], _ stream: inout SplitMix64) -> Int {
    let words = (stream.next(), stream.next())
    for place in 0..<16 {
      result[place] = UInt8(truncatingIfNeeded: (place < 8 ? words.0 : words.1) >> UInt64(place % 8 * 8))
    }
    result[6] = bytes[6] & 0xf0 | result[6] & 0x0f
    // The variant is in the two highest bits.
    result[8] = bytes[8] & 0xc0 | result[8] & 0x3f
    var window = RunWindow(table)
    for place in 0..<16 {
      if place == 4 || place == 6 || place == 8 || place == 10 { _ = window.take(byte: 0x2d) }
      _ = window.take(byte: Self.digit(result[place] >> 4))
      _ = window.take(byte: Self.digit(result[place] & 15))
    }
    return window.hits
  }

  /// The same with each digit chosen so that no run of replaced values ends in it, where one can be.
  private func choose(_ result: inout [UInt8], like bytes: [UInt8], _ stream: inout SplitMix64) -> Int {
    var window = RunWindow(table)
    Self.digits.withUnsafeBufferPointer { digits in
      for nibble in 0..<32 {
        if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 { _ = window.take(byte: 0x2d) }
        let place = nibble / 2
        let old = Int(nibble % 2 == 0 ? bytes[place] >> 4 : bytes[place] & 15)
        let choices =
          switch nibble {
          case 12: digits[old...old]
          case 16: digits[old & 12..<old & 12 + 4]
          default: digits[...]
          }
        let digit = Self.value(window.choose(UnsafeBufferPointer(rebasing: choices), &stream))
        result[place] = nibble % 2 == 0 ? result[place] & 15 | digit << 4 : result[place] & 0xf0 | digit
      }
    }
    return window.hits
  }

  /// Whether all bytes are equal.
  static func isUniform(_ bytes: some Collection<UInt8>) -> Bool { bytes.allSatisfy { $0 == bytes.first } }

  private static let digits = Array("0123456789abcdef".utf8).map(UInt32.init)

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 &+ value : 0x57 &+ value }

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
