import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreFindings
import StoreMigration
import StorePublishing
import StoreRepair
import StoreRows
import StoreSQLite
import StoreSystem
import StoreWords

/// Migrates a store to the deciding model, as Core Data's lightweight migration would, into a new file.
///
/// The store is judged first; it is only performed what the models make possible. The result is diagnosed with the model
/// and compared with the store object by object before it gets its name.
///
/// - Throws: `MigrationNotPossible` where the models do not migrate it; `MigrationRefused` where it is not known what Core
///   Data would write; `MigrationNeedsAllowance`; `MigrationLosesByRecipe`; `MigrationNotAsJudged` where the result is not as expected;
///   `PublishingError` where it cannot be written. Nothing is left behind then.
package func migrate(_ store: Store, to target: OutputTarget, run: MigrationRun) throws -> PerformedMigration {
  try migrate(store, to: target, run: run, files: FileActions())
}

/// The same through given calls of the file system, which a test can let fail.
package func migrate(
  _ store: Store, to target: OutputTarget, run: MigrationRun, files: FileActions
) throws -> PerformedMigration {
  let judged = try Judged(store, run)
  var hops: [PerformedMigration.Hop] = []
  var comparison: StoreComparison?
  var findings: [Finding] = []
  run.onProgress?("copying")
  try publish(store, to: target, files: files) { connection in
    run.onProgress?("migrating")
    hops = try judged.perform(on: connection, run)
    return []
  } verify: { draft in
    run.onProgress?("diagnosing and comparing")
    let (known, target) = (judged.findings, judged.route.last?.model)
    // Both read tables to their end, each through a connection of its own.
    (findings, comparison) = try beside {
      try check(Store(draft), after: known, run: run)
    } meanwhile: {
      let result = try opened(draft, by: target)
      let carried = CarriedObjects(of: store, models: judged.route.map(\.model), hops: hops)
      try carried.checkHistory(of: store, in: result)
      return try compare(store, with: result, hops: hops, carried: carried)
    }
    run.onProgress?("publishing")
  }
  return PerformedMigration(
    store: store.path, reading: Reading(store), output: target.path.description, verdict: judged.verdict,
    assumptions: judged.all(hops),
    hops: hops, comparison: comparison,
    findings: findings)
}

/// The same without writing anything: the statements are tried out on a private copy that vanishes.
///
/// - Throws: as `migrate(_:to:_:)`.
package func planMigration(of store: Store, _ run: MigrationRun) throws -> PerformedMigration {
  let judged = try Judged(store, run)
  run.onProgress?("copying")
  let connection = try Connection.scratch()
  try store.connection.copy(to: connection)
  try connection.learnSchema()
  run.onProgress?("migrating")
  let hops = try judged.perform(on: connection, run)
  return PerformedMigration(
    store: store.path, reading: Reading(store), output: nil, verdict: judged.verdict, assumptions: judged.all(hops),
    hops: hops)
}

/// Migrates a private copy that vanishes, diagnoses it, and compares it with the store.
///
/// - Parameters:
///   - diagnosis: what is known of the store with the models of `run`, if it was diagnosed already.
///   - read: called with the copy, once it is what was judged; with the store itself where that opens as it is.
/// - Throws: as `migrate(_:to:_:)`, but nothing about writing; and what `read` throws.
package func rehearse(
  _ store: Store, run: MigrationRun, judgedBy diagnosis: Diagnosis? = nil,
  reading read: (Store) throws -> Void = { _ in }
) throws -> PerformedMigration {
  let judged = try Judged(store, run, diagnosis)
  guard let target = judged.route.last?.model else {
    try read(store)
    return PerformedMigration(
      store: store.path, reading: Reading(store), output: nil, verdict: judged.verdict, assumptions: [], hops: [])
  }
  let connection = try Connection.scratch()
  try store.connection.copy(to: connection)
  try connection.learnSchema()
  let hops = try judged.perform(on: connection, run)
  let result = try Store(reading: connection, copiedFrom: store, migratedTo: target)
  let findings = try check(result, after: judged.findings, run: run)
  let carried = CarriedObjects(of: store, models: judged.route.map(\.model), hops: hops)
  try carried.checkHistory(of: store, in: result)
  let comparison = try compare(store, with: result, hops: hops, carried: carried)
  try read(result)
  return PerformedMigration(
    store: store.path, reading: Reading(store), output: nil, verdict: judged.verdict, assumptions: judged.all(hops),
    hops: hops,
    comparison: comparison, findings: findings)
}

/// A store that the models migrate, or open.
private struct Judged {
  let store: Store
  let verdict: ModelVerdict
  let findings: [Finding]
  let route: [RouteHop]
  /// Whether a recipe stands in for a stage, or a mapping model makes objects anew, so that rows may change.
  let isMended: Bool
  /// Whether a step goes by a mapping model.
  let isMapped: Bool

  /// The assumptions made whatever the tables are.
  var assumptions: [String] {
    let chain = verdict.stepsByMappingModels
    if !chain.isEmpty {
      return ["that the app goes from version to version with its mapping models, as Core Data by itself does not"]
    }
    guard verdict.basis == .assumed, !route.isEmpty else { return [] }
    return verdict.openings[.manual]?.verdict == .unknownVersion
      ? ["that the app has the version that made this store: it is not among those given"]
      : [
        "that Core Data migrates this store at all: \(uncertain)no real store, report or documentation shows it for certain"
      ]
  }

  /// "of Note.kind and Note.mood "; empty where no change of a property or an entity is to blame.
  private var uncertain: String {
    let places = verdict.uncertain.compactMap { change -> String? in
      let place = change.place
      let names = [place.entity, place.destinationProperty ?? place.sourceProperty].compactMap(\.self)
      return names.isEmpty ? nil : names.joined(separator: ".")
    }
    guard let first = places.first else { return "" }
    let others = Set(places).count - 1
    return "of \(first)\(others > 0 ? " and \(counted(others, "other change"))" : "") "
  }

  init(_ store: Store, _ run: MigrationRun, _ known: Diagnosis? = nil) throws {
    run.onProgress?("judging")
    let diagnosis =
      try known ?? diagnose(Examination(store: store, options: run.diagnosis))
    // A recipe may mend what stands in the way of its stage; each step is judged by itself then. What stands in the way of
    // a mapping model is refused with the step, by name.
    guard let verdict = diagnosis.deciding,
      [.migrates, .opens].contains(verdict.verdict) || !verdict.stepsByMappingModels.isEmpty
        || verdict.verdict == .blockedByData && (!run.stages.isEmpty || !verdict.mappings.isEmpty)
    else {
      throw MigrationNotPossible(diagnosis: diagnosis)
    }
    // A table that is made anew takes the rows of its entities; what becomes of others was never seen.
    let strays = diagnosis.findings.filter { $0.check == .unknownEntityNumber }
    if verdict.verdict != .opens, !strays.isEmpty {
      throw MigrationRefused(
        strays.map { finding in
          MigrationRefusal(
            finding.entity ?? finding.table, nil,
            "\(finding.message) (\(finding.id)), and what becomes of such rows is not known",
            advice: "'storedoctor explain \(finding.id)' says what can be done about them")
        })
    }
    self.store = store
    self.verdict = verdict
    findings = diagnosis.findings
    route = try migrationRoute(of: store, run.candidates, verdict: verdict)
    try run.check(route)
    isMapped = route.contains { $0.mapping != nil }
    isMended = isMapped || route.contains { run.recipe(for: $0) != nil }
    guard isMended || verdict.verdict != .blockedByData else { throw MigrationNotPossible(diagnosis: diagnosis) }
    if !isMended { try Self.refuse(verdict) }
  }

  /// Refuses a verdict that rests on no evidence.
  private static func refuse(_ verdict: ModelVerdict) throws {
    var refusals = verdict.unknown.map { MigrationRefusal($0.change, $0.effect.afterwards) }
    for risk in verdict.atRisk
    where risk.rule.gradeWhenViolated == .d && !risk.rule.condition.isAboutCounts && !risk.isFilledByDefault
      && !risk.isMoveToParent
    {
      let rows = risk.violations.reduce(0) { $0 + $1.count }
      let isAboutNulls = if case .noNulls = risk.rule.condition { true } else { false }
      refusals.append(
        MigrationRefusal(
          risk.change, "\(counted(rows, "row")): \(risk.rule.words)",
          advice: isAboutNulls ? "fill them first with 'storedoctor repair', or in the app before the update" : nil))
    }
    if !refusals.isEmpty { throw MigrationRefused(refusals) }
  }

  /// Carries out all steps, each planned on the result of the one before it.
  func perform(on connection: Connection, _ run: MigrationRun) throws -> [PerformedMigration.Hop] {
    var hops: [PerformedMigration.Hop] = []
    for hop in route {
      if let mapping = hop.mapping {
        hops.append(try perform(hop, by: mapping, on: connection, after: hops, run))
        continue
      }
      let reached = reached(hops.count)
      func current() throws -> Store {
        try Store(reading: connection, copiedFrom: store, migratedTo: reached)
      }
      let recipe = run.recipe(for: hop)
      // The same seed would give the same UUIDs in every customer's store.
      let made = SeededValues(seed: .random(in: .min ... .max), now: run.now)
      let before = try recipe.map {
        try StoreRepair.perform($0.willMigrate, on: connection, generated: made, reading: current)
      }
      let (past, plan, objects) = try connection.allowingStructureChanges {
        let store = try current()
        if isMended { try judge(store, hop: hop, run: run) }
        let past =
          try recipe?.didMigrate.asksForPast == true
          ? PastVersion(keeping: store, on: connection, sources: store.sources(of: hop.model)) : nil
        let objects = try recipe == nil ? [:] : store.keptObjects(by: hop.model)
        return (past, try MigrationPlan(from: store, to: hop.model, cache: hop.cache, now: run.now), objects)
      }
      let assumed = assumptions + plan.assumptions
      guard run.allowsAssumed || assumed.isEmpty else { throw MigrationNeedsAllowance(assumptions: assumed) }
      try plan.perform(on: connection)
      if recipe != nil { try check(objects, in: Store(reading: connection, copiedFrom: store, migratedTo: hop.model)) }
      let after = try recipe.map { recipe in
        try StoreRepair.perform(
          recipe.didMigrate, on: connection, past: past, defaults: plan.defaults, generated: made
        ) {
          try Store(reading: connection, copiedFrom: store, migratedTo: hop.model)
        }
      }
      if let past { try connection.allowingStructureChanges { try past.forget(on: connection) } }
      let lossy = (before?.lossy ?? []) + (after?.lossy ?? [])
      guard run.allowsLossy || lossy.isEmpty else { throw MigrationLosesByRecipe(operations: lossy) }
      hops.append(
        PerformedMigration.Hop(
          from: hop.from, to: hop.to, plan: plan, willMigrate: before?.sentences ?? [],
          didMigrate: after?.sentences ?? [], lossyOperations: lossy, isPerformedByRecipe: recipe != nil))
    }
    return hops
  }

  /// Carries out a step by a mapping model.
  private func perform(
    _ hop: RouteHop, by mapping: MappingModel, on connection: Connection, after hops: [PerformedMigration.Hop],
    _ run: MigrationRun
  ) throws -> PerformedMigration.Hop {
    let reached = reached(hops.count)
    let made = SeededValues(seed: .random(in: .min ... .max), now: run.now)
    let recipes = run.recipes(for: hop, by: mapping)
    var performed = PerformedMigration.Hop(from: hop.from, to: hop.to, plan: MigrationPlan(statements: []))
    performed.mapping = mapping.path
    func note(_ recipe: PerformedRecipe, to list: WritableKeyPath<PerformedMigration.Hop, [String]>) {
      performed[keyPath: list] += recipe.sentences
      performed.lossyOperations += recipe.lossy
      performed.isPerformedByRecipe = true
    }
    for (_, recipe) in recipes {
      note(
        try StoreRepair.perform(recipe.willMigrate, on: connection, generated: made) {
          try Store(reading: connection, copiedFrom: store, migratedTo: reached)
        }, to: \.willMigrate)
    }
    let (plan, keys, check, untouched, pasts) = try connection.allowingStructureChanges {
      let current = try Store(reading: connection, copiedFrom: store, migratedTo: reached)
      let plan = try MigrationPlan(
        from: current, to: hop.model, by: mapping, cache: hop.cache, recipes: Set(recipes.map(\.mapping)), now: run.now)
      let keys = try plan.mapped?.pairs(in: current) ?? []
      let check = try plan.mappedModel.map { try MappingCheck(of: current, $0, keys: keys) }
      let written = recipes.isEmpty ? nil : WrittenByRecipes(recipes.map(\.recipe.didMigrate))
      let untouched = try written.flatMap { written in
        try plan.mappedModel.map { try MappingCheck(of: current, $0, keys: keys, besides: written) }
      }
      let pasts = try current.pasts(recipes, on: connection, mapped: plan.mapped?.parts ?? [], keys: keys)
      return (plan, keys, check, untouched, pasts)
    }
    try plan.perform(on: connection)
    let assumed = assumptions + plan.assumptions
    guard run.allowsAssumed || assumed.isEmpty else { throw MigrationNeedsAllowance(assumptions: assumed) }
    (performed.plan, performed.keys) = (plan, keys)
    try check?.verify(in: Store(reading: connection, copiedFrom: store, migratedTo: hop.model))
    for (name, recipe) in recipes {
      note(
        try StoreRepair.perform(
          recipe.didMigrate, on: connection, past: pasts[name], defaults: plan.defaults, generated: made
        ) {
          try Store(reading: connection, copiedFrom: store, migratedTo: hop.model)
        }, to: \.didMigrate)
    }
    if let past = pasts.values.first { try connection.allowingStructureChanges { try past.forget(on: connection) } }
    try plan.performLastChecks(on: connection)
    try untouched?.verify(in: Store(reading: connection, copiedFrom: store, migratedTo: hop.model))
    guard run.allowsLossy || performed.lossyOperations.isEmpty else {
      throw MigrationLosesByRecipe(operations: performed.lossyOperations)
    }
    return performed
  }

  /// Where a recipe changes objects, the comparison with the store cannot tell what the structural step did; that it kept
  /// every object is asked for by itself.
  ///
  /// - Throws: `MigrationNotAsJudged`.
  private func check(_ objects: [String: Int64], in result: Store) throws {
    let now = try result.objects()
    if let lost = objects.sorted(by: { $0.key < $1.key }).first(where: { now[$0.key] != $0.value }) {
      throw MigrationNotAsJudged(
        reason: "\(lost.key) had \(counted(lost.value, "object")) before the structural step, and has "
          + "\(now[lost.key] ?? 0) after it")
    }
  }

  /// Judges one step by the rows as they are before it, since a recipe may have changed them.
  private func judge(_ current: Store, hop: RouteHop, run: MigrationRun) throws {
    var options = run.diagnosis
    options.candidates = CandidateOptions(
      models: try run.candidates.models.compactMap { source in
        source.versions.contains { $0.name == hop.to } ? try source.only(hop.to) : nil
      }, opening: .automatic)
    let diagnosis = try diagnose(Examination(store: current, options: options))
    guard let verdict = diagnosis.deciding, [.migrates, .opens].contains(verdict.verdict) else {
      let stage = run.recipe(for: hop).map { _ in "\(quoted(hop.from ?? "")) to \(quoted(hop.to))" }
      throw MigrationNotPossible(diagnosis: diagnosis, stage: stage)
    }
    try Self.refuse(verdict)
  }

  /// The assumptions of all steps, each once.
  func all(_ hops: [PerformedMigration.Hop]) -> [String] {
    var seen: Set<String> = []
    let recipes = hops.filter(\.isPerformedByRecipe).map { hop in
      "that the app's \(hop.mapping == nil ? "stage" : "policy") from \(quoted(hop.from ?? "")) to \(quoted(hop.to)) does "
        + "what the recipe does: its code was not run"
    }
    return (assumptions + hops.flatMap(\.plan.assumptions) + recipes).filter { seen.insert($0).inserted }
  }

  /// The version that a number of hops lead to; nil before the first.
  private func reached(_ hops: Int) -> Model? { route.indices.contains(hops - 1) ? route[hops - 1].model : nil }

}

/// The findings of the result.
///
/// - Parameter before: those of the store.
/// - Throws: `MigrationNotAsJudged` where it does not open, or has errors that the store did not have.
private func check(_ result: Store, after before: [Finding], run: MigrationRun) throws -> [Finding] {
  let after = try diagnose(Examination(store: result, options: run.diagnosis))
  guard let verdict = after.deciding?.verdict, verdict == .opens else {
    throw MigrationNotAsJudged(reason: "with the model it is '\(after.verdict.rawValue)', not 'opens'")
  }
  func errors(_ findings: [Finding]) -> [String: Int64] {
    findings.filter { $0.severity == .error && !$0.traits.contains(.sideFiles) }
      .reduce(into: [:]) { $0[$1.id, default: 0] += $1.count }
  }
  let known = errors(before)
  if let new = errors(after.findings).first(where: { $0.value > known[$0.key] ?? 0 }) {
    let words = after.findings.first { $0.id == new.key }?.message ?? ""
    throw MigrationNotAsJudged(reason: "\(new.key) is found there, and was not in the store: \(words)")
  }
  return after.findings
}

extension MigrationRun {
  /// How stores are diagnosed before and after. Whether indexes agree with their tables is not asked: a row that an index
  /// hides is missed by the comparison, which reads tables.
  fileprivate var diagnosis: DiagnosisOptions { DiagnosisOptions(integrity: .quick, candidates: candidates) }
}

extension PerformedRecipe {
  /// The operations and the remarks on them.
  fileprivate var sentences: [String] { operations + remarks }
}

extension PerformedMigration.Hop {
  /// Whether a recipe found something to do, or to say.
  fileprivate var didMend: Bool { !willMigrate.isEmpty || !didMigrate.isEmpty }
}

extension Store {
  /// What was before a step by a mapping model, for each recipe that asks for it, by its entity mapping.
  fileprivate func pasts(
    _ recipes: [(mapping: String, recipe: StageRecipe)], on connection: Connection, mapped parts: [MappedKeys.Part],
    keys: [[Int64: Int64]]
  ) throws -> [String: PastVersion] {
    let asked = recipes.filter(\.recipe.didMigrate.asksForPast).map(\.mapping)
    let found = zip(parts, keys).filter { asked.contains($0.0.name) }
    guard !found.isEmpty else { return [:] }
    let past = try PastVersion(
      keeping: self, on: connection,
      mapped: found.map { PastVersion.Mapped($0.0.source, becoming: $0.0.destination, keys: $0.1) })
    return Dictionary(found.enumerated().map { ($1.0.name, past.only($0)) }) { first, _ in first }
  }

  /// The objects of each entity, without those of subentities, by the model's name.
  fileprivate func objects() throws -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for entity in layout.entities where entity.tableExists && !entity.id.isInternal {
      let rows = try connection.prepare("SELECT count(*) FROM \(quotedIdentifier(entity.table)) WHERE Z_ENT = ?")
      try rows.bind(.integer(entity.id.number), at: 1)
      if try rows.step() { counts[entity.modelName ?? entity.name] = rows.int64(0) }
    }
    return counts
  }

  /// The same for the entities that a model keeps, by its names.
  fileprivate func keptObjects(by target: Model) throws -> [String: Int64] {
    let counts = try objects()
    return sources(of: target).compactMapValues { counts[$0] }
  }

  /// For each entity of a model, the one of this store that it comes from, by the models' names.
  fileprivate func sources(of target: Model) -> [String: String] {
    guard let model else { return [:] }
    let difference = ModelDifference(from: model, to: target)
    return Dictionary(
      target.entities.compactMap { entity in difference.sourceEntity(of: entity.name).map { (entity.name, $0) } }
    ) { first, _ in first }
  }
}

extension MigrationRefusal {
  /// - Parameters:
  ///   - change: what changes; nil for something that was wrong with the rows before.
  ///   - reason: what is not known of it.
  ///   - advice: what to do; by default what fits the change.
  fileprivate init(_ change: ModelChange?, _ reason: String, advice: String? = nil) {
    let place = change?.place
    let property = place?.destinationProperty ?? place?.sourceProperty
    let other = property == nil ? "that avoids this change" : "that has the new property beside the old one"
    self.init(
      place?.destinationEntity ?? place?.sourceEntity, property,
      [change?.phrase, reason].compactMap(\.self).joined(separator: "; "),
      advice: advice ?? "migrate a copy on a device or simulator, or go through a version \(other)")
  }
}

extension ModelChange {
  /// "Date becomes Integer 64"; nil for kinds that say all by their place.
  fileprivate var phrase: String? {
    switch kind {
    case .type(let old, let new): "\(old.name) becomes \(new.name)"
    case .externalStorage(let isAllowed): "external storage is switched \(isAllowed ? "on" : "off")"
    case .optional(false): "it becomes required"
    case .ordered(true): "it becomes ordered"
    case .abstract(true): "it becomes abstract"
    case .parent(let old, let new): "its parent was \(old ?? "none") and becomes \(new ?? "none")"
    case .destination(let old, let new): "it led to \(old) and leads to \(new)"
    case .maximumCount(_, 1): "it leads to one object now"
    case .maximumCount(1, _): "it leads to many objects now"
    default: nil
    }
  }
}

extension MigrationOutcome.JudgedRule {
  /// Whether rows without a value are given the default of an attribute that becomes required: assumed by the planner.
  fileprivate var isFilledByDefault: Bool {
    guard case .noNulls = rule.condition, case .optional(false)? = change?.kind else { return false }
    return true
  }
}

extension MigrationOutcome.JudgedRule {
  /// Whether rows get into the table of another parent with their keys: assumed by the planner, which refuses keys that are
  /// there already.
  fileprivate var isMoveToParent: Bool {
    guard case .noRows = rule.condition, case .parent? = change?.kind else { return false }
    return true
  }
}

extension RowCondition {
  /// Whether it is about how many links there are, which no migration changes.
  fileprivate var isAboutCounts: Bool { if case .linkCount = self { true } else { false } }
}

/// The result, described by the target where it has no model of its own: a store without a cache gets none.
private func opened(_ draft: PosixPath, by target: Model?) throws -> Store {
  let result = try Store(draft)
  guard let target, result.model == nil else { return result }
  return try Store(draft, options: Store.Options(model: target))
}

/// Compares the store with the result.
///
/// - Throws: `MigrationNotAsJudged` where an object or a value of a kept entity is not there any more.
///
/// Where a recipe stood in for a stage, or a mapping model gave other values, what it did is different, and counted.
private func compare(
  _ store: Store, with result: Store, hops: [PerformedMigration.Hop], carried: CarriedObjects
) throws -> StoreComparison {
  var options = ComparisonOptions()
  options.pairing = .key
  options.given = carried.given
  var first: ObjectChange?
  let filled = hops.reduce(into: Set<String>()) { $0.formUnion($1.plan.filled) }
  let comparison = try compareStores(store, result, options: options) { change in
    let isFilled =
      change.kind == .changed
      && change.values.allSatisfy { value in
        (value.before ?? .null) == .null && filled.contains("\(change.entity).\(value.property)")
      }
    if first == nil, change.kind != .added, !isFilled { first = change }
  }
  guard !hops.contains(where: { $0.didMend || $0.mapping != nil }) else { return comparison }
  if let change = first {
    let values = change.values.map(\.property).joined(separator: ", ")
    throw MigrationNotAsJudged(
      reason: "\(change.entity) \(change.keyBefore.map(String.init) ?? "") is \(change.kind.rawValue)"
        + (values.isEmpty ? "" : ": \(values)"))
  }
  if let added = comparison.entities.first(where: { $0.added > 0 }) {
    throw MigrationNotAsJudged(reason: "\(added.name) has \(counted(added.added, "object")) more")
  }
  return comparison
}
