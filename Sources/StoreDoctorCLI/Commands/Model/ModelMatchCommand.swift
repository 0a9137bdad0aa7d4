import StoreJSON
import StoreModels
import StoreDataModel
import ArgumentParser
import StoreCoreData
import StoreSQLite
import StoreReports
import StoreWords

/// `storedoctor model match STORE M...`.
struct ModelMatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Find which version of a model a store was made with.",
    discussion: """
      The version hashes in the store's metadata decide, not its version identifier. When no version has them, the \
      nearest is named with what differs. With --git every version a model ever had in a repository is tried, and \
      the commits and tags are named; nothing the repository configures is run. Models in Swift source are \
      searched too: the Swift files of each commit are read, none is run.

      Mapping models (.cdm, .xcmappingmodel) among the models, and those that lie in or beside a bundle of models, are \
      held against the store and the versions by the hashes in them.

      EXIT STATUS
        0   a version, or several merged, made the store
        1   none of them did
        2   could not do the work

      EXAMPLES
        storedoctor model match Notes.sqlite Notes.app/Notes.momd
        storedoctor model match Notes.sqlite Notes.xcdatamodeld \\
          Extension.xcdatamodeld
        storedoctor model match Notes.sqlite Notes.app/Notes.momd Notes.app/*.cdm
        storedoctor model match default.store Sources/
        storedoctor model match Notes.sqlite --git ~/src/notes
      """)

  @Argument(help: "The store: a file of any name, or a folder or bundle with exactly one store.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp("The models the store may have been made with, and mapping models.", valueName: "model"),
    completion: .file())
  var models: [String] = []

  @Option(help: ArgumentHelp("A git repository, bare or not, whose history is searched.", valueName: "folder"))
  var git: String?

  @OptionGroup(title: HelpGroup.state) var moment: MomentArguments

  @Option(help: defineHelp)
  var define: [String] = []

  @Option(help: assumeHelp)
  var assume: [AssumedType] = []

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: HelpGroup.settings) var configuration: ConfigurationOptions

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    if models.isEmpty && git == nil {
      throw ValidationError("give the models to match the store with, or a repository with --git")
    }
  }

  func run() throws {
    try reported {
      let terms = try configuration.terms(define: define, assume: assume, beside: [PosixPath(argument: store)])
      let sources = try MatchSources(models.map { PosixPath(argument: $0) }, SourceReadings(defines: terms))
      var match = try matched(sources)
      for problem in sources.found.problems { standardError("storedoctor: " + problem) }
      if let git {
        var history = try matchHistory(match.store.hashes, repository: git)
        try matchSourceHistory(
          PosixPath(argument: store), opening: moment.opening(), repository: git, defines: terms,
          temporaryFolder: .forTemporaryFiles, adding: &history)
        match.history = history
      }
      switch output.format {
      case .json: try standardOutput(match.json.text)
      case .text: try standardOutput(match.text(width: output.width, isStyled: output.isStyled))
      }
      if !match.isFound { throw ExitCode(match.possible.isEmpty && match.history?.isWhole != false ? 1 : 2) }
    }
  }

  /// - Throws: a hint where a model stands in the place of the store.
  private func matched(_ sources: MatchSources) throws -> ModelMatch {
    do {
      return try matchModel(
        store: PosixPath(argument: store), opening: moment.opening(),
        candidates: sources.models, mappings: sources.mappings, found: sources.found)
    } catch let error as StoreError {
      guard case .otherKind(let kind) = error.problem, [.compiledModel, .xcodeModel].contains(kind),
        let model = models.first
      else { throw error }
      throw SwappedArguments(model: store, store: model)
    }
  }
}

/// A model in the place of the store.
private struct SwappedArguments: Error, CustomStringConvertible {
  let model: String
  let store: String

  var description: String {
    "\(quoted(model)) is a model, and the store comes first: storedoctor model match \(shellQuoted(store)) "
      + shellQuoted(model)
  }
}
