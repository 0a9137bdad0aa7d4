import StoreDiagnosis
import StoreFindings
import StorePlatform
import StorePublishing
import StoreText
import StoreWords
import StoreCoreData
import StoreSQLite

// How a store is repaired
// -----------------------
//
//   Recipe ──► planRepair ──► RepairPlan ──► apply ──► RepairOutcome
//              (Workbench)    Operations     (copy, or the store itself and a Journal)
//
// A plan is made by trying it out on a private copy (`Workbench`): each repair reads the copy and decides (`Decision`),
// and its operations are carried out there before the next repair runs. So every operation is decided on the result of
// those before it, and what the plan says about the store afterwards was observed.
//
// The repairs are repeated until none finds anything to do, since one may make work for an earlier one. That is also
// why a plan for the repaired store is empty.
//
// Applying a plan decides nothing: it carries out the operations, compares their counts, and diagnoses the result.
//
// `repair` does both at once for a new file: it plans on the copy that is published then.

/// How a plan is made.
package struct RepairOptions: Sendable {
  /// The seed and time for generated values; random seed and present time if nil.
  package var generated: SeededValues?
  /// How the store is diagnosed before and after.
  package var diagnosis: DiagnosisOptions
  /// Called on the planning thread with a word or two about the current step.
  package var onProgress: (@Sendable (String) -> Void)?
  /// Called there with the share of the current step that is done, from 0 to 1, where it is known: while changes are
  /// written, and while the result is read. Reading the store itself is reported to who opened it.
  package var onShare: (@Sendable (Double) -> Void)?

  /// By default a random seed, and a complete diagnosis.
  package init(
    generated: SeededValues? = nil, diagnosis: DiagnosisOptions = DiagnosisOptions(),
    onProgress: (@Sendable (String) -> Void)? = nil, onShare: (@Sendable (Double) -> Void)? = nil
  ) {
    self.onShare = onShare
    self.generated = generated
    self.diagnosis = diagnosis
    // Keys are shown of the rows that stop a migration only.
    self.diagnosis.examples = diagnosis.candidates.models.isEmpty ? 1 : Obstacle.maximumKeys
    self.onProgress = onProgress
  }
}

/// Plans a recipe for a store. Nothing is written.
///
/// - Throws: `RecipeMistakes` where the recipe names what the store does not have; `RepairPlanError` where the store
///   may not be changed at all; `SQLiteError` when it cannot be read.
package func planRepair(_ recipe: Recipe, of store: Store, options: RepairOptions = RepairOptions()) throws
  -> RepairPlan
{
  let planning = try Planning(recipe, of: store, options: options)
  options.onProgress?("copying")
  func attempt(leaving required: [String: String]) throws -> (plan: RepairPlan, after: RepairPlan.Condition) {
    let bench = try Workbench(
      copying: store, damagedTables: planning.damagedTables, options: options.diagnosis, generated: planning.generated)
    bench.requiredByAim = required
    bench.onShare = options.onShare
    let decision = try planning.decide(on: bench)
    options.onProgress?("diagnosing what it leaves")
    let after = try RepairPlan.Condition(of: bench.store, options.diagnosis)
    return (try planning.plan(decision, after: after), after)
  }
  let (plan, after) = try attempt(leaving: [:])
  let required = planning.emptiedAlthoughRequired(plan, after: after)
  return required.isEmpty ? plan : try attempt(leaving: required).plan
}

/// The facts known before anything is decided, and the maker of a plan from a decision.
struct Planning {
  let recipe: Recipe
  let store: Store
  let options: RepairOptions
  /// The store as it is.
  let before: RepairPlan.Condition
  let generated: SeededValues
  /// Tables of which some rows may be unreadable.
  let damagedTables: Set<String>
  let aim: RepairAim?

  init(_ recipe: Recipe, of store: Store, options: RepairOptions) throws {
    if let table = store.shape.lostTables.first { throw RepairPlanError.lostTable(path: store.path, table: table) }
    let mistakes = recipe.mistakes(in: store)
    guard mistakes.isEmpty else { throw RecipeMistakes(mistakes) }
    options.onProgress?("diagnosing")
    let before = try RepairPlan.Condition(of: store, options.diagnosis)
    let foreign = before.findings.filter { $0.id == CheckID.foreignObject.rawValue }
    guard foreign.isEmpty else { throw RepairPlanError.foreignObjects(path: store.path) }
    if let repeated = before.findings.first(where: { $0.id == Check.repeatedKey.id }) {
      throw RepairPlanError.repeatedKeys(path: store.path, entity: repeated.entity ?? "")
    }
    self.recipe = recipe
    self.store = store
    self.options = options
    self.before = before
    generated = options.generated ?? .random()
    damagedTables = before.isIntact ? [] : try store.integrity(.quick).damagedTables
    aim = before.opening.map { verdict in
      RepairAim(verdict) { item in
        var recipe = Recipe()
        recipe.backfill = [item]
        return recipe.mistakes(in: store).isEmpty
      }
    }
  }

  /// Tries the recipe out.
  func decide(on bench: Workbench) throws -> Decision {
    try StoreRepair.decide(recipe.steps + (aim?.recipe.steps ?? []), on: bench, onProgress: options.onProgress)
  }

  /// Relationships that a refused plan would empty, by the safe part of `dangling`, although the model that the store
  /// is repaired for requires them; with the model's name.
  func emptiedAlthoughRequired(_ plan: RepairPlan, after: RepairPlan.Condition) -> [String: String] {
    guard recipe.dangling == .nullifyOptional, !plan.refusals.isEmpty, let opening = after.opening else { return [:] }
    var emptied: Set<String> = []
    for operation in plan.operations where operation.repair == .dangling {
      if let entity = operation.entity, let property = operation.property { emptied.insert("\(entity).\(property)") }
    }
    var models: [String: String] = [:]
    for decision in opening.decisions where decision.stops {
      guard let entity = decision.entity, let property = decision.property else { continue }
      if emptied.contains("\(entity).\(property)") { models["\(entity).\(property)"] = opening.name }
    }
    return models
  }

  /// What a plan that leaves damage as it is says of it.
  private var damageNotice: [String] {
    before.isIntact
      ? []
      : [
        "SQLite finds the store damaged (SD102 or SD103), which no repair of rows mends: 'storedoctor diagnose' says where"
      ]
  }

  /// The plan, once it is known what the decision leaves.
  func plan(_ decision: Decision, after: RepairPlan.Condition) throws -> RepairPlan {
    let obstacles = decision.obstacles + broken(before: before, after: after, decision: decision)
    let isRefused = obstacles.contains(where: \.refusesPlan)
    var plan = RepairPlan(
      store: .init(path: store.path, uuid: store.metadata.uuid, fingerprint: try store.fingerprint()), recipe: recipe,
      aim: aim, generated: generated, isMirrored: store.isMirrored, operations: decision.operations,
      obstacles: obstacles,
      notices: Reading(store).ofFiles + damageNotice + decision.notices
        + (try store.repairNotices(decision, before: before)),
      before: before,
      after: isRefused ? after.withoutOpening : after)
    plan.gradeInvalidValues()
    return plan
  }
}

/// The most passes over all repairs. Each pass with operations removes rows, fills gaps or corrects links, so passes
/// end by themselves; a store that still needs more is refused.
private let maximumPasses = 16

/// - Parameter runsItemsOnce: whether what is asked about objects is done once, in its order, as code of an app does it; what
///   is not filled then stays so.
func decide(
  _ steps: [RepairStep], on bench: Workbench, runsItemsOnce: Bool = false, onProgress: ((String) -> Void)?
) throws -> Decision {
  var whole = Decision()
  let waiting = bench.store.model == nil ? steps.filter(\.repair.needsModel) : []
  let ready = bench.store.model == nil ? steps.filter { !$0.repair.needsModel } : steps
  // Only the last obstacles of a step count: earlier ones may have been removed since.
  var obstacles: [[Obstacle]] = ready.map { _ in [] }
  for number in 0..<maximumPasses {
    var pass = Decision.withoutModel(waiting)
    let others = pass.obstacles
    for (place, step) in ready.enumerated() where number == 0 || !runsItemsOnce || !step.repair.isOfItems {
      onProgress?(step.repair.rawValue)
      let decision = try Promise(bench).graded(step.decide(bench))
      obstacles[place] = decision.obstacles
      var done = decision
      done.operations = try bench.perform(decision.operations)
      pass += done
      // A refused plan would carry out nothing that follows, and might never come to rest.
      if decision.obstacles.contains(where: \.refusesPlan) {
        whole += pass
        return whole.withoutRepetition
      }
    }
    whole.operations += pass.operations
    whole.notices += pass.notices
    whole.obstacles = others + obstacles.joined()
    if pass.operations.isEmpty { return whole.withoutRepetition }
  }
  throw RepairPlanError.noEnd
}

extension Repair {
  /// Whether it is one of the things that a recipe asks for about objects (`Recipe.Item`).
  fileprivate var isOfItems: Bool { [.backfill, .relink, .dedupe, .junctions].contains(self) }

  /// Whether it changes no object, but what the file holds beside them.
  fileprivate var isOfTheFile: Bool { self == .trimHistory || self == .compact }

  /// Whether it needs the model, and not only entities and relationships guessed from the schema.
  fileprivate var needsModel: Bool {
    switch self {
    case .reindex, .highWater, .metadata, .trimHistory, .compact: false
    case .restoreFromHistory, .restore, .merge, .joinOrphans, .selfLinkMirrors, .companions, .orderKeys, .dangling,
      .wrongEntity, .inverses, .entityNames, .backfill, .relink, .dedupe, .junctions, .externalFiles, .uniqueIndexes:
      true
    }
  }
}

extension Decision {
  /// One obstacle for all repairs that need a model.
  fileprivate static func withoutModel(_ steps: [RepairStep]) -> Decision {
    guard let first = steps.first else { return Decision() }
    var names: [String] = []
    for name in steps.map(\.repair.rawValue) where !names.contains(name) { names.append(name) }
    return .refusal(
      first.repair,
      message:
        "\(names.joined(separator: ", ")): the store holds no model, and what its tables suggest is not sure enough to "
        + "write by; give the model that made it with --store-model")
  }

  /// The decision with each notice once.
  fileprivate var withoutRepetition: Decision {
    var decision = self
    var seen: Set<String> = []
    decision.notices.removeAll { !seen.insert($0).inserted }
    return decision
  }
}

/// The harm that the repairs would do: errors the store does not have yet, and rules of the model that hold now.
private func broken(
  before: RepairPlan.Condition, after: RepairPlan.Condition, decision: Decision
) -> [Obstacle] {
  // With no operations nothing can have been broken; a copy of a damaged store may show more findings than the
  // original.
  guard !decision.operations.isEmpty, !decision.obstacles.contains(where: \.refusesPlan) else { return [] }
  // New objects may lack required values (SD501), which counts as breaking something then.
  let makesObjects = decision.operations.contains { [.junctions, .restore, .merge].contains($0.repair) }
  let gaps = makesObjects ? Check.missingRequiredValue.id : nil
  return newlyStopped(before, after: after, decision: decision)
    + after.findings.filter { found in
      // A model that refuses the store is no fault of the store; `newlyStopped` looks at that.
      guard !Check.traits(of: found.id).contains(.candidates) else { return false }
      let isWatched = found.severity == .error || found.id == gaps || Check.traits(of: found.id).contains(.standingRule)
      return isWatched && found.count > before.count(at: found)
    }.map { found in
      let check = Check.all.first { $0.id == found.id }
      let place = [found.entity, found.property].compactMap(\.self).joined(separator: ".")
      return Obstacle(
        decision.operations.last?.repair ?? .dedupe, entity: found.entity, property: found.property,
        count: Int(clamping: found.count),
        "afterwards \(place.isEmpty ? "the store" : quoted(place)) would have \(found.id) \(check?.name ?? "") "
          + "\(counted(found.count, "time")), now \(before.count(at: found)): change the recipe so that it does not",
        refusesPlan: true)
    }
}

/// A refusal if the store opened or migrated with the model it is repaired for, and would not any more.
private func newlyStopped(
  _ before: RepairPlan.Condition, after: RepairPlan.Condition, decision: Decision
) -> [Obstacle] {
  guard let old = before.opening, let new = after.opening, !old.verdict.isError, new.verdict.isError else { return [] }
  let rows = new.decisions.filter(\.stops)
  let places = rows.map { quoted([$0.entity, $0.property].compactMap(\.self).joined(separator: ".")) }
  let at = places.isEmpty ? "" : " at \(places.joined(separator: ", "))"
  return [
    Obstacle(
      decision.operations.last?.repair ?? .dedupe, entity: rows.first?.entity, property: rows.first?.property,
      count: Int(clamping: rows.first?.count ?? 1), keys: rows.first?.keys ?? [],
      "afterwards the store would be \(new.verdict.rawValue) with \(quoted(new.name))\(at), and now it "
        + "is \(old.verdict.rawValue): leave out the repair that does it", refusesPlan: true)
  ]
}

extension RepairPlan.Condition {
  /// The present condition of a store, by diagnosis.
  init(of store: Store, _ options: DiagnosisOptions) throws {
    let diagnosis = try diagnose(Examination(store: store, options: options))
    self.init(
      diagnosis, rows: try store.rowsByPlace(),
      isIntact: !diagnosis.findings.contains { $0.traits.contains(.pages) })
  }
}

extension RepairPlan.Condition {
  /// The condition of a finished copy of `source`, which was opened with the same model.
  init(ofCopy file: PosixPath, of source: Store, _ options: RepairOptions) throws {
    var opening = Store.Options()
    opening.model = source.modelSource == .given ? source.model : nil
    if let onShare = options.onShare {
      opening.onProgress = { onShare(Double($0.bytesRead) / Double(max($0.totalBytes, 1))) }
    }
    try self.init(of: Store(file, options: opening), options.diagnosis)
  }

  /// With the findings about side files of another one: a copy has none, and a repair does not touch the store's.
  func withSideFiles(from other: Self) -> Self {
    var condition = self
    func isAside(_ found: Count) -> Bool { Check.traits(of: found.id).contains(.sideFiles) }
    condition.findings.removeAll(where: isAside)
    condition.findings += other.findings.filter(isAside)
    return condition
  }
}

extension Store {
  /// The number of rows of each entity by its name, and of each join table by the table's.
  func rowsByPlace() throws -> [String: Int64] {
    var rows: [String: Int64] = [:]
    let tables = Dictionary(grouping: layout.entities.filter(\.tableExists), by: \.table)
    for (table, entities) in tables {
      let names = Dictionary(entities.map { ($0.id.number, $0.name) }) { first, _ in first }
      for entity in entities { rows[entity.name] = 0 }
      guard shape.tables[table]?.has("Z_ENT") == true else { continue }
      let counts = try connection.prepare("SELECT Z_ENT, count(*) FROM \(quotedIdentifier(table)) GROUP BY Z_ENT")
      while try counts.step() {
        rows[names[counts.int64(0)] ?? "\(table) of no known entity", default: 0] += counts.int64(1)
      }
    }
    for table in layout.joinTables { rows[table.name] = try count(table.name) }
    return rows
  }

  /// Remarks that concern the plan as a whole.
  fileprivate func repairNotices(_ decision: Decision, before: RepairPlan.Condition) throws -> [String] {
    guard !decision.operations.isEmpty else { return [] }
    var notices: [String] = []
    if let refusal = try refusalInPlace(before) {
      // A notice is part of the plan, a document of the program.
      let name = CallerChoice.inPlace.option
      notices.append("\(name) is refused: \(refusal.message(naming: \.option))")
    }
    if before.findings.contains(where: { $0.id == Check.lostWALSuspected.id }) {
      notices.append(
        "what a lost or damaged write-ahead log held (SD107) is not in what is written, and does not show there any "
          + "more: look for the log first, and keep the store as it is")
    }
    // What is cut from the history, and how the file lies on its pages, nobody reads in it.
    if shape.table(.change) != nil, decision.operations.contains(where: { !$0.repair.isOfTheFile }) {
      notices.append(
        "the store keeps persistent history, in which these changes will not be: widgets, extensions and Spotlight "
          + "that follow it will not see them")
    }
    if let hashes = metadata.hashes, let computedHashes, hashes != computedHashes {
      notices.append(
        "the model that describes the store has other version hashes than its metadata (SD205): is it the one that "
          + "made it? --store-model names another")
    }
    if isMirrored, decision.operations.contains(where: { !$0.repair.isOfTheFile }) {
      notices.append(
        "the store is mirrored with CloudKit, which will not be told: what is changed here may come back from there")
    }
    return notices
  }
}

extension SeededValues {
  /// A random seed, and the present time.
  static func random() -> Self {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    // Whole seconds: a date that was made up needs no more.
    return Self(seed: .random(in: .min ... .max), now: Double(Int64(time.tv_sec) - secondsFrom1970To2001))
  }
}
