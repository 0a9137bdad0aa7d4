import StoreJSON
import StoreModels
import ArgumentParser
import StoreSQLite
import StoreReports

/// `storedoctor model check M --pins FILE`.
struct ModelCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Fail when a released version of a model is no longer what it was.",
    discussion: """
      Stores in the field were made with released versions. When the hash of one moves, these stores no longer open, or \
      are migrated from a version nobody knows. What moved is named property by property.

      EXIT STATUS
        0   every pinned version is there and as it was
        1   one moved or is missing
        2   could not do the work, or Swift source does not tell whether a pinned version is as it was

      EXAMPLES
        storedoctor model check Notes.xcdatamodeld --pins released.json
        storedoctor model check Notes.xcdatamodeld --pins released.json \\
          --fail-on never
        storedoctor model check Sources/ --pins released.json
      """)

  @Argument(help: "The model or bundle as it is now.")
  var model: String

  @Option(help: ArgumentHelp("What 'storedoctor model pin' wrote.", valueName: "file"))
  var pins: String

  @Option(help: "Whether a moved version makes the exit status 1: error or never.")
  var failOn: Gate = .error

  @OptionGroup var source: SourceArguments

  @OptionGroup var output: OutputOptions

  /// The severity from which on the exit status is 1.
  enum Gate: String, ExpressibleByArgument, CaseIterable { case error, warning, note, never }

  func run() throws {
    try reported {
      let check = PinCheck(
        try ModelPins(contentsOf: PosixPath(argument: pins)), against: try source.model(model))
      switch output.format {
      case .json: try standardOutput(check.json.text)
      case .text: try standardOutput(check.text(width: output.width, isStyled: output.isStyled))
      }
      if !check.hasNotMoved && failOn != .never { throw ExitCode(1) }
      if !check.open.isEmpty { throw ExitCode(2) }
    }
  }
}
