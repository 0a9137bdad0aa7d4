import StoreDataModel
import StoreFindings
import StoreJSON
import StoreModels
import ArgumentParser
import StoreSQLite
import StoreReports

/// `storedoctor model check M [--pins FILE]`.
struct ModelCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find what is wrong with a model, or which released versions are no longer what they were.",
    discussion: """
      Without pins every version is looked at by itself: versions that cannot be read; what Xcode's model compiler warns \
      of (relationships without inverse, with one that does not lead back, or whose destination is missing); defaults \
      that cannot be read; transformable attributes whose transformer lets any class through, of which Core Data warns at \
      every start, or that does not let the attribute's own class through. Apps are shipped with such warnings.

      Mapping models of the project or app the bundle lies in are held against its versions: one whose source or \
      destination was edited after it was made is not found by Core Data, which then stops with 134140. With --git the \
      commit that edited the version is named.

      With pins: stores in the field were made with released versions. When the hash of one moves, these stores no \
      longer open, or are migrated from a version nobody knows. What moved is named property by property.

      EXIT STATUS
        0   nothing at the gate; every pinned version is there and as it was
        1   something is; a pinned version moved or is missing
        2   could not do the work, or it is not known whether a pinned version is
            as it was

      EXAMPLES
        storedoctor model check Notes.xcdatamodeld
        storedoctor model check Notes.xcdatamodeld --fail-on warning
        storedoctor model check ~/src/notes --git ~/src/notes
        storedoctor model check Notes.xcdatamodeld --allow-class Signature
        storedoctor model check Notes.xcdatamodeld --pins released.json
        storedoctor model check Notes.xcdatamodeld --pins released.json \\
          --fail-on never
        storedoctor model check Sources/ --pins released.json
      """)

  @Argument(help: "The model or bundle as it is now.", completion: .file())
  var model: String

  @Option(help: ArgumentHelp("What 'storedoctor model pin' wrote.", valueName: "file"), completion: .file())
  var pins: String?

  @Option(
    help: """
      What makes the exit status 1: error, warning, note or never. With --pins a moved version does, unless never.
      """)
  var failOn: Gate = .error

  @Option(help: mappingHelp, completion: .file()) var mapping: [String] = []

  @Option(help: gitHelp, completion: .directory) var git: String?

  @Option(
    help: ArgumentHelp(
      "Take this class for one that secure transformers let through, or that one of the app's own does. Repeatable.",
      valueName: "[transformer=]class"))
  var allowClass: [String] = []

  @OptionGroup(title: HelpGroup.source) var source: SourceArguments

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    if pins != nil, git != nil || !mapping.isEmpty {
      throw ValidationError("--git and --mapping are about mapping models, which are not looked at with --pins")
    }
    if pins != nil, !allowClass.isEmpty {
      throw ValidationError("--allow-class is about transformers, which --pins does not compare; omit one of them")
    }
    _ = try AllowedClasses(arguments: allowClass)
  }

  func run() throws {
    try reported {
      if let pins { try check(pins) } else { try checkModel() }
    }
  }

  private func checkModel() throws {
    let source = try source.model(model)
    var mappings = try MappingSources(mapping.map { PosixPath(argument: $0) })
    mappings.addFound(around: source)
    let problems = ModelProblems(
      source, mappings: mappings, history: git.map(VersionHistory.init),
      allowing: try AllowedClasses(arguments: allowClass))
    try write(problems.json) { problems.text(width: $0, isStyled: $1) }
    if problems.all.contains(where: { failOn.holds($0.kind.severity) }) { throw ExitCode(1) }
  }

  private func check(_ pins: String) throws {
    let check = PinCheck(try ModelPins(contentsOf: PosixPath(argument: pins)), against: try source.model(model))
    try write(check.json) { check.text(width: $0, isStyled: $1) }
    if !check.hasNotMoved && failOn != .never { throw ExitCode(1) }
    if !check.open.isEmpty { throw ExitCode(2) }
  }

  private func write(_ json: JSONValue, text: (_ width: Int, _ isStyled: Bool) -> String) throws {
    switch output.format {
    case .json: try standardOutput(json.text)
    case .text: try standardOutput(text(output.width, output.isStyled))
    }
  }
}
