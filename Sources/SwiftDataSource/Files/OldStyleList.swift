/// A property list in the old (OpenStep) style, as in Xcode's project files:
/// `{ name = App; files = ( A1, "B 2" ); }`.
indirect enum OldStyleList {
  case text(String)
  case array([OldStyleList])
  case dictionary([String: OldStyleList])

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var array: [OldStyleList] { if case .array(let items) = self { items } else { [] } }
  /// The texts of an array.
  var texts: [String] { array.compactMap(\.text) }

  subscript(_ key: String) -> OldStyleList? {
    if case .dictionary(let members) = self { members[key] } else { nil }
  }

  /// Parses a list; nil for invalid bytes.
  init?(_ bytes: [UInt8]) {
    var reader = OldStyleReader(bytes)
    guard let list = reader.value(depth: 0) else { return nil }
    self = list
  }
}

/// Parses from the first byte; accepts any bytes.
private struct OldStyleReader {
  private let bytes: [UInt8]
  private var place = 0
  private var remainingValues = 2_000_000

  private static let maximumDepth = 32

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func value(depth: Int) -> OldStyleList? {
    remainingValues -= 1
    guard depth < Self.maximumDepth, remainingValues > 0 else { return nil }
    skipSpace()
    if take("{") { return dictionary(depth: depth) }
    if take("(") { return array(depth: depth) }
    return text().map { .text($0) }
  }

  private mutating func dictionary(depth: Int) -> OldStyleList? {
    var members: [String: OldStyleList] = [:]
    while true {
      skipSpace()
      if take("}") { return .dictionary(members) }
      guard let key = text() else { return nil }
      skipSpace()
      guard take("="), let value = value(depth: depth + 1) else { return nil }
      members[key] = value
      skipSpace()
      guard take(";") else { return nil }
    }
  }

  private mutating func array(depth: Int) -> OldStyleList? {
    var items: [OldStyleList] = []
    while true {
      skipSpace()
      if take(")") { return .array(items) }
      guard let item = value(depth: depth + 1) else { return nil }
      items.append(item)
      skipSpace()
      guard take(",") || bytes[safely: place] == UInt8(ascii: ")") else { return nil }
    }
  }

  /// An unquoted word or a quoted text.
  private mutating func text() -> String? {
    guard take("\"") else {
      let start = place
      while let byte = bytes[safely: place], byte.isOfWord { place += 1 }
      return place > start ? String(decoding: bytes[start..<place], as: UTF8.self) : nil
    }
    var content: [UInt8] = []
    while let byte = bytes[safely: place] {
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = bytes[safely: place] else { return nil }
        place += 1
        content.append(escaped == UInt8(ascii: "n") ? UInt8(ascii: "\n") : escaped)
      default: content.append(byte)
      }
    }
    return nil
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard bytes[safely: place] == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  /// Skips white space and comments of both kinds.
  private mutating func skipSpace() {
    while let byte = bytes[safely: place] {
      if byte <= 0x20 {
        place += 1
      } else if byte == UInt8(ascii: "/"), bytes[safely: place + 1] == UInt8(ascii: "/") {
        while let byte = bytes[safely: place], byte != UInt8(ascii: "\n") { place += 1 }
      } else if byte == UInt8(ascii: "/"), bytes[safely: place + 1] == UInt8(ascii: "*") {
        place += 2
        while place < bytes.count,
          !(bytes[place] == UInt8(ascii: "*") && bytes[safely: place + 1] == UInt8(ascii: "/"))
        {
          place += 1
        }
        place += 2
      } else {
        return
      }
    }
  }
}

extension [UInt8] {
  fileprivate subscript(safely place: Int) -> UInt8? { indices.contains(place) ? self[place] : nil }
}

extension UInt8 {
  /// Whether an unquoted word may contain this character.
  fileprivate var isOfWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "/"),
      UInt8(ascii: "$"), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "+"):
      true
    default: false
    }
  }
}
