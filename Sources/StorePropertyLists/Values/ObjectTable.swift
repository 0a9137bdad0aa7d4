/// The objects of a list, as both readers produce them; a ``PropertyList/Node`` is a view into it.
///
/// Strings and data stay ranges of `bytes`, and containers ranges of `references`, until they are needed. The readers
/// have checked all ranges and references, so that access needs no further checks.
final class ObjectTable: Sendable {
  enum Content {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// An integer above `Int64.max`.
    case unsigned(UInt64)
    /// An integer that may exceed 64 bits, approximately.
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
  /// All dictionaries refer to equal keys by one object: its index is the key's number.
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

// MARK: - Texts without copies

extension ObjectTable {
  /// Calls `body` with the UTF-8 of a string; nil for everything else. Only UTF-16 is converted first.
  func withText<Result>(_ index: Int, body: (Slice<UnsafeBufferPointer<UInt8>>) -> Result) -> Result? {
    switch objects[index].content {
    case .utf8(let range): bytes.withUnsafeBufferPointer { body($0[range]) }
    case .utf16BigEndian:
      Array((string(objects[index].content) ?? "").utf8).withUnsafeBufferPointer { body($0[...]) }
    default: nil
    }
  }

  /// Whether an object is this text.
  func isText(_ index: Int, _ text: StaticString) -> Bool {
    guard case .utf8(let range) = objects[index].content, range.count == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { expected in bytes.withUnsafeBufferPointer { $0[range].elementsEqual(expected) } }
  }
}

// MARK: - Keys

extension ObjectTable {
  /// The number of a key; nil if no dictionary has it.
  func number(ofKey key: String) -> UInt32? { keys[key] }

  /// The index in the references of a dictionary's value for a key; the first one if there are several.
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
  /// The range of a container's children in the table's references.
  var children: Range<Int>? {
    switch self {
    case .array(let range), .set(let range), .dictionary(let range): range
    default: nil
    }
  }

  /// The length of a string or data in bytes; 0 for everything else.
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
