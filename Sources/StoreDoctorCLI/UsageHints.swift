import ArgumentParser
import StoreReports
import StoreWords

/// What was probably meant by an option or a path that a command does not take, said in the first line of the message.
///
/// ArgumentParser guesses by letters: `--json` becomes "did you mean '--as-of'?".
enum UsageHints {
  /// The message of ArgumentParser about `arguments`, with a hint where there is one.
  static func added(to message: String, about arguments: [String]) -> String {
    guard let end = message.firstIndex(of: "\n"), let command = command(of: arguments) else { return message }
    let options = StoreDoctorCommand.helpMessage(for: command, columns: 100_000).split(separator: "\n")
    guard let line = hint(for: message[..<end], options) else { return message }
    return line + message[end...]
  }

  private static func hint(for line: Substring, _ options: [Substring]) -> String? {
    // The name between the quotes.
    let parts = line.split(separator: "'", omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return nil }
    let word = String(parts[1])
    switch parts[0] {
    case "Error: Unknown option ":
      guard word.hasPrefix("--"), allFormats.contains(String(word.dropFirst(2))) else { return nil }
      guard let formats = formats(options) else { return nil }
      let format = String(word.dropFirst(2))
      let isOne = formats.contains(format)
      return "Error: Unknown option '\(word)'; "
        + (isOne ? "that is --format \(format)" : "--format takes \(formats.joined(separator: ", "))")
    case "Error: Unexpected argument ":
      guard modelEndings.contains(where: { word.hasSuffix($0) || word.hasSuffix($0 + "/") }) else { return nil }
      let names = ["--model", "--store-model"]
      guard let name = names.first(where: { name in options.contains { $0.hasPrefix("  \(name) <") } }) else {
        return nil
      }
      return "\(line); a model is given with \(name) \(escapedForTerminal(shellQuoted(word)))"
    default: return nil
    }
  }

  private static let modelEndings = [".momd", ".mom", ".xcdatamodeld", ".xcdatamodel", ".ipa", ".app"]

  /// The formats of any command.
  private static let allFormats: Set = [
    "text", "json", "jsonl", "csv", "html", "sarif", "junit", "markdown", "table", "sqlite", "xcode", "github", "case",
  ]

  /// The formats that a command's help lists: "(values: text, json; default: text)".
  private static func formats(_ options: [Substring]) -> [String]? {
    guard let line = options.first(where: { $0.hasPrefix("  --format <") }) else { return nil }
    let mark = "(values: "
    var rest = line
    while !rest.hasPrefix(mark) { if rest.popFirst() == nil { return nil } }
    let list = rest.dropFirst(mark.count).prefix { $0 != ";" && $0 != ")" }
    return list.split(separator: ",").map { String($0.drop { $0 == " " }) }
  }

  /// The command that the first words name.
  private static func command(of arguments: [String]) -> ParsableCommand.Type? {
    var command: ParsableCommand.Type = StoreDoctorCommand.self
    for word in arguments {
      guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
      command = next
    }
    return command == StoreDoctorCommand.self ? nil : command
  }
}
