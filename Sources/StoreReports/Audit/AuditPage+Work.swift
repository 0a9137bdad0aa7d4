import StoreAudit
import StoreWords

/// What was done with the stores: repairs, rehearsals, and the time it took.
extension AuditPage {
  var repairs: HTML {
    guard let repairs = summary.repairs else { return "" }
    let rows = HTML.each(repairs.repairs) { repair in
      """
      <tr><th scope="row"><span class="name">\(repair.repair)</span></th><td class="number">\(grouped(repair.stores))</td><td class="number">\(grouped(repair.changes))</td></tr>

      """
    }
    let obstacles = repairs.obstacles > 0 ? "\(counted(repairs.obstacles, "thing")) in its way" : ""
    let outputs = HTML.each(repairs.outputs) { "<p class=\"rest\">\(grouped($0.count)) \($0.name)</p>" }
    return """
      <section id="repairs" class="card"><h2>\(repairs.repairs.isEmpty ? "Copies" : "What the recipe does")</h2>
      <table>\(repairs.repairs.isEmpty ? "" : Self.head(["repair", "stores", "rows"]))<tbody>
      \(rows)</tbody></table>
      <p class="rest">\(obstacles)</p>\(outputs)</section>

      """
  }

  var rehearsals: HTML {
    guard let rehearsals = summary.rehearsals else { return "" }
    let isPassed = rehearsals.outcomes.allSatisfy { $0.key.isPassed || $0.value == 0 }
    let rows = HTML.each(rehearsals.rows) { row in
      """
      <tr><th scope="row"><span class="name">\(row.name)</span></th><td class="number">\(grouped(row.stores))</td><td class="number">\(rate(row.stores, of: summary.stores))</td></tr>

      """
    }
    let obstacles = HTML.each(rehearsals.obstacles.prefix(Self.most)) { obstacle in
      """
      <p>\(obstacle.words)</p>
      \(Self.folded(obstacle.examples))

      """
    }
    let assumed = HTML.each(rehearsals.assumed.prefix(Self.most)) { assumption in
      "<p class=\"rest\">assumed: \(assumption.name), \(counted(assumption.count, "store"))</p>"
    }
    return """
      <section id="rehearsals" class="card \(isPassed ? "passed" : "failed")"><h2>\(AuditSummary.rehearsalsTitle)</h2>
      <table>\(Self.head(["outcome", "stores", "share"]))<tbody>
      \(rows)</tbody></table>
      <p>\(rehearsals.objects)</p>
      \(obstacles)<p class="rest">\(Self.rest(of: rehearsals.obstacles.count))</p>\(assumed)
      <p class="rest">not proved: \(AuditLine.Rehearsal.notProved)</p></section>

      """
  }

  var timings: HTML {
    guard let timings = summary.timings else { return "" }
    let most = timings.slowest.first?.milliseconds ?? 0
    let rows = HTML.each(timings.slowest) { slow in
      let (path, milliseconds) = (slow.store.pathWords, grouped(slow.milliseconds))
      return """
        <tr><th scope="row"><span class="name">\(path)</span>
        \(Self.bar(path, words: milliseconds, width: Self.hundredths(slow.milliseconds, of: most), style: "plain"))</th><td class="number" data-label="milliseconds">\(milliseconds)</td></tr>

        """
    }
    return """
      <section id="timings" class="card"><h2>Slowest stores</h2>
      <table class="stacked">\(Self.head(["store", "milliseconds"]))<tbody>
      \(rows)</tbody></table><p class="rest">\(grouped(timings.milliseconds)) milliseconds for all stores, one after the other</p></section>

      """
  }
}
