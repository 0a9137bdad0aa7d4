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
  /// In dictionaries all references to a key are to one object: its number.
  let references: [UInt32]
  let limits: PropertyList.Limits
  private let keys: KeyNumbers

  init(bytes: [UInt8], objects: [Object], references: [UInt32], limits: PropertyList.Limits) {
    var references = references
    keys = KeyNumbers(unifying: &references, of: objects, in: bytes)
    self.bytes = bytes
    self.objects = objects
    self.references = references
    self.limits = limits
  }

  func string(_ content: Content) -> String? { Self.string(content, in: bytes) }

  static func string(_ content: Content, in bytes: [UInt8]) -> String? {
    switch content {
    case .utf8(let range):
      return bytes.withUnsafeBufferPointer { String(decoding: $0[range], as: UTF8.self) }
    case .utf16BigEndian(let range):
      let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).lazy.map { at in
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
  /// The number all dictionaries have for a key; nil if none has it.
  func number(ofKey key: String) -> UInt32? { keys[key] }

  /// Where in the references the value under a key of a dictionary is: the first one if there are several.
  func position(ofValueUnder number: UInt32, in range: Range<Int>) -> Int? {
    var position = range.lowerBound
    while position < range.upperBound {
      if references[position] == number { return position + 1 }
      position += 2
    }
    return nil
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
