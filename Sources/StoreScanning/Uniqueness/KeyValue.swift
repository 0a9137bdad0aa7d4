import StoreSQLite
import StoreText

/// A value in a unique key; equal to another one if an SQLite index treats them as equal.
package enum KeyValue: Hashable {
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  /// Text that equals all canonically equivalent text.
  case canonical(String)
  case blob([UInt8])

  /// The value of a column; nil for NULL, which equals nothing.
  package init?(_ values: Statement, _ column: Int) {
    switch values.value(column) {
    case .null: return nil
    case .integer(let value): self = .integer(value)
    // 1 and 1.0 are equal.
    case .real(let value): self = Int64(exactly: value).map(KeyValue.integer) ?? .real(value)
    case .text(let bytes): self = .text(bytes)
    case .blob(let bytes): self = .blob(bytes)
    }
  }

  /// The value as a looser comparison sees it.
  package func seen(by comparison: KeyComparison) -> KeyValue {
    guard case .text(let bytes) = self, comparison != .exact else { return self }
    // Invalid UTF-8 is compared as bytes, since repairing it could make different texts equal.
    guard let text = String(validating: bytes, as: UTF8.self)?.trimmed else { return self }
    switch comparison {
    case .exact: return self
    case .trimmed: return .text(Array(text.utf8))
    case .casefolded: return .text(Array(text.casefolded.utf8))
    case .normalized: return .canonical(text.casefolded)
    }
  }
}

/// How strings are compared; each comparison also treats as equal what those before it do.
package enum KeyComparison: String, Sendable, CaseIterable {
  /// Byte by byte, as in a unique index of SQLite's.
  case exact
  /// Without white space at both ends.
  case trimmed
  /// Also ignoring case, fully as Unicode folds it: "Straße" equals "STRASSE", and the ligature "ﬁ" equals "FI".
  case casefolded
  /// Also ignoring the Unicode form: "é" may be one scalar or two.
  case normalized
}

extension String {
  /// Without white space at both ends.
  package var trimmed: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}

extension Hasher {
  /// Adds a value to the hash, so that values equal by the loosest comparison have the same hash.
  ///
  /// Pure ASCII is hashed in place, eight bytes at a time.
  package mutating func combineLoosely(_ value: ScannedValue) {
    switch value.kind {
    case .null: break
    case .integer: combine(value.int64)
    case .real: if let whole = Int64(exactly: value.double) { combine(whole) } else { combine(value.double) }
    case .text:
      value.withBytes { bytes in
        if TextBytes(bytes: bytes).isPlainASCII { return combineLoosely(ascii: bytes) }
        let text = String(decoding: bytes, as: UTF8.self).trimmed.casefolded
        var plain = text.withoutASCIILookalikes
        plain.withUTF8 { bytes in
          let bytes = UnsafeRawBufferPointer(bytes)
          if TextBytes(bytes: bytes).isPlainASCII { combineLoosely(ascii: bytes) } else { combine(text) }
        }
      }
    case .blob: value.withBytes { combine(bytes: $0) }
    }
  }

  private mutating func combineLoosely(ascii bytes: UnsafeRawBufferPointer) {
    var (first, end) = (0, bytes.count)
    while first < end, bytes[first].isASCIISpace { first += 1 }
    while end > first, bytes[end - 1].isASCIISpace { end -= 1 }
    var word: UInt64 = 0
    for position in first..<end {
      word = word << 8 | UInt64(bytes[position].lowercasedASCII)
      if (position - first) & 7 == 7 {
        combine(word)
        word = 0
      }
    }
    combine(word)
    combine(end - first)
  }
}

extension UInt8 {
  /// Whether it is white space.
  fileprivate var isASCIISpace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }

  fileprivate var lowercasedASCII: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }
}

extension String {
  /// The text with characters that are canonically equivalent to an ASCII character replaced by it. There are three;
  /// one, the Kelvin sign, has already become "k" in lower case.
  fileprivate var withoutASCIILookalikes: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.value {
          case 0x37e: ";"
          case 0x1fef: "`"
          default: scalar
          }
        }))
  }
}
