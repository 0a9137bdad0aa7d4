import StoreModels
import ArgumentParser
import StoreDataModel
import StoreSQLite
import StoreWords

/// How Swift source is read; shared by the commands about models.
struct SourceArguments: ParsableArguments {
  @Option(help: defineHelp) var define: [String] = []

  @Option(help: assumeHelp) var assume: [AssumedType] = []

  @Option(
    help: ArgumentHelp(
      "In Swift source: a store whose hashes decide how classes are read, where rules are open. Repeatable.",
      valueName: "store"), completion: .file())
  var store: [String] = []

  @Option(
    name: .customLong("wal"),
    help: ArgumentHelp(
      "Of a store: read this file as its write-ahead log, in place of the one beside it.", valueName: "file"),
    completion: .file())
  var logPath: String?

  @OptionGroup var configuration: ConfigurationOptions

  /// The model that an argument names.
  func model(_ argument: String) throws -> ModelSource {
    let source = try modelOrOther(argument)
    try requireStore(among: [source])
    return source
  }

  /// The two models that are compared.
  func models(_ from: String, to: String) throws -> (ModelSource, ModelSource) {
    let (source, destination) = (try modelOrOther(from), try modelOrOther(to))
    try requireStore(among: [source, destination])
    return (source, destination)
  }

  /// Throws where a log was named that is of none of the models, or of two.
  private func requireStore(among sources: [ModelSource]) throws {
    guard logPath != nil, sources.count(where: { $0.format == .store }) != 1 else { return }
    throw ValidationError("--wal names the write-ahead log of one store; give a store, and one alone")
  }

  private func modelOrOther(_ argument: String) throws -> ModelSource {
    let terms = try configuration.terms(define: define, assume: assume, beside: store.map { PosixPath(argument: $0) })
    let source = try readModel(
      PosixPath(argument: argument), readings: SourceReadings(defines: terms),
      log: logPath.map { PosixPath(argument: $0) })
    for clause in source.remarks { standardError("storedoctor: \(escapedForTerminal("\(source.path): \(clause)"))") }
    if let words = source.passedOverWords { standardError("storedoctor: " + words) }
    return try source.decided(by: store.map { PosixPath(argument: $0) })
  }
}

/// The help text of `--define`.
var defineHelp: ArgumentHelp {
  ArgumentHelp(
    "In Swift source: what '#if NAME' is. NAME, which can be 'os(iOS)', holds, and NAME=false does not. Repeatable.",
    valueName: "name[=false]")
}

/// The help text of `--assume`.
var assumeHelp: ArgumentHelp {
  ArgumentHelp(
    "In Swift source: what a type is stored as that nothing tells: AttributedString=transformable, URL=uri. What rests on "
      + "it is marked. Repeatable. (values: \(AssumedType.words.map(\.word).joined(separator: ", ")))",
    valueName: "type=reading")
}

/// The help text of `--allow-assumed`.
let allowAssumedHelp: ArgumentHelp =
  """
  Perform what is known by inference only, too; the output says what. It allows a step; --assume says how a type in \
  Swift source is stored.
  """

extension AssumedType: ExpressibleByArgument {
  /// "URL=uri"
  public init?(argument: String) { self.init(argument) }

  /// "URL=uri"
  public var defaultValueDescription: String { text }
}

/// The help text of `--git`.
var gitHelp: ArgumentHelp {
  ArgumentHelp(
    "The git repository of the app, bare or not: it names the commit that changed a version a mapping model was made "
      + "for, and tells which of two versions is newer.", valueName: "folder")
}

/// The help text of `--mapping`.
var mappingHelp: ArgumentHelp {
  ArgumentHelp(
    "A mapping model of the app: .cdm or .xcmappingmodel, or a folder with some below it. Repeatable. Those of the "
      + "project or app that a bundle of models lies in are found.", valueName: "mapping")
}
