import ArgumentParser
import StoreSQLite
import StoreWords

/// `storedoctor mcp --root DIR`.
struct MCPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Answer a coding assistant, over the Model Context Protocol.",
    discussion: """
      An assistant that speaks the Model Context Protocol starts this program and asks it over standard input and \
      output. The tools are inspect, diagnose, modelDiff, modelMatch, lint, explain, rehearse (a migration, on a copy that is \
      thrown away) and planRepair (what a repair would do); each answers with the JSON of the command of that name. \
      Nothing can be written by them.

      Only what lies below --root is read: a path that leads out of it, by '..' or by a link, and a folder that holds such a \
      link, a pipe or a device, are refused. Values of rows and of the app's own metadata are shown only with \
      --allow-values; without it they never reach the assistant, nor whoever runs it.

      It ends when its input ends.

      EXIT STATUS
        0   the input ended
        2   --root is no folder that can be read, or nobody reads the answers
        64  wrong usage

      EXAMPLES
        storedoctor mcp --root ~/Library/Developer/CoreSimulator
        claude mcp add storedoctor -- storedoctor mcp --root "$PWD"
      """)

  @Option(help: ArgumentHelp("The folder below which files are read.", valueName: "folder"), completion: .directory)
  var root: String

  @Flag(name: .customLong("allow-values"), help: "Show values of rows where the assistant asks for them.")
  var allowsValues = false

  func run() throws {
    try reported {
      var server = MCPServer(tools: MCPTools(root: try RootedPaths(root), allowsValues: allowsValues))
      try server.serve()
    }
  }
}
