import StoreCoreData
import StoreDiagnosis
import StoreMigrator
import StoreModels
import StorePublishing
import StoreRepair
import StoreSQLite

// The questions of the commands with paths and texts as arguments.

/// Says what happens when an app opens the store with models, and what is wrong with its rows.
///
/// - Parameters:
///   - path: a store, or a folder with one.
///   - models: paths of `.momd`, `.mom`, `.xcdatamodeld`, `.xcdatamodel`, stores or storedoctor's JSON, in the order of
///     versions; a bundle stands for all of its versions.
///   - opening: how the app opens it; nil for staged if there is a plan of stages, else automatic.
/// - Throws: `StoreError` if the file cannot be read as a store, `ModelSourceError` if a model cannot be read.
public func diagnose(path: String, models: [String], opening: OpeningWay? = nil) throws -> Diagnosis {
  try diagnose(path: path, options: DiagnosisOptions(candidates: CandidateOptions(paths: models, opening: opening)))
}

/// Says which version of the models made the store.
///
/// - Throws: `StoreError`, `ModelSourceError`, or `MatchError` if the store has no hashes.
public func match(path: String, models: [String]) throws -> ModelMatch {
  let sources = try models.map { try readModel(PosixPath($0)) }
  return try matchModel(store: PosixPath(path), candidates: sources)
}

/// Plans a recipe for a store; nothing is written.
///
/// - Parameters:
///   - recipe: a recipe in YAML or JSON, as in a file of `repair --recipe`.
///   - models: models the store is repaired for, as in ``diagnose(path:models:opening:)``.
/// - Throws: `RecipeMistakes` with every mistake in the recipe; `StoreError`; `ModelSourceError`.
public func planRepair(path: String, recipe: String, models: [String] = []) throws -> RepairPlan {
  let (store, options) = try subject(path, models: models)
  let plan = try planRepair(Recipe(reading: Array(recipe.utf8)), of: store, options: options)
  try store.checkUnchanged()
  return plan
}

/// Plans a recipe and carries it out on a copy, which gets its name when it was verified; the store is only read.
///
/// - Parameters:
///   - output: the path of the copy; a file that is there already is never replaced.
///   - allowance: what the recipe may do beyond what is safe.
/// - Throws: as `planRepair(path:recipe:models:)`; `RepairPlanError` where the allowance does not cover the plan;
///   `PublishingError` if the copy cannot be written. Nothing is left behind then.
public func repair(
  path: String, recipe: String, to output: String, models: [String] = [], allowance: RepairAllowance = RepairAllowance()
) throws -> RepairOutcome {
  let (store, options) = try subject(path, models: models)
  return try repair(
    Recipe(reading: Array(recipe.utf8)), of: store, to: OutputTarget(PosixPath(output)), allowance: allowance,
    options: options)
}

/// Migrates a copy of the store to the current version of models, as a lightweight migration of Core Data's would.
///
/// - Parameters:
///   - output: the path of the copy; nil to try it out in memory.
///   - allowsAssumed: whether what is known by inference only is performed too.
/// - Throws: as `migrate(_:to:_:)`.
public func migrate(
  path: String, models: [String], to output: String?, allowsAssumed: Bool = false
) throws -> PerformedMigration {
  let candidates = try CandidateOptions(paths: models)
  let store = try openToRepair(PosixPath(path), models: candidates.models)
  let run = MigrationRun(candidates, allowsAssumed: allowsAssumed)
  guard let output else { return try rehearse(store, run: run) }
  return try migrate(store, to: OutputTarget(PosixPath(output)), run: run)
}

private func subject(_ path: String, models: [String]) throws -> (store: Store, options: RepairOptions) {
  let candidates = try CandidateOptions(paths: models)
  let options = RepairOptions(diagnosis: DiagnosisOptions(candidates: candidates))
  return (try openToRepair(PosixPath(path), models: candidates.models), options)
}

extension CandidateOptions {
  /// The models at some paths, with the mapping models in and beside them.
  ///
  /// - Throws: `ModelSourceError` for one that cannot be read.
  package init(paths: [String], opening: OpeningWay? = nil) throws {
    let models = try paths.map { try readModel(PosixPath($0)) }
    var mappings = MappingSources()
    for model in models { mappings.addFound(around: model) }
    self.init(models: models, opening: opening, mappings: mappings)
  }
}
