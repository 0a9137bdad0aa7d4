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
struct Migrate: ParsableCommand {
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

  @OptionGroup(title: HelpGroup.place) var destination: MigrationDestination

  @OptionGroup(title: HelpGroup.plan) var stages: StageArguments

  @OptionGroup(title: HelpGroup.plan) var code: StageCodeArguments

  @OptionGroup(title: HelpGroup.allowed) var allowed: MigrationAllowance

  @OptionGroup(title: HelpGroup.output) var output: MigrationOutput

  @OptionGroup(title: HelpGroup.description) var model: RepairModelArguments

  @OptionGroup(title: HelpGroup.state) var log: LogArguments

  @OptionGroup(title: HelpGroup.settings) var configuration: ConfigurationOptions

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    if candidates.models.isEmpty { throw ValidationError("say to which model: --model MODEL") }
    if destination.path == nil, !destination.dryRun {
      throw ValidationError("say where to write with --output PATH, or look at it with --dry-run")
    }
    if destination.path != nil, destination.dryRun {
      throw ValidationError("--dry-run writes nothing; leave --output away")
    }
    if output.against != nil, !destination.dryRun {
      throw ValidationError("--against holds planned statements against a log: add --dry-run")
    }
    if code.stageSwift != nil, stages.performed.isEmpty {
      throw ValidationError("--stage-swift writes what a recipe does: name it with --perform")
    }
    if destination.force, destination.path == nil, code.stageSwift == nil {
      throw ValidationError("--force goes with --output or --stage-swift")
    }
  }

  func run() throws {
    let progress = ProgressLine("migrating \(store)", isQuiet: output.quiet)
    let times = StepTimes(isWanted: output.verbose)
    try reported {
      defer { progress?.clear() }
      let settings = try configuration.load(forSourceBeside: [PosixPath(argument: store)])
      let candidates = candidates.assuming(settings)
      let readings = candidates.readings
      let options = try candidates.options(nil, readings: readings, store: PosixPath(argument: store))
        .openingStaged
      let swift = code.stageSwift.map { PosixPath(argument: $0) }
      if let swift { try requirePlace(for: swift, replacing: destination.force, madeFrom: sourcesOfSwift) }
      let opened = try openToRepair(
        PosixPath(argument: store), withoutWAL: log.isLeftOut, log: log.file,
        storeModel: try model.storeModel.map { try readModel(PosixPath(argument: $0), readings: readings) },
        models: options.models,
        onRead: progress?.report)
      let run = MigrationRun(
        options, allowsAssumed: allowed.allowAssumed, allowsLossy: allowed.allowLossy || destination.path == nil,
        stages: try stages.stages
      ) {
        times?.begin($0)
        progress?.reportStep($0)
      }
      do {
        var result = try performed(opened, run: run)
        if let against = output.against {
          let file = try EvidenceFile(PosixPath(argument: against))
          guard file.size <= Self.mostBytesOfLog else { throw LogTooLong(path: against, most: Self.mostBytesOfLog) }
          try result.compare(withLog: file.read(at: 0, count: Int(clamping: file.size)))
        }
        times?.begin(nil)
        progress?.clear()
        let omissions = try swift.map { try write(result, of: candidates, options: options, to: $0) } ?? []
        result.stageCode = swift.map { ($0.description, omissions.map(\.description)) }
        try write(result)
        for omission in omissions { standardError("storedoctor: not in \(quoted(code.stageSwift ?? "")): \(omission)") }
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
    guard let path = destination.path else {
      let result = try planMigration(of: opened, run)
      try opened.checkUnchanged()
      return result
    }
    let protected = ([model.storeModel, log.path].compactMap(\.self) + candidates.models + candidates.mapping)
      .map { PosixPath(argument: $0) }
    let target = OutputTarget(
      PosixPath(argument: path), replaces: destination.force, acceptsWAL: allowed.acceptsWAL,
      leavesOutWAL: log.isLeftOut,
      protected: protected)
    return try migrate(opened, to: target, run: run)
  }

  /// Writes the Swift of the stages; gives what has none.
  private func write(
    _ result: PerformedMigration, of candidates: CandidateArguments, options: CandidateOptions, to path: PosixPath
  ) throws -> [StageOmission] {
    let made = try StageSwift(candidates: candidates, stages: stages).code(options, hops: result.hops)
    try StoreDoctorCLI.write(
      made.text, to: path, replacing: destination.force, madeFrom: sourcesOfSwift, canReplace: true)
    return made.omissions
  }

  /// The files that the Swift of the stages is made from.
  private var sourcesOfSwift: [PosixPath] {
    ([store] + candidates.models + stages.paths).map { PosixPath(argument: $0) }
  }

  private func write(_ result: PerformedMigration) throws {
    let done = destination.path.map { "all the same \(result.verdictLine): \(quoted($0))" }
    switch output.format {
    case .text:
      let text = result.text(
        width: output.width, isStyled: output.isStyled, showsStatements: destination.dryRun || output.statements,
        next: nextCommands(result))
      try standardOutput(text, done: done)
    case .json: try standardOutput(result.json.text, done: done)
    }
  }

  private func nextCommands(_ result: PerformedMigration) -> [String] {
    guard let path = destination.path else { return [] }
    return [
      "storedoctor compare \(shellQuoted(store)) \(shellQuoted(path))"
        + (log.path.map { " --wal \(shellQuoted($0))" } ?? ""),
      "storedoctor diagnose \(shellQuoted(path)) \(candidates.asGiven.map(shellQuoted).joined(separator: " "))",
    ]
  }

  private func write(_ error: MigrationNotPossible) throws {
    if let stage = error.stage {
      standardError(
        "storedoctor: \(stage): its structural step stops at rows as willMigrate leaves them, and didMigrate comes too late "
          + "for them; fill them in willMigrate, or give the property a default")
    }
    switch output.format {
    case .text: try standardOutput(error.diagnosis.text(width: output.width, isStyled: output.isStyled))
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
