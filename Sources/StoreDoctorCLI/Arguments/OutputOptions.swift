import ArgumentParser
import StorePlatform

/// How results are written; shared by the commands.
struct OutputOptions: ParsableArguments, StyledOutput {
  /// The formats of a result.
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(help: "How to write the result: text or json.")
  var format: Format = .text

  @Option(help: colorHelp)
  var color: ColorWish = .auto
}

/// When to use colour.
enum ColorWish: String, ExpressibleByArgument, CaseIterable { case auto, always, never }

/// The help text of `--color`.
var colorHelp: ArgumentHelp { "When to use colour: auto, always or never. NO_COLOR is honoured." }

/// Options for the look of text.
///
/// Not an option group of its own, for the reason given at `DiagnosisArguments`.
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

  /// The width of the terminal; 100 columns where there is none.
  var width: Int {
    if let width = TerminalWidth.of(STDOUT_FILENO) { return width }
    if let columns = getenv("COLUMNS"), let width = Int(String(cString: columns)), width > 0 { return width }
    return 100
  }
}
