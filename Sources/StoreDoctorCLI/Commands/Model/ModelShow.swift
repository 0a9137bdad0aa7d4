import StoreModels
import ArgumentParser
import StoreDataModel
import StoreReports

/// `storedoctor model show M`.
struct ModelShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a model as a person reads it.",
    discussion: """
      Of a bundle the current version is shown, as JSON all of them; 'Notes.momd#Notes 2' names another. Of Swift \
      source it is the model that SwiftData would build from the classes. As JSON it has the versions that are known \
      whole; with others left out, which are named, the exit status is 2. So it is where something shown is not known.

      Of a mapping model (.xcmappingmodel, .cdm) each entity mapping is shown, with where the values and links of its objects \
      come from.

      EXAMPLES
        storedoctor model show Notes.momd
        storedoctor model show Notes.sqlite --entity Note
        storedoctor model show Notes.xcdatamodeld --format json
        storedoctor model show Sources/#SchemaV2
      """)

  @Argument(help: "The model, a bundle of them, or a store.", completion: .file())
  var model: String

  @Option(
    name: .customLong("entity"), help: ArgumentHelp("Show this entity only. Repeatable.", valueName: "name"),
    completion: .entities)
  var entities: [String] = []

  @OptionGroup(title: HelpGroup.source) var source: SourceArguments

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    if output.format == .json && !entities.isEmpty {
      throw ValidationError("--entity is for text; JSON is the whole model")
    }
  }

  func run() throws {
    try reported {
      let source: ModelSource
      do {
        source = try self.source.model(model)
      } catch let error as ModelSourceError where error.kind == .mappingModel && output.format == .text {
        let mapping = try MappingModel.read(model)
        return try standardOutput(mapping.text(width: output.width, isStyled: output.isStyled))
      }
      switch output.format {
      case .json:
        let document = try convert(source, to: .json, toolVersion: toolVersion)
        try standardOutput(document.text)
        try endReportingLeftOut(document.leftOut)
      case .text:
        try standardOutput(source.text(width: output.width, isStyled: output.isStyled, entities: entities))
        if try source.decidingVersion().hasGaps(entities: entities) { throw ExitCode(2) }
      }
    }
  }
}
