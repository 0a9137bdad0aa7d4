/// Reads JSON (RFC 8259) strictly: any bytes give a value or an error, within limits.
///
/// Foundation's `JSONDecoder` also accepts any bytes, but silently takes the first of two members with one name, reads
/// `1.0` as an integer, and does not say where a number is too large. A file that hashes depend on must have a single
/// meaning.
extension JSONValue {
  /// The limits of a document.
  package struct Limits: Sendable {
    /// Bytes of the document.
    package var bytes = 64 << 20
    /// The deepest nesting. The reader recurses once for each level.
    package var depth = 256
    /// Values of all kinds.
    package var values = 8_000_000

    /// The default limits.
    package init() {}
  }

  /// Reads a document in UTF-8, with or without a byte order mark.
  ///
  /// - Throws: ``JSONError`` with line and column.
  package init(_ bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) {
    guard bytes.count <= limits.bytes else {
      throw JSONError(place: "", message: "\(bytes.count) bytes, more than \(limits.bytes)")
    }
    var reader = JSONReader(bytes: bytes, limits: limits)
    self = try reader.document()
  }
}

private struct JSONReader {
  let bytes: [UInt8]
  let limits: JSONValue.Limits
  private var offset = 0
  private var remaining: Int

  /// The longest number; 64-bit numbers have fewer than 800 significant digits.
  private static let maximumNumberLength = 1_000

  init(bytes: [UInt8], limits: JSONValue.Limits) {
    self.bytes = bytes
    self.limits = limits
    remaining = limits.values
  }

  mutating func document() throws(JSONError) -> JSONValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    let value = try value(depth: 0)
    skipSpace()
    guard offset == bytes.count else { throw error("something follows the document") }
    return value
  }

  // MARK: Values

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    skipSpace()
    remaining -= 1
    guard remaining >= 0 else { throw error("more than \(limits.values) values") }
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", value: .bool(true))
    case UInt8(ascii: "f"): return try word("false", value: .bool(false))
    case UInt8(ascii: "n"): return try word("null", value: .null)
    case (UInt8(ascii: "0")...UInt8(ascii: "9"))?, UInt8(ascii: "-"): return try number()
    case nil: throw error("the document ends where a value is expected")
    case _?: throw error("a value is expected")
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    try open(depth)
    var members: [String: JSONValue] = [:]
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("the name of a member is expected, in quotes") }
      let start = offset
      let name = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw error("':' is expected") }
      guard members.updateValue(try value(depth: depth), forKey: name) == nil else {
        throw error("member '\(name)' occurs twice", at: start)
      }
      if try endsList(with: UInt8(ascii: "}")) { return .object(members) }
    }
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    try open(depth)
    var elements: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    while true {
      elements.append(try value(depth: depth))
      if try endsList(with: UInt8(ascii: "]")) { return .array(elements) }
    }
  }

  private mutating func open(_ depth: Int) throws(JSONError) {
    guard depth <= limits.depth else { throw error("nested deeper than \(limits.depth) levels") }
    offset += 1
  }

  private mutating func endsList(with close: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    if take(close) { return true }
    guard take(UInt8(ascii: ",")) else { throw error("',' or '\(Character(Unicode.Scalar(close)))' is expected") }
    return false
  }

  private mutating func word(_ word: StaticString, value: JSONValue) throws(JSONError) -> JSONValue {
    let found = word.withUTF8Buffer { bytes[offset...].starts(with: $0) }
    guard found else { throw error("a value is expected") }
    offset += word.utf8CodeUnitCount
    return value
  }

  // MARK: Numbers

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = offset
    _ = take(UInt8(ascii: "-"))
    if take(UInt8(ascii: "0")) {
      if isDigit(next) { throw error("a number with a leading zero", at: start) }
    } else {
      try digits()
    }
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
    guard offset - start <= Self.maximumNumberLength else {
      throw error("a number of more than \(Self.maximumNumberLength) digits", at: start)
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw error("a number that is too large", at: start) }
    return .number(number)
  }

  private mutating func digits() throws(JSONError) {
    guard isDigit(next) else { throw error("a digit is expected") }
    while isDigit(next) { offset += 1 }
  }

  private func isDigit(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    return UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  // MARK: Strings

  private mutating func string() throws(JSONError) -> String {
    offset += 1
    var text = ""
    while true {
      let start = offset
      while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { offset += 1 }
      if offset > start {
        guard let part = String(validating: bytes[start..<offset], as: UTF8.self) else {
          throw error("text that is not UTF-8", at: start)
        }
        text += part
      }
      if take(UInt8(ascii: "\"")) { return text }
      guard next == UInt8(ascii: "\\") else {
        throw error(next == nil ? "the document ends within a text" : "a control character in a text")
      }
      text.unicodeScalars.append(try escape())
    }
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    let letter = next
    offset += 1
    switch letter {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape(start)
    case _: throw error("an escape that JSON does not have", at: start)
    }
  }

  /// `\uXXXX`, or two of them for a character beyond U+FFFF.
  private mutating func unicodeEscape(_ start: Int) throws(JSONError) -> Unicode.Scalar {
    let first = try codeUnit(start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard UTF16.isLeadSurrogate(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw error("half of a surrogate pair", at: start)
    }
    let second = try codeUnit(start)
    guard UTF16.isTrailSurrogate(second) else { throw error("half of a surrogate pair", at: start) }
    let value = 0x10000 + (UInt32(first) & 0x3FF) << 10 + (UInt32(second) & 0x3FF)
    guard let scalar = Unicode.Scalar(value) else { throw error("half of a surrogate pair", at: start) }
    return scalar
  }

  private mutating func codeUnit(_ start: Int) throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw error("'\\u' needs four hex digits", at: start)
      }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
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

  private func error(_ message: String, at position: Int? = nil) -> JSONError {
    let before = bytes.prefix(position ?? offset)
    let line = before.count { $0 == 0x0A } + 1
    let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
    return JSONError(place: "line \(line), column \(column)", message: message)
  }
}
