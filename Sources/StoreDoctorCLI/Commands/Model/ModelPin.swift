import StoreJSON
import StoreWords
import StoreModels
import ArgumentParser
import StoreDataModel
import StoreSQLite
import StoreReports

/// `storedoctor model pin M`.
struct ModelPin: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin",
    abstract: "Write down the hashes of released versions, for 'model check'.",
    discussion: """
      The file is small, its lines are in a stable order, and it belongs into version control: a line for every \
      property, so that a change of it shows in a review.

      EXIT STATUS
        0   all versions are pinned
        2   could not do the work, or not all of it: versions that Swift source does not tell whole are left out and \
      named, and the others are pinned

      EXAMPLES
        storedoctor model pin Notes.xcdatamodeld --output released.json
        storedoctor model pin 'Notes.xcdatamodeld#Notes 2' > released.json
        storedoctor model pin Sources/#SchemaV2 --output released.json
      """)

  @Argument(help: "The model or bundle; all its versions are pinned.", completion: .file())
  var model: String

  @Option(
    help: ArgumentHelp("Where the pins go; by default to standard output.", valueName: "file"), completion: .file())
  var output: String?

  @Flag(help: "Replace the file if it exists.")
  var force = false

  @OptionGroup var source: SourceArguments

  @OptionGroup(title: "A record of the run") var custody: CustodyArguments

  func run() throws {
    try reported {
      let path = PosixPath(argument: model)
      let (versions, leftOut) = try source.model(model).wholeVersions()
      try write(
        ModelPins(versions).json.text, to: output.map(PosixPath.init(argument:)), replacing: force, madeFrom: [path],
        canReplace: true)
      guard !leftOut.isEmpty else { return }
      for sentence in leftOut { standardError("storedoctor: not pinned: " + escapedForTerminal(sentence)) }
      let names = versions.map { quoted($0.name) }.joined(separator: ", ")
      standardError("storedoctor: pinned \(names) only; 'PATH#VERSION' pins one version and asks nothing of the others")
      throw ExitCode(2)
    }
  }
}
