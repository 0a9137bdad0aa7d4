import ArgumentParser
import SQLite
import StoreDoctor
import StoreReports

/// `storedoctor model pin M`.
struct ModelPin: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin",
    abstract: "Write down the hashes of released versions, for 'model check'.",
    discussion: """
      The file is small, its lines are in a stable order, and it belongs into version control: a line for every \
      property, so that a change of it shows in a review.

      EXAMPLES
        storedoctor model pin Notes.xcdatamodeld --output released.json
        storedoctor model pin 'Notes.xcdatamodeld#Notes 2' > released.json
        storedoctor model pin Sources/#SchemaV2 --output released.json
      """)

  @Argument(help: "The model or bundle; all its versions are pinned.")
  var model: String

  @Option(help: ArgumentHelp("Where the pins go; by default to standard output.", valueName: "file"))
  var output: String?

  @Flag(help: "Replace the file if it exists.")
  var force = false

  func run() throws {
    try reported {
      let path = PosixPath(argument: model)
      let pins = ModelPins(try readModel(path).whole())
      try write(pins.json.text, to: output.map(PosixPath.init(argument:)), replacing: force, madeFrom: [path])
    }
  }
}
