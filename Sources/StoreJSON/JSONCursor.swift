// Reads a document value by value from front to back; values that are not needed are skipped. Only the position is
// kept, so that reading a hundred thousand lines costs little more than looking at their bytes.
//
//     var members = try cursor.object()
//     while let name = try cursor.nextMember(in: &members) {
//       switch name {
//       case "path": path = try cursor.string()
//       default: try cursor.skip()
//       }
//     }
//     try cursor.end()
//
// Skipped values are checked by the same rules as read ones (RFC 8259, UTF-8, depth), except that a name may occur
// twice there.

/// Reads one JSON document from borrowed bytes. Any bytes give values or an error.
package struct JSONCursor {
  let bytes: UnsafeBufferPointer<UInt8>
  /// How many bytes have been read.
  package private(set) var offset = 0
  private var depth = 0

  /// The deepest nesting; also the number of bits in which `skip` remembers which levels are objects.
  package static let deepest = 64

  /// A cursor before the first byte of `bytes`, which must stay valid while it is used.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, from offset: Int, depth: Int) {
    self.bytes = bytes
    self.offset = offset
    self.depth = depth
  }

  /// An object or list that is being read.
  package struct Group {
    fileprivate let start: Int
    fileprivate var isFirst = true
    fileprivate var previous: Name?
    /// The names so far, from the first one that is not in byte order.
    fileprivate var unordered: Set<[UInt8]>?
  }

  // MARK: Objects and lists

  /// Enters an object.
  package mutating func object() throws(JSONError) -> Group { try enter(UInt8(ascii: "{"), what: "an object") }

  /// Enters a list.
  package mutating func list() throws(JSONError) -> Group { try enter(UInt8(ascii: "["), what: "a list") }

  /// The name of the next member, whose value has to be read or skipped; nil after the last.
  package mutating func nextMember(in group: inout Group) throws(JSONError) -> Name? {
    guard try advance(&group, end: UInt8(ascii: "}")) else { return nil }
    let start = offset
    let name = try memberName()
    try check(name, in: &group, at: start)
    return name
  }

  /// Whether there is a next element, which then has to be read or skipped.
  package mutating func nextElement(in group: inout Group) throws(JSONError) -> Bool {
    try advance(&group, end: UInt8(ascii: "]"))
  }

  /// Checks that nothing follows.
  package mutating func end() throws(JSONError) {
    skipSpace()
    guard offset == bytes.count else { throw error("something follows the document") }
  }

  private mutating func enter(_ bracket: UInt8, what: String) throws(JSONError) -> Group {
    skipSpace()
    guard next == bracket else { throw error("\(what) is expected") }
    guard depth < Self.deepest else { throw error("nested deeper than \(Self.deepest) levels") }
    depth += 1
    offset += 1
    return Group(start: offset)
  }

  private mutating func advance(_ group: inout Group, end: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    if take(end) {
      depth -= 1
      return false
    }
    if group.isFirst {
      group.isFirst = false
    } else {
      guard take(UInt8(ascii: ",")) else {
        throw error("',' or '\(Character(Unicode.Scalar(end)))' is expected")
      }
      skipSpace()
    }
    return true
  }

  private mutating func memberName() throws(JSONError) -> Name {
    guard next == UInt8(ascii: "\"") else { throw error("the name of a member is expected, in quotes") }
    let name = try scanString()
    skipSpace()
    guard take(UInt8(ascii: ":")) else { throw error("':' is expected") }
    return name
  }

  /// Checks that no name occurs twice. Names in byte order, as this program writes them, are compared only with their
  /// predecessor.
  private func check(_ name: Name, in group: inout Group, at start: Int) throws(JSONError) {
    if group.unordered == nil {
      if !name.isEscaped, group.previous.map({ $0.precedes(name) }) ?? true {
        group.previous = name
        return
      }
      group.unordered = try names(from: group.start, to: start)
    }
    guard group.unordered?.insert(Array(name.text.utf8)).inserted == true else {
      throw error("member '\(name.text)' occurs twice", at: start)
    }
  }

  private func names(from start: Int, to end: Int) throws(JSONError) -> Set<[UInt8]> {
    var cursor = JSONCursor(bytes, from: start, depth: depth)
    var names: Set<[UInt8]> = []
    cursor.skipSpace()
    while cursor.offset < end {
      names.insert(Array(try cursor.memberName().text.utf8))
      try cursor.skip()
      cursor.skipSpace()
      _ = cursor.take(UInt8(ascii: ","))
      cursor.skipSpace()
    }
    return names
  }

  // MARK: Values

  /// The text of a string.
  package mutating func string() throws(JSONError) -> String {
    skipSpace()
    guard next == UInt8(ascii: "\"") else { throw error("a text is expected") }
    return try scanString().text
  }

  /// A whole number.
  package mutating func integer() throws(JSONError) -> Int64 {
    skipSpace()
    let start = offset
    guard next == UInt8(ascii: "-") || isDigit(next), try scanNumber(), let number = wholeNumber(from: start) else {
      throw error("a whole number that fits 64 bits is expected", at: start)
    }
    return number
  }

  /// A whole number that counts something.
  package mutating func count() throws(JSONError) -> Int64 {
    skipSpace()
    let start = offset
    let number = try integer()
    guard number >= 0 else { throw error("a whole number from 0 on is expected", at: start) }
    return number
  }

  /// `true` or `false`.
  package mutating func bool() throws(JSONError) -> Bool {
    skipSpace()
    switch next {
    case UInt8(ascii: "t"):
      try word("true")
      return true
    case UInt8(ascii: "f"):
      try word("false")
      return false
    case _: throw error("true or false is expected")
    }
  }

  /// Whether the next value is a text.
  package mutating func isAtText() -> Bool {
    skipSpace()
    return next == UInt8(ascii: "\"")
  }

  /// Skips the next value, of any kind.
  package mutating func skip() throws(JSONError) {
    // One bit a level: whether it is an object.
    var levels: UInt64 = 0
    var open = 0
    repeat {
      skipSpace()
      switch next {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard depth + open < Self.deepest else { throw error("nested deeper than \(Self.deepest) levels") }
        let isObject = next == UInt8(ascii: "{")
        levels = levels << 1 | (isObject ? 1 : 0)
        open += 1
        offset += 1
        skipSpace()
        if next != UInt8(ascii: "}"), next != UInt8(ascii: "]") {
          if isObject { _ = try memberName() }
          continue
        }
      case UInt8(ascii: "\""): _ = try scanString()
      case UInt8(ascii: "t"): try word("true")
      case UInt8(ascii: "f"): try word("false")
      case UInt8(ascii: "n"): try word("null")
      case UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?: _ = try scanNumber()
      case nil: throw error("the document ends where a value is expected")
      case _?: throw error("a value is expected")
      }
      try leaveGroups(&levels, open: &open)
    } while open > 0
  }

  /// After a value: skips the ends of all groups that end here, or a comma and, in an object, the next name.
  private mutating func leaveGroups(_ levels: inout UInt64, open: inout Int) throws(JSONError) {
    while open > 0 {
      skipSpace()
      let isObject = levels & 1 == 1
      if take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
        levels >>= 1
        open -= 1
        continue
      }
      guard take(UInt8(ascii: ",")) else { throw error("',' or '\(isObject ? "}" : "]")' is expected") }
      skipSpace()
      if isObject { _ = try memberName() }
      return
    }
  }

  // MARK: Bytes

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    offset += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
  }

  /// An error at a place in the document.
  package func error(_ message: String, at place: Int? = nil) -> JSONError {
    JSONError(place: "column \((place ?? offset) + 1)", message: message)
  }

  private mutating func word(_ word: StaticString) throws(JSONError) {
    let found = word.withUTF8Buffer { bytes[offset...].starts(with: $0) }
    guard found else { throw error("a value is expected") }
    offset += word.utf8CodeUnitCount
  }

  private func isDigit(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    return UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  /// Skips a number; returns whether it is a whole one.
  private mutating func scanNumber() throws(JSONError) -> Bool {
    _ = take(UInt8(ascii: "-"))
    let start = offset
    try digits()
    if bytes[start] == UInt8(ascii: "0"), offset - start > 1 { throw error("a number with a leading zero", at: start) }
    var isWhole = true
    if take(UInt8(ascii: ".")) {
      isWhole = false
      try digits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    return isWhole
  }

  private mutating func digits() throws(JSONError) {
    guard isDigit(next) else { throw error("a digit is expected") }
    while isDigit(next) { offset += 1 }
  }

  /// The digits from `start` up to the cursor; nil where they do not fit.
  private func wholeNumber(from start: Int) -> Int64? {
    let isNegative = bytes[start] == UInt8(ascii: "-")
    var number: Int64 = 0
    for byte in bytes[(isNegative ? start + 1 : start)..<offset] {
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let digit = Int64(byte & 0x0F)
      let (sum, carried) = isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      if overflow || carried { return nil }
      number = sum
    }
    return number
  }

  /// Skips a string, checking every byte.
  private mutating func scanString() throws(JSONError) -> Name {
    offset += 1
    let start = offset
    var isEscaped = false
    while true {
      passPlain()
      guard let byte = next else { break }
      switch byte {
      case UInt8(ascii: "\""):
        let name = Name(raw: UnsafeBufferPointer(rebasing: bytes[start..<offset]), isEscaped: isEscaped)
        offset += 1
        return name
      case UInt8(ascii: "\\"):
        isEscaped = true
        offset += try escapeLength()
      case 0..<0x20: throw error("a control character in a text")
      case 0x80...:
        let length = utf8Length(at: offset)
        guard length > 0 else { throw error("text that is not UTF-8") }
        offset += length
      case _: offset += 1
      }
    }
    throw error("the document ends within a text")
  }

  /// Skips bytes of a string that stand for themselves, eight at a time; up to seven may remain.
  private mutating func passPlain() {
    guard let base = UnsafeRawPointer(bytes.baseAddress) else { return }
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highest = 0x80 &* ones
    while offset + 8 <= bytes.count {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      // Sets the highest bit of each byte that is not ASCII, a control character, a quotation mark or a backslash.
      // Borrowing may also set it in bytes above, so only the lowest one counts.
      let control = word &- 0x20 &* ones
      let quotationMark = (word ^ UInt64(UInt8(ascii: "\"")) &* ones) &- ones
      let backslash = (word ^ UInt64(UInt8(ascii: "\\")) &* ones) &- ones
      let found = (word | control | quotationMark | backslash) & highest
      offset += found.trailingZeroBitCount &>> 3
      guard found == 0 else { return }
    }
  }
}
