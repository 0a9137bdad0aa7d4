import StoreFindings
import StoreDataModel

/// The result of opening a store in one way.
public struct MigrationOutcome: Sendable, Equatable {
  /// The answer.
  package var verdict: Verdict
  /// The error of the app if it fails; nil if it succeeds.
  package var failure: Failure?
  /// How certain the verdict is.
  package var grade: Grade
  /// Changes for which no mapping can be inferred.
  package var obstacles: [ModelChange] = []
  /// Changes for which it is not known whether a mapping is inferred; only if there is no obstacle.
  package var unknown: [JudgedChange] = []
  /// Rows that stop the migration.
  package var blocking: [JudgedRule] = []
  /// Rows that do not stop the migration but deserve attention.
  package var atRisk: [JudgedRule] = []
  /// Changes that make the verdict an assumed one.
  package var uncertain: [ModelChange] = []
  /// Conditions that would decide but could not be checked.
  package var unanswered: [RowRule] = []
  /// The data that is dropped, with the rows that hold it; each property and each entity once.
  package var losses: [JudgedLoss] = []
  /// The migrations that run one after the other, staged or by several mapping models; empty for a single one.
  package var steps: [Step] = []
  /// The mapping models they use, if they are not inferred. What these do to the rows is not judged.
  package var mappings: [MappingUse] = []

  /// The kind of evidence for the verdict.
  package var basis: Basis { grade.basis }

  package init(
    verdict: Verdict, failure: Failure? = nil, grade: Grade, obstacles: [ModelChange] = [],
    unknown: [JudgedChange] = [],
    blocking: [JudgedRule] = [], atRisk: [JudgedRule] = [], unanswered: [RowRule] = [], steps: [Step] = [],
    mappings: [MappingUse] = []
  ) {
    self.verdict = verdict
    self.failure = failure
    self.grade = grade
    self.obstacles = obstacles
    self.unknown = unknown
    self.blocking = blocking
    self.atRisk = atRisk
    self.unanswered = unanswered
    self.steps = steps
    self.mappings = mappings
  }

  /// The answers of `diagnose` that do not mean damage.
  public enum Verdict: String, Sendable {
    /// The hashes are equal.
    case opens
    /// A mapping is inferred and the rows allow it.
    case migrates
    /// A mapping is inferred, but rows violate a condition.
    case blockedByData = "blocked-by-data"
    /// No mapping is inferred, or the plan cannot be followed.
    case needsCustomStage = "needs-custom-stage"
    /// The store's version is not among those the app knows.
    case unknownVersion = "unknown-version"
  }

  /// A change with the effect of a lightweight migration on it.
  package struct JudgedChange: Sendable, Equatable {
    /// The change.
    package var change: ModelChange
    /// Its effect.
    package var effect: Effect

    package init(change: ModelChange, effect: Effect) {
      self.change = change
      self.effect = effect
    }
  }

  /// A condition with the rows that violate it, and the change it comes from; no change for an existing defect of the
  /// rows.
  package struct JudgedRule: Sendable, Equatable {
    /// The change that requires the condition.
    package var change: ModelChange?
    /// The condition.
    package var rule: RowRule
    /// The rows that violate it.
    package var violations: [RowViolation]
    /// The entity whose rows they are, subentities included, by the store's name; nil if there are none.
    package var owner: String?
  }

  /// Something that is dropped, with the rows that hold it. All names are the store's.
  package struct JudgedLoss: Sendable, Equatable {
    /// The loss.
    package var loss: Loss
    /// The rows that hold something of it, by entity; empty if none does, nil if that could not be checked.
    package var violations: [RowViolation]?
    /// For a plan, the custom stages up to then. Their code is not run here and may save the data.
    package var stages: [Step] = []

    /// How many rows hold something of it; nil if that could not be checked.
    package var rows: Int64? { violations.map { $0.reduce(0) { $0 + $1.count } } }

    /// Whether rows hold something of it, or that could not be checked.
    package var mayConcernRows: Bool { violations?.isEmpty != true }
  }

  /// One inferred migration.
  package struct Step: Sendable, Equatable, CustomStringConvertible {
    /// The version it starts at.
    package var from: String
    /// The version it ends at.
    package var to: String

    package init(from: String, to: String) {
      self.from = from
      self.to = to
    }

    /// "V1>V3".
    package var description: String { "\(from)>\(to)" }
  }
}

extension MigrationInference {
  /// The outcome of automatic lightweight migration for a store with these rows.
  ///
  /// - Parameters:
  ///   - rows: what is known of the rows; if nil, conditions are listed as unanswered.
  ///   - isFilled: whether a custom stage satisfies a condition before the migration runs.
  package func outcome(
    rows: (any RowFacts)?, isFilled: @escaping (RowCondition) -> Bool = { _ in false }
  ) -> MigrationOutcome {
    var judge = OutcomeJudge(rows: rows, source: difference.source, isFilled: isFilled, loss: loss)
    let judged = zip(difference.changes, effects)
    if difference.hashesAreEqual {
      judge.weigh(judged)
      judge.weighStanding(standingRules)
      return judge.outcome(.opens)
    }
    let hashed = judged.lazy.filter { $0.0.takesEffect }
    let obstacles = hashed.compactMap { change, effect -> (change: ModelChange, failure: Failure, grade: Grade)? in
      if case .impossible(let failure) = effect.inference {
        (change: change, failure: failure, grade: effect.grade)
      } else {
        nil
      }
    }
    // The most certain obstacle decides: any one of them stops the inference.
    if let surest = obstacles.min(by: { $0.grade < $1.grade }) {
      var outcome = MigrationOutcome(verdict: .needsCustomStage, failure: surest.failure, grade: surest.grade)
      outcome.obstacles = obstacles.map(\.change)
      return outcome
    }
    judge.weigh(hashed)
    judge.weighStanding(standingRules)
    var outcome = judge.outcome(.migrates)
    outcome.unknown = hashed.filter { $0.1.inference == .unknown }.map { .init(change: $0, effect: $1) }
    // Where no mapping can be inferred that is said before rows are looked at, with another code.
    if outcome.verdict == .blockedByData, !outcome.unknown.isEmpty { outcome.grade = max(outcome.grade, .c) }
    return outcome
  }
}

/// A list of losses; each entity and each property once.
struct LossList {
  private(set) var losses: [MigrationOutcome.JudgedLoss] = []
  private var positions: [Place: Int] = [:]

  private struct Place: Hashable {
    var entity: String
    var property: String?
  }

  /// Adds a loss. Losses of one property or entity are merged: the most severe kind, and the rows of all.
  mutating func add(_ new: MigrationOutcome.JudgedLoss) {
    let place = Place(entity: new.loss.entity, property: new.loss.property)
    guard let position = positions[place] else {
      positions[place] = losses.count
      losses.append(new)
      return
    }
    let known = losses[position]
    let kinds = Loss.Kind.allCases.filter { $0 == known.loss.kind || $0 == new.loss.kind }
    losses[position].loss.kind = kinds.first ?? known.loss.kind
    losses[position].loss.grade = max(known.loss.grade, new.loss.grade)
    // What is lost for another reason as well is lost.
    if new.loss.doubt == nil { losses[position].loss.doubt = nil }
    losses[position].stages += new.stages.filter { !known.stages.contains($0) }
    losses[position].violations = known.violations.flatMap { rows in
      new.violations.map { others in
        let entities = Set(rows.map(\.entity))
        return rows + others.filter { !entities.contains($0.entity) }
      }
    }
  }
}

/// What a rule says of rows: a condition, its consequence, and the place of the change that requires it. Rules that agree
/// in all three are told once; one that agrees with another in its condition alone is a fact of its own.
struct RowFact: Hashable {
  var condition: RowCondition
  var consequence: RowRule.Consequence
  /// Nil for an existing defect of the rows.
  var place: ModelChange.Place?

  init(_ rule: RowRule, of change: ModelChange?) {
    (condition, consequence, place) = (rule.condition, rule.consequence, change?.place)
  }
}

extension RowRule {
  /// Whether duplicates that violate this rule are those of another: the same values, in fewer or more entities of the
  /// table.
  fileprivate func tellsSameDuplicates(as other: RowRule) -> Bool {
    guard case .noDuplicates(_, _, let properties, let nullsAreEqual) = condition,
      case .noDuplicates(_, _, let others, let othersAreEqual) = other.condition
    else { return false }
    return properties == others && nullsAreEqual == othersAreEqual && consequence == other.consequence
  }
}

extension Failure {
  /// The place of a failure among others of equal grade, so that the one that is told does not depend on names.
  fileprivate var rank: Int {
    let known: [Failure] = [.constraintViolation, .missingAttribute, .missingRelationship, .missingStructure]
    return known.firstIndex(of: self) ?? known.count
  }
}

/// Checks conditions against the rows and keeps the weakest grade that the verdict depends on.
///
/// The outcomes have one order: rows that certainly stop the migration, rows that are thought to stop it, then success,
/// which is as uncertain as the least certain of all changes and of the conditions they require.
private struct OutcomeJudge {
  let rows: (any RowFacts)?
  /// The model that the migration starts at.
  let source: Model
  let isFilled: (RowCondition) -> Bool
  /// Converts a rule to a loss; nil if it is none.
  let loss: (ModelChange, RowRule, Grade) -> Loss?
  private var grade = Grade.a
  private var blocking: [MigrationOutcome.JudgedRule] = []
  private var atRisk: [MigrationOutcome.JudgedRule] = []
  private var unanswered: [RowRule] = []
  private var uncertain: [ModelChange] = []
  private var losses = LossList()
  private var told: Set<RowFact> = []
  /// The words of the losses that are told, by condition.
  private var toldLosses: [RowCondition: Set<String>] = [:]
  /// The conditions of all changes, whatever their consequence.
  private var conditions: Set<RowCondition> = []

  init(
    rows: (any RowFacts)?, source: Model, isFilled: @escaping (RowCondition) -> Bool,
    loss: @escaping (ModelChange, RowRule, Grade) -> Loss?
  ) {
    self.rows = rows
    self.source = source
    self.isFilled = isFilled
    self.loss = loss
  }

  mutating func weigh(_ effects: some Sequence<(ModelChange, Effect)>) {
    for (change, effect) in effects {
      weaken(to: effect.grade, change)
      for rule in effect.rules {
        if rule.consequence == .loses {
          weigh(loss: rule, change: change, grade: effect.grade)
        } else {
          conditions.insert(rule.condition)
          weigh(rule, change: change)
        }
      }
    }
  }

  /// Existing defects count only if there are any, and no change is about the same rows.
  mutating func weighStanding(_ rules: [RowRule]) {
    for rule in rules where conditions.insert(rule.condition).inserted {
      guard let violations = rows?.violations(of: rule.condition), !violations.isEmpty else { continue }
      grade = max(grade, rule.gradeWhenViolated)
      atRisk += judged(rule, change: nil, violations: violations)
    }
  }

  /// A rule with the rows that violate it, one for each hierarchy of entities that they are of.
  private func judged(
    _ rule: RowRule, change: ModelChange?, violations: [RowViolation]
  ) -> [MigrationOutcome.JudgedRule] {
    var hierarchies: [(root: String, violations: [RowViolation])] = []
    for violation in violations {
      let root = source.root(of: violation.entity)?.name ?? ""
      if let place = hierarchies.firstIndex(where: { $0.root == root }) {
        hierarchies[place].violations.append(violation)
      } else {
        hierarchies.append((root, [violation]))
      }
    }
    return hierarchies.map { _, violations in
      .init(change: change, rule: rule, violations: violations, owner: owner(of: violations, change: change))
    }
  }

  /// The entity where the change is if the rows are of it, else the lowest entity that they all are of.
  private func owner(of violations: [RowViolation], change: ModelChange?) -> String? {
    let entities = violations.map(\.entity)
    func isOwner(_ entity: String) -> Bool { entities.allSatisfy { source.entity($0, isKindOf: entity) } }
    if let entity = change?.place.sourceEntity, isOwner(entity) { return entity }
    guard let first = entities.first else { return nil }
    return ([first] + source.ancestors(of: first).map(\.name)).first(where: isOwner) ?? first
  }

  private mutating func weigh(_ rule: RowRule, change: ModelChange?) {
    guard !isFilled(rule.condition) else { return }
    guard let violations = rows?.violations(of: rule.condition) else {
      if case .blocks = rule.consequence, !unanswered.contains(where: { $0.condition == rule.condition }) {
        unanswered.append(rule)
      }
      return
    }
    guard !violations.isEmpty else {
      weaken(to: rule.gradeWhenMet, change)
      return
    }
    if case .atRisk = rule.consequence { weaken(to: rule.gradeWhenViolated, change) }
    guard told.insert(RowFact(rule, of: change)).inserted else { return }
    let judged = judged(rule, change: change, violations: violations)
    switch rule.consequence {
    case .blocks: judged.forEach { note(blocking: $0) }
    case .atRisk: atRisk += judged
    case .loses: break
    }
  }

  private mutating func weaken(to least: Grade, _ change: ModelChange?) {
    grade = max(grade, least)
    if least.basis == .assumed, let change, !uncertain.contains(change) { uncertain.append(change) }
  }

  /// The same rows lose the same values, whichever change says so: a loss is told once for each condition and reason.
  private mutating func weigh(loss rule: RowRule, change: ModelChange?, grade: Grade) {
    guard toldLosses[rule.condition, default: []].insert(rule.words).inserted else { return }
    let violations = rows?.violations(of: rule.condition)
    if let change, let loss = loss(change, rule, grade) { losses.add(.init(loss: loss, violations: violations)) }
    guard let violations, !violations.isEmpty else { return }
    atRisk += judged(rule, change: change, violations: violations)
  }

  /// Duplicates within an entity are also duplicates in its table; they are reported once.
  private mutating func note(blocking rule: MigrationOutcome.JudgedRule) {
    let isToldAlready = blocking.contains { known in
      known.change == rule.change && rule.rule != known.rule && rule.rule.tellsSameDuplicates(as: known.rule)
    }
    if !isToldAlready { blocking.append(rule) }
  }

  func outcome(_ verdict: MigrationOutcome.Verdict) -> MigrationOutcome {
    var outcome = MigrationOutcome(verdict: verdict, failure: nil, grade: grade)
    (outcome.blocking, outcome.atRisk, outcome.unanswered) = (blocking, atRisk, unanswered)
    outcome.losses = losses.losses
    outcome.uncertain = uncertain
    let failures = blocking.compactMap { rule in
      if case .blocks(let failure) = rule.rule.consequence {
        (failure: failure, grade: rule.rule.gradeWhenViolated)
      } else {
        nil
      }
    }
    let surest = failures.min { ($0.grade, $0.failure.rank) < ($1.grade, $1.failure.rank) }
    guard let surest else { return outcome }
    outcome.verdict = .blockedByData
    outcome.failure = surest.failure
    // With several codes it is not known which one the app reports first; that it fails is as certain as the surest.
    let isOneCode = failures.allSatisfy { $0.failure.codeWords == surest.failure.codeWords }
    outcome.grade = isOneCode ? surest.grade : max(surest.grade, .c)
    return outcome
  }
}
