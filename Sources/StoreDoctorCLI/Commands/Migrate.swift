import ArgumentParser
import StoreCoreData
import StoreDiagnosis
import StoreMigrator
import StoreModels
import StorePlatform
import StorePublishing
import StoreRepair
import StoreReports
import StoreSQLite
import StoreSwiftCode
import StoreWords

/// `storedoctor migrate STORE --model M`.
struct Migrate: ParsableCommand, StyledOutput {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Perform the migration on a copy, as Core Data's lightweight migration would.",
    discussion: """
      The store is judged first, as 'diagnose --model' does: what the models do not migrate is not performed, and the rows \
      that are in the way are shown. Then the copy's tables are altered or made anew by the rules that real stores, before \
      and after, show (docs/format); version hashes, model cache, entity numbers and history follow. The result is \
      diagnosed with the model and compared with STORE object by object before it gets its name. STORE is only read.

      With a bundle or source that has a plan with stages, the steps of the plan are walked one by one. A custom stage is \
      code of the app, which is not run here; '--perform V2>V3=recipe.yaml' puts a recipe in its place: 'willMigrate' is \
      done before the structural step, 'didMigrate' after it, where 'was.title' is the value of before. Otherwise such a \
      plan is refused.

      A mapping model that Core Data would find is performed: copied values, constants, key paths of $source, and links by \
      relationship or entity mapping. A policy is code of the app: '--perform V1>V2/Note=recipe.yaml' puts a recipe in the place \
      of that for Note; otherwise it is refused by name. Objects are given new keys.

      '--stage-swift FILE' writes the Swift of the stages that recipes performed: a MigrationStage for models in Swift source, \
      else an NSCustomMigrationStage. The code was type-checked against stand-ins and never run on Apple's frameworks. A part \
      of a recipe that has no Swift is a #warning in it, and is told on standard error.

      What is not known is refused, with entity, property, reason, and what to do: \
      relationships that change between to-one and to-many, derived attributes, stores that CloudKit mirrors. What is known \
      by inference only needs --allow-assumed, and a recipe that deletes objects or loses values --allow-lossy.

      EXIT STATUS
        0   migrated and verified; with --dry-run, tried out
        1   the models do not migrate this store: rows are in the way, or it needs
            a custom stage; or the statements differ from those of --against; or
            --stage-swift left out a part of a recipe
        2   refused, or could not do the work
        64  wrong usage

      EXAMPLES
        storedoctor migrate Notes.sqlite --model Notes.momd --dry-run
        storedoctor migrate Notes.sqlite --model Notes.momd --output Migrated.sqlite
        storedoctor migrate Notes.sqlite --model Notes.momd --dry-run \\
          --against device.log
        storedoctor migrate Trips.store --model Sources/ \\
          --perform 'V2>V3=stage.yaml' --output Migrated.store
        storedoctor migrate Trips.store --model Sources/ --dry-run \\
          --perform 'V2>V3=stage.yaml' --stage-swift V2ToV3.swift
        storedoctor compare Notes.sqlite Migrated.sqlite
      """)

  @Argument(help: "The store: a file of any name, or a folder or bundle with exactly one store.", completion: .file())
  var store: String

  @OptionGroup(title: "The model it is migrated to") var candidates: CandidateArguments

  @OptionGroup(title: HelpGroup.settings) var configuration: ConfigurationOptions

  @OptionGroup(title: HelpGroup.plan) var stages: StageArguments

  @Option(
    help: ArgumentHelp(
      "With --perform: write the Swift of these stages to this file, for SwiftData or NSStagedMigrationManager.",
      valueName: "file"), completion: .file())
  var stageSwift: String?

  @Option(
    name: .customLong("store-model"),
    help: ArgumentHelp(
      "Describe the store with this model in place of its model cache: a model, or a bundle with its version.",
      valueName: "model"), completion: .file())
  var storeModel: String?

  @Option(
    help: ArgumentHelp("Write the migrated copy to this path. STORE is only read.", valueName: "path"),
    completion: .file())
  var output: String?

  @Flag(help: "Print the statements and the loss, and write nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "With --dry-run: hold the statements against this log, which the app wrote with -com.apple.CoreData.SQLDebug 1.",
      valueName: "log"), completion: .file())
  var against: String?

  @Flag(help: "Print the statements after migrating, too.")
  var statements = false

  @Flag(help: allowAssumedHelp)
  var allowAssumed = false

  @Flag(help: "Write the result although a recipe deletes objects or loses values.")
  var allowLossy = false

  @Flag(help: "Replace an existing output, with its side files and support folder.")
  var force = false

  @Flag(name: .customLong("without-wal"), help: "Migrate the main file alone, without its write-ahead log.")
  var withoutWAL = false

  @Option(name: .customLong("wal"), help: logHelp, completion: .file())
  var logPath: String?

  @Flag(name: .customLong("accept-wal"), help: "Migrate although the write-ahead log may be another store's.")
  var acceptsWAL = false

  @Option(help: "How to write the result: text or json.")
  var format: OutputOptions.Format = .text

  @Flag(help: "Show no progress.")
  var quiet = false

  @Flag(help: "Say on standard error how long each step took.")
  var verbose = false

  @Option(help: colorHelp)
  var color: ColorWish = .auto

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    if candidates.models.isEmpty { throw ValidationError("say to which model: --model MODEL") }
    if output == nil, !dryRun {
      throw ValidationError("say where to write with --output PATH, or look at it with --dry-run")
    }
    if output != nil, dryRun { throw ValidationError("--dry-run writes nothing; leave --output away") }
    if against != nil, !dryRun {
      throw ValidationError("--against holds planned statements against a log: add --dry-run")
    }
    if stageSwift != nil, stages.performed.isEmpty {
      throw ValidationError("--stage-swift writes what a recipe does: name it with --perform")
    }
    if logPath != nil, withoutWAL {
      throw ValidationError("--wal names the write-ahead log to read; omit --without-wal")
    }
    if force, output == nil, stageSwift == nil {
      throw ValidationError("--force goes with --output or --stage-swift")
    }
  }

  func run() throws {
    let progress = ProgressLine("migrating \(store)", isQuiet: quiet)
    let times = StepTimes(isWanted: verbose)
    try reported {
      defer { progress?.clear() }
      let settings = try configuration.load(forSourceBeside: [PosixPath(argument: store)])
      let candidates = candidates.assuming(settings)
      let readings = candidates.readings
      let options = try candidates.options(nil, readings: readings, store: PosixPath(argument: store))
        .openingStaged
      let swift = stageSwift.map { PosixPath(argument: $0) }
      if let swift { try requirePlace(for: swift, replacing: force, madeFrom: sourcesOfSwift) }
      let opened = try openToRepair(
        PosixPath(argument: store), withoutWAL: withoutWAL, log: logPath.map { PosixPath(argument: $0) },
        storeModel: try storeModel.map { try readModel(PosixPath(argument: $0), readings: readings) },
        models: options.models,
        onRead: progress?.report)
      let run = MigrationRun(
        options, allowsAssumed: allowAssumed, allowsLossy: allowLossy || output == nil, stages: try stages.stages
      ) {
        times?.begin($0)
        progress?.reportStep($0)
      }
      do {
        var result = try performed(opened, run: run)
        if let against {
          let file = try EvidenceFile(PosixPath(argument: against))
          guard file.size <= Self.mostBytesOfLog else { throw LogTooLong(path: against, most: Self.mostBytesOfLog) }
          try result.compare(withLog: file.read(at: 0, count: Int(clamping: file.size)))
        }
        times?.begin(nil)
        progress?.clear()
        let omissions = try swift.map { try write(result, of: candidates, options: options, to: $0) } ?? []
        result.stageCode = swift.map { ($0.description, omissions.map(\.description)) }
        try write(result)
        for omission in omissions { standardError("storedoctor: not in \(quoted(stageSwift ?? "")): \(omission)") }
        if !omissions.isEmpty { throw ExitCode(1) }
        if result.log?.isEqual == false { throw ExitCode(1) }
      } catch let error as MigrationNotPossible {
        progress?.clear()
        try write(error)
        throw ExitCode(1)
      } catch let error as MigrationNeedsAllowance {
        throw RefusedByDefault(error: error)
      }
    }
  }

  /// 64 MiB.
  private static let mostBytesOfLog: Int64 = 64 << 20

  private func performed(_ opened: Store, run: MigrationRun) throws -> PerformedMigration {
    guard let output else {
      let result = try planMigration(of: opened, run)
      try opened.checkUnchanged()
      return result
    }
    let protected = ([storeModel, logPath].compactMap(\.self) + candidates.models + candidates.mapping)
      .map { PosixPath(argument: $0) }
    let target = OutputTarget(
      PosixPath(argument: output), replaces: force, acceptsWAL: acceptsWAL, leavesOutWAL: withoutWAL,
      protected: protected)
    return try migrate(opened, to: target, run: run)
  }

  /// Writes the Swift of the stages; gives what has none.
  private func write(
    _ result: PerformedMigration, of candidates: CandidateArguments, options: CandidateOptions, to path: PosixPath
  ) throws -> [StageOmission] {
    let code = try StageSwift(candidates: candidates, stages: stages).code(options, hops: result.hops)
    try StoreDoctorCLI.write(code.text, to: path, replacing: force, madeFrom: sourcesOfSwift, canReplace: true)
    return code.omissions
  }

  /// The files that the Swift of the stages is made from.
  private var sourcesOfSwift: [PosixPath] {
    ([store] + candidates.models + stages.paths).map { PosixPath(argument: $0) }
  }

  private func write(_ result: PerformedMigration) throws {
    let done = output.map { "all the same \(result.verdictLine): \(quoted($0))" }
    switch format {
    case .text:
      let text = result.text(
        width: width, isStyled: isStyled, showsStatements: dryRun || statements, next: nextCommands(result))
      try standardOutput(text, done: done)
    case .json: try standardOutput(result.json.text, done: done)
    }
  }

  private func nextCommands(_ result: PerformedMigration) -> [String] {
    guard let output else { return [] }
    return [
      "storedoctor compare \(shellQuoted(store)) \(shellQuoted(output))"
        + (logPath.map { " --wal \(shellQuoted($0))" } ?? ""),
      "storedoctor diagnose \(shellQuoted(output)) \(candidates.asGiven.map(shellQuoted).joined(separator: " "))",
    ]
  }

  private func write(_ error: MigrationNotPossible) throws {
    if let stage = error.stage {
      standardError(
        "storedoctor: \(stage): its structural step stops at rows as willMigrate leaves them, and didMigrate comes too late "
          + "for them; fill them in willMigrate, or give the property a default")
    }
    switch format {
    case .text: try standardOutput(error.diagnosis.text(width: width, isStyled: isStyled))
    case .json: try standardOutput(error.diagnosis.json.text)
    }
  }
}

/// A log of which only a part would be read.
private struct LogTooLong: Error, CustomStringConvertible {
  let path: String
  let most: Int64

  var description: String {
    "\(quoted(path)) is larger than \(most >> 20) MiB; cut out the lines of the migration"
  }
}

/// Assumptions that have to be allowed, with the option that does.
private struct RefusedByDefault: Error, CustomStringConvertible {
  var error: MigrationNeedsAllowance

  var description: String {
    error.description.replacingLastLine(
      with: "--allow-assumed performs it all the same; a copy on a device or simulator shows what Core Data does")
  }
}

extension String {
  fileprivate func replacingLastLine(with line: String) -> String {
    (split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) + [line]).joined(
      separator: "\n")
  }
}
