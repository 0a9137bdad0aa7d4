import StoreFindings
import StoreWords
import StoreMigration
import StoreModels
import StoreScanning
import StoreDataModel
import StoreCoreData

/// Judges what happens when the store is opened with each of the given models.
///
/// Each opening is judged twice. Before the tables are read, with `RowQuestions`, which only collects the conditions
/// on the rows; after that, with rows that answer them. So the tables are read only once.
final class Candidates {
  /// The versions, in order.
  let list: CandidateList
  /// The plan of a staged opening.
  let plan: StagePlan
  let options: CandidateOptions
  /// Tables and columns the store's own model requires but the store lacks.
  let missing: [Lacking]
  /// Versions that match the store only when merged.
  let merged: ModelMatch.Answer
  private let store: Store
  private let state: StoreState?
  private let inferences: [MigrationInference?]
  private let comparisons: [HashComparison?]
  let judgedModels: JudgedModels
  private let mappings: MappingSteps
  private var rows: StoreRows?
  private var known: [ModelVerdict]?
  private var isDamaged = false
  /// By attribute, the path to where its missing values stand elsewhere; nil where they stand nowhere.
  private var paths: [String: String?] = [:]
  /// Parts of the store that were not read or may be misread, and what depends on them; one sentence each.
  private var doubts: [String] = []
  /// Whether the model describing the store has other hashes than the metadata; then no migration is inferred from
  /// it.
  private let isDescribedByAnother: Bool
  /// Why each incompletely read version is ignored.
  private let leftOut: [String]
  /// The options as they were given, with every reading that Swift source has.
  private let given: CandidateOptions
  private var knownSystems: [SystemVerdict]?

  /// The most steps of a chain that are judged one by one; the longest real chain has 90 versions.
  private static let mostHops = 100

  /// - Parameter framework: that of the system that reads Swift source; the store's unless said otherwise.
  /// - Throws: `StagePlanError`; `ModelSourceError` if the verdict depends on something the Swift source does not
  ///   tell.
  init(of store: Store, options: CandidateOptions, judgedModels: JudgedModels, framework: Int? = nil) throws {
    self.judgedModels = judgedModels
    given = options
    var options = options
    let ignoresPlan = !options.stages.isEmpty || !options.planOrder.isEmpty
    let known = try options.models.map {
      try $0.settled(by: store.metadata, framework: framework).judgeable(for: store, ignoresPlan: ignoresPlan)
    }
    options.models = known.map(\.source)
    leftOut = known.flatMap(\.leftOut)
    self.store = store
    self.options = options
    let list = try CandidateList(options)
    self.list = list
    plan = try list.plan(options, known: judgedModels)
    missing = store.model == nil ? [] : store.layout.lacking
    let stored = store.metadata.hashes
    let candidates = list.versions.map { version in
      stored.map { HashComparison(store: $0, model: judgedModels.hashes(of: version.model)) }
    }
    comparisons = candidates
    mappings = MappingSteps(
      options.mappings.mappings, versions: list.versions.map { judgedModels.hashes(of: $0.model) },
      starts: candidates.indices.filter { candidates[$0]?.isEqual == true })
    merged = stored.map { Self.merged(list.versions, stored: $0) } ?? .none
    let own = zip(list.versions, candidates).filter { $1?.isEqual == true }.map(\.0.model)
    let source = store.modelOfItsHashes.map { judgedModels.known($0, among: own) }
    isDescribedByAnother = store.model != nil && source == nil
    state = source.map { model in
      StoreState(
        model: model, isModelInApp: candidates.contains { $0?.isEqual == true },
        hasModelCache: store.modelCache.model != nil, hasChecksum: store.metadata.checksum != nil,
        lacksStructure: !store.layout.lacking.isEmpty)
    }
    inferences = list.versions.map { version in
      source.map { judgedModels.inference(from: $0, to: version.model) }
    }
  }

  /// Models whose merged hashes are the store's. Versions of one bundle are never merged with each other.
  private static func merged(_ versions: [CandidateList.Version], stored: VersionHashes) -> ModelMatch.Answer {
    let candidates = versions.map { version in
      ModelMatch.Candidate(version.original, of: version.source, against: stored)
    }
    let answer = ModelMatch.Answer(candidates, store: stored)
    switch answer {
    case .union(let parts), .part(let parts, _):
      return Set(parts.map { versions[$0].source.path }).count == parts.count ? answer : .none
    case .version, .none: return answer
    }
  }

  /// Whether a version has the store's hashes, or several merged versions have them.
  var isStoreKnown: Bool {
    if case .union = merged { return true }
    return comparisons.contains { $0?.isEqual == true }
  }

  /// The difference of the deciding version from the store's model; nil where one of them is not known.
  var decidingDifference: ModelDifference? {
    inferences.indices.contains(list.deciding) ? inferences[list.deciding]?.difference : nil
  }

  /// Whether there is a plan.
  var hasPlan: Bool { list.hasPlan(options) }

  /// Whether mapping models lead from one version to another, in one step or several.
  func leadsByMappingModels(from start: Int, to end: Int) -> Bool {
    guard !options.mappings.mappings.isEmpty else { return false }
    let steps = MappingSteps(
      options.mappings.mappings, versions: list.versions.map { judgedModels.hashes(of: $0.model) }, starts: [start])
    return steps.way(to: end) != nil
  }

  // MARK: Before and after the read

  /// Makes the scan collect what the openings need to know of the rows.
  func ask(_ scan: Scan) {
    let questions = RowQuestions()
    for position in list.versions.indices { _ = outcomes(position, rows: questions) }
    _ = hops(questions)
    let rows = StoreRows(scan)
    rows.ask(questions.asked)
    self.rows = rows
  }

  /// After the read: compares possible duplicates, and takes over the result of SQLite's integrity check.
  func confirm(_ scan: Scan) throws {
    try rows?.confirm()
    let unread = scan.unreadTables
    let integrity = try scan.integrity()
    isDamaged =
      !unread.allSatisfy(\.hasLongValue) || !integrity.damagedTables.isEmpty || store.truncation != nil
    doubts = unread.map { table in
      "\(quoted(table.name)) could not be read whole (SD108): what its other rows would do to a migration is not known"
    }
    doubts += integrity.trees.filter(\.isIndex).map { index in
      "index \(quoted(index.name)) of \(quoted(index.table)) is damaged (SD103): whether a migration passes that reads it "
        + "is not known"
    }
  }

  /// The verdict for each version; available after the read.
  var verdicts: [ModelVerdict] {
    if let known { return known }
    let nearest = self.nearest
    let verdicts = list.versions.indices.map { verdict($0, isNearest: $0 == nearest) }
    known = verdicts
    return verdicts
  }

  /// The deciding verdict without a look at other systems, and without the rows.
  var withoutSystems: ModelVerdict? {
    knownSystems = []
    return deciding
  }

  /// The verdict of the deciding version.
  var deciding: ModelVerdict? { verdicts.first(where: \.isDeciding) }

  private var nearest: Int? {
    guard !isStoreKnown else { return nil }
    return HashComparison.nearest(
      comparisons, identifiers: list.versions.map(\.model.versionIdentifiers), to: store.metadata.versionIdentifiers)
  }

  // MARK: Verdicts

  private func verdict(_ position: Int, isNearest: Bool) -> ModelVerdict {
    let candidate = candidate(at: position)
    let version = candidate.version
    let outcome = candidate.outcome
    var openings = candidate.outcomes.mapValues { opening(candidate, judged: $0) }
    for way in [OpeningWay.automatic, .manual] where missesMapping(candidate, verdict: openings[way]?.verdict) {
      openings[way]?.basis = .assumed
    }
    let verdict = openings[candidate.way]?.verdict ?? .unknownVersion
    let isPartlyUnread = !doubts.isEmpty && openings.values.contains { $0.verdict == .migrates }
    let choices = rowChoices(candidate, verdict: verdict)
    return ModelVerdict(
      path: version.source.path, isSwiftSource: version.source.format == .swift, version: version.name,
      name: version.label, argument: version.argument, isDeciding: candidate.isDeciding, isNearest: isNearest,
      comparison: candidate.comparison, checksum: judgedModels.hashes(of: version.model).checksum,
      identifiers: version.model.versionIdentifiers,
      readings: readings(candidate, verdict: verdict) + (candidate.isDeciding && isPartlyUnread ? doubts : []),
      faults: version.model.faults.map(\.explanation), verdict: verdict, way: candidate.way, openings: openings,
      changes: candidate.changes, obstacles: candidate.obstacles, unknown: outcome?.unknown ?? [],
      blocking: candidate.blocking, atRisk: outcome?.atRisk ?? [], unanswered: outcome?.unanswered ?? [],
      isForeign: candidate.isForeign, isPartlyUnread: isPartlyUnread, losses: candidate.losses,
      likelyRenames: candidate.likelyRenames, mappings: candidate.mappings,
      hops: candidate.isDeciding ? hops(rows) : [],
      missing: outcome?.failure == .missingStructure && !candidate.isForeign ? missing : [],
      remedies: remedies(candidate.blocking, inference: candidate.inference),
      advice: advice(candidate, verdict: verdict), uncertain: outcome?.uncertain ?? [],
      decisions: choices.decisions, defaults: choices.defaults)
  }

  /// What happens on systems that make another model of the deciding version's source than the store's system does.
  var otherSystems: [SystemVerdict] {
    if let knownSystems { return knownSystems }
    let found = (try? SystemVerdict.all(of: self, given: given, store: store)) ?? []
    knownSystems = found
    return found
  }

  private func candidate(at position: Int) -> Candidate {
    let way = options.opening ?? (list.opensStaged ? .staged : .automatic)
    return Candidate(
      version: list.versions[position], isDeciding: position == list.deciding, way: way,
      outcomes: outcomes(position, rows: rows), comparison: comparisons[position], inference: inferences[position],
      isForeign: isForeign(position), damage: damage(position), restsOnStore: restsOnStore(position))
  }

  /// The verdict for one way of opening: damage of the store comes first, then a version without its entities.
  private func opening(_ candidate: Candidate, judged outcome: MigrationOutcome) -> OpeningVerdict {
    if let damage = candidate.damage {
      let isAssumed = candidate.restsOnStore || !missing.isEmpty
      return OpeningVerdict(verdict: .damaged, failure: damage, basis: isAssumed ? .assumed : .observed)
    }
    var opening = OpeningVerdict(outcome)
    if candidate.isForeign {
      // Without a model of the store, its renaming identifiers are not known.
      opening.becomeForeign(candidate.inference == nil ? .assumed : .observed)
    }
    if candidate.restsOnStore || isDoubtful(opening.verdict) { opening.basis = .assumed }
    return opening
  }

  /// Whether a mapping model that could not be read may be the one that Core Data finds for the step.
  private func missesMapping(_ candidate: Candidate, verdict: Verdict?) -> Bool {
    guard options.mappings.areUnread, candidate.mappings.isEmpty else { return false }
    return switch verdict {
    case .migrates, .blockedByData, .needsCustomStage: true
    default: false
    }
  }

  /// Whether a verdict may differ because of a version that was left out, or of a table that was not read.
  private func isDoubtful(_ verdict: Verdict) -> Bool {
    switch verdict {
    // A version that was left out may be the store's; then the app knows it.
    case .unknownVersion: !leftOut.isEmpty && !isStoreKnown
    // Opening without migration reads no rows.
    case .migrates: !doubts.isEmpty
    default: false
    }
  }

  /// Unproved facts that the verdict depends on, apart from tables that were not read.
  private func readings(_ candidate: Candidate, verdict: Verdict) -> [String] {
    guard candidate.isDeciding else { return candidate.sourceReadings }
    return currentReading(of: candidate) + otherSystems.map { $0.words(verdict) }
      + mappingReadings(of: candidate, verdict: verdict) + candidate.sourceReadings
      + leftOut
      + otherModelReading
      + candidate.stageReading + candidate.unreadableDefaults
  }

  /// The remark that the model was found in a project, or that a bundle does not say which version is current.
  private func currentReading(of candidate: Candidate) -> [String] {
    let source = candidate.version.source
    let found = source.foundBelow.map { ["the model is \(quoted(source.path)), found below \(quoted($0))"] } ?? []
    return found + [source.passedOverWords].compactMap(\.self) + unstatedCurrent(of: candidate)
  }

  private func unstatedCurrent(of candidate: Candidate) -> [String] {
    let source = candidate.version.source
    guard source.currentVersionName == nil, source.versions.count > 1, source.format != .swift else { return [] }
    return [
      "\(quoted(source.path)) does not say which of its versions is current: the last of them, "
        + "\(quoted(candidate.version.name)), is taken, in the order of "
        + (options.planOrder.isEmpty ? "their names" : "--plan-order")
    ]
  }

  /// The remark that another model than the one of the metadata describes the store.
  private var otherModelReading: [String] {
    guard isDescribedByAnother else { return [] }
    return [
      "the metadata have other hashes than the model that describes the store, so hashes alone are compared; give "
        + "the model it was made with by --store-model"
    ]
  }

  /// Whether this version, or the store's own, relies on values assumed from the store.
  private func restsOnStore(_ position: Int) -> Bool {
    list.versions.indices.contains { other in
      (other == position || comparisons[other]?.isEqual == true)
        && list.versions[other].original.doubt?.assumed.isEmpty == false
    }
  }

  /// Why the store itself is damaged: no metadata, a table that cannot be read completely, or a missing table or
  /// column although the hashes are equal.
  private func damage(_ position: Int) -> Failure? {
    guard comparisons[position] != nil else { return Failure(code: nil, reason: nil) }
    if isDamaged { return Failure(code: 259, reason: "database disk image is malformed") }
    guard comparisons[position]?.isEqual == true, !missing.isEmpty else { return nil }
    return Failure(code: 256, reason: nil)
  }

  /// Whether a version has none of the store's entities. If no model with the hashes of the metadata is known, the
  /// names in the metadata and in the model describing the store are compared.
  private func isForeign(_ position: Int) -> Bool {
    if let inference = inferences[position] { return inference.difference.keepsNoEntity }
    guard let stored = store.metadata.hashes, !stored.names.isEmpty else { return false }
    let names = Set(list.versions[position].model.entities.flatMap { [$0.name, $0.renamingIdentifier ?? $0.name] })
    return names.isDisjoint(with: stored.names) && names.isDisjoint(with: store.model?.entities.map(\.name) ?? [])
  }

  private func outcomes(_ position: Int, rows: (any RowFacts)?) -> [OpeningWay: MigrationOutcome] {
    if isPartOfUnion(position) {
      let opens = MigrationOutcome(verdict: .opens, failure: nil, grade: .b)
      return Dictionary(uniqueKeysWithValues: OpeningWay.allCases.map { ($0, opens) })
    }
    guard let state, let inference = inferences[position] else { return outcomesWithoutModel(position) }
    let mapping = store.metadata.hashes.flatMap {
      MappingUse(
        among: options.mappings.mappings, from: $0, to: judgedModels.hashes(of: list.versions[position].model),
        judging: (inference.difference.source, inference.difference.destination))
    }
    let openings = Openings(
      store: state, inference: inference, plan: plan, rows: rows, mapping: mapping, judgedModels)
    return [
      .none: openings.none, .automatic: openings.automatic, .staged: openings.staged,
      .manual: stepByStep(to: position, manual: openings.manual, rows: rows),
    ]
  }

  private func isPartOfUnion(_ position: Int) -> Bool {
    if case .union(let parts) = merged { parts.contains(position) } else { false }
  }

  /// If the store's model is unknown, only hashes can be compared.
  private func outcomesWithoutModel(_ position: Int) -> [OpeningWay: MigrationOutcome] {
    func failing(_ failure: Failure, grade: Grade) -> MigrationOutcome {
      MigrationOutcome(verdict: .unknownVersion, failure: failure, grade: grade)
    }
    guard comparisons[position]?.isEqual != true else {
      let opens = MigrationOutcome(verdict: .opens, failure: nil, grade: .a)
      return Dictionary(uniqueKeysWithValues: OpeningWay.allCases.map { ($0, opens) })
    }
    let hasChecksum = store.metadata.checksum != nil
    return [
      .none: failing(.incompatible, grade: .a), .automatic: failing(.noSourceModel, grade: .b),
      .manual: failing(.noSourceModel, grade: .b),
      .staged: hasChecksum ? failing(StagePlan.unknownStore, grade: .b) : failing(StagePlan.noChecksum, grade: .c),
    ]
  }

  // MARK: Chains and advice

  /// The repairs to choose from for rows in the way, and the model's defaults for NULLs it does not allow any more.
  private func rowChoices(
    _ candidate: Candidate, verdict: Verdict
  ) -> (decisions: [RowDecision], defaults: [ModelDefault]) {
    // The effect of a mapping model on the rows is not known.
    guard candidate.isDeciding, let inference = candidate.inference, verdict.leavesRows, verdict != .opens,
      candidate.mappings.isEmpty
    else { return ([], []) }
    let blocking = candidate.blocking
    let atRisk = candidate.outcome?.atRisk ?? []
    let maker = RowDecisionMaker(
      inference: inference, advice: recipeAdvice(blocking, inference: inference), name: storeName)
    return (maker.decisions(blocking: blocking, atRisk: atRisk), maker.defaults(blocking + atRisk))
  }

  private func remedies(
    _ blocking: [MigrationOutcome.JudgedRule], inference: MigrationInference?
  ) -> [RowCondition: [RecipePart]] {
    guard !blocking.isEmpty else { return [:] }
    let conditions = Set(blocking.map(\.rule.condition))
    let advice = recipeAdvice(blocking, inference: inference)
    return Dictionary(uniqueKeysWithValues: conditions.map { ($0, advice.parts($0)) })
  }

  private func recipeAdvice(
    _ blocking: [MigrationOutcome.JudgedRule], inference: MigrationInference?
  ) -> RecipeAdvice {
    RecipeAdvice(
      model: store.model, rules: inference?.judged.flatMap(\.effect.rules) ?? [],
      broken: Set(blocking.map(\.rule.condition)), name: storeName, elsewhere: heldElsewhere)
  }

  /// Where the missing values of an attribute stand elsewhere in the store; asked once for each attribute.
  private func heldElsewhere(_ property: String, of entity: String) -> String? {
    let place = "\(entity).\(property)"
    if let known = paths[place] { return known }
    // Before the read there are only questions.
    guard rows != nil, let model = store.model else { return nil }
    let path = HeldElsewhere(store: store, model: model).path(property, of: entity)
    paths[place] = .some(path)
    return path
  }

  /// The name of a model's entity in the store.
  private func storeName(_ entity: String) -> String { rows?.scan.map.entity(named: entity)?.name ?? entity }

  /// The outcome for an app that migrates from version to version with several mapping models, if no single one maps
  /// to this version. Core Data does not do that by itself; it is assumed that the app does.
  private func stepByStep(
    to position: Int, manual: MigrationOutcome, rows: (any RowFacts)?
  ) -> MigrationOutcome {
    guard manual.failure == .noMappingModel, !options.mappings.mappings.isEmpty, state?.lacksStructure == false else {
      return manual
    }
    var outcome = MigrationOutcome(verdict: .migrates, grade: .c)
    if let way = mappings.way(to: position) {
      outcome.steps = way.map { .init(from: list.versions[$0.from].label, to: list.versions[$0.to].label) }
      outcome.mappings = way.map(\.use)
      // What the first of them asks of the rows; after it the rows are others.
      if let first = way.first, let state {
        let target = list.versions[first.to].model
        let use = MappingUse(
          among: options.mappings.mappings, from: judgedModels.hashes(of: list.versions[first.from].model),
          to: judgedModels.hashes(of: target), judging: (state.model, target))
        outcome.judge(use?.rules ?? [], rows: rows)
      }
      return outcome
    }
    // Some of the steps may be inferred.
    let hops = position == list.deciding ? hops(rows) : []
    let used = hops.flatMap(\.verdict.mappings)
    guard !used.isEmpty, hops.allSatisfy({ $0.verdict.verdict == .migrates }) else { return manual }
    outcome.steps = hops.map { .init(from: $0.from, to: $0.to) }
    outcome.mappings = used
    return outcome
  }

  /// Remarks on the mapping models for the deciding version.
  private func mappingReadings(of candidate: Candidate, verdict: Verdict) -> [String] {
    let used = candidate.mappingReadings + candidate.chainReading
    // A store that opens as it is needs no mapping model.
    guard candidate.comparison?.isEqual != true else { return used }
    guard candidate.mappings.isEmpty else { return options.mappings.problems + used }
    let misses = MappingMisses(
      options.mappings,
      versions: list.versions.map { .init(name: $0.label, hashes: judgedModels.hashes(of: $0.model)) },
      own: store.metadata.hashes, deciding: candidate.version.label)
    return options.mappings.problems + used + misses.words(options.history)
      + missingMapping(candidate, verdict: verdict)
  }

  /// The remark that a mapping model would help, where none is known. That none was found proves nothing: it may lie where
  /// nobody looked.
  private func missingMapping(_ candidate: Candidate, verdict: Verdict) -> [String] {
    guard verdict == .blockedByData || verdict == .needsCustomStage, candidate.way != .staged,
      candidate.version.source.format != .swift
    else { return [] }
    return switch options.mappings.mappings.count {
    case 0: ["no mapping model found; if the app has one: --mapping"]
    case 1: ["the one mapping model found does not fit; if the app has another: --mapping"]
    case let known: ["none of the \(known) mapping models found fits; if the app has another: --mapping"]
    }
  }

  /// The steps between neighbouring versions of the plan, from the store's to the deciding one, if there are several.
  private func hops(_ rows: (any RowFacts)?) -> [ModelVerdict.Hop] {
    guard options.judgesSteps, let state, list.versions.indices.contains(list.deciding) else { return [] }
    let target = judgedModels.hashes(of: list.versions[list.deciding].model).checksum
    let names = plan.order
    guard let first = plan.version(withChecksum: judgedModels.hashes(of: state.model).checksum)?.name,
      let last = plan.version(withChecksum: target)?.name, let start = names.firstIndex(of: first),
      let end = names.firstIndex(of: last), end - start > 1, end - start <= Self.mostHops
    else { return [] }
    var isMapped = false
    return zip(names[start..<end], names[(start + 1)...end]).compactMap { from, to in
      guard let old = plan.versions[from]?.model, let new = plan.versions[to]?.model else { return nil }
      let (before, after) = (judgedModels.hashes(of: old), judgedModels.hashes(of: new))
      if let use = MappingUse(among: options.mappings.mappings, from: before, to: after) {
        isMapped = true
        return .init(from: from, to: to, verdict: .init(MigrationOutcome(by: use)))
      }
      if isMapped {
        // After a mapping model the contents of the rows are not known.
        var outcome = judgedModels.inference(from: old, to: new).outcome(rows: nil)
        outcome.grade = max(outcome.grade, .c)
        return .init(from: from, to: to, verdict: .init(outcome))
      }
      let later = rows.map { LaterRows(rows: $0, past: judgedModels.inference(from: state.model, to: old)) }
      let outcome = judgedModels.inference(from: old, to: new).outcome(rows: later)
      return .init(from: from, to: to, verdict: .init(outcome))
    }
  }

  private func advice(_ candidate: Candidate, verdict: Verdict) -> StageAdvice? {
    guard candidate.isDeciding, let inference = candidate.inference,
      verdict == .blockedByData || verdict == .needsCustomStage, candidate.mappings.isEmpty
    else { return nil }
    // If versions of the plan are equal no stage helps: the app fails before any runs.
    guard candidate.way != .staged || plan.exception == nil else { return nil }
    return StageAdvice(inference, from: storeVersion, to: candidate.version.name)
  }

  /// The name of the store's version, if it is among the given ones.
  private var storeVersion: String? {
    list.versions.indices.first { comparisons[$0]?.isEqual == true }.map { list.versions[$0].name }
  }
}

extension Store {
  /// The model in use, if it has the hashes of the metadata, which decide what model the store was made with. A
  /// different hash does not count if it depends on an unproven rule.
  var modelOfItsHashes: Model? {
    guard let model, let stored = metadata.hashes, let computed = computedHashes, stored != computed else {
      return self.model
    }
    let differing = Set(stored.names + computed.names).filter { stored.byEntity[$0] != computed.byEntity[$0] }
    return differing.allSatisfy { !model.unprovenRules(of: $0).isEmpty } ? model : nil
  }
}

/// Collects the conditions asked about, without answering any.
private final class RowQuestions: RowFacts {
  /// Each condition once, in the order asked.
  private(set) var asked: [RowCondition] = []
  private var known: Set<RowCondition> = []

  func violations(of condition: RowCondition) -> [RowViolation]? {
    if known.insert(condition).inserted { asked.append(condition) }
    return nil
  }
}
