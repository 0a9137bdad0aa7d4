import StoreDiagnosis
import StoreFindings
import StoreAudit
import StoreWords

extension AuditPage {
  /// The most rows of a list on the page; the JSON has all.
  private static let shown = 100
  init(
    _ summary: AuditSummary, _ run: AuditPageRun?, _ list: AuditStoreList, _ next: AuditSummary.NextCommands
  ) {
    title = "Audit of \(counted(summary.stores, "store"))"
    answer = summary.answer
    facts = run?.facts ?? []
    stores = StoreList(list)
    foundTitle = summary.causes.isEmpty ? "What was found" : "What else was found"
    remarks = summary.remarks
    toolVersion = StoreReports.toolVersion
    gate = summary.gate.map { $0.demands.isEmpty ? [] : [Gate($0)] } ?? []
    outcomes = Self.outcomes(summary)
    causes = FoundList(summary.causes, summary, next, shown: Self.shown)
    risks = RiskList(summary.atRisk, shown: Self.shown)
    versions = VersionList(summary, shown: Self.shown)
    found = FoundList(summary.findingsBesideCauses, summary, next, shown: Self.shown)
    problems = summary.problems.prefix(Self.shown).map { Problem($0, of: summary.problems.first?.stores ?? 0) }
    hasProblems = !problems.isEmpty
    entities = EntityList(summary, shown: Self.shown)
    sizes = Sizes(summary)
    frameworks = FrameworkList(summary, shown: Self.shown)
    repairs = summary.repairs.map(Repairs.init)
    rehearsals = summary.rehearsals.map { Rehearsals($0, of: summary.stores, shown: Self.shown) }
    timings = summary.timings.map(Timings.init)
    runs = summary.runs.prefix(5).map(\.name).joined(separator: ", ")
  }

  private static func outcomes(_ summary: AuditSummary) -> Chart? {
    Chart(
      "What becomes of the stores", summary.outcomes.map { ($0.name, $0.stores, $0.style) }, of: summary.stores)
  }
}

extension AuditPageRun {
  fileprivate var facts: [AuditPage.Fact] {
    [
      ("made", [timestamp(Double(moment / 1_000_000_000 - secondsFrom1970To2001))]),
      (isOfLines ? "from lines in" : "stores in", Self.shown(places)),
      ("judged by", models.isEmpty ? [isOfLines ? "the models of the lines" : "no model"] : Self.shown(models)),
      ("command", [(["storedoctor"] + arguments).map(shellQuoted).joined(separator: " ")]),
    ].filter { !$0.1.isEmpty }.map { name, values in
      AuditPage.Fact(factName: name, factValues: values, isCommand: name == "command")
    }
  }

  /// The first few names, and how many others there are.
  private static func shown(_ names: [String]) -> [String] {
    let (most, first) = (8, names.prefix(8).map(cut))
    return names.count > most ? first + ["and \(names.count - most) more"] : first
  }
}

extension AuditPage.Step {
  fileprivate init(_ found: AuditSummary.FoundAt, _ summary: AuditSummary, _ next: AuditSummary.NextCommands) {
    // Markdown: every second part is code.
    remedy = (Check.remedy(of: found.check) ?? "").split(separator: "`", omittingEmptySubsequences: false)
      .enumerated().map { index, part in
        index.isMultiple(of: 2)
          ? AuditPage.Words(plain: String(part), code: "") : AuditPage.Words(plain: "", code: String(part))
      }
    commands = summary.looks(at: found, next).map { "storedoctor \($0.words)" + ($0.note.map { "   # \($0)" } ?? "") }
  }
}

extension AuditPage.StoreList {
  fileprivate init?(_ list: AuditStoreList) {
    guard list.count > 0 else { return nil }
    let rows = list.kept
    storeTitle = list.count == 1 ? "The store" : "All \(counted(list.count, "store"))"
    isLong = rows.count > 100
    storeRows = rows.map { row in
      AuditPage.Store(
        storeName: row.name, storeOutcome: row.outcome, storeStyle: row.style, storeVersion: cut(row.version),
        storeWords: cut(row.words))
    }
    storeRest =
      list.count > Int64(rows.count)
      ? "the worst \(grouped(Int64(rows.count))); the lines (--resume FILE, or --format csv) have all" : ""
  }
}

extension AuditPage.More {
  /// The rows that are visible at first, about a screenful.
  fileprivate static var atOnce: Int { 10 }

  /// The rest of a list; nil where all of it is visible at first. A rest has at least three rows.
  fileprivate init?(of rows: [Row]) {
    guard rows.count > Self.atOnce + 2 else { return nil }
    moreRows = Array(rows.dropFirst(Self.atOnce))
    moreWords = "\(moreRows.count) more"
  }

  /// A list split into visible rows and the rest.
  fileprivate static func split(_ rows: [Row]) -> (first: [Row], more: AuditPage.More<Row>?) {
    let more = AuditPage.More(of: rows)
    return (more == nil ? rows : Array(rows.prefix(atOnce)), more)
  }
}

/// Mentions rows that are not on the page: "and 3 more".
private func rest(_ all: Int, shown: Int) -> String {
  all > shown ? "and \(grouped(Int64(all - shown))) more, which the JSON has" : ""
}

/// A name with its middle cut out, if it is too long for the page.
private func cut(_ name: String) -> String {
  name.count > 160 ? "\(name.prefix(100)) … \(name.suffix(50))" : name
}

/// A share in hundredths with two digits, as a width; never 0 if the part is not.
private func hundredths(_ part: Int64, of whole: Int64) -> String {
  guard whole > 0, part > 0 else { return "0" }
  let share = min(max(Double(part) / Double(whole), 0.004), 1)
  return String((share * 10_000).rounded() / 100)
}

extension AuditPage.Gate {
  fileprivate init(_ outcome: AuditGate.Outcome) {
    gateTitle = word(
      outcome.isPassed, yes: "The gate is passed", no: "The gate is not passed",
      unknown: "The gate was not asked: no store was looked at"
    )
    gateStyle = word(outcome.isPassed, yes: "passed", no: "failed", unknown: "unasked")
    demands = outcome.demands.map { demand in
      .init(
        demandWord: word(demand.isMet, yes: "met", no: "not met", unknown: "not asked"), option: demand.option,
        sentence: demand.sentence,
        demandExamples: demand.examples.paths,
        hasDemandExamples: demand.isMet == false && !demand.examples.isEmpty)
    }
  }
}

extension [AuditExample] {
  fileprivate var paths: [String] { map { example in example.id.map { "\($0) (\(example.path))" } ?? example.path } }
}

extension AuditPage.Chart {
  /// Nil where there is nothing to show.
  fileprivate init?(_ title: String, _ parts: [(name: String, stores: Int64, style: String)], of whole: Int64) {
    guard !parts.isEmpty else { return nil }
    chartTitle = title
    chartWords = parts.map { "\(grouped($0.stores)) \($0.name)" }.joined(separator: ", ")
    segments = AuditPage.segments(parts.map { ($0.stores, $0.style) }, of: whole)
    chartRows = parts.map { part in
      Row(
        rowName: part.name, rowStores: grouped(part.stores), rowShare: rate(part.stores, of: whole),
        rowStyle: part.style)
    }
  }
}

extension AuditPage {
  /// Parts of a bar one after the other.
  fileprivate static func segments(_ parts: [(stores: Int64, style: String)], of whole: Int64) -> [Segment] {
    var sum: Int64 = 0
    return parts.map { part in
      defer { sum += part.stores }
      let start = whole > 0 ? (Double(sum) / Double(whole) * 10_000).rounded() / 100 : 0
      return Segment(start: String(start), width: hundredths(part.stores, of: whole), segmentStyle: part.style)
    }
  }
}

extension AuditPage.VersionList {
  fileprivate init?(_ summary: AuditSummary, shown: Int) {
    guard let most = summary.versions.first?.stores else { return nil }
    let rows = summary.versions.prefix(shown).map { version in
      let outcomes = version.outcomes
      return AuditPage.Version(
        label: cut(version.label), isCandidate: version.isCandidate, versionStores: grouped(version.stores),
        versionShare: rate(version.stores, of: summary.stores),
        versionWords: version.outcomeWords,
        versionSegments: AuditPage.segments(outcomes.map { ($0.stores, $0.style) }, of: most))
    }
    (versionRows, versionMore) = AuditPage.More.split(rows)
    versionRest = rest(summary.versions.count, shown: shown)
  }
}

extension AuditPage.RiskList {
  fileprivate init?(_ list: [AuditSummary.RiskAt], shown: Int) {
    guard !list.isEmpty else { return nil }
    let most = list.map(\.stores).max() ?? 0
    let rows = list.prefix(shown).map { risk in
      AuditPage.Risk(
        place: risk.place.map(cut) ?? "the store as a whole", riskStyle: risk.isLoss ? "warning" : "note",
        riskMessage: cut(risk.message), riskStores: grouped(risk.stores), riskRowCount: grouped(risk.rows),
        riskWidth: hundredths(risk.stores, of: most), riskExamples: risk.examples.paths)
    }
    (riskRows, riskMore) = AuditPage.More.split(rows)
    riskRest = rest(list.count, shown: shown)
  }
}

extension AuditPage.FoundList {
  fileprivate init?(
    _ list: [AuditSummary.FoundAt], _ summary: AuditSummary, _ next: AuditSummary.NextCommands, shown: Int
  ) {
    guard !list.isEmpty else { return nil }
    let most = list.map(\.stores).max() ?? 0
    var seen: Set<String> = []
    let rows = list.prefix(shown).map { found in
      let isFirst = seen.insert(found.check).inserted
      return AuditPage.Found(
        check: found.check, checkName: found.name, place: found.place.map(cut) ?? "the store as a whole",
        codeText: found.code.map { ", the app prints \($0)" } ?? "",
        foundWords: Check.summary(of: found.check) ?? "",
        foundSteps: isFirst && found.severity == .error ? [AuditPage.Step(found, summary, next)] : [],
        foundSeverity: found.severity.rawValue, foundStores: grouped(found.stores), foundCount: grouped(found.rows),
        foundWidth: hundredths(found.stores, of: most), foundExamples: found.examples.paths)
    }
    (foundRows, foundMore) = AuditPage.More.split(rows)
    foundRest = rest(list.count, shown: shown)
  }
}

extension AuditPage.Problem {
  fileprivate init(_ problem: AuditSummary.ProblemUse, of most: Int64) {
    self.init(
      kind: cut(problem.kind), problemStores: grouped(problem.stores),
      problemWidth: hundredths(problem.stores, of: most),
      problemSignals: problem.signals.map { "signal \($0.name)" }.joined(separator: ", "),
      problemExamples: problem.examples.paths)
  }
}

extension AuditPage.EntityList {
  fileprivate init?(_ summary: AuditSummary, shown: Int) {
    guard !summary.entities.isEmpty else { return nil }
    let most = summary.entities.map(\.rows).max() ?? 0
    let rows = summary.entities.prefix(shown).map { entity in
      AuditPage.Entity(
        entityName: cut(entity.name), entityStores: grouped(entity.stores), entityTotal: grouped(entity.rows),
        entityMedian: (entity.median < 8 ? "" : "~") + grouped(entity.median), entityMost: grouped(entity.most),
        entityWidth: hundredths(entity.rows, of: most))
    }
    (entityRows, entityMore) = AuditPage.More.split(rows)
    entityRest = rest(summary.entities.count, shown: shown)
  }
}

extension AuditPage.FrameworkList {
  fileprivate init?(_ summary: AuditSummary, shown: Int) {
    let versions = summary.frameworkVersions
    guard let most = versions.map(\.stores).max() else { return nil }
    let whole = versions.reduce(0) { $0 + $1.stores }
    let rows = versions.prefix(shown).map { use in
      AuditPage.Framework(
        framework: String(use.version), frameworkStores: grouped(use.stores),
        frameworkShare: rate(use.stores, of: whole), frameworkWidth: hundredths(use.stores, of: most))
    }
    (frameworkRows, frameworkMore) = AuditPage.More.split(rows)
    frameworkRest = rest(versions.count, shown: shown)
  }
}

extension AuditPage.Sizes {
  fileprivate init?(_ summary: AuditSummary) {
    let classes = summary.sizes.classes
    guard let first = classes.first, let last = classes.last else { return nil }
    let most = classes.map(\.stores).max() ?? 1
    sizeTotal = byteWords(summary.sizes.total)
    sizeLargest = byteWords(summary.sizes.largest)
    sizeRowCount = grouped(summary.rows)
    sizeViewWidth = String(classes.count * 10)
    smallest = byteWords(first.from)
    largestClass = byteWords(last.through == .max ? .max : last.through + 1)
    sizeBars = classes.enumerated().map { number, part in
      let height = part.stores == 0 ? 0 : max(Double(part.stores) / Double(most) * 100, 1)
      return .init(
        sizeStart: String(number * 10), sizeTop: String(100 - (height * 100).rounded() / 100),
        sizeHeight: String((height * 100).rounded() / 100),
        sizeName: "\(byteWords(part.from)) up", sizeStores: grouped(part.stores))
    }
    sizeWords = sizeBars.map { "\($0.sizeName): \($0.sizeStores)" }.joined(separator: "; ")
  }
}

extension AuditPage.Repairs {
  fileprivate init(_ repairs: AuditSummary.Repairs) {
    repairRows = repairs.repairs.map { repair in
      .init(
        repairName: repair.repair, repairStores: grouped(repair.stores), repairChanges: grouped(repair.changes))
    }
    obstacles = repairs.obstacles > 0 ? "\(counted(repairs.obstacles, "thing")) in its way" : ""
    outputs = repairs.outputs.map { "\(grouped($0.count)) \($0.name)" }
  }
}

extension AuditPage.Rehearsals {
  fileprivate init(_ rehearsals: AuditSummary.Rehearsals, of stores: Int64, shown: Int) {
    rehearsalTitle = AuditSummary.rehearsalsTitle
    rehearsalStyle = rehearsals.outcomes.allSatisfy { $0.key.isPassed || $0.value == 0 } ? "passed" : "failed"
    rehearsalRows = rehearsals.rows.map { row in
      .init(rehearsedName: row.name, rehearsedStores: grouped(row.stores), rehearsedShare: rate(row.stores, of: stores))
    }
    rehearsalObjects = rehearsals.objects
    rehearsalObstacles = rehearsals.obstacles.prefix(shown).map { obstacle in
      .init(obstacleWords: obstacle.words, obstacleExamples: obstacle.examples.paths)
    }
    rehearsalRest = rest(rehearsals.obstacles.count, shown: shown)
    rehearsalAssumed = rehearsals.assumed.prefix(shown).map { "assumed: \($0.name), \(counted($0.count, "store"))" }
    rehearsalLimits = "not proved: \(AuditLine.Rehearsal.notProved)"
  }
}

extension AuditPage.Timings {
  fileprivate init(_ timings: AuditSummary.Timings) {
    let most = timings.slowest.first?.milliseconds ?? 0
    timingTotal = grouped(timings.milliseconds)
    slowRows = timings.slowest.map { slow in
      .init(
        slowPath: [slow.store].paths.first ?? "", slowMilliseconds: grouped(slow.milliseconds),
        slowWidth: hundredths(slow.milliseconds, of: most))
    }
  }
}
