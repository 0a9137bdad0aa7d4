extension JSONValue {
  /// The text, indented by two spaces a level, ending in a line feed.
  package var text: String { text(indent: 0) }

  /// The text of a value without lists in it, on one line.
  var inlineText: String { String(text.dropLast()) }

  /// The text on one line, ending in a line feed: a line of JSON Lines.
  package var lineText: String { text(indent: nil) }

  private func text(indent: Int?) -> String {
    // Appending to bytes is faster than appending to a string, and a line has hundreds of pieces.
    var output: [UInt8] = []
    output.reserveCapacity(1024)
    write(to: &output, indent: indent)
    output.append(UInt8(ascii: "\n"))
    return String(decoding: output, as: UTF8.self)
  }

  /// - Parameter indent: the level; nil for everything on one line.
  func write(to output: inout [UInt8], indent: Int?) {
    switch self {
    case .null: output += "null".utf8
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .integer(let value): output += String(value).utf8
    // JSON cannot express infinity; no value should be infinite.
    case .number(let value): output += (value.isFinite ? String(value) : "null").utf8
    case .string(let value): Self.write(value, to: &output)
    case .array(let elements):
      Self.writeList(elements, brackets: "[]", to: &output, indent: indent) { element, output in
        element.write(to: &output, indent: indent.map { $0 + 1 })
      }
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      Self.writeList(sorted, brackets: "{}", to: &output, indent: indent) { member, output in
        Self.write(member.key, to: &output)
        output += ": ".utf8
        member.value.write(to: &output, indent: indent.map { $0 + 1 })
      }
    }
  }

  private static func writeList<Element>(
    _ elements: [Element], brackets: String, to output: inout [UInt8], indent: Int?,
    write: (Element, inout [UInt8]) -> Void
  ) {
    func startLine(_ level: Int) { Self.startLine(level, in: &output) }
    output += brackets.utf8.prefix(1)
    for (position, element) in elements.enumerated() {
      if position > 0 { output.append(UInt8(ascii: ",")) }
      if let indent { startLine(indent + 1) }
      write(element, &output)
    }
    if let indent, !elements.isEmpty { startLine(indent) }
    output += brackets.utf8.suffix(1)
  }

  static func startLine(_ level: Int, in output: inout [UInt8]) {
    output.append(UInt8(ascii: "\n"))
    output += repeatElement(UInt8(ascii: " "), count: 2 * level)
  }

  static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    if text.utf8.allSatisfy(isPlain) { output += text.utf8 } else { writeEscaped(text, to: &output) }
    output.append(UInt8(ascii: "\""))
  }

  /// Whether a byte needs no escaping; most texts consist of such bytes.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func writeEscaped(_ text: String, to output: inout [UInt8]) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += #"\""#.utf8
      case "\\": output += #"\\"#.utf8
      case "\n": output += #"\n"#.utf8
      case "\r": output += #"\r"#.utf8
      case "\t": output += #"\t"#.utf8
      default:
        if scalar.needsEscape {
          for unit in scalar.utf16 { output += (#"\u"# + fourHexDigits(unit)).utf8 }
        } else {
          output += scalar.utf8
        }
      }
    }
  }

  private static func fourHexDigits(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension Unicode.Scalar {
  fileprivate var needsEscape: Bool {
    if value < 0x20 || value == 0x7F { return true }
    guard value > 0x7F else { return false }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }
}
