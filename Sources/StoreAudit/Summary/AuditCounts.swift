import StoreWords
import StoreFindings

// Names and counts of a summary.

/// Identifies a version of the model.
struct VersionName: Hashable, Comparable, Sendable {
  let label: ExactText
  let isCandidate: Bool

  /// Nil for a store that was not read far enough to tell.
  init?(_ line: AuditLine) {
    if let version = line.version {
      self.init(label: ExactText(version), isCandidate: true)
    } else if let store = line.store {
      self.init(label: ExactText(store.versionLabel), isCandidate: false)
    } else {
      return nil
    }
  }

  init(_ use: AuditSummary.VersionUse) { self.init(label: ExactText(use.label), isCandidate: use.isCandidate) }

  private init(label: ExactText, isCandidate: Bool) {
    self.label = label
    self.isCandidate = isCandidate
  }

  static func < (left: Self, right: Self) -> Bool {
    left.isCandidate == right.isCandidate ? left.label < right.label : left.isCandidate
  }
}

extension AuditLine.StoreFacts {
  /// "2.1 (P5wBqyLU)": what developers call it, and what tells it from others they call so.
  var versionLabel: String {
    let identifiers = versionIdentifiers.filter { !$0.isEmpty }.joined(separator: ", ")
    let digits = (checksum ?? digest ?? "").prefix(8)
    let name = identifiers.isEmpty ? "without identifier" : identifiers
    return digits.isEmpty ? name : "\(name) (\(digits))"
  }
}

struct VersionCount: Countable {
  private(set) var stores: Int64 = 0
  private(set) var bytes: Int64 = 0
  private(set) var verdicts: [Verdict: Int64] = [:]
  private(set) var losing: Int64 = 0

  mutating func add(_ line: AuditLine) {
    stores.count(1)
    if line.isLosing { losing.count(1) }
    bytes.count(line.bytes ?? 0)
    if let verdict = line.verdict { verdicts[verdict, default: 0].count(1) }
  }

  mutating func add(_ other: Self) {
    stores.count(other.stores)
    bytes.count(other.bytes)
    losing.count(other.losing)
    verdicts.merge(other.verdicts, uniquingKeysWith: sum)
  }
}

extension AuditSummary.VersionUse {
  init(_ name: VersionName, _ count: VersionCount) {
    self.init(
      label: name.label.text, isCandidate: name.isCandidate, stores: count.stores, bytes: count.bytes,
      verdicts: count.verdicts, losing: count.losing)
  }
}

/// A check and the place of its finding.
struct CauseName: Hashable, Comparable, Sendable {
  let check: ExactText
  let owner: ExactText?
  let property: ExactText?
  let code: Int64?
  /// Included because what is an error in one store may be a note in another, which opens.
  let severity: Severity

  init(_ finding: Finding, code: Int64?) {
    severity = finding.severity
    check = ExactText(finding.id)
    owner = (finding.entity ?? finding.table).map(ExactText.init)
    property = finding.property.map(ExactText.init)
    self.code = code
  }

  init(_ found: AuditSummary.FoundAt) {
    check = ExactText(found.check)
    owner = found.owner.map(ExactText.init)
    property = found.property.map(ExactText.init)
    code = found.code
    severity = found.severity
  }

  static func < (left: Self, right: Self) -> Bool {
    for (first, second) in zip(left.order, right.order) where first != second { return first < second }
    if left.code != right.code { return (left.code ?? .min) < (right.code ?? .min) }
    return left.severity > right.severity
  }

  /// Missing names come first.
  private var order: [ExactText] {
    [check] + [owner, property].map { $0.map { ExactText("\u{1}" + $0.text) } ?? ExactText("") }
  }
}

struct PlaceCount: Countable {
  private(set) var name = ""
  private(set) var stores: Int64 = 0
  private(set) var rows: Int64 = 0
  private(set) var examples = AuditExamples()

  mutating func add(_ finding: Finding, in line: AuditLine, countsStore: Bool) {
    take(name: finding.name)
    stores.count(countsStore ? 1 : 0)
    rows.count(finding.count)
    examples.add(line)
  }

  mutating func add(_ other: Self) {
    take(name: other.name)
    stores.count(other.stores)
    rows.count(other.rows)
    examples.add(other.examples)
  }

  /// The check's name; if lines differ, the choice must not depend on their order.
  private mutating func take(name: String) {
    if codeUnitsPrecede(self.name, name) { self.name = name }
  }
}

extension AuditSummary.FoundAt {
  init(_ name: CauseName, _ count: PlaceCount) {
    self.init(
      check: name.check.text, name: count.name, owner: name.owner?.text, property: name.property?.text,
      code: name.code, severity: name.severity, stores: count.stores, rows: count.rows,
      examples: count.examples.first)
  }

  /// By stores, then rows, then name.
  static func precedes(_ left: Self, _ right: Self) -> Bool {
    if left.stores != right.stores { return left.stores > right.stores }
    if left.rows != right.rows { return left.rows > right.rows }
    return CauseName(left) < CauseName(right)
  }
}

/// A change to rows at one place.
struct RiskName: Hashable, Comparable, Sendable {
  let entity: ExactText?
  let property: ExactText?
  let message: ExactText
  let isLoss: Bool

  init(_ risk: AuditLine.Risk) {
    entity = risk.entity.map(ExactText.init)
    property = risk.property.map(ExactText.init)
    message = ExactText(risk.message)
    isLoss = risk.isLoss
  }

  init(_ risk: AuditSummary.RiskAt) {
    entity = risk.owner.map(ExactText.init)
    property = risk.property.map(ExactText.init)
    message = ExactText(risk.message)
    isLoss = risk.isLoss
  }

  static func < (left: Self, right: Self) -> Bool {
    for (first, second) in zip(left.order, right.order) where first != second { return first < second }
    return left.isLoss && !right.isLoss
  }

  /// Missing names come first.
  private var order: [ExactText] {
    [entity, property].map { $0.map { ExactText("\u{1}" + $0.text) } ?? ExactText("") } + [message]
  }
}

struct RiskCount: Countable {
  private(set) var stores: Int64 = 0
  private(set) var rows: Int64 = 0
  private(set) var examples = AuditExamples()

  mutating func add(_ risk: AuditLine.Risk, in line: AuditLine, countsStore: Bool) {
    stores.count(countsStore ? 1 : 0)
    rows.count(risk.rows)
    examples.add(line)
  }

  mutating func add(_ other: Self) {
    stores.count(other.stores)
    rows.count(other.rows)
    examples.add(other.examples)
  }
}

extension AuditSummary.RiskAt {
  init(_ name: RiskName, _ count: RiskCount) {
    self.init(
      owner: name.entity?.text, property: name.property?.text, isLoss: name.isLoss, message: name.message.text,
      stores: count.stores, rows: count.rows, examples: count.examples.first)
  }

  /// Losses first, then by stores, rows and name.
  static func precedes(_ left: Self, _ right: Self) -> Bool {
    if left.isLoss != right.isLoss { return left.isLoss }
    if left.stores != right.stores { return left.stores > right.stores }
    if left.rows != right.rows { return left.rows > right.rows }
    return RiskName(left) < RiskName(right)
  }
}

struct ProblemCount: Countable {
  private(set) var stores: Int64 = 0
  private(set) var examples = AuditExamples()
  private(set) var signals = Tally<ExactText, Int64>(limit: 100)

  mutating func add(_ line: AuditLine) {
    stores.count(1)
    examples.add(line)
    if let signal = line.problem?.signal { signals.count(ExactText(String(signal))) { $0.count(1) } }
  }

  mutating func add(_ other: Self) {
    stores.count(other.stores)
    examples.add(other.examples)
    signals.add(other.signals)
  }
}

struct RepairCount: Countable {
  var stores: Int64 = 0
  var changes: Int64 = 0

  mutating func add(_ other: Self) {
    stores.count(other.stores)
    changes.count(other.changes)
  }
}

/// The outcomes of rehearsed migrations.
/// What `salvage` would save of damaged stores.
package struct SavableCount: Countable {
  /// Stores of which it would save something, or could tell that nothing is left.
  package private(set) var stores: Int64 = 0
  /// Objects of the apps' own entities.
  package private(set) var objects: Int64 = 0
  /// Rows that it would leave out, since they are doubtful.
  package private(set) var doubtful: Int64 = 0
  /// Keys of objects that lie on pages which cannot be read, as far as that is known.
  package private(set) var lostKeys: Int64 = 0
  /// Stores of which it is not known how many of such keys were handed out.
  package private(set) var mayLoseMore: Int64 = 0

  mutating func add(_ savable: AuditLine.Savable) {
    stores.count(1)
    objects.count(savable.objects)
    doubtful.count(savable.doubtful)
    lostKeys.count(savable.lostKeys)
    if savable.mayLoseMore { mayLoseMore.count(1) }
  }

  mutating func add(_ other: Self) {
    stores.count(other.stores)
    objects.count(other.objects)
    doubtful.count(other.doubtful)
    lostKeys.count(other.lostKeys)
    mayLoseMore.count(other.mayLoseMore)
  }
}

struct RehearsalCount: Countable {
  private(set) var outcomes: [AuditLine.Rehearsal.Outcome: Int64] = [:]
  private(set) var kept: Int64 = 0
  private(set) var lost: Int64 = 0
  private(set) var lostValues: Int64 = 0
  private(set) var losing: Int64 = 0
  private(set) var obstacles = Tally<ObstacleName, ObstacleCount>(limit: 1_000)
  private(set) var assumed = Tally<ExactText, Int64>(limit: 1_000)

  mutating func add(_ rehearsal: AuditLine.Rehearsal, in line: AuditLine) {
    outcomes[rehearsal.outcome, default: 0].count(1)
    kept.count(rehearsal.kept ?? 0)
    lost.count(rehearsal.lost ?? 0)
    lostValues.count(rehearsal.lostValues ?? 0)
    if line.losesInRehearsal { losing.count(1) }
    if !rehearsal.outcome.isPassed {
      for reason in Set(rehearsal.reasons.isEmpty ? [""] : rehearsal.reasons) {
        obstacles.count(ObstacleName(outcome: rehearsal.outcome, reason: ExactText(reason))) { $0.add(line) }
      }
    }
    for sentence in Set(rehearsal.assumed) { assumed.count(ExactText(sentence)) { $0.count(1) } }
  }

  mutating func add(_ other: Self) {
    outcomes.merge(other.outcomes, uniquingKeysWith: sum)
    kept.count(other.kept)
    lost.count(other.lost)
    lostValues.count(other.lostValues)
    losing.count(other.losing)
    obstacles.add(other.obstacles)
    assumed.add(other.assumed)
  }
}

/// An outcome and its reason.
struct ObstacleName: Hashable, Comparable, Sendable {
  let outcome: AuditLine.Rehearsal.Outcome
  let reason: ExactText

  static func < (left: Self, right: Self) -> Bool {
    left.reason == right.reason ? left.outcome.rawValue < right.outcome.rawValue : left.reason < right.reason
  }
}

struct ObstacleCount: Countable {
  private(set) var stores: Int64 = 0
  private(set) var examples = AuditExamples()

  mutating func add(_ line: AuditLine) {
    stores.count(1)
    examples.add(line)
  }

  mutating func add(_ other: Self) {
    stores.count(other.stores)
    examples.add(other.examples)
  }
}

extension AuditSummary.Rehearsals {
  init(_ count: RehearsalCount) {
    let obstacles = count.obstacles.kept.map { name, obstacle in
      Obstacle(
        outcome: name.outcome, reason: name.reason.text, stores: obstacle.stores, examples: obstacle.examples.first)
    }
    self.init(
      outcomes: count.outcomes, kept: count.kept, lost: count.lost, lostValues: count.lostValues, losing: count.losing,
      obstacles: obstacles.sorted { left, right in
        left.stores == right.stores
          ? ObstacleName(outcome: left.outcome, reason: ExactText(left.reason))
            < ObstacleName(outcome: right.outcome, reason: ExactText(right.reason))
          : left.stores > right.stores
      },
      assumed: count.assumed.kept.sorted { $0.name < $1.name }.map { .init(name: $0.name.text, count: $0.count) })
  }
}

/// The slowest few stores.
struct TimingCount: Equatable, Sendable {
  private(set) var total: Int64 = 0
  private(set) var slowest: [AuditSummary.Timings.Slow] = []
  private static let limit = 10

  func adding(_ other: Self) -> Self {
    var result = self
    result.total.count(other.total)
    for slow in other.slowest { result.insert(slow) }
    return result
  }

  mutating func add(_ milliseconds: Int64, in line: AuditLine) {
    total.count(milliseconds)
    if slowest.count == Self.limit, let last = slowest.last, last.milliseconds > milliseconds { return }
    insert(
      .init(
        store: AuditExample(path: line.path, pathBytes: line.pathBytes, id: line.id), milliseconds: milliseconds))
  }

  private mutating func insert(_ slow: AuditSummary.Timings.Slow) {
    let place = slowest.firstIndex { precedes(slow, $0) } ?? slowest.count
    slowest.insert(slow, at: place)
    if slowest.count > Self.limit { slowest.removeLast() }
  }

  private func precedes(_ left: AuditSummary.Timings.Slow, _ right: AuditSummary.Timings.Slow) -> Bool {
    left.milliseconds == right.milliseconds
      ? left.store.precedes(right.store) : left.milliseconds > right.milliseconds
  }
}

extension TimingCount? {
  mutating func add(_ milliseconds: Int64, in line: AuditLine) {
    var count = self ?? TimingCount()
    count.add(milliseconds, in: line)
    self = count
  }
}
