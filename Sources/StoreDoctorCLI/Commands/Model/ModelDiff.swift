import ArgumentParser
import CoreDataModel
import SQLite
import StoreDoctor
import StoreReports

/// `storedoctor model diff A B`.
struct ModelDiff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two models property by property.",
    discussion: """
      Of each change it is said whether it enters the version hash (then a store of A no longer opens with B) and what \
      a lightweight migration from A to B makes of it, with the grade of evidence for that.

      EXAMPLES
        storedoctor model diff 'Notes.momd#Notes 2' 'Notes.momd#Notes 3'
        storedoctor model diff Notes.sqlite Notes.xcdatamodeld
        storedoctor model diff Sources/#SchemaV1 Sources/#SchemaV2
        storedoctor model diff old.xcdatamodel new.xcdatamodel --format json
      """)

  @Argument(help: "The older model; of a bundle the current version.")
  var from: String

  @Argument(help: "The newer model; of a bundle the current version.")
  var to: String

  @Option(
    name: .customLong("entity"),
    help: ArgumentHelp("Show the changes of this entity only. Repeatable.", valueName: "name"))
  var entities: [String] = []

  @OptionGroup var output: OutputOptions

  func run() throws {
    try reported {
      let (source, destination) = try (readModel(PosixPath(argument: from)), readModel(PosixPath(argument: to)))
      let (old, new) = try (source.decidingVersion().whole(), destination.decidingVersion().whole())
      let report = ModelDiffReport(
        source: side(source, old), destination: side(destination, new),
        inference: MigrationInference(ModelDifference(from: old.model, to: new.model)), entities: entities)
      try report.checkEntities()
      switch output.format {
      case .json: standardOutput(report.json.text)
      case .text: standardOutput(report.text(width: output.width, isStyled: output.isStyled))
      }
    }
  }

  private func side(_ source: ModelSource, _ version: ModelSource.Version) -> ModelDiffReport.Side {
    ModelDiffReport.Side(path: source.path, version: source.isBundle ? version.name : nil)
  }
}
