import StoreDiagnosis
import StoreMigration
import StoreModels
import ArgumentParser
import StoreDataModel
import StoreWords
import StoreSQLite

/// The models a store may be opened with, and how; shared by the commands that give a verdict.
struct CandidateArguments: ParsableArguments {
  @Option(
    name: .customLong("model"),
    help: ArgumentHelp(
      "A model the app may open the store with: .momd, .mom, .xcdatamodeld, .xcdatamodel, the folder of a project or a "
        + "compiled app with one of them in it, Swift source, a store, or storedoctor's JSON. "
        + "Repeatable, in the order of versions.", valueName: "model"), completion: .file())
  var models: [String] = []

  @Option(help: mappingHelp, completion: .file()) var mapping: [String] = []

  @Option(help: defineHelp) var define: [String] = []

  @Option(help: assumeHelp) var assume: [AssumedType] = []

  @Option(help: "How the app opens the store, for the verdict: automatic, staged, manual or all, which is automatic.")
  var opening: OpeningQuestion?

  @Option(
    name: .customLong("stages"),
    help: ArgumentHelp(
      "A stage of the app's plan: 'light:V1,V2,V3' or 'custom:V3>V4'. Repeatable, in the order of the plan.",
      valueName: "stage"))
  var stages: [String] = []

  @Option(
    help: ArgumentHelp(
      "The order of the versions of a plan inside one bundle, with commas; by name unless said otherwise.",
      valueName: "versions"))
  var planOrder: String?

  @Option(
    name: .customLong("migration-plan"),
    help: ArgumentHelp(
      "The SchemaMigrationPlan the app opens the store with, where Swift source has several.", valueName: "name"))
  var migrationPlan: String?

  @Option(
    help: ArgumentHelp(
      "The version of --model that the app uses; its current one unless said otherwise.", valueName: "version"))
  var toVersion: String?

  @Option(help: gitHelp, completion: .directory) var git: String?

  /// Swift source that was read, each path once.
  var readings: SourceReadings { SourceReadings(defines: terms) }

  /// What is told of Swift source besides its files.
  var terms: [String] { define + assume.map(\.term) }

  /// The same with what a configuration says that types of Swift source are taken for, behind what is given.
  func assuming(_ configuration: Configuration?) -> Self {
    var all = self
    all.assume += configuration?.defaults.assume ?? []
    return all
  }

  /// The same options for another command.
  var asGiven: [String] {
    func given(_ option: String, values: [String]) -> [String] { values.flatMap { [option, $0] } }
    return given("--model", values: models) + given("--mapping", values: mapping) + given("--define", values: define)
      + given("--assume", values: assume.map(\.text))
      + given("--opening", values: [opening?.rawValue].compactMap(\.self)) + given("--stages", values: stages)
      + given("--plan-order", values: [planOrder].compactMap(\.self))
      + given("--migration-plan", values: [migrationPlan].compactMap(\.self))
      + given("--to-version", values: [toVersion].compactMap(\.self))
      + given("--git", values: [git].compactMap(\.self))
  }

  /// The options given, completed from the configuration.
  ///
  /// - Parameter store: the only store they are for; nil for several.
  func options(
    _ configuration: Configuration?, readings: SourceReadings, store: PosixPath? = nil
  ) throws -> CandidateOptions {
    readings.assume(configuration?.defaults.assume ?? [])
    let paths = models.isEmpty ? configuration?.models ?? [] : models.map { PosixPath(argument: $0) }
    guard !paths.isEmpty || !areAboutModels else {
      throw ValidationError(
        "--opening, --stages, --plan-order, --migration-plan, --to-version, --mapping and --git are about --model; name a "
          + "model"
      )
    }
    let question = opening ?? configuration?.defaults.opening ?? .all
    let models = try paths.map { try judgeable($0, readings: readings, store: store) }
    if let migrationPlan, !models.isEmpty, !models.contains(where: { $0.format == .swift }) {
      throw ValidationError(
        "--migration-plan '\(migrationPlan)': no plan is there, since no Swift source is among --model; --stages says what stages "
          + "there are")
    }
    var options = try using(
      toVersion,
      options: CandidateOptions(
        models: models, opening: question.way, stages: stages,
        planOrder: (planOrder ?? "").split(separator: ",").map(withoutSpacesAround),
        mappings: try mappings(models, isForOneStore: store != nil)))
    options.history = git.map(VersionHistory.init)
    do throws(StagePlanError) {
      if !options.models.isEmpty { try options.check() }
    } catch  where stages.isEmpty && planOrder == nil {
      // The stages come from the source, so this is no mistake in the command line.
      throw error
    } catch {
      throw ValidationError(error.description)
    }
    return options
  }

  private func using(_ version: String?, options: CandidateOptions) throws -> CandidateOptions {
    guard let version else { return options }
    guard let chosen = options.deciding(on: version) else {
      let names = options.models.flatMap(\.versions).map { quoted($0.name) }.joined(separator: ", ")
      throw ValidationError("--to-version: there is no version \(quoted(version)) in --model; there are \(names)")
    }
    return chosen
  }

  private func mappings(_ models: [ModelSource], isForOneStore: Bool) throws -> MappingSources {
    var mappings = try MappingSources(mapping.map { PosixPath(argument: $0) })
    for model in models { mappings.addFound(around: model) }
    // Of one store it is said with the verdict.
    if !isForOneStore { for problem in mappings.problems { standardError("storedoctor: " + problem) } }
    return mappings
  }

  /// The verdict of an incompletely read version depends on the store, so a plan for many stores cannot use it.
  private func judgeable(
    _ path: PosixPath, readings: SourceReadings, store: PosixPath?
  ) throws -> ModelSource {
    let ignoresPlan = !stages.isEmpty || planOrder != nil
    let all = try planned(readModel(path, readings: readings, for: store))
    if store != nil {
      if !ignoresPlan { try all.checkPlan() }
      return all
    }
    let (source, leftOut) = try all.judgeableForEach(ignoresPlan: ignoresPlan, deciding: toVersion)
    for sentence in leftOut { standardError("storedoctor: " + sentence) }
    return source
  }

  /// The source with the plan that was named, if it is one of its plans.
  private func planned(_ source: ModelSource) throws -> ModelSource {
    guard let migrationPlan, source.format == .swift else { return source }
    let plans = source.plans.isEmpty ? [source.plan].compactMap(\.self) : source.plans
    guard let plan = plans.first(where: { $0.name == migrationPlan }) else {
      let names = plans.map { "'\($0.name)'" }.joined(separator: ", ")
      throw ValidationError(
        "--migration-plan: no plan '\(migrationPlan)' in '\(source.path)'"
          + (plans.isEmpty ? ", which has none" : "; it has \(names)"))
    }
    return source.plan == plan ? source : source.choosing(plan)
  }

  /// Whether an option was given that only makes sense with a model.
  private var areAboutModels: Bool {
    !stages.isEmpty || planOrder != nil || migrationPlan != nil || toVersion != nil || !mapping.isEmpty
      || git != nil
      || (opening ?? .all) != .all
  }
}

extension CandidateOptions {
  /// The same for a command that performs what the app does: stages that are given are taken, unless another way of opening
  /// is asked for.
  var openingStaged: CandidateOptions {
    var options = self
    if opening == nil, !stages.isEmpty { options.opening = .staged }
    return options
  }
}

extension OpeningQuestion: ExpressibleByArgument {}
