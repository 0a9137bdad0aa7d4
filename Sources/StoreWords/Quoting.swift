/// A name in single quotes, escaped so that it cannot act on a terminal.
package func quoted(_ name: String) -> String {
  "'\(escapedForTerminal(name))'"
}

/// `text` with everything that could move the cursor, change colours or reverse the reading order escaped as `\u{..}`.
package func escapedForTerminal(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: \.actsOnTerminal) else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    if scalar.actsOnTerminal {
      result += "\\u{\(String(scalar.value, radix: 16))}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

extension Unicode.Scalar {
  /// Control, format (bidirectional marks, zero-width), line and paragraph separators.
  fileprivate var actsOnTerminal: Bool {
    if value < 0x7F { return value < 0x20 }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
    default: false
    }
  }
}
