import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreFindings
import StoreJSON
import StoreMigration
import StoreModels
import StorePublishing
import StoreRepair
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// A repair for a model, over all migration cases: what the plan says of the model is what `diagnose` says of the files.
@Suite struct ModelRepairLawTests {
  @Test(arguments: MigrationCase.all)
  func theVerdictsAreThoseOfDiagnose(_ migration: MigrationCase) throws {
    let (store, options) = try subject(migration)
    let before = try diagnose(path: store.path, options: options)
    let plan = try planRepair(Recipe(), of: opened(store, options), options: RepairOptions(diagnosis: options))
    #expect(plan.before.opening?.openings == before.deciding?.openings)
    #expect(plan.refusals.isEmpty)
    let after = try applied(plan, to: store, options)
    #expect(plan.after.opening?.openings == after.deciding?.openings)
    #expect(before.verdict.isError || !after.verdict.isError)
    // Rules that stop it are those of SD806, but for missing tables and columns.
    let stopping = plan.after.opening?.decisions.filter(\.stops) ?? []
    let found = after.findings.filter { $0.id == "SD806" && $0.severity == .error }
    #expect(stopping.count == found.count - (after.deciding?.missing.isEmpty == false ? 1 : 0))
    // Defaults are all that is added: a second plan has nothing to do.
    #expect(plan.operations.allSatisfy { $0.repair == .backfill && $0.grade == .safe })
  }

  /// Every choice mends the rows it stands beside: pasted as it is, unless it has names to be filled in.
  @Test(arguments: MigrationCase.all)
  func everyChoiceMendsItsRows(_ migration: MigrationCase) throws {
    let (store, options) = try subject(migration)
    let deciding = try diagnose(path: store.path, options: options).deciding
    for decision in deciding?.decisions ?? [] {
      for choice in decision.choices where !choice.options.contains("OWN=OTHER") {
        // A relationship can be found again only if something in the rows tells it.
        guard choice.options.first != "--relink", choice.options.last != "restore-from-history" else { continue }
        let plan = try planRepair(
          RecipeOptions(arguments: choice.options).recipe(), of: opened(store, options),
          options: RepairOptions(diagnosis: options))
        #expect(plan.refusals.isEmpty, "\(choice.options): \(plan.refusals)")
        let after = try applied(plan, to: store, options)
        #expect(
          after.deciding?.decisions.contains { $0.place == decision.place && $0.stops == decision.stops } != true,
          "\(choice.options)")
        #expect(plan.after.opening?.openings == after.deciding?.openings)
      }
    }
  }

  private func subject(_ migration: MigrationCase) throws -> (CaseStore, DiagnosisOptions) {
    if let plan = migration.plan, let models = migration.models, let version = migration.store {
      let target = try #require(migration.target.string)
      let names = models.keys.sorted().filter { $0 != target } + [target]
      let sources = try candidateSources(names.map { ($0, try migration.model($0)) })
      return (
        try CaseStore(migration.model(version), migration.rows, setup: migration.setup),
        DiagnosisOptions(candidates: CandidateOptions(models: sources, opening: .staged, stages: plan))
      )
    }
    let model = try ModelNotation.model(migration.source ?? [])
    let sources = try candidateSources([("old", model), ("new", migration.targetModel())])
    return (
      try CaseStore(model, migration.rows, setup: migration.setup),
      DiagnosisOptions(candidates: CandidateOptions(models: sources))
    )
  }

  private func opened(_ store: CaseStore, _ options: DiagnosisOptions) throws -> Store {
    try openToRepair(PosixPath(store.path), models: options.candidates.models)
  }

  /// Carries a plan out in a file of its own, and diagnoses that.
  private func applied(
    _ plan: RepairPlan, to store: CaseStore, _ options: DiagnosisOptions
  ) throws -> Diagnosis {
    let folder = try TemporaryFolder.inMemory()
    let path = folder("Repaired.sqlite")
    let outcome = try apply(
      plan, to: opened(store, options), destination: .output(OutputTarget(PosixPath(path))),
      allowance: RepairAllowance(lossy: true), options: RepairOptions(diagnosis: options))
    let diagnosis = try diagnose(path: path, options: options)
    #expect(outcome.condition.opening?.openings == diagnosis.deciding?.openings)
    return diagnosis
  }
}

extension RowDecision {
  fileprivate var place: String { "\(entity ?? "").\(property ?? "")" }
}

extension RecipeOptions {
  /// The options that a choice of a plan spells.
  fileprivate init(arguments: [String]) {
    self.init()
    for (option, value) in zip(arguments, arguments.dropFirst()) {
      switch option {
      case "--backfill": backfill.append(value)
      case "--backfill-group": backfillGroup.append(value)
      case "--backfill-generate": backfillGenerate.append(value)
      case "--dedupe": dedupe.append(value)
      case "--keep": keep = value
      case "--others": others = value
      case "--nulls": nulls = value
      case "--relink": relink = value
      case "--match": match.append(value)
      case "--dangling": dangling = value
      case "--structure": structure.append(value)
      default: break
      }
    }
  }
}
