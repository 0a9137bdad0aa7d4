import ArgumentParser

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How results are written; shared by the commands.
struct OutputOptions: ParsableArguments, StyledOutput {
  /// The forms a result can have.
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(help: "How to write the result: text or json.")
  var format: Format = .text

  @Option(help: colorHelp)
  var color: ColorWish = .auto
}

/// When to use colour.
enum ColorWish: String, ExpressibleByArgument, CaseIterable { case auto, always, never }

/// What `--color` says in the help of each command.
var colorHelp: ArgumentHelp { "When to use colour: auto, always or never. NO_COLOR is honoured." }

/// Options that decide how text looks.
///
/// They are no group of their own, for the reason that `DiagnosisArguments` gives.
protocol StyledOutput {
  /// When to use colour.
  var color: ColorWish { get }
}

extension StyledOutput {
  /// Whether escape sequences may be written to standard output.
  var isStyled: Bool {
    switch color {
    case .always: true
    case .never: false
    case .auto: isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil && terminalIsCapable
    }
  }

  private var terminalIsCapable: Bool {
    guard let terminal = getenv("TERM") else { return false }
    return String(cString: terminal) != "dumb"
  }

  /// Columns of the terminal; 100 where there is none.
  var width: Int {
    if let width = TerminalWidth.of(STDOUT_FILENO) { return width }
    if let columns = getenv("COLUMNS"), let width = Int(String(cString: columns)), width > 0 { return width }
    return 100
  }
}
