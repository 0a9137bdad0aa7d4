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
      return String(decoding: bytes[range], as: UTF8.self)
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
