import StoreWords

/// The help of a command as a person reads it: its own options first, then groups, the custody record last.
///
/// ArgumentParser puts options without a title behind all others, where nobody finds them among fifty.
enum HelpText {
  /// The text of ArgumentParser in that order; another text as it is.
  static func arranged(_ text: String) -> String {
    var (lead, sections): (String, [(title: Substring, text: String)]) = ("", [])
    var isBelowUsage = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      isBelowUsage = isBelowUsage || line.hasPrefix("USAGE: ")
      if isBelowUsage, isTitle(line) {
        sections.append((line.dropLast(), "\(line)\n"))
      } else if sections.isEmpty {
        lead += "\(line)\n"
      } else {
        sections[sections.count - 1].text += "\(line)\n"
      }
    }
    guard !sections.isEmpty else { return text }
    let ordered = sections.enumerated().sorted {
      (rank($0.element.title), $0.offset) < (rank($1.element.title), $1.offset)
    }
    let parts = [lead] + ordered.map(\.element.text)
    return parts.map(trimmed).joined(separator: "\n\n")
  }

  /// "OPTIONS:".
  private static func isTitle(_ line: Substring) -> Bool {
    line.hasSuffix(":") && line.first?.isLetter == true && line == line.uppercased()
  }

  private static func rank(_ title: Substring) -> Int {
    switch title {
    case "ARGUMENTS": 0
    case "OPTIONS": 1
    case "SUBCOMMANDS": 4
    case _: title == HelpGroup.record.uppercased() ? 3 : 2
    }
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.last == "\n" { text.removeLast() }
    return String(text)
  }
}
