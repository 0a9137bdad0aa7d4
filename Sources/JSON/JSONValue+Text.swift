extension JSONValue {
  /// The text, indented by two spaces a level, ending in a line feed.
  public var text: String {
    var output = ""
    write(to: &output, indent: 0)
    output += "\n"
    return output
  }

  /// The text of a value without lists in it, on one line.
  var inlineText: String { String(text.dropLast()) }

  /// The text on one line, ending in a line feed: a line of JSON Lines.
  public var lineText: String {
    var output = ""
    write(to: &output, indent: nil)
    output += "\n"
    return output
  }

  /// - Parameter indent: the level; nil for everything on one line.
  private func write(to output: inout String, indent: Int?) {
    switch self {
    case .null: output += "null"
    case .bool(let value): output += value ? "true" : "false"
    case .integer(let value): output += String(value)
    // JSON has no word for infinity; a value that is not finite has no business here.
    case .number(let value): output += value.isFinite ? String(value) : "null"
    case .string(let value): Self.write(value, to: &output)
    case .array(let elements):
      Self.writeList(elements, ("[", "]"), to: &output, indent: indent) { element, output in
        element.write(to: &output, indent: indent.map { $0 + 1 })
      }
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      Self.writeList(sorted, ("{", "}"), to: &output, indent: indent) { member, output in
        Self.write(member.key, to: &output)
        output += ": "
        member.value.write(to: &output, indent: indent.map { $0 + 1 })
      }
    }
  }

  private static func writeList<Element>(
    _ elements: [Element], _ brackets: (String, String), to output: inout String, indent: Int?,
    _ write: (Element, inout String) -> Void
  ) {
    guard !elements.isEmpty else {
      output += brackets.0 + brackets.1
      return
    }
    output += brackets.0
    for (position, element) in elements.enumerated() {
      if position > 0 { output += "," }
      if let indent { output += "\n" + String(repeating: "  ", count: indent + 1) }
      write(element, &output)
    }
    if let indent { output += "\n" + String(repeating: "  ", count: indent) }
    output += brackets.1
  }

  private static func write(_ text: String, to output: inout String) {
    output += "\""
    if text.utf8.allSatisfy(isPlain) { output += text } else { writeEscaped(text, to: &output) }
    output += "\""
  }

  /// Most texts need no look at their characters.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func writeEscaped(_ text: String, to output: inout String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      default:
        if scalar.needsEscape {
          for unit in Character(scalar).utf16 { output += "\\u" + fourHexDigits(unit) }
        } else {
          output.unicodeScalars.append(scalar)
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
