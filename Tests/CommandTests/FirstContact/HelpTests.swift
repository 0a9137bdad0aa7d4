import TestSupport
import Testing

/// Help lists a command's own options first, then groups, and the custody record last; none of the lists is long.
@Suite struct HelpTests {
  private static let commands = [
    "look", "inspect", "rows", "compare", "timeline", "diagnose", "repair", "merge", "apply", "undo", "migrate",
    "rehearse", "audit", "recover", "salvage", "anonymize", "report", "lint", "explain", "model show", "model hash",
    "model diff", "model match", "model convert", "model pin", "model check", "model sample",
  ]

  /// The titles below the usage.
  private func titles(_ help: String) -> [String] {
    help.components(separatedBy: "\nUSAGE: ").last?.split(separator: "\n").map(String.init).filter {
      $0.hasSuffix(":") && $0.first?.isUppercase == true && $0 == $0.uppercased()
    } ?? []
  }

  @Test(arguments: commands) func custodyIsLast(_ command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let help = try Program.run(words + ["--help"], environment: ["COLUMNS": "80"])
    let titles = titles(help.output)
    #expect(help.status == 0 && titles.last == "A RECORD OF THE RUN:", "\(titles)")
    // Where all are in groups but those of every command, these are no beginning.
    let own = lists(help.output)["OPTIONS:"] ?? []
    let place = Set(own).isSubset(of: Self.ofEveryCommand) ? titles.count - 2 : titles.first == "ARGUMENTS:" ? 1 : 0
    #expect(titles.firstIndex(of: "OPTIONS:") == place, "\(titles)")
    #expect(Set(titles).count == titles.count)
    #expect(try Program.run(["help"] + words, environment: ["COLUMNS": "80"]).output == help.output)
  }

  private static let ofEveryCommand: Set = ["--version", "-h, --help"]

  /// The options below each title.
  private func lists(_ help: String) -> [String: [String]] {
    var (lists, title): ([String: [String]], String) = ([:], "")
    for line in (help.components(separatedBy: "\nUSAGE: ").last ?? "").split(separator: "\n") {
      if line.first != " ", line.hasSuffix(":"), line == line.uppercased() {
        title = String(line)
      } else if let option = line.firstMatch(of: /^  (-0|(-h, )?--[a-z0-9-]+)/) {
        lists[title, default: []].append(String(option.output.1))
      }
    }
    return lists
  }

  /// A list of more than ten is one that nobody reads.
  @Test(arguments: commands) func groupsAreShort(_ command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let lists = lists(try Program.run(words + ["--help"], environment: ["COLUMNS": "80"]).output)
    for (title, options) in lists {
      #expect(options.filter { !Self.ofEveryCommand.contains($0) }.count <= 10, "\(command), \(title) \(options)")
    }
    let all = lists.values.flatMap(\.self)
    #expect(all.count > 5 && Set(all).count == all.count, "\(all)")
  }

  @Test func optionsOfDiagnoseAreInGroups() throws {
    let help = try Program.run(["diagnose", "--help"], environment: ["COLUMNS": "80"]).output
    #expect(
      titles(help) == [
        "ARGUMENTS:", "OPTIONS:", "THE MODEL IT IS TO OPEN WITH:", "WHAT IS LOOKED FOR:", "WHICH STATE OF THE STORE:",
        "SETTINGS:", "HOW THE RESULT IS WRITTEN:", "A RECORD OF THE RUN:",
      ])
    // Each option stands once.
    let options = help.matches(of: /\n  (--[a-z-]+)/).map { String($0.output.1) }
    #expect(options.count > 35 && Set(options).count == options.count)
  }

  /// No word is broken, and no line is wider than the terminal, but for what is to be typed.
  @Test(arguments: [60, 80, 120]) func helpFitsTheTerminal(_ columns: Int) throws {
    for command in ["diagnose", "recover", "rows", "audit", "report", "lint", "migrate", "anonymize"] {
      let help = try Program.run([command, "--help"], environment: ["COLUMNS": "\(columns)"]).output
      let options = help.components(separatedBy: "\nUSAGE: ").last ?? ""
      let lines = options.split(separator: "\n").drop { !$0.hasSuffix(":") }
      for line in lines { #expect(line.count <= columns, "\(command): \(line)") }
    }
  }

  @Test func theProgramListsItsCommands() throws {
    let help = try Program.run(["--help"]).output
    #expect(titles(help) == ["OPTIONS:", "SUBCOMMANDS:"])
    #expect(help.hasSuffix("  See 'storedoctor help <subcommand>' for detailed help.\n"))
  }
}
