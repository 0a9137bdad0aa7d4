import StoreDataModel

/// The facts about a store, besides its rows, that predict the result of opening it.
package struct StoreState: Sendable {
  /// The model of the store.
  package var model: Model
  /// Whether one of the models in the app has the store's hashes.
  package var isModelInApp: Bool
  /// Whether the store holds a readable model cache.
  package var hasModelCache: Bool
  /// Whether its metadata holds a checksum (frameworks from 1321 on).
  package var hasChecksum: Bool
  /// Whether tables or columns that the model requires are missing.
  package var lacksStructure: Bool

  /// By default, a store as current frameworks write it, of a version the app knows.
  package init(
    model: Model, isModelInApp: Bool = true, hasModelCache: Bool = true, hasChecksum: Bool = true,
    lacksStructure: Bool = false
  ) {
    self.model = model
    self.isModelInApp = isModelInApp
    self.hasModelCache = hasModelCache
    self.hasChecksum = hasChecksum
    self.lacksStructure = lacksStructure
  }
}

/// The results of opening a store with a model, in each of the four ways an app may do it.
package struct Openings: Sendable, Equatable {
  /// Without migration: a bare coordinator. If the model differs, the error is 134100; the verdict says what
  /// automatic migration would do.
  package var none: MigrationOutcome
  /// With lightweight migration: `NSPersistentContainer`, SwiftData without a plan.
  package var automatic: MigrationOutcome
  /// With a plan of versions and stages.
  package var staged: MigrationOutcome
  /// With mapping models only, without inference.
  package var manual: MigrationOutcome

  /// Judges all four, in the order in which Core Data decides: equal hashes, whether migration is allowed, stages, an
  /// inferred mapping, the rows.
  ///
  /// - Parameters:
  ///   - store: the store, apart from its rows.
  ///   - target: the model it is opened with.
  ///   - plan: the stages; if the app has none, one lightweight stage through its versions.
  ///   - rows: what is known of the rows.
  ///   - mappings: the mapping models in the app.
  package init(
    store: StoreState, target: Model, plan: StagePlan, rows: (any RowFacts)?, mappings: [MappingModel] = []
  ) {
    let known = JudgedModels()
    let mapping = MappingUse(
      among: mappings, from: known.hashes(of: store.model), to: known.hashes(of: target),
      judging: (store.model, target))
    self.init(
      store: store, inference: known.inference(from: store.model, to: target), plan: plan, rows: rows,
      mapping: mapping, known)
  }

  /// The same for a difference between the store's model and the target that is already judged.
  package init(
    store: StoreState, inference: MigrationInference, plan: StagePlan, rows: (any RowFacts)?, mapping: MappingUse?,
    _ known: JudgedModels
  ) {
    automatic = Self.automatic(inference, store: store, rows: rows, mapping: mapping)
    none = automatic
    manual = automatic
    if !inference.difference.hashesAreEqual {
      none = MigrationOutcome(verdict: automatic.verdict, failure: .incompatible, grade: .a)
      manual = Self.manual(store, mapping: mapping, rows: rows)
    }
    staged = Self.staged(
      store, to: inference.difference.destination, plan: plan, rows: rows, automatic: automatic, known: known)
  }

  private static func automatic(
    _ inference: MigrationInference, store: StoreState, rows: (any RowFacts)?, mapping: MappingUse?
  ) -> MigrationOutcome {
    var outcome = inference.outcome(rows: rows)
    guard outcome.verdict != .opens else { return outcome }
    guard store.isModelInApp || store.hasModelCache else {
      return MigrationOutcome(verdict: .unknownVersion, failure: .noSourceModel, grade: .b)
    }
    // Core Data looks for a mapping model before it infers one, also with automatic migration.
    if let mapping { outcome = MigrationOutcome(by: mapping, rows: rows) }
    if store.lacksStructure && outcome.verdict == .migrates {
      outcome.verdict = .blockedByData
      outcome.failure = .missingStructure
      outcome.grade = .c
    }
    // The source model is taken from the store's cache. This works today; since which system version is not known.
    if !store.isModelInApp { outcome.grade = max(outcome.grade, .c) }
    return outcome
  }

  /// Without inference a mapping model is required, and Core Data needs both models to find it.
  private static func manual(
    _ store: StoreState, mapping: MappingUse?, rows: (any RowFacts)?
  ) -> MigrationOutcome {
    guard store.isModelInApp else {
      let grade: Grade = store.hasModelCache ? .c : .b
      return MigrationOutcome(verdict: .unknownVersion, failure: .noSourceModel, grade: grade)
    }
    guard let mapping else {
      return MigrationOutcome(verdict: .needsCustomStage, failure: .noMappingModel, grade: .a)
    }
    guard !store.lacksStructure else {
      return MigrationOutcome(verdict: .blockedByData, failure: .missingStructure, grade: .c)
    }
    return MigrationOutcome(by: mapping, rows: rows)
  }

  private static func staged(
    _ store: StoreState, to target: Model, plan: StagePlan, rows: (any RowFacts)?, automatic: MigrationOutcome,
    known: JudgedModels
  ) -> MigrationOutcome {
    // Core Data rejects a plan with equal versions before it looks at the store.
    if let exception = plan.exception {
      return MigrationOutcome(verdict: .needsCustomStage, failure: exception, grade: .b)
    }
    if automatic.verdict == .opens { return automatic }
    guard store.hasChecksum else {
      return MigrationOutcome(verdict: .unknownVersion, failure: StagePlan.noChecksum, grade: .c)
    }
    guard let first = plan.version(withChecksum: known.hashes(of: store.model).checksum) else {
      return MigrationOutcome(verdict: .unknownVersion, failure: StagePlan.unknownStore, grade: .b)
    }
    guard let last = plan.version(withChecksum: known.hashes(of: target).checksum) else {
      return MigrationOutcome(verdict: .unknownVersion, failure: StagePlan.unknownTarget, grade: .b)
    }
    guard let steps = plan.steps(from: first.name, to: last.name) else {
      return MigrationOutcome(
        verdict: .needsCustomStage, failure: StagePlan.backwards, grade: plan.isOrderAssumed ? .c : .b)
    }
    return run(steps, of: plan, store: store, rows: rows, known: known)
  }

  /// Judges the steps one by one; the first that fails decides.
  private static func run(
    _ steps: [StagePlan.PlannedStep], of plan: StagePlan, store: StoreState, rows: (any RowFacts)?,
    known: JudgedModels
  ) -> MigrationOutcome {
    let isPlain = steps.count == 1 && !steps.contains(where: plan.skipsVersions)
    var whole = MigrationOutcome(verdict: .migrates, failure: nil, grade: isPlain ? .a : .b)
    whole.steps = steps.map { .init(from: $0.from, to: $0.to) }
    var custom: [MigrationOutcome.Step] = []
    var losses = LossList()
    for step in steps {
      guard let from = plan.versions[step.from]?.model, let to = plan.versions[step.to]?.model else { continue }
      let past = known.inference(from: store.model, to: from)
      let facts = rows.map { LaterRows(rows: $0, past: past) }
      if step.runsCode { custom.append(.init(from: step.from, to: step.to)) }
      let outcome = known.inference(from: from, to: to).outcome(rows: facts) { condition in
        guard case .noNulls(let entities, let property) = condition else { return false }
        return step.fills.contains { entities.contains($0.entity) && $0.property == property }
      }
      whole.unknown += outcome.unknown
      whole.atRisk += outcome.atRisk
      whole.unanswered += outcome.unanswered
      whole.uncertain += outcome.uncertain
      for loss in outcome.losses {
        guard var own = past.inSource(loss) else { continue }
        own.stages = custom
        if !custom.isEmpty { own.loss.grade = max(own.loss.grade, .d) }
        losses.add(own)
      }
      whole.losses = losses.losses
      guard outcome.verdict == .migrates || outcome.verdict == .opens else {
        (whole.verdict, whole.failure) = (outcome.verdict, outcome.failure)
        (whole.obstacles, whole.blocking) = (outcome.obstacles, outcome.blocking)
        whole.grade = max(whole.grade, outcome.grade)
        return whole
      }
      whole.grade = max(whole.grade, outcome.grade)
    }
    if store.lacksStructure {
      (whole.verdict, whole.failure, whole.grade) = (.blockedByData, .missingStructure, .c)
    }
    return whole
  }
}
