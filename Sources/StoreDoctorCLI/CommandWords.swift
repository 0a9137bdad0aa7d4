import ArgumentParser
import StoreCoreData
import StoreSQLite
import StoreWords

/// The words a command line starts with, looked at before ArgumentParser reads the rest.
///
/// ArgumentParser calls a misspelt command only "unexpected", and answers `help` for a command that there is not with
/// the help of the whole program and exit status 0.
enum CommandWords {
  /// The arguments to parse: those given, with `look` before them where they start with the path of something, or with
  /// the code of an error.
  ///
  /// - Throws: `UnknownCommand`.
  static func completed(_ arguments: [String]) throws -> [String] {
    guard let first = arguments.first, !first.hasPrefix("-") else { return arguments }
    if first == "help" {
      try follow(arguments.dropFirst(), mayBePath: false)
    } else if StoreDoctorCommand.named(first) == nil, isThere(first) || isCode(first) {
      return ["look"] + arguments
    } else {
      try follow(arguments[...], mayBePath: true)
    }
    return arguments
  }

  /// Goes from command to subcommand as far as the words name them.
  private static func follow(_ words: ArraySlice<String>, mayBePath: Bool) throws {
    var path = ["storedoctor"]
    var command: ParsableCommand.Type = StoreDoctorCommand.self
    for word in words {
      // Words after a command without subcommands, or after an option, are for the command itself.
      guard !command.configuration.subcommands.isEmpty, !word.hasPrefix("-") else { return }
      guard let next = command.named(word) else {
        throw UnknownCommand(word: word, of: command, path: path, mayBePath: mayBePath && path.count == 1)
      }
      path.append(word)
      command = next
    }
  }
}

/// Thrown for a word in the place of a command that is no command.
struct UnknownCommand: Error, CustomStringConvertible {
  let word: String
  let known: [String]
  /// The words before it: `["storedoctor", "model"]`.
  let path: [String]
  /// Whether a path might have stood in its place.
  let mayBePath: Bool

  init(word: String, of command: ParsableCommand.Type, path: [String], mayBePath: Bool) {
    self.word = word
    self.path = path
    self.mayBePath = mayBePath
    known = command.configuration.subcommands.map { $0._commandName }
  }

  var description: String {
    let what =
      path.count > 1
      ? "'\(path.dropFirst().joined(separator: " "))' has no command \(quoted(word))"
      : "there is no command \(quoted(word))" + (mayBePath ? ", and no file or folder of that name" : "")
    let guess = didYouMean(word, among: known)
    let commands = guess.isEmpty ? "\nCommands: \(known.joined(separator: ", "))" : ""
    return """
      Error: \(escapedForTerminal(what))\(guess)\(commands)
      Usage: \(path.joined(separator: " ")) <command>
        See '\(path.joined(separator: " ")) --help' for more information.
      """
  }
}

extension ParsableCommand {
  /// The direct subcommand of this name; nil where there is none.
  fileprivate static func named(_ name: String) -> ParsableCommand.Type? {
    configuration.subcommands.first { $0._commandName == name || $0.configuration.aliases.contains(name) }
  }

  /// Ends the program as ArgumentParser does, but with this command's usage where only running it showed that the
  /// arguments cannot be. ArgumentParser prints the usage of the whole program then.
  static func exit(withErrorOfRun error: Error) -> Never {
    guard let error = error as? ValidationError else {
      // 'storedoctor help COMMAND' is a command whose run ends so.
      if !(error is ExitCode), exitCode(for: error).isSuccess { exitShowing(fullMessage(for: error)) }
      StoreDoctorCommand.exit(withError: error)
    }
    let usage = StoreDoctorCommand.usageString(for: self)
    let path = StoreDoctorCommand.words(to: self).joined(separator: " ")
    let message = error.message.split(separator: "\n", omittingEmptySubsequences: false)
      .map { escapedForTerminal(String($0)) }.joined(separator: "\n")
    standardError("Error: \(message)\nUsage: \(usage)\n  See '\(path) --help' for more information.")
    StoreDoctorCommand.exit(withError: ExitCode.validationFailure)
  }

  /// Shows help, by a pager where it is longer than the terminal, and ends.
  static func exitShowing(_ text: String) -> Never {
    let text = HelpText.arranged(text) + "\n"
    // Whoever closed the pipe does not want it.
    if !Pager.show(text) { try? standardOutput(text) }
    StoreDoctorCommand.exit(withError: ExitCode.success)
  }

  /// The words that lead from this command to another below it, both included; this command's alone where it is not
  /// below.
  private static func words(to command: ParsableCommand.Type) -> [String] {
    for next in configuration.subcommands where next == command || !next.configuration.subcommands.isEmpty {
      let rest = next == command ? [next._commandName] : next.words(to: command)
      if next == command || rest.count > 1 { return [_commandName] + rest }
    }
    return [_commandName]
  }
}
