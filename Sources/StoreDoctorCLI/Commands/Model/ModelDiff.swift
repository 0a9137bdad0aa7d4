import StoreJSON
import StoreMigration
import StoreModels
import StoreSQLite
import ArgumentParser
import StoreDataModel
import StoreReports
import StoreWords

/// `storedoctor model diff A B`.
struct ModelDiff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two models property by property.",
    discussion: """
      Of each change it is said whether it enters the version hash (then a store of A no longer opens with B) and what \
      a lightweight migration from A to B makes of it, with the grade of evidence for that. What Swift source does not \
      tell of an entity is said, with whether it changed as far as the source tells; where a change depends on it, that \
      entity is undecided, everything else is said all the same, and the exit status is 2. What a store does not tell apart is left out without --all: a store and the version that made \
      it are equal.

      EXAMPLES
        storedoctor model diff 'Notes.momd#Notes 2' 'Notes.momd#Notes 3'
        storedoctor model diff Notes.sqlite Notes.xcdatamodeld
        storedoctor model diff Sources/#SchemaV1 Sources/#SchemaV2
        storedoctor model diff old.xcdatamodel new.xcdatamodel --format json
      """)

  @Argument(help: "The older model; of a bundle the current version.", completion: .file())
  var from: String

  @Argument(help: "The newer model; of a bundle the current version.", completion: .file())
  var to: String

  @Option(
    name: .customLong("entity"),
    help: ArgumentHelp("Show the changes of this entity only. Repeatable.", valueName: "name"), completion: .entities)
  var entities: [String] = []

  @Flag(
    name: .customLong("all"),
    help:
      "Show too what a store does not tell apart: indexes by another name or form, classes that one side does not name."
  )
  var showsForms = false

  @Option(help: mappingHelp, completion: .file()) var mapping: [String] = []

  @OptionGroup(title: HelpGroup.source) var reading: SourceArguments

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func run() throws {
    try reported {
      let (source, destination) = try reading.models(from, to: to)
      let comparison = try diffModels(from: source, to: destination)
      let report = ModelDiffReport(
        source: side(source, version: comparison.source),
        destination: side(destination, version: comparison.destination),
        inference: comparison.inference, entities: entities, doubtful: comparison.doubtful,
        isInferable: .some(comparison.isInferable), showsForms: showsForms,
        mapping: try mapping(from: source, to: destination, comparison.inference))
      try report.checkEntities()
      switch output.format {
      case .json: try standardOutput(report.json.text)
      case .text: try standardOutput(report.text(width: output.width, isStyled: output.isStyled))
      }
      if comparison.isUndecided { throw ExitCode(2) }
    }
  }

  private func mapping(
    from source: ModelSource, to destination: ModelSource, _ inference: MigrationInference
  ) throws -> MappingUse? {
    var mappings = try MappingSources(mapping.map { PosixPath(argument: $0) })
    mappings.addFound(around: source)
    mappings.addFound(around: destination)
    for problem in mappings.problems { standardError("storedoctor: " + problem) }
    let use = MappingUse(inference, among: mappings.mappings)
    let ends = [
      ("the first model", inference.difference.source), ("the second model", inference.difference.destination),
    ]
    for mapping in mappings.mappings where mappings.given.contains(mapping.path) && mapping.path != use?.path {
      let fit = MappingFit(mapping, versions: ends.map { .init(name: $0, hashes: $1.versionHashes) })
      let reasons =
        fit.reasons.isEmpty
        ? "it does not lead from the first model to the second" : fit.reasons.joined(separator: "; ")
      standardError("storedoctor: the mapping model \(quoted(mapping.path)) is not used: \(reasons)")
    }
    return use
  }

  private func side(_ source: ModelSource, version: ModelSource.Version) -> ModelDiffReport.Side {
    ModelDiffReport.Side(
      path: source.path, version: source.isBundle ? version.name : nil, isSwiftSource: source.format == .swift)
  }
}
