/// Builds the text of an XML document that has only elements and attributes, indented as by Xcode.
struct XMLText {
  typealias Attributes = [(name: String, value: String?)]

  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
  private var depth = 0
  /// Whether a character was replaced that XML 1.0 cannot contain, not even as a reference (§2.2).
  private(set) var hasReplaced = false

  /// Writes a start tag; attributes without a value are omitted.
  mutating func open(_ name: String, attributes: Attributes) {
    start(name, attributes: attributes)
    text += ">\n"
    depth += 1
  }

  mutating func close(_ name: String) {
    depth -= 1
    text += indentation + "</\(name)>\n"
  }

  /// Writes an empty element.
  mutating func empty(_ name: String, attributes: Attributes) {
    start(name, attributes: attributes)
    text += "/>\n"
  }

  private var indentation: String { String(repeating: "    ", count: depth) }

  private mutating func start(_ name: String, attributes: Attributes) {
    text += indentation + "<\(name)"
    for case (let name, let value?) in attributes {
      text += " \(name)=\""
      append(value)
      text += "\""
    }
  }

  private mutating func append(_ value: String) {
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      // A parser would turn them into spaces otherwise (§3.3.3).
      case "\n", "\t", "\r": text += "&#\(scalar.value);"
      case _ where Self.isForbidden(scalar):
        text.unicodeScalars.append("\u{FFFD}")
        hasReplaced = true
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && !["\n", "\t", "\r"].contains(scalar) || scalar == "\u{FFFE}" || scalar == "\u{FFFF}"
  }

  /// Whether a text can be the name of an attribute; of the names XML allows, only ASCII ones.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || "-.0123456789".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }
}
