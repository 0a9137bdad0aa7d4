import StoreText

extension PropertyListValue {
  /// This value as an XML list, laid out as Apple's, with keys in the order of their UTF-8.
  ///
  /// XML cannot say everything: null becomes the string `$null`, a set an array, a date loses its fraction of a
  /// second, and a character that XML forbids, such as U+0000, becomes U+FFFD. A UID becomes a dictionary with the
  /// key `CF$UID`.
  package func xmlPropertyList() -> [UInt8] {
    var writer = XMLWriter()
    writer.line(#"<?xml version="1.0" encoding="UTF-8"?>"#)
    writer.line(
      #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#)
    writer.line(#"<plist version="1.0">"#)
    writer.write(self)
    writer.line("</plist>")
    return writer.bytes
  }
}

private struct XMLWriter {
  var bytes: [UInt8] = []
  private var indent = 0

  mutating func write(_ value: PropertyListValue) {
    switch value {
    case .null: line("<string>$null</string>")
    case .boolean(let value): line(value ? "<true/>" : "<false/>")
    case .integer(let value): line("<integer>\(value)</integer>")
    case .unsigned(let value): line("<integer>\(value)</integer>")
    case .real(let value): line("<real>\(spelling(of: value))</real>")
    case .date(let value): line("<date>\(CalendarDate(secondsSince2001: value).text)</date>")
    case .string(let text): line("<string>\(escaped(text))</string>")
    case .uid(let value): write(.dictionary(["CF$UID": .unsigned(value)]))
    case .data(let bytes): write(bytes)
    case .array(let elements), .set(let elements):
      block("array", isEmpty: elements.isEmpty) { writer in
        for element in elements { writer.write(element) }
      }
    case .dictionary(let entries):
      block("dict", isEmpty: entries.isEmpty) { writer in
        for (key, value) in entries.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
          writer.line("<key>\(escaped(key))</key>")
          writer.write(value)
        }
      }
    }
  }

  /// Base64 in lines of 76 characters (RFC 2045).
  private mutating func write(_ data: [UInt8]) {
    let text = Array(base64(data).utf8)
    line("<data>")
    for start in stride(from: 0, to: text.count, by: 76) {
      line(String(decoding: text[start..<min(start + 76, text.count)], as: UTF8.self))
    }
    line("</data>")
  }

  private mutating func block(_ name: String, isEmpty: Bool, body: (inout XMLWriter) -> Void) {
    if isEmpty { return line("<\(name)/>") }
    line("<\(name)>")
    indent += 1
    body(&self)
    indent -= 1
    line("</\(name)>")
  }

  mutating func line(_ text: String) {
    bytes += repeatElement(UInt8(ascii: "\t"), count: indent)
    bytes += text.utf8
    bytes.append(UInt8(ascii: "\n"))
  }
}

private func spelling(of value: Double) -> String {
  if value.isNaN { return "nan" }
  if value.isInfinite { return value < 0 ? "-infinity" : "+infinity" }
  return "\(value)"
}

private func escaped(_ text: String) -> String {
  var output = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": output += "&amp;".unicodeScalars
    case "<": output += "&lt;".unicodeScalars
    case ">": output += "&gt;".unicodeScalars
    // A bare one would be read as a line feed.
    case "\r": output += "&#13;".unicodeScalars
    default: output.append(scalar.isXMLCharacter ? scalar : "\u{fffd}")
    }
  }
  return String(output)
}
