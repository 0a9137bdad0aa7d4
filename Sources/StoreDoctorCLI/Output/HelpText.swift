import StoreWords

/// The help of a command as a person reads it: its own options first, then groups, the custody record last.
///
/// ArgumentParser puts options without a title behind all others, where nobody finds them among fifty. Where all are in
/// groups but `--version` and `--help`, these stand before the custody record.
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
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }
    let parts = [lead] + ordered.map(\.element.text)
    return parts.map(trimmed).joined(separator: "\n\n")
  }

  /// "OPTIONS:".
  private static func isTitle(_ line: Substring) -> Bool {
    line.hasSuffix(":") && line.first?.isLetter == true && line == line.uppercased()
  }

  private static func rank(_ section: (title: Substring, text: String)) -> Int {
    switch section.title {
    case "ARGUMENTS": 0
    case "OPTIONS": isOfEveryCommand(section.text) ? 3 : 1
    case "SUBCOMMANDS": 5
    case let title: title == HelpGroup.record.uppercased() ? 4 : 2
    }
  }

  /// Whether these are the options that ArgumentParser gives every command.
  private static func isOfEveryCommand(_ section: String) -> Bool {
    section.split(separator: "\n").dropFirst().allSatisfy { line in
      !line.hasPrefix("  -") || line.hasPrefix("  --version ") || line.hasPrefix("  -h, --help ")
    }
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.last == "\n" { text.removeLast() }
    return String(text)
  }
}
