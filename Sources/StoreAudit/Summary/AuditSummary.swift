import StoreDiagnosis
import StoreFindings

/// A summary of all lines of an audit: `storedoctor.audit-summary/2`.
///
/// The result depends neither on the order of lines nor on how they are split between summaries that are added up. Its
/// size depends on how many different versions, causes and entities there are, not on the number of stores.
package struct AuditSummary: Sendable, Equatable {
  /// Lines, including those that are not about a store.
  package private(set) var lines: Int64 = 0
  /// Findings that the baseline hides.
  package private(set) var known: Int64 = 0
  /// Findings that the configuration mutes.
  package private(set) var muted: Int64 = 0
  /// Findings of entities that were not asked for.
  package private(set) var leftOut: Int64 = 0
  /// Stores of which something could not be checked.
  package private(set) var incomplete: Int64 = 0
  /// Stores that may hold more than what was read: no log beside them, or one that was not read.
  package private(set) var notWhole: Int64 = 0
  /// Stores of whose files reading may have changed the access times.
  package private(set) var touched: Int64 = 0
  /// Stores that migrate, and lose rows or values by it.
  package private(set) var losing: Int64 = 0
  /// What `salvage` would save of damaged stores.
  package private(set) var savable = SavableCount()
  /// Sizes of main file and WAL.
  package private(set) var sizes = SizeHistogram()
  /// Rows of all entities.
  package private(set) var rows: Int64 = 0
  /// The outcome of the gate, if there is one; set by the caller.
  package var gate: AuditGate.Outcome?

  private var statuses: [AuditStatus: Int64] = [:]
  private var severities: [Severity: Int64] = [:]
  private var verdicts: [Verdict: Int64] = [:]
  private var toolVersionCounts = Tally<ExactText, Int64>(limit: 100)
  private var runCounts = Tally<ExactText, Int64>(limit: 100)
  private var frameworks = Tally<Int64, Int64>(limit: 1_000)
  private var versionCounts = Tally<VersionName, VersionCount>(limit: 2_000)
  private var causeCounts = Tally<CauseName, PlaceCount>(limit: 2_000)
  private var findingCounts = Tally<CauseName, PlaceCount>(limit: 5_000)
  private var riskCounts = Tally<RiskName, RiskCount>(limit: 5_000)
  private var entityCounts = Tally<ExactText, RowSketch>(limit: 5_000)
  private var problemCounts = Tally<ExactText, ProblemCount>(limit: 100)
  private var repairCounts = Tally<ExactText, RepairCount>(limit: 100)
  private var outputCounts = Tally<ExactText, Int64>(limit: 100)
  private var obstacles: Int64 = 0
  private var rehearsalCount = RehearsalCount()
  private var timingCount: TimingCount?
  private var configCounts = Tally<ExactText, Int64>(limit: 100)

  /// An empty summary.
  package init() {}
}

// MARK: - Adding

extension AuditSummary {
  /// Adds a line, of which the detail `facts` is enough.
  package mutating func add(_ line: AuditLine) {
    lines.count(1)
    statuses[line.status, default: 0].count(1)
    toolVersionCounts.count(ExactText(line.toolVersion)) { $0.count(1) }
    runCounts.count(ExactText(line.run)) { $0.count(1) }
    if let milliseconds = line.milliseconds { timingCount.add(milliseconds, in: line) }
    guard line.status.isStore else { return }
    if let problem = line.problem { problemCounts.count(ExactText(problem.kind)) { $0.add(line) } }
    if let severity = line.severity { severities[severity, default: 0].count(1) }
    if let bytes = line.bytes { sizes.add(size: bytes) }
    known.count(line.known)
    muted.count(line.muted)
    leftOut.count(line.leftOut)
    if let savable = line.savable { self.savable.add(savable) }
    if line.skippedCount > 0 { incomplete.count(1) }
    if line.store?.isWhole == false { notWhole.count(1) }
    if line.store?.keepsAccessTimes == false { touched.count(1) }
    if let config = line.config { configCounts.count(ExactText(config)) { $0.count(1) } }
    addContents(line)
    addFindings(line)
    addRisks(line)
    addRepairs(line)
  }

  /// Adds another summary.
  package mutating func add(_ other: AuditSummary) {
    lines.count(other.lines)
    known.count(other.known)
    muted.count(other.muted)
    leftOut.count(other.leftOut)
    incomplete.count(other.incomplete)
    notWhole.count(other.notWhole)
    touched.count(other.touched)
    losing.count(other.losing)
    savable.add(other.savable)
    riskCounts.add(other.riskCounts)
    configCounts.add(other.configCounts)
    rows.count(other.rows)
    obstacles.count(other.obstacles)
    sizes.add(other.sizes)
    statuses.merge(other.statuses, uniquingKeysWith: sum)
    severities.merge(other.severities, uniquingKeysWith: sum)
    verdicts.merge(other.verdicts, uniquingKeysWith: sum)
    toolVersionCounts.add(other.toolVersionCounts)
    runCounts.add(other.runCounts)
    frameworks.add(other.frameworks)
    versionCounts.add(other.versionCounts)
    causeCounts.add(other.causeCounts)
    findingCounts.add(other.findingCounts)
    entityCounts.add(other.entityCounts)
    problemCounts.add(other.problemCounts)
    repairCounts.add(other.repairCounts)
    outputCounts.add(other.outputCounts)
    rehearsalCount.add(other.rehearsalCount)
    if let timing = other.timingCount { timingCount = timingCount.map { $0.adding(timing) } ?? timing }
  }

  private mutating func addContents(_ line: AuditLine) {
    rows.count(line.rows ?? 0)
    for entity in line.entities { entityCounts.count(ExactText(entity.name)) { $0.add(rows: entity.rows) } }
    if let framework = line.store?.frameworkVersion { frameworks.count(framework) { $0.count(1) } }
    if let verdict = line.verdict { verdicts[verdict, default: 0].count(1) }
    if let name = VersionName(line) { versionCounts.count(name) { $0.add(line) } }
  }

  private mutating func addFindings(_ line: AuditLine) {
    for (finding, isFirst) in zip(line.findings, areFirstOfTheirPlace(line.findings)) {
      let name = CauseName(finding, code: nil)
      findingCounts.count(name) { $0.add(finding, in: line, countsStore: isFirst) }
    }
    guard line.verdict?.isError == true else { return }
    let causes = line.causes
    for (cause, isFirst) in zip(causes, areFirstOfTheirPlace(causes)) {
      let name = CauseName(cause, code: line.deciding?.code ?? cause.blocks.first.map(Int64.init))
      causeCounts.count(name) { $0.add(cause, in: line, countsStore: isFirst) }
    }
  }

  /// For each finding, whether it is the first of its check and place. A check has one finding for each place; a line
  /// with more must not count a store twice.
  private func areFirstOfTheirPlace(_ findings: [Finding]) -> [Bool] {
    var seen: Set<CauseName> = []
    return findings.map { seen.insert(CauseName($0, code: nil)).inserted }
  }

  private mutating func addRisks(_ line: AuditLine) {
    var seen: Set<RiskName> = []
    for risk in line.atRisk {
      let name = RiskName(risk)
      let isFirst = seen.insert(name).inserted
      riskCounts.count(name) { $0.add(risk, in: line, countsStore: isFirst) }
    }
    if line.isLosing { losing.count(1) }
  }

  private mutating func addRepairs(_ line: AuditLine) {
    for operation in line.plan?.operations ?? [] {
      repairCounts.count(ExactText(operation.repair)) { $0.add(RepairCount(stores: 1, changes: operation.changes)) }
    }
    obstacles.count(line.plan?.obstacles ?? 0)
    if let rehearsal = line.rehearsal { rehearsalCount.add(rehearsal, in: line) }
    if let output = line.output { outputCounts.count(ExactText(output.outcome)) { $0.count(1) } }
  }
}

extension AuditLine {
  /// Whether it migrates, and loses rows or values by it, or may.
  package var isLosing: Bool {
    verdict == .migrates
      && (atRisk.contains(where: \.isLoss) || findings.contains { $0.traits.contains(.losses) && $0.severity > .note })
  }

  /// The findings that prevent opening or migrating. Not every error does: a store with a dangling reference still
  /// migrates.
  var causes: [Finding] {
    let errors = findings.filter { $0.severity == .error }
    let restatements = errors.filter { $0.traits.contains(.restatement) }
    let causes = errors.filter {
      !$0.traits.isDisjoint(with: [.candidates, .damage]) && !$0.traits.contains(.restatement)
    }
    return causes.isEmpty ? restatements : causes
  }
}

// MARK: - Results

extension AuditSummary {
  /// Lines that are about a store.
  package var stores: Int64 { AuditStatus.allCases.filter(\.isStore).reduce(0) { sum($0, self[$1]) } }
  /// Stores that open with the given models, as they are or migrated.
  package var openable: Int64 { sum(self[.opens], self[.migrates]) }
  /// Lines of a status.
  package subscript(status: AuditStatus) -> Int64 { statuses[status] ?? 0 }
  /// Stores of a verdict.
  package subscript(verdict: Verdict) -> Int64 { verdicts[verdict] ?? 0 }
  /// Stores with this worst severity.
  package subscript(severity: Severity) -> Int64 { severities[severity] ?? 0 }

  /// Versions that stores have, the most frequent first.
  package var versions: [VersionUse] {
    versionCounts.kept.map(VersionUse.init).sorted { left, right in
      ordered(left.stores, right.stores) ?? (VersionName(left) < VersionName(right))
    }
  }

  /// The causes that prevent stores from opening or migrating, the most frequent first.
  package var causes: [FoundAt] { causeCounts.kept.map(FoundAt.init).sorted(by: FoundAt.precedes) }

  /// All findings, the worst and most frequent first.
  package var findings: [FoundAt] {
    findingCounts.kept.map(FoundAt.init).sorted { left, right in
      left.severity == right.severity ? FoundAt.precedes(left, right) : left.severity > right.severity
    }
  }

  /// The changes to rows of stores that migrate, or would; losses first, then the most frequent.
  package var atRisk: [RiskAt] { riskCounts.kept.map(RiskAt.init).sorted(by: RiskAt.precedes) }

  /// Entities, the one in most stores first, then by rows.
  package var entities: [EntityUse] {
    entityCounts.kept.map { name, count in
      EntityUse(name: name.text, stores: count.count, rows: count.total, median: count.median, most: count.most)
    }.sorted { left, right in
      ordered(left.stores, right.stores) ?? ordered(left.rows, right.rows)
        ?? (ExactText(left.name) < ExactText(right.name))
    }
  }

  /// Versions of the framework that last wrote the stores, the latest first.
  package var frameworkVersions: [(version: Int64, stores: Int64)] {
    frameworks.kept.map { ($0.name, $0.count) }.sorted { $0.version > $1.version }
  }

  /// Why stores could not be read, or not completely, the most frequent first.
  package var problems: [ProblemUse] {
    problemCounts.kept.map { name, count in
      ProblemUse(
        kind: name.text, stores: count.stores, examples: count.examples.first, signals: count.signals.kept.named)
    }.sorted { ordered($0.stores, $1.stores) ?? (ExactText($0.kind) < ExactText($1.kind)) }
  }

  /// Versions of storedoctor that wrote the lines.
  package var toolVersions: [Named] { toolVersionCounts.kept.named }
  /// The configurations in effect.
  package var configs: [String] { configCounts.kept.named.map(\.name) }

  /// The runs of the lines; more than one where reports of different models or checks were mixed.
  package var runs: [Named] { runCounts.kept.named }

  /// Counts beyond the kept names; all 0 in any real fleet.
  package var others: Others {
    Others(
      versions: versionCounts.others?.stores ?? 0, causes: causeCounts.others?.stores ?? 0,
      findings: findingCounts.others?.stores ?? 0, atRisk: riskCounts.others?.stores ?? 0,
      entities: entityCounts.others?.count ?? 0,
      frameworkVersions: frameworks.others ?? 0, problems: problemCounts.others?.stores ?? 0)
  }

  /// The repairs that a recipe would make, or made; nil where none was given.
  package var repairs: Repairs? {
    let repairs = repairCounts.kept.map { name, count in
      Repairs.Use(repair: name.text, stores: count.stores, changes: count.changes)
    }.sorted { ordered($0.stores, $1.stores) ?? (ExactText($0.repair) < ExactText($1.repair)) }
    let outputs = outputCounts.kept.named
    guard !repairs.isEmpty || !outputs.isEmpty || obstacles > 0 else { return nil }
    return Repairs(repairs: repairs, obstacles: obstacles, outputs: outputs)
  }

  /// The outcomes of the rehearsed migrations; nil where none was.
  package var rehearsals: Rehearsals? { rehearsalCount.outcomes.isEmpty ? nil : Rehearsals(rehearsalCount) }

  /// How long stores took; nil without `--timings`.
  package var timings: Timings? {
    timingCount.map { Timings(milliseconds: $0.total, slowest: $0.slowest) }
  }
}

/// Whether the greater of two numbers comes first; nil where they are equal.
private func ordered(_ left: Int64, _ right: Int64) -> Bool? { left == right ? nil : left > right }

extension [(name: ExactText, count: Int64)] {
  /// Sorted by count, the most frequent first.
  fileprivate var named: [AuditSummary.Named] {
    map { .init(name: $0.name.text, count: $0.count) }
      .sorted { ordered($0.count, $1.count) ?? (ExactText($0.name) < ExactText($1.name)) }
  }
}
