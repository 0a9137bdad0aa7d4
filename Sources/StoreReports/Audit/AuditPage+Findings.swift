import StoreAudit
import StoreDiagnosis
import StoreFindings
import StoreWords

/// The gate, what was found, and what is at risk.
extension AuditPage {
  var gate: HTML {
    guard let outcome = summary.gate, !outcome.demands.isEmpty else { return "" }
    let style = word(outcome.isPassed, yes: "passed", no: "failed", unknown: "unasked")
    let title = word(
      outcome.isPassed, yes: "The gate is passed", no: "The gate is not passed",
      unknown: "The gate was not asked: no store was looked at")
    return """
      <section id="gate" class="card \(style)"><h2>\(title)</h2>
      <ul class="demands">
      \(HTML.each(outcome.demands, as: demand))</ul></section>

      """
  }

  private func demand(_ demand: AuditGate.Outcome.Demand) -> HTML {
    let examples = demand.isMet == false && !demand.examples.isEmpty ? Self.folded(demand.examples, as: "stores") : ""
    return """
      <li><span class="mark">\(word(demand.isMet, yes: "met", no: "not met", unknown: "not asked"))</span> <code>\(demand.option)</code> <span>\(demand.sentence)</span>
      \(examples)</li>

      """
  }

  var causes: HTML {
    found(summary.causes, id: "causes", title: "What keeps stores from opening, and what to do")
  }

  var found: HTML {
    found(
      summary.findingsBesideCauses, id: "findings",
      title: summary.causes.isEmpty ? "What was found" : "What else was found")
  }

  private func found(_ list: [AuditSummary.FoundAt], id: String, title: String) -> HTML {
    guard !list.isEmpty else { return "" }
    let most = list.map(\.stores).max() ?? 0
    var seen: Set<String> = []
    let rows = list.prefix(Self.most).map { found in
      row(found, of: most, isFirst: seen.insert(found.check).inserted)
    }
    return """
      <section id="\(id)" class="card"><h2>\(title)</h2>
      \(Self.table(columns: ["what and where", "stores", "in all"], rows: rows, of: list.count))</section>

      """
  }

  /// - Parameter isFirst: whether it is the first place of its check, which says what to do.
  private func row(_ found: AuditSummary.FoundAt, of most: Int64, isFirst: Bool) -> HTML {
    let place = found.place.map(Self.cut) ?? "the store as a whole"
    let code = found.code.map { ", the app prints \($0)" } ?? ""
    let severity = found.severity.rawValue
    let width = Self.hundredths(found.stores, of: most)
    return """
      <tr><th scope="row"><span class="name">\(place)</span> <span class="tag \(severity)">\(severity)</span> <span class="faint">\(found.check) \(found.name)\(code)</span>
      <p class="words">\(Check.summary(of: found.check) ?? "")</p>\(isFirst && found.severity == .error ? steps(found) : "")
      \(Self.bar(place, words: "\(grouped(found.stores)) stores", width: width, style: severity))
      \(Self.folded(found.examples))</th><td class="number" data-label="stores">\(grouped(found.stores))</td><td class="number" data-label="in all">\(grouped(found.rows))</td></tr>
      """
  }

  /// What can be done about one kind of finding, and the commands that say more.
  private func steps(_ found: AuditSummary.FoundAt) -> HTML {
    // Markdown: every second part is code.
    let parts = (Check.remedy(of: found.check) ?? "").split(separator: "`", omittingEmptySubsequences: false)
    let remedy = HTML.each(parts.enumerated()) { position, part in
      position.isMultiple(of: 2) ? "\(part)<code></code>" : "<code>\(part)</code>"
    }
    let commands = HTML.each(summary.looks(at: found, next)) { command in
      "<code>storedoctor \(HTML.unbroken(command.words))\(command.note.map { "   # \($0)" } ?? "")</code>"
    }
    return """

      <p class="words">\(remedy)</p>
      <p class="commands">\(commands)</p>
      """
  }

  var risks: HTML {
    let list = summary.atRisk
    guard !list.isEmpty else { return "" }
    let most = list.map(\.stores).max() ?? 0
    let rows = list.prefix(Self.most).map { row($0, of: most) }
    return """
      <section id="atRisk" class="card"><h2>\(AuditSummary.risksTitle)</h2>
      \(Self.table(columns: ["what and where", "stores", "rows"], rows: rows, of: list.count))</section>

      """
  }

  private func row(_ risk: AuditSummary.RiskAt, of most: Int64) -> HTML {
    let place = risk.place.map(Self.cut) ?? "the store as a whole"
    let (stores, width) = (grouped(risk.stores), Self.hundredths(risk.stores, of: most))
    return """
      <tr><th scope="row"><span class="name">\(place)</span> <span class="faint">\(Self.cut(risk.message))</span>
      \(Self.bar(place, words: "\(stores) stores", width: width, style: risk.isLoss ? "warning" : "note"))
      \(Self.folded(risk.examples))</th><td class="number" data-label="stores">\(stores)</td><td class="number" data-label="rows">\(grouped(risk.rows))</td></tr>
      """
  }

  var problems: HTML {
    let list = summary.problems
    guard let most = list.first?.stores else { return "" }
    let rows = list.prefix(Self.most).map { row($0, of: most) }
    return """
      <section id="problems" class="card"><h2>Not read, or not whole</h2>
      <table class="stacked">\(Self.head(["cause", "stores"]))<tbody>
      \(Self.lines(rows))</tbody></table></section>

      """
  }

  private func row(_ problem: AuditSummary.ProblemUse, of most: Int64) -> HTML {
    let (kind, stores) = (Self.cut(problem.kind), grouped(problem.stores))
    let signals = problem.signals.map { "signal \($0.name)" }.joined(separator: ", ")
    return """
      <tr><th scope="row"><span class="name">\(kind)</span> <span class="faint">\(signals)</span>
      \(Self.bar(kind, words: stores, width: Self.hundredths(problem.stores, of: most), style: "error"))
      \(Self.folded(problem.examples))</th><td class="number" data-label="stores">\(stores)</td></tr>
      """
  }
}
