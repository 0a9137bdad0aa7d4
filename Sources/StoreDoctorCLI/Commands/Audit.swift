import StoreWords
import StoreAudit
import StoreDiagnosis
import StoreModels
import StoreRepair
import ArgumentParser
import StoreCoreData
import StoreSQLite
import StoreReports

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `storedoctor audit PATH...`.
struct Audit: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Diagnose thousands of stores: one line each, one report, a gate for CI.",
    discussion: """
      PATH is a file, a folder that is searched for stores (by content, whatever they are called), or a .tar, .tar.gz or \
      .zip. Stores are read by worker processes, so one that is damaged, hostile, huge or slow costs one line and never \
      the run. Lines come in the order of the input, whatever the number of jobs. Nothing is written \
      near the stores; links are not followed.

      EXIT STATUS
        0   done, no store at the gate
        1   done, stores at the gate (an unreadable store is an error), or copies of --apply that failed
        2   the run itself failed, or there was no store
        64  wrong usage

      EXAMPLES
        storedoctor audit Backups/ > stores.jsonl
        storedoctor audit Backups/ --model Notes.xcdatamodeld --resume stores.jsonl
        storedoctor audit --merge stores.jsonl --summary
        storedoctor audit --merge stores.jsonl --summary --format html \\
          --report fleet.html
        find /srv/tickets -name '*.zip' -print0 \\
          | storedoctor audit --from - -0 --model Notes.momd
        storedoctor audit Shipped/ --model Sources/ --fail-on error
        storedoctor audit Shipped/ --model Notes.momd --min-migrates 99.9% \\
          --baseline known.jsonl
        storedoctor audit Backups/ --recipe clean-up.yaml --apply \\
          --output-dir Repaired/
        storedoctor audit --from stores.txt --shard 3/8 > part-3.jsonl
      """)

  @OptionGroup var input: AuditInputArguments

  @OptionGroup(title: lookedAt) var candidates: CandidateArguments

  @OptionGroup(title: lookedAt) var checks: CheckOptions<Check>

  @OptionGroup(title: lookedAt) var diagnosis: DiagnosisArguments

  @OptionGroup(title: lookedAt) var configuration: ConfigurationOptions

  @OptionGroup(title: lookedAt) var recipe: AuditRecipeArguments

  @OptionGroup(title: "How the work is done") var work: AuditWork

  @OptionGroup(title: "What comes of it") var output: AuditOutput

  /// How this program starts itself as a worker: `informed` where it hands over Swift source that was read.
  enum Worker: EnumerableFlag {
    case plain, informed

    static func name(for value: Self) -> NameSpecification {
      switch value {
      case .plain: .customLong("worker")
      case .informed: .customLong("informed-worker")
      }
    }

    static func help(for value: Self) -> ArgumentHelp? { .hidden }
  }

  @Flag(help: .hidden)
  var worker: Worker?

  func validate() throws {
    guard worker == nil else { return }
    try input.check()
    try output.check(input)
    let names = looks.names + (work.timings ? ["--timings"] : [])
    if !output.merged.isEmpty, let name = names.first {
      throw ValidationError(
        "--merge reads lines and no stores: what \(name) asks was decided when the lines were made; leave it out, or "
          + "audit the stores again")
    }
  }

  private var looks: AuditLooks {
    AuditLooks(
      candidates: candidates, checks: checks, diagnosis: diagnosis, configuration: configuration, recipe: recipe)
  }

  func run() throws {
    try reported {
      if let worker {
        let readings =
          try worker == .informed ? SourceReadings(handedOver: (), defines: candidates.define) : candidates.readings
        let settings = try looks.settings(work, looks.configuration.named(), output, readings)
        try serveAudit(settings, memory: work.memoryBytes) { $0.line }
      }
      try AuditCommand(input: input, work: work, looks: looks, output: output).run()
    }
  }
}

/// What an audit is of.
struct AuditInputArguments: ParsableArguments {
  @Argument(help: "Files, folders and archives.")
  var path: [String] = []

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp(
      "Take further paths from a file, or - for standard input: a line each, or an object of JSON with path and id.",
      valueName: "file"))
  var lists: [String] = []

  @Flag(name: .customShort("0"), help: "The paths of --from end with NUL, as find -print0 writes them.")
  var isNULSeparated = false

  @Option(help: ArgumentHelp("Take only the I-th of N parts of the input, told by id or path.", valueName: "i/n"))
  var shard: String?

  func check() throws {
    if isNULSeparated, lists.isEmpty { throw ValidationError("-0 goes with --from") }
    if let shard, Shard(shard) == nil {
      throw ValidationError("--shard is a part and how many there are, as in 2/8; not '\(shard)'")
    }
  }

  var isEmpty: Bool { path.isEmpty && lists.isEmpty }

  var input: AuditInput {
    AuditInput(
      path.map { PosixPath(argument: $0) },
      lists: lists.map { AuditInput.List($0 == "-" ? nil : PosixPath(argument: $0), isNULSeparated: isNULSeparated) },
      shard: shard.flatMap { Shard($0) })
  }
}

/// The heading of the options that say what is looked at in each store.
private let lookedAt = "What is looked at"

/// The recipe that is planned for each store, or carried out.
struct AuditRecipeArguments: ParsableArguments {
  @Option(
    name: .customLong("recipe"),
    help: ArgumentHelp("Plan this recipe for each store, and count what would be done.", valueName: "file"))
  var recipeFile: String?

  @Flag(help: "Carry the recipe out, on copies in the folder of --output-dir.")
  var apply = false

  @Option(
    name: .customLong("output-dir"),
    help: ArgumentHelp("Where repaired copies go, with a ledger; stores are only read.", valueName: "folder"))
  var outputFolder: String?

  @Flag(help: "Allow repairs that lose something.")
  var allowLossy = false

  @Flag(help: "Allow changes of the metadata.")
  var allowMetadata = false

  @Flag(help: "Allow deleting rows of stores that CloudKit mirrors.")
  var allowMirrored = false

  func validate() throws {
    if apply != (outputFolder != nil) { throw ValidationError("--apply and --output-dir go together") }
    if apply, recipeFile == nil { throw ValidationError("--apply carries out a recipe; name one with --recipe") }
  }

  /// Throws where copies would lie among the stores that are audited.
  func check(_ input: AuditInputArguments) throws {
    for path in input.path { try requireApart(PosixPath(argument: path)) }
  }

  /// Throws where copies would lie in a folder that is audited.
  func requireApart(_ path: PosixPath) throws {
    guard let outputFolder, let folder = try? PosixPath(argument: outputFolder).resolvedAsFarAsThere,
      let audited = try? path.resolved(), FileSystem.kind(of: audited) == .folder,
      (folder.bytes + [UInt8(ascii: "/")]).starts(with: audited.bytes + [UInt8(ascii: "/")])
    else { return }
    throw ValidationError(
      "--output-dir lies in \(quoted(path.description)), which is audited: the copies would be too; name another folder"
    )
  }

  /// Where it is written down what became of each store; its folder is made.
  ///
  /// - Parameter shard: the part of the input that is audited; each has its own, so that all may share the folder.
  func ledger(_ shard: Shard?) throws -> PosixPath? {
    guard let outputFolder else { return nil }
    let folder = PosixPath(argument: outputFolder)
    if FileSystem.kind(of: folder) == nil { _ = try newFolder(folder) }
    let part = shard.map { "-\($0.number)-of-\($0.count)" } ?? ""
    return folder.appending(component: Array("ledger\(part).jsonl".utf8))
  }

  /// The recipe, read.
  func recipe(isResumed: Bool) throws -> AuditRecipe? {
    guard let recipeFile else { return nil }
    return AuditRecipe(
      try Recipe(PosixPath(argument: recipeFile)), outputFolder: outputFolder.map { PosixPath(argument: $0) },
      allowance: RepairAllowance(lossy: allowLossy, metadata: allowMetadata, mirrored: allowMirrored),
      replaces: isResumed)
  }
}

/// What is looked at in each store, and by which models it is judged.
struct AuditLooks {
  let candidates: CandidateArguments
  let checks: CheckOptions<Check>
  let diagnosis: DiagnosisArguments
  let configuration: ConfigurationOptions
  let recipe: AuditRecipeArguments

  /// What every store is looked at for; the command line first, and where it is silent the configuration.
  func settings(
    _ work: AuditWork, _ found: Configuration?, _ output: AuditOutput, _ readings: SourceReadings
  ) throws -> AuditSettings {
    let held = try checks.unmuting(found)
    return AuditSettings(
      diagnosis: try diagnosis.options(held, candidates, integrity: .quick, readings), checks: try checks.selected,
      ignoresWAL: diagnosis.withoutWAL, recipe: try recipe.recipe(isResumed: output.resume != nil),
      isTimed: work.timings,
      decidedBy: ["\(work.timeout)", "\(work.memory)", try output.baselineText] + candidates.define,
      toolVersion: toolVersion)
  }

  /// Throws where what is asked for cannot be, before any store is read.
  func check(
    _ output: AuditOutput, _ input: AuditInputArguments, _ configuration: Configuration?, _ readings: SourceReadings
  ) throws {
    let asked = [
      output.expectVersion.map { _ in "--expect-version" }, output.minMigrates.map { _ in "--min-migrates" },
    ].compactMap(\.self)
    if output.merged.isEmpty, let option = asked.first {
      let names = try candidates.options(configuration, readings).versionNames
      if names.isEmpty { throw ValidationError("\(option) is about versions of --model; name a model") }
      if let version = output.expectVersion, !names.contains(version) {
        throw ValidationError(
          "there is no version \(quoted(version)) in --model; there are \(names.map(quoted).joined(separator: ", "))")
      }
    }
    try recipe.check(input)
  }
}

/// How the work is done.
struct AuditWork: ParsableArguments {
  /// Seconds.
  static let usualTimeout = 60.0
  /// MiB.
  static let usualMemory = 512

  @Option(help: ArgumentHelp("How many stores are read at once. (default: number of cores)", valueName: "n"))
  var jobs: Int?

  @Option(help: ArgumentHelp("The most seconds one store may take.", valueName: "s"))
  var timeout = usualTimeout

  @Option(help: ArgumentHelp("The most memory one store may take, in MiB.", valueName: "mib"))
  var memory = usualMemory

  @Flag(help: "Say in each line how long its store took, and in the summary which were slowest.")
  var timings = false

  @Flag(help: "Show no progress, and nothing at the end.")
  var quiet = false

  func validate() throws {
    if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs is a number from 1 to 1024") }
    guard timeout > 0, timeout <= 1e6 else { throw ValidationError("--timeout is a number of seconds, more than 0") }
    guard memory >= 16, memory <= 1 << 24 else { throw ValidationError("--memory is a number of MiB from 16 on") }
  }

  var memoryBytes: Int { memory << 20 }
}

extension PosixPath {
  /// Resolved, the last part aside if it is not there yet.
  fileprivate var resolvedAsFarAsThere: PosixPath {
    get throws {
      if let whole = try? resolved() { return whole }
      var parent = sibling(named: Array(".".utf8))
      parent = try parent.resolved()
      return parent.appending(component: name)
    }
  }
}
