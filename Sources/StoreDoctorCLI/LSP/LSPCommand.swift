import ArgumentParser
import StoreSourceChecks
import StoreWords

/// `storedoctor lsp`.
struct LSPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Show the findings of lint in an editor, over the Language Server Protocol.",
    discussion: """
      An editor that speaks the Language Server Protocol starts this program, and shows at their places what 'storedoctor \
      lint' finds in the folders it has open: when it starts, and after each save. What is not saved is not read. What was \
      not checked stands in the editor's log. Nothing is written, and nothing of the source is built or run.

      It works as 'lint' does in the first of the folders: the nearest .storedoctor.yaml counts, and relative paths of \
      options begin there. Reading is done by the program storedoctor-swiftdata, beside this one or in PATH.

      EXIT STATUS
        0   the editor asked it to shut down
        1   the input ended, or the editor said exit, without that
        2   the input is no such protocol, or nobody reads the answers
        64  wrong usage

      EXAMPLES
        storedoctor lsp
        storedoctor lsp --store Fixtures/v1.store --pins released.json
        nvim --cmd 'autocmd FileType swift lua vim.lsp.start({
          cmd = {"storedoctor", "lsp"}, root_dir = vim.fn.getcwd() })'   # Neovim 0.8 and later
      """)

  @OptionGroup(title: "What was shipped") var shipped: ShippedArguments

  @OptionGroup(title: HelpGroup.checks) var checks: CheckOptions<SourceCheck>

  @OptionGroup(title: HelpGroup.settings) var source: SourceTermArguments

  @OptionGroup(title: HelpGroup.settings) var configuration: ConfigurationOptions

  func validate() throws { _ = try checks.selected }

  func run() throws {
    try reported {
      var server = LSPServer {
        try linted($0, shipped, checks, source, configuration).report
      }
      guard try server.serve() else { throw ExitCode(1) }
    }
  }
}
