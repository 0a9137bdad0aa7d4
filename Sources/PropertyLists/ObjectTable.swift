#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What both readers produce and every ``PropertyList/Node`` looks into.
///
/// Strings and data stay ranges of `bytes`, and containers ranges of `references`, until somebody asks. Readers have
/// checked every range and every reference, so that looking needs no further checks.
final class ObjectTable: Sendable {
  enum Content {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// An integer above `Int64.max`.
    case unsigned(UInt64)
    /// An integer beyond 64 bits, nearly.
    case huge(Double)
    case real(Double)
    /// Seconds since 2001-01-01 00:00 UTC.
    case date(Double)
    case data(Range<Int>)
    case utf8(Range<Int>)
    case utf16BigEndian(Range<Int>)
    case uid(UInt64)
    case array(Range<Int>)
    case set(Range<Int>)
    /// Key, value, key, value; keys are strings.
    case dictionary(Range<Int>)
  }

  struct Object {
    var content: Content
    /// Where in the input the object starts.
    var offset: Int
  }

  let bytes: [UInt8]
  let objects: [Object]
  let references: [UInt32]
  let limits: PropertyList.Limits

  init(bytes: [UInt8], objects: [Object], references: [UInt32], limits: PropertyList.Limits) {
    self.bytes = bytes
    self.objects = objects
    self.references = references
    self.limits = limits
  }

  func string(_ content: Content) -> String? {
    switch content {
    case .utf8(let range):
      return bytes.withUnsafeBufferPointer { String(decoding: $0[range], as: UTF8.self) }
    case .utf16BigEndian(let range):
      let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).lazy.map { [bytes] at in
        UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
      }
      return String(decoding: Array(units), as: UTF16.self)
    default:
      return nil
    }
  }
}

// MARK: - Keys

extension ObjectTable {
  /// Where in the references the value under a key of a dictionary is: the first one if there are several.
  ///
  /// The search is linear and compares bytes, so that keys Unicode calls equivalent remain different. A model archive is
  /// read by two million such searches; most keys differ in length, which costs nothing to see.
  func position(ofValueUnder key: String, in range: Range<Int>) -> Int? {
    var key = key
    return key.withUTF8 { wanted in
      var position = range.lowerBound
      while position < range.upperBound {
        if spells(objects[Int(references[position])].content, wanted) { return position + 1 }
        position += 2
      }
      return nil
    }
  }

  private func spells(_ content: Content, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
    switch content {
    case .utf8(let range): range.count == wanted.count && spells(range, wanted)
    case .utf16BigEndian(let range):
      range.count <= 2 * wanted.count
        && string(content).map { $0.utf16.elementsEqual(String(decoding: wanted, as: UTF8.self).utf16) } ?? false
    default: false
    }
  }

  private func spells(_ range: Range<Int>, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      guard let left = UnsafeBufferPointer(rebasing: bytes[range]).baseAddress, let right = wanted.baseAddress else {
        return wanted.isEmpty
      }
      return memcmp(left, right, wanted.count) == 0
    }
  }
}

extension ObjectTable.Content {
  /// Where the children of a container are in the table's references.
  var children: Range<Int>? {
    switch self {
    case .array(let range), .set(let range), .dictionary(let range): range
    default: nil
    }
  }

  /// Bytes of a string or data in the table; 0 for everything else.
  var byteCount: Int {
    switch self {
    case .data(let range), .utf8(let range), .utf16BigEndian(let range): range.count
    default: 0
    }
  }

  var isString: Bool {
    switch self {
    case .utf8, .utf16BigEndian: true
    default: false
    }
  }
}
