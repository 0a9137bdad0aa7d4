import StoreFindings
import StoreDataModel

/// What would happen when a store is opened in one way.
public struct MigrationOutcome: Sendable, Equatable {
  /// The answer.
  public var verdict: Verdict
  /// What the app prints where it fails; nil where it does not.
  public var failure: Failure?
  /// How sure it is.
  public var grade: Grade
  /// Changes for which no mapping can be inferred.
  public var obstacles: [ModelChange] = []
  /// Changes of which nobody knows whether a mapping is inferred, where none is an obstacle.
  public var unknown: [JudgedChange] = []
  /// Rows that stop the migration.
  public var blocking: [JudgedRule] = []
  /// Rows that pass and are worth a look.
  public var atRisk: [JudgedRule] = []
  /// Conditions that decide and could not be told from what is known of the rows.
  public var unanswered: [RowRule] = []
  /// The migrations that run, of a staged opening also the versions between.
  public var steps: [Step] = []
  /// The mapping models that they run by, where they are not inferred. What these make of the rows is not judged.
  public var mappings: [MappingUse] = []

  /// What a verdict rests on.
  public var basis: Basis { grade.basis }

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
    /// A mapping is inferred, and rows break it.
    case blockedByData = "blocked-by-data"
    /// No mapping is inferred, or the plan cannot be followed.
    case needsCustomStage = "needs-custom-stage"
    /// The store's version is not among those the app knows.
    case unknownVersion = "unknown-version"
  }

  /// A change with what a lightweight migration makes of it.
  public struct JudgedChange: Sendable, Equatable {
    /// The change.
    public var change: ModelChange
    /// What becomes of it.
    public var effect: Effect

    package init(change: ModelChange, effect: Effect) {
      self.change = change
      self.effect = effect
    }
  }

  /// A condition with the rows that stand against it, and the change it comes from; none for an old defect of the rows.
  public struct JudgedRule: Sendable, Equatable {
    /// The change that asks for the condition.
    public var change: ModelChange?
    /// The condition.
    public var rule: RowRule
    /// The rows.
    public var violations: [RowViolation]
  }

  /// One inferred migration.
  public struct Step: Sendable, Equatable, CustomStringConvertible {
    /// The version it starts at.
    public var from: String
    /// The version it ends at.
    public var to: String

    package init(from: String, to: String) {
      self.from = from
      self.to = to
    }

    /// "V1>V3".
    public var description: String { "\(from)>\(to)" }
  }
}

extension MigrationInference {
  /// What automatic lightweight migration makes of a store with these rows.
  ///
  /// - Parameters:
  ///   - rows: what is known of the rows; without it conditions are listed as unanswered.
  ///   - isFilled: conditions a custom stage provides for before the migration runs.
  public func outcome(
    rows: (any RowFacts)?, isFilled: @escaping (RowCondition) -> Bool = { _ in false }
  ) -> MigrationOutcome {
    var judge = OutcomeJudge(rows: rows, isFilled: isFilled)
    if difference.hashesAreEqual {
      judge.weigh(judged.map { ($0.change, $0.effect) })
      judge.weighStanding(standingRules)
      return judge.outcome(.opens)
    }
    let hashed = judged.filter(\.change.entersHash)
    let obstacles = hashed.compactMap { change, effect in
      if case .impossible(let failure) = effect.inference {
        (change: change, failure: failure, grade: effect.grade)
      } else {
        nil
      }
    }
    // The surest obstacle decides: inference stops at any.
    if let surest = obstacles.min(by: { $0.grade < $1.grade }) {
      var outcome = MigrationOutcome(verdict: .needsCustomStage, failure: surest.failure, grade: surest.grade)
      outcome.obstacles = obstacles.map(\.change)
      return outcome
    }
    judge.weigh(hashed.map { ($0.change, $0.effect) })
    judge.weighStanding(standingRules)
    var outcome = judge.outcome(.migrates)
    outcome.unknown = hashed.filter { $0.effect.inference == .unknown }
      .map { .init(change: $0.change, effect: $0.effect) }
    return outcome
  }
}

/// Puts conditions to the rows and keeps the weakest grade that the answer rests on.
private struct OutcomeJudge {
  let rows: (any RowFacts)?
  let isFilled: (RowCondition) -> Bool
  private var grade = Grade.a
  private var blocking: [MigrationOutcome.JudgedRule] = []
  private var atRisk: [MigrationOutcome.JudgedRule] = []
  private var unanswered: [RowRule] = []
  private var seen: Set<RowCondition> = []

  init(rows: (any RowFacts)?, isFilled: @escaping (RowCondition) -> Bool) {
    self.rows = rows
    self.isFilled = isFilled
  }

  mutating func weigh(_ effects: [(ModelChange?, Effect)]) {
    for (change, effect) in effects {
      grade = max(grade, effect.grade)
      for rule in effect.rules where seen.insert(rule.condition).inserted { weigh(rule, change) }
    }
  }

  /// Old defects weigh only where there are any.
  mutating func weighStanding(_ rules: [RowRule]) {
    for rule in rules where seen.insert(rule.condition).inserted {
      guard let violations = rows?.violations(of: rule.condition), !violations.isEmpty else { continue }
      grade = max(grade, rule.gradeWhenViolated)
      atRisk.append(.init(change: nil, rule: rule, violations: violations))
    }
  }

  private mutating func weigh(_ rule: RowRule, _ change: ModelChange?) {
    guard !isFilled(rule.condition) else { return }
    guard let violations = rows?.violations(of: rule.condition) else {
      if case .blocks = rule.consequence { unanswered.append(rule) }
      return
    }
    guard !violations.isEmpty else {
      grade = max(grade, rule.gradeWhenMet)
      return
    }
    let judged = MigrationOutcome.JudgedRule(change: change, rule: rule, violations: violations)
    switch rule.consequence {
    case .blocks: note(blocking: judged)
    case .atRisk:
      grade = max(grade, rule.gradeWhenViolated)
      atRisk.append(judged)
    case .loses: atRisk.append(judged)
    }
  }

  /// Duplicates within an entity are among those of its whole table, and told once.
  private mutating func note(blocking rule: MigrationOutcome.JudgedRule) {
    // The rules of a change come one after another.
    let isToldAlready = blocking.last.map {
      $0.change == rule.change && $0.rule.consequence == rule.rule.consequence
    }
    if isToldAlready != true { blocking.append(rule) }
  }

  func outcome(_ verdict: MigrationOutcome.Verdict) -> MigrationOutcome {
    var outcome = MigrationOutcome(verdict: verdict, failure: nil, grade: grade)
    (outcome.blocking, outcome.atRisk, outcome.unanswered) = (blocking, atRisk, unanswered)
    let failures = blocking.compactMap { rule in
      if case .blocks(let failure) = rule.rule.consequence {
        (failure: failure, grade: rule.rule.gradeWhenViolated)
      } else {
        nil
      }
    }
    guard let surest = failures.min(by: { $0.grade < $1.grade }) else { return outcome }
    outcome.verdict = .blockedByData
    outcome.failure = surest.failure
    // Of several reasons it is not known which is printed first.
    let isOne = failures.allSatisfy { $0.failure == surest.failure }
    outcome.grade = isOne ? surest.grade : max(surest.grade, .c)
    return outcome
  }
}
