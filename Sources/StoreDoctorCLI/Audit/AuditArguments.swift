import StoreAnonymizing
import StorePlatform
import StoreWords
import StoreAudit
import StoreDiagnosis
import StoreModels
import StoreRepair
import ArgumentParser
import StoreCoreData
import StoreSQLite
import StoreReports
import StoreSalvage

/// The stores to audit.
struct AuditInputArguments: ParsableArguments {
  @Argument(help: "Files, folders and archives.", completion: .file())
  var path: [String] = []

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp(
      "Take further paths from a file, or - for standard input: a line each, or an object of JSON with path and id.",
      valueName: "file"), completion: .file())
  var lists: [String] = []

  @Flag(name: .customShort("0"), help: "The paths of --from end with NUL, as find -print0 writes them.")
  var isNULSeparated = false

  @Option(help: ArgumentHelp("Take only the I-th of N parts of the input, told by id or path.", valueName: "i/n"))
  var shard: String?

  @Option(name: .customLong("wal"), help: logHelp, completion: .file())
  var logPath: String?

  func check() throws {
    if logPath != nil, path.count != 1 || !lists.isEmpty || shard != nil || isFolder {
      throw ValidationError("--wal names the write-ahead log of one store; name that store's file alone")
    }
    if isNULSeparated, lists.isEmpty { throw ValidationError("-0 goes with --from") }
    if let shard, Shard(shard) == nil {
      throw ValidationError("--shard is a part and how many there are, as in 2/8; not '\(shard)'")
    }
  }

  /// Throws where a path that stands on the command line names nothing: a mistyped one is no broken store. What cannot be
  /// seen, and the paths of lists, get lines.
  func requireThere() throws {
    let missing = path.filter { FileSystem.sight(of: PosixPath(argument: $0)) == .nothing }
    if !missing.isEmpty { throw NothingThere(paths: missing) }
  }

  var isEmpty: Bool { path.isEmpty && lists.isEmpty }

  /// The log that is read in place of the one beside the store.
  var log: PosixPath? { logPath.map { PosixPath(argument: $0) } }

  private var isFolder: Bool { path.contains { FileSystem.kind(of: PosixPath(argument: $0)) == .folder } }

  var input: AuditInput {
    AuditInput(
      path.map { PosixPath(argument: $0) },
      lists: lists.map { AuditInput.List($0 == "-" ? nil : PosixPath(argument: $0), isNULSeparated: isNULSeparated) },
      shard: shard.flatMap { Shard($0) })
  }
}

/// Paths on the command line that name nothing.
private struct NothingThere: Error, CustomStringConvertible {
  let paths: [String]

  var description: String {
    let shown = paths.prefix(10).map { StoreError(path: $0, .missing).description }
    let rest = paths.count > 10 ? ["and \(paths.count - 10) more"] : []
    return (shown + rest).joined(separator: "\n") + "; nothing was audited"
  }
}

/// Which of its files are read of each store.
struct AuditFileArguments: ParsableArguments {
  @Flag(name: .customLong("without-wal"), help: "Read main files alone, without their write-ahead logs.")
  var withoutWAL = false
}

/// The recipe to plan for each store, or to apply to copies.
struct AuditRecipeArguments: ParsableArguments {
  @Option(
    name: .customLong("recipe"),
    help: ArgumentHelp("Plan this recipe for each store, and count what would be done.", valueName: "file"),
    completion: .file())
  var recipeFile: String?

  @Flag(help: "Carry the recipe out, on copies in the folder of --output-dir.")
  var apply = false

  @Option(
    name: .customLong("output-dir"),
    help: ArgumentHelp(
      "Where copies go, repaired ones with a ledger, or those of --anonymize; stores are only read.",
      valueName: "folder"),
    completion: .directory)
  var outputFolder: String?

  @Flag(help: "Allow repairs that lose something.")
  var allowLossy = false

  @Flag(help: "Allow changes of the metadata.")
  var allowMetadata = false

  @Flag(help: "Allow deleting rows of stores that CloudKit mirrors.")
  var allowMirrored = false

  @Flag(help: "Allow values that the model's own validation forbids.")
  var allowInvalid = false

  func validate() throws {
    if apply, outputFolder == nil { throw ValidationError("--apply and --output-dir go together") }
    if apply, recipeFile == nil { throw ValidationError("--apply carries out a recipe; name one with --recipe") }
  }

  /// Throws where copies would be among the audited stores.
  func check(_ input: AuditInputArguments) throws {
    for path in input.path { try requireApart(PosixPath(argument: path)) }
  }

  /// Throws where copies would be in an audited folder.
  func requireApart(_ path: PosixPath) throws {
    guard let outputFolder, let folder = try? PosixPath(argument: outputFolder).resolvedAsFarAsThere,
      let audited = try? path.resolved(), FileSystem.kind(of: audited) == .folder,
      (folder.bytes + [UInt8(ascii: "/")]).starts(with: audited.bytes + [UInt8(ascii: "/")])
    else { return }
    throw ValidationError(
      "--output-dir lies in \(quoted(path.description)), which is audited: the copies would be too; name another folder"
    )
  }

  /// The file that records the outcome of each copy; creates its folder.
  ///
  /// - Parameter shard: the part of the input; each part has a file of its own, so that all can share the folder.
  func ledger(_ shard: Shard?) throws -> PosixPath? {
    guard let outputFolder else { return nil }
    let folder = PosixPath(argument: outputFolder)
    if FileSystem.kind(of: folder) == nil { _ = try newFolder(folder) }
    // Copies that may be sent on have no list of whose they are beside them.
    guard apply else { return nil }
    let part = shard.map { "-\($0.number)-of-\($0.count)" } ?? ""
    return folder.appending(component: Array("ledger\(part).jsonl".utf8))
  }

  /// Reads the recipe.
  func recipe(isResumed: Bool) throws -> AuditRecipe? {
    guard let recipeFile else { return nil }
    return AuditRecipe(
      try Recipe(PosixPath(argument: recipeFile)),
      outputFolder: apply ? outputFolder.map { PosixPath(argument: $0) } : nil,
      allowance: RepairAllowance(
        lossy: allowLossy, metadata: allowMetadata, mirrored: allowMirrored, invalid: allowInvalid),
      replaces: isResumed, message: message(of:))
  }
}

/// Whether, and how, a copy of each store is written that has nobody's values.
struct AuditAnonymizingArguments: ParsableArguments {
  @Flag(
    help: """
      Write a copy of each store with the same faults and nobody's values to the folder of --output-dir, as 'anonymize' does. \
      Copies have names of chance; each line says whose copy is where.
      """)
  var anonymize = false

  @Flag(
    help: """
      Replace the same value by the same one in all copies, so that they can be compared. By default each copy has a mapping of \
      its own, and nothing links two of them.
      """)
  var oneMapping = false

  @Option(
    help: ArgumentHelp("What becomes of attributes, in YAML as 'anonymize --policy-out' writes it.", valueName: "file"),
    completion: .file())
  var policy: String?

  @Option(
    help: ArgumentHelp("Whether lengths stay in copies (exact) or are those of their class.", valueName: "exact|rough"))
  var sizes: AnonymizingSizes = .exact

  @Option(help: ArgumentHelp("Copy at most so many objects of each entity.", valueName: "n"))
  var sample: Int?

  func validate() throws {
    if let sample, !(1...1_000_000).contains(sample) {
      throw ValidationError("--sample is a number from 1 to 1,000,000")
    }
    guard !anonymize, let option = names.first else { return }
    throw ValidationError("\(option) goes with --anonymize")
  }

  /// The options that decide what copies are.
  var names: [String] {
    [
      (anonymize, "--anonymize"), (oneMapping, "--one-mapping"), (policy != nil, "--policy"),
      (sizes != .exact, "--sizes"), (sample != nil, "--sample"),
    ].filter(\.0).map(\.1)
  }

  /// - Parameter keys: the keys of the run; in a worker those that it was handed.
  func anonymizing(to folder: String?, keys: AuditAnonymizing.Keys?) throws -> AuditAnonymizing? {
    guard anonymize, let folder, let keys else { return nil }
    return AuditAnonymizing(
      to: PosixPath(argument: folder),
      policy: try policy.map { try AnonymizingPolicy(file: $0) } ?? AnonymizingPolicy(),
      sizes: sizes, sample: sample, keys: keys, message: message(of:))
  }

  /// Throws where copies would lie beside a store.
  func requireApart(_ path: PosixPath, folder: String?) throws {
    guard anonymize, let folder, let output = try? PosixPath(argument: folder).resolvedAsFarAsThere,
      let store = try? path.resolved(), FileSystem.kind(of: store) != .folder
    else { return }
    let own = try? store.sibling(named: Array(".".utf8)).resolved()
    guard own == output else { return }
    throw ValidationError(
      "--output-dir is the folder of \(quoted(path.description)), beside which nothing is written; name another folder")
  }
}

/// Whether, and how, the migration of each store is rehearsed.
struct AuditRehearsalArguments: ParsableArguments {
  @Flag(
    help: """
      Perform the migration of each store on a private copy that vanishes, as 'rehearse' does; what is not migrated as it \
      was judged fails.
      """)
  var rehearse = false

  @OptionGroup var stages: StageArguments

  @Flag(help: allowAssumedHelp)
  var allowAssumed = false

  @Flag(help: "A store that loses something in its migration (SD809) fails, too.")
  var failOnLoss = false

  func validate() throws {
    guard !rehearse, let option = names.first else { return }
    throw ValidationError("\(option) goes with --rehearse")
  }

  /// The options that decide what a rehearsal does.
  var names: [String] {
    [(rehearse, "--rehearse"), (!stages.performed.isEmpty, "--perform"), (allowAssumed, "--allow-assumed")]
      .filter(\.0).map(\.1)
  }

  /// - Throws: `RecipeMistakes` for a recipe that cannot be read.
  var rehearsal: AuditRehearsal? {
    get throws { rehearse ? AuditRehearsal(allowsAssumed: allowAssumed, stages: try stages.stages) : nil }
  }
}

/// The checks to run in each store, and the models for the verdict.
struct AuditLooks {
  let candidates: CandidateArguments
  let checks: CheckOptions<Check>
  let diagnosis: DiagnosisArguments
  let files: AuditFileArguments
  let configuration: ConfigurationOptions
  let recipe: AuditRecipeArguments
  let rehearsal: AuditRehearsalArguments
  let anonymizing: AuditAnonymizingArguments
  let gate: AuditGateArguments
  /// The keys of the run, which its workers get, too.
  var keys: AuditAnonymizing.Keys?

  /// The settings for all stores: from the command line, else from the configuration.
  func settings(
    of work: AuditWork, configuration found: Configuration?, output: AuditOutput, log: PosixPath?,
    readings: SourceReadings
  ) throws -> AuditSettings {
    if log != nil, files.withoutWAL {
      throw ValidationError("--wal names the write-ahead log to read; omit --without-wal")
    }
    let held = try checks.unmuting(found)
    var options = try diagnosis.options(held, candidates: candidates, integrity: .quick, readings: readings)
    options.savable = { try savable($0) }
    var settings = AuditSettings(
      diagnosis: options,
      checks: try checks.selected,
      ignoresWAL: files.withoutWAL, log: log, recipe: try recipe.recipe(isResumed: output.resume != nil),
      rehearsal: try rehearsal.rehearsal,
      anonymizing: try anonymizing.anonymizing(to: recipe.outputFolder, keys: keys), isTimed: work.timings,
      decidedBy: ["\(work.timeout)", "\(work.memory)", try gate.baselineText] + candidates.terms,
      toolVersion: toolVersion)
    settings.savable = { path, opening in try savable(path, SalvageOptions(opening)) }
    return settings
  }

  /// The files that decide what lines say, and the configuration's.
  func sources(_ configuration: PosixPath?) -> [String] {
    let single = [
      recipe.recipeFile, anonymizing.policy, diagnosis.storeModel.map(withoutVersion), configuration?.description,
    ]
    return candidates.models.map(withoutVersion) + candidates.mapping + rehearsal.stages.paths
      + single.compactMap(\.self)
  }

  /// Throws for options that cannot work, before any store is read.
  func check(
    _ output: AuditOutput, input: AuditInputArguments, configuration: Configuration?, readings: SourceReadings
  ) throws {
    let asked = [
      rehearsal.rehearse ? "--rehearse" : nil, gate.expectVersion.map { _ in "--expect-version" },
      gate.minMigrates.map { _ in "--min-migrates" },
    ].compactMap(\.self)
    if output.merged.isEmpty, let option = asked.first {
      let names = try candidates.options(configuration, readings: readings).versionNames
      if names.isEmpty { throw ValidationError("\(option) is about versions of --model; name a model") }
      if let version = gate.expectVersion, !names.contains(version) {
        throw ValidationError(
          "there is no version \(quoted(version)) in --model; there are \(names.map(quoted).joined(separator: ", "))")
      }
    }
    if anonymizing.oneMapping, output.resume != nil {
      throw ValidationError(
        "--one-mapping cannot be resumed: the key of the copies that are there was thrown away with the run that made them"
      )
    }
    try recipe.check(input)
    for path in input.path { try requireApart(PosixPath(argument: path)) }
  }

  /// Throws where copies would lie among or beside audited stores.
  func requireApart(_ path: PosixPath) throws {
    try recipe.requireApart(path)
    try anonymizing.requireApart(path, folder: recipe.outputFolder)
  }
}

/// How to run the audit.
struct AuditWork: ParsableArguments {
  /// Seconds.
  static let usualTimeout = 60.0
  /// MiB.
  static let usualMemory = 512

  @Option(help: ArgumentHelp("How many stores are read at once. (default: number of cores)", valueName: "n"))
  var jobs: Int?

  @Option(help: ArgumentHelp("The most seconds one store may take.", valueName: "s"))
  var timeout = usualTimeout

  @Option(
    help: ArgumentHelp("The most memory one store may take, in MiB; on macOS this bounds little.", valueName: "mib"))
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

/// The path of a model that is given with its version, as PATH#VERSION.
func withoutVersion(_ model: String) -> String { String(model.prefix { $0 != "#" }) }

extension PosixPath {
  /// The path with links resolved; its last component need not exist yet.
  fileprivate var resolvedAsFarAsThere: PosixPath {
    get throws {
      if let whole = try? resolved() { return whole }
      var parent = sibling(named: Array(".".utf8))
      parent = try parent.resolved()
      return parent.appending(component: name)
    }
  }
}
