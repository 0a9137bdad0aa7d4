import StoreWords

/// How wide text is on a terminal, and text cut or padded to a width.
extension String {
  /// Columns the text takes: two for East Asian wide characters and emoji, none for combining marks.
  var displayWidth: Int {
    isOfPlainBytes ? utf8.count : reduce(0) { $0 + $1.displayWidth }
  }

  /// Whether each byte is a character of one column: ASCII, without the line feed that is one character with what is before it.
  private var isOfPlainBytes: Bool {
    utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\r") }
  }

  /// The text followed by spaces up to `width` columns.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }

  /// The text after spaces up to `width` columns, for numbers.
  func rightAligned(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - displayWidth)) + self
  }
}

extension Character {
  fileprivate var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.value < 0x300 { return 1 }
    if first.properties.generalCategory == .nonspacingMark { return 0 }
    return first.isWide ? 2 : 1
  }
}

extension Unicode.Scalar {
  /// The ranges that terminals draw two columns wide (Unicode, East Asian Width W and F, and emoji).
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

/// A text whose lines are broken at spaces where they are wider than `width` columns; what a line begins with, its rest
/// begins with.
package func broken(_ text: String, width: Int) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
    guard String(line).displayWidth > width else { return String(line) }
    let indent = String(line.prefix { $0 == " " }.prefix(width / 2))
    let words = line.dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return wrapped(words, separator: " ", width: width - indent.count).map { indent + $0 }.joined(separator: "\n")
  }.joined(separator: "\n")
}

/// Words put on lines of at most `width` columns; a longer word has a line of its own.
func wrapped(_ parts: [String], separator: String, width: Int) -> [String] {
  var lines: [String] = []
  let gap = separator.displayWidth
  var taken = 0
  for part in parts {
    let more = part.displayWidth
    if !lines.isEmpty, taken + gap + more <= width {
      lines[lines.count - 1] += separator
      lines[lines.count - 1] += part
      taken += gap + more
    } else {
      lines.append(part)
      taken = more
    }
  }
  return lines
}
