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
        0   all versions are pinned, with all their entities
        2   could not do the work, or not all of it: entities that Swift source
            does not tell are left out and named, and the others are pinned; the
            file says which versions it has in part

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

  @OptionGroup(title: HelpGroup.source) var source: SourceArguments

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func run() throws {
    try reported {
      let path = PosixPath(argument: model)
      let source = try source.model(model)
      var pins = ModelPins(source.versions.filter { $0.failure == nil })
      let empty = pins.versions.filter { !$0.isWhole && $0.entities.isEmpty }
      pins.versions.removeAll { version in empty.contains { $0.name == version.name } }
      // Of nothing known there is nothing to pin: that says why.
      if pins.versions.isEmpty { _ = try source.wholeVersions() }
      try write(
        pins.json.text, to: output.map(PosixPath.init(argument:)), replacing: force, madeFrom: [path], canReplace: true)
      let partial = pins.versions.filter { !$0.isWhole }
      for sentence in source.unreadable { say("not pinned: \(sentence)") }
      for version in empty { say("not pinned: \(quoted(version.name)): \(version.unknown[0].words)") }
      for version in partial {
        say(
          "\(quoted(version.name)) is pinned in part: \(counted(Int64(version.entities.count), "entity", "entities"))")
        for unknown in version.unknown { say("not pinned: \(quoted(version.name)): \(unknown.words)") }
      }
      guard partial.isEmpty, empty.isEmpty, source.unreadable.isEmpty else { throw ExitCode(2) }
    }
  }

  private func say(_ text: String) { standardError("storedoctor: " + escapedForTerminal(text)) }
}
