import StoreJSON
import StoreInspection
import ArgumentParser
import StoreCoreData
import StoreSQLite
import StoreSalvage
import StoreReports

/// `storedoctor inspect STORE`.
struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what is in a store: entities, rows, relationships, metadata, files.",
    discussion: """
      The store is opened read-only through storedoctor's own file layer: no file beside it is created or \
      changed, and rows still in its WAL are read. STORE is a file of any name, or a folder or bundle that holds \
      exactly one store.

      EXAMPLES
        storedoctor inspect Notes.sqlite
        storedoctor inspect Photos.photoslibrary
        storedoctor inspect Notes.sqlite --entity Note --entity Tag
        storedoctor inspect Notes.sqlite --sizes
        storedoctor inspect Notes.sqlite --format json \\
          | jq '.entities[] | {name, rows}'
        storedoctor inspect Notes.sqlite --without-wal
        storedoctor inspect Notes.sqlite --wal backup/8740
        storedoctor inspect Notes.sqlite --commits
        storedoctor inspect Notes.sqlite --cloudkit
        storedoctor inspect Notes.sqlite@3
        storedoctor inspect old.sqlite --store-model Notes.momd
      """)

  @Argument(help: "The store: a file of any name, or a folder or bundle with exactly one store.", completion: .file())
  var store: String

  @Option(
    name: .customLong("entity"),
    help: ArgumentHelp(
      "Show this entity closely: columns, nulls, constraints, indexes. Repeatable.", valueName: "name"),
    completion: .entities)
  var entities: [String] = []

  @Flag(help: "Add the bytes of each table and its indexes.")
  var sizes = false

  @Flag(help: "List the commits of the write-ahead log: what each changed, and whether it can still be read.")
  var commits = false

  @Flag(
    name: .customLong("cloudkit"),
    help: "Count by entity what CloudKit's mirroring knows: uploaded, waiting, to be deleted, ghosts, without record.")
  var countsMirrored = false

  @OptionGroup(title: HelpGroup.state) var moment: MomentArguments

  @OptionGroup(title: HelpGroup.description) var storeModel: StoreModelArguments

  @Flag(name: .customLong("sha256"), help: "Add the SHA-256 of every file of the store.")
  var sha256 = false

  @Flag(help: "Show the values of the app's own metadata keys; they may be secret.")
  var showValues = false

  @Flag(help: "Show no progress while reading a large store.")
  var quiet = false

  @Flag(help: "Leave out entities and many-to-many tables without rows, and say how many there are. For text.")
  var noEmpty = false

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    if commits, !entities.isEmpty || noEmpty {
      throw ValidationError("--commits lists commits in place of entities; omit --entity and --no-empty")
    }
    guard noEmpty else { return }
    if !entities.isEmpty { throw ValidationError("--no-empty shortens the list of all entities; omit --entity") }
    if output.format != .text {
      throw ValidationError("--no-empty is for text; in JSON, look at 'rows' of each entity")
    }
  }

  func run() throws {
    let progress = ProgressLine("reading \(store)", isQuiet: quiet)
    try reported {
      defer { progress?.clear() }
      var options = InspectionOptions(
        entities: entities, measuresSizes: sizes, hashesFiles: sha256, showsValues: showValues,
        storeModel: try storeModel.source(of: store), listsCommits: commits)
      options.countsMirrored = countsMirrored
      let inspection = try inspect(
        PosixPath(argument: store),
        opening: moment.opening(progress: progress).readingPastDamage,
        options: options)
      progress?.clear()
      if countsMirrored, !inspection.cloudKit.isMirrored {
        standardError("storedoctor: note: the store has none of the tables of CloudKit's mirroring")
      }
      switch output.format {
      case .json: try standardOutput(inspection.json.text)
      case .text:
        try standardOutput(
          inspection.text(
            width: output.width, isStyled: output.isStyled, isClose: !entities.isEmpty,
            leavesOutEmpty: noEmpty))
      }
    }
  }
}
