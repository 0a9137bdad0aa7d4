import StoreSwiftCode
import StoreWords
import StoreDiagnosis
import StoreFindings
import ArgumentParser
import StoreCoreData
import StoreSQLite
import StoreReports
import StoreSalvage

/// `storedoctor diagnose STORE`.
struct Diagnose: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagnose",
    abstract: "Find what is wrong with a store, down to the rows.",
    discussion: """
      Every check looks at the store's own metadata, entity map, relationships and rows; each table is read once. \
      Nothing is written. STORE is a file of any name, or a folder or bundle that holds exactly one store.

      With --model it says what would happen on opening the store with that model: opens, migrates, blocked-by-data, \
      needs-custom-stage, unknown-version, foreign-model or damaged, with the error code the app prints, and names the \
      change or the rows that stand in the way, and the rows that lose something. A bundle stands for all its versions, \
      its current one deciding; of several models the last decides. Of Swift source the SchemaMigrationPlan gives \
      versions, order and stages. Core Data looks for a mapping model before it infers a mapping: those in and beside a \
      bundle are found, others are given by --mapping.

      A project's settings (severities, accepted findings, models, defaults) stand in .storedoctor.yaml; every output \
      says which file held and what it muted. What stands here on the command line comes first.

      EXIT STATUS
        0   done, no finding at the gate (--fail-on, error unless said otherwise)
        1   done, findings at the gate or above
        2   could not do the work
        64  wrong usage

      EXAMPLES
        storedoctor diagnose Notes.sqlite
        storedoctor diagnose Notes.sqlite --model Notes.momd
        storedoctor diagnose Notes.sqlite --model Notes.momd \\
          --stage-skeleton swiftdata
        storedoctor diagnose Notes.sqlite --model V1.mom --model V2.mom \\
          --opening staged
        storedoctor diagnose default.store --model Sources/
        storedoctor diagnose Notes.sqlite --check dangling-reference --examples 100
        storedoctor diagnose Notes.sqlite --skip SD410 --fail-on warning
        storedoctor diagnose Trips.sqlite --unique Trip.name,startDate
        storedoctor diagnose Notes.sqlite --format json \\
          | jq '.findings[] | {id, entity, property, count}'
        storedoctor diagnose Notes.sqlite --format sarif --report notes.sarif
      """)

  @Argument(help: "The store: a file of any name, or a folder or bundle with exactly one store.", completion: .file())
  var store: String

  @OptionGroup(title: HelpGroup.model) var candidates: CandidateArguments

  @Option(
    help: ArgumentHelp(
      "Write only the Swift of a stage that gets the store there: swiftdata or staged (NSStagedMigrationManager).",
      valueName: "kind"))
  var stageSkeleton: Skeleton?

  @Option(
    help: ArgumentHelp("Write the recipe that is advised to this new file as well.", valueName: "file"),
    completion: .file())
  var recipeOut: String?

  /// Frameworks for which a stage can be generated.
  enum Skeleton: String, ExpressibleByArgument, CaseIterable { case swiftdata, staged }

  @OptionGroup(title: HelpGroup.checks) var checks: CheckOptions<Check>

  @OptionGroup(title: HelpGroup.state) var moment: MomentArguments

  @OptionGroup(title: HelpGroup.checks) var looks: DiagnosisArguments

  @OptionGroup(title: HelpGroup.settings) var configuration: ConfigurationOptions

  @Option(help: "What makes the exit status 1: error, warning, note or never. (default: error)")
  var failOn: Gate?

  @Flag(help: "Show no progress while reading a large store.")
  var quiet = false

  @Flag(help: "Say on standard error which checks were run and what each of them found.")
  var verbose = false

  @OptionGroup(title: HelpGroup.output) var output: DiagnosisOutput

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  private func write(_ skeleton: Skeleton, of diagnosis: Diagnosis, candidates: CandidateOptions) throws {
    if let config = diagnosis.config {
      standardError("storedoctor: settings of \(quoted(config.path.description)) hold")
    }
    guard let advice = diagnosis.deciding?.advice else {
      let words = diagnosis.verdict == .needsCustomStage ? "no stage of its own helps" : "no stage is needed"
      return standardError("storedoctor: \(words): \(diagnosis.verdictLine)")
    }
    switch skeleton {
    case .swiftdata: try standardOutput(SwiftDataStages.text(advice))
    case .staged:
      let source = candidates.models.first { source in
        [advice.from, advice.to].allSatisfy { name in source.versions.contains { $0.name == name } }
      }
      let plan = try source.map { try PlannedStage.all(of: $0, notation: candidates.stages) } ?? []
      try standardOutput(ManagerStages.text(advice, plan: plan))
    }
  }

  private func writeRecipe(of diagnosis: Diagnosis, to file: String) throws {
    guard let recipe = diagnosis.deciding?.recipe.recipe else {
      return standardError(
        "storedoctor: no recipe is advised, so \(quoted(file)) was not written: \(diagnosis.verdictLine)")
    }
    try StoreDoctorCLI.write(recipe, to: PosixPath(argument: file))
  }

  private func opening(_ progress: ProgressLine?) -> Store.Options {
    moment.opening(progress: progress)
  }

  /// A diagnosis as the options ask for it.
  struct Made {
    /// The store's path.
    var location: PosixPath
    /// The checks that were run.
    var checks: [Check]
    var configuration: Configuration?
    var options: DiagnosisOptions
    var diagnosis: Diagnosis
    /// What makes the exit status 1.
    var gate: Gate
    /// What was read in place of a store that is too damaged to be opened; nil where it was opened.
    var standIn: Store?
  }

  /// Diagnoses the store.
  ///
  /// - Parameters:
  ///   - found: where the store is, if it was located already: its name as text may not lead to it.
  ///   - countsRows: whether the rows of entities are counted too.
  ///   - readsPastDamage: whether a store that is too damaged to be opened is an answer, and no error.
  func made(
    _ progress: ProgressLine?, at found: PosixPath? = nil, countsRows: Bool = false, readsPastDamage: Bool = false
  ) throws -> Made {
    let selected = try checks.selected
    let given = found ?? PosixPath(argument: store)
    let location = try found ?? StoreLocator.locate(given)
    let configuration = try checks.unmuting(configuration.load(forStore: location, given: given))
    if stageSkeleton != nil, candidates.models.isEmpty, configuration?.models.isEmpty != false {
      throw ValidationError("--stage-skeleton is about --model; name a model")
    }
    if recipeOut != nil, candidates.models.isEmpty, configuration?.models.isEmpty != false {
      throw ValidationError("--recipe-out is about --model; name a model")
    }
    var options = try looks.options(
      configuration, candidates: candidates, integrity: .full, readings: candidates.readings, store: location)
    options.countsRows = countsRows
    options.savable = { try savable($0) }
    let opening = opening(progress)
    var standIn: Store?
    let diagnosis: Diagnosis
    if readsPastDamage {
      (diagnosis, standIn) = try diagnosisPastDamage(
        of: location, opening: opening, with: selected, countsRows: countsRows
      ) { try diagnose(location, opening: opening, options: options, with: selected) }
    } else {
      diagnosis = try tellingSavable(store, withoutWAL: moment.withoutWAL, log: moment.logPath) {
        try diagnose(location, opening: opening, options: options, with: selected)
      }
    }
    return Made(
      location: location, checks: selected, configuration: configuration, options: options, diagnosis: diagnosis,
      gate: failOn ?? configuration?.defaults.failOn ?? .error, standIn: standIn)
  }

  func run() throws {
    let progress = ProgressLine("reading \(store)", isQuiet: quiet)
    try reported {
      defer { progress?.clear() }
      let made = try made(progress)
      progress?.clear()
      if verbose { tell(made.checks, in: made.diagnosis) }
      if let recipeOut { try writeRecipe(of: made.diagnosis, to: recipeOut) }
      if let skeleton = stageSkeleton {
        try write(skeleton, of: made.diagnosis, candidates: made.options.candidates)
      } else {
        try output.write(
          made.diagnosis, checks: made.checks,
          madeFrom: [made.location]
            + (candidates.models + [moment.logPath].compactMap(\.self)).map { PosixPath(argument: $0) },
          isAtGate: made.gate.holds)
      }
      if let worst = made.diagnosis.worstSeverity, made.gate.holds(worst) { throw ExitCode(1) }
    }
  }

  /// Prints lines like "SD401 dangling-reference: 2 found, 1 muted" on standard error.
  private func tell(_ checks: [Check], in diagnosis: Diagnosis) {
    let muted = diagnosis.config?.muted.flatMap(\.findings) ?? []
    for check in checks {
      let parts = [
        ("found", diagnosis.findings), ("muted", muted), ("left out", diagnosis.scope?.leftOut ?? []),
      ].compactMap { word, findings in
        let count = findings.count { $0.id == check.id }
        return count > 0 ? "\(count) \(word)" : nil
      }
      let isSkipped = diagnosis.skipped.contains { $0.check == check.id }
      let words = parts.isEmpty ? ["nothing found"] : parts
      standardError(
        "\(check): " + (words + (isSkipped ? ["could not look at everything"] : [])).joined(separator: ", "))
    }
  }
}

extension Gate: ExpressibleByArgument {}
