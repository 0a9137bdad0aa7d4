import ArgumentParser
import StoreCoreData
import StoreDataModel
import StoreModels
import StorePublishing
import StoreReports
import StoreSQLite
import StoreSamples
import StoreWords

/// `storedoctor model sample M --output STORE`.
struct ModelSample: ParsableCommand, StyledOutput {
  static let configuration = CommandConfiguration(
    commandName: "sample",
    abstract: "Make a store of a model's version, with objects that are made up.",
    discussion: """
      The store is what Core Data would write for the version: tables, indexes, metadata, model cache, and objects with both \
      sides of all links. It is diagnosed with the model before it gets its name. Made of every version that was shipped, such \
      stores show whether an update migrates all of them.

      minimal has one object of each entity, with what the model requires and nothing else; typical has 10 to 20 of each, with \
      all attributes and relationships set; edge has values, orders and counts at the bounds of what the model allows. \
      Abstract entities have no objects, and entities that required relationships lead to may have more. Rules of the model \
      that could not be kept, and what the store does not have, are listed.

      --like STORE makes as many objects of each entity as STORE has, leaves as many values out, and gives as many objects as \
      many links. No value of STORE is read, only counted: it is for those who may not send even the copy that 'anonymize' \
      makes. Without MODEL it is the version that STORE itself has.

      The same version, options and storedoctor give the same bytes. Of a bundle or of source it is the current version; \
      'Notes.momd#Notes 2' is another one.

      EXIT STATUS
        0   made
        2   could not do the work
        64  wrong usage

      EXAMPLES
        storedoctor model sample 'Notes.xcdatamodeld#Notes 2' --output Sample.sqlite
        storedoctor model sample Notes.momd --output Sample.sqlite --kind edge
        storedoctor model sample Sources/#SchemaV1 --output V1.store --rows 1000
        storedoctor model sample --like Notes.sqlite --output ToSend.sqlite
      """)

  @Argument(
    help: "The model; of a bundle the current version. With --like that of the store, if it is left out.",
    completion: .file())
  var model: String?

  @Option(help: ArgumentHelp("Write the store to this path.", valueName: "store"), completion: .file())
  var output: String

  @Option(help: "What is in it: minimal, typical or edge.")
  var kind: SampleKind = .typical

  @Option(help: ArgumentHelp("Objects of each entity, up to 100000; not with minimal.", valueName: "n"))
  var rows: Int?

  @Option(
    help: ArgumentHelp(
      "Have as many objects, NULLs and links as this store, and none of its values.", valueName: "store"),
    completion: .file())
  var like: String?

  @Option(help: ArgumentHelp("Another number gives other objects.", valueName: "number"))
  var seed: UInt64 = 1

  @Flag(help: "Replace an existing output, with its side files and support folder.")
  var force = false

  @OptionGroup(title: HelpGroup.source) var source: SourceArguments

  @Option(help: "How to write the result: text or json.")
  var format: OutputOptions.Format = .text

  @Option(help: colorHelp)
  var color: ColorWish = .auto

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    if model == nil, like == nil { throw ValidationError("name a model, or a store with --like") }
    if like != nil, rows != nil || kind != .typical {
      throw ValidationError(
        "--like says how many objects there are, with values as in typical; leave --rows and --kind away")
    }
    if let rows, !(1...SampleOptions.mostRows).contains(rows) {
      throw ValidationError("--rows is 1 to \(SampleOptions.mostRows)")
    }
    if rows != nil, kind == .minimal {
      throw ValidationError("minimal has one object of each entity; leave --rows away")
    }
  }

  func run() throws {
    try reported {
      let models = try source.model(named)
      let version = try models.decidingVersion().whole()
      let shape = try like.map { try SampleShape(of: Store(StoreLocator.locate(PosixPath(argument: $0)))) }
      let target = OutputTarget(
        PosixPath(argument: output), replaces: force,
        protected: ([named, bundle, like].compactMap(\.self) + source.store).map { PosixPath(argument: $0) })
      let made = try makeSample(
        of: version, in: models, to: target, SampleOptions(kind: kind, rows: rows, like: shape, seed: seed))
      let done = "all the same it was made: \(quoted(output))"
      switch format {
      case .text: try standardOutput(made.text(width: width, isStyled: isStyled, next: nextCommands), done: done)
      case .json: try standardOutput(made.json.text, done: done)
      }
    }
  }

  /// The model, or the store that has its own.
  private var named: String { model ?? like ?? "" }

  /// The bundle or source of a version that was named with it.
  private var bundle: String? {
    ModelSource.versionSpellings(of: named).map(\.path).first { FileSystem.kind(of: PosixPath(argument: $0)) != nil }
  }

  private var nextCommands: [String] {
    (bundle.map { ["storedoctor migrate \(shellQuoted(output)) --model \(shellQuoted($0)) --dry-run"] } ?? [])
      + ["storedoctor diagnose \(shellQuoted(output)) --model \(shellQuoted(named))"]
  }
}

extension SampleKind: ExpressibleByArgument {}
