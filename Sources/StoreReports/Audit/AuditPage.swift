import StoreAudit
import StoreText
import StoreWords

extension AuditSummary {
  /// The summary as a page that stands alone: no network, and no script but that of its list of stores; charts as inline SVG with tables beside them.
  ///
  /// - Parameters:
  ///   - run: what the page says of the audit itself; nil for nothing.
  ///   - stores: the stores for its list.
  ///   - next: the parts of suggested commands.
  package func html(
    _ run: AuditPageRun? = nil, stores: AuditStoreList = AuditStoreList(), next: NextCommands = NextCommands()
  ) -> String {
    let page = AuditPage(summary: self, run: run, stores: stores, next: next)
    return HTML.page(title: page.title, script: page.script, body: page.body)
  }
}

/// What the page of an audit says of the audit itself.
package struct AuditPageRun: Sendable {
  /// When the page was made, nanoseconds since 1970 UTC.
  package var moment: Int64
  /// Where stores were looked for; the files of lines for a page that was made of those.
  package var places: [String]
  /// Whether places are files of lines.
  package var isOfLines: Bool
  /// The models that stores were judged by.
  package var models: [String]
  /// The words of the command line, without the program.
  package var arguments: [String]

  /// A run.
  package init(moment: Int64, places: [String], isOfLines: Bool, models: [String], arguments: [String]) {
    self.moment = moment
    self.places = places
    self.isOfLines = isOfLines
    self.models = models
    self.arguments = arguments
  }
}

/// The page of an audit: its frame here, its sections in the files beside.
struct AuditPage {
  let summary: AuditSummary
  let run: AuditPageRun?
  let stores: AuditStoreList
  let next: AuditSummary.NextCommands

  /// The most rows of a list; the JSON has all.
  static let most = 100

  var title: String { "Audit of \(counted(summary.stores, "store"))" }

  /// What its list of stores is filtered and sorted with.
  fileprivate var script: HTML { stores.count > 0 ? TableScript.text : "" }

  var body: HTML {
    """
    <header>
    <p class="kicker">\(title)</p>
    <h1 id="answer">\(summary.answer)</h1>
    \(outcomes)
    \(remarks)<dl class="run">\(facts)</dl>
    \(way)</header>
    <main>
    \(gate)\(causes)\(risks)\(problems)\(found)\(versions)\(sizes)\(entities)\(frameworks)\(repairs)\(rehearsals)\(timings)\
    \(list)</main>
    <footer><p>storedoctor \(toolVersion) · run \(runs) · every number of this page and more: <code>storedoctor audit ... --summary --format json</code></p></footer>

    """
  }

  /// To the list, where that leads to a page for each store.
  private var way: HTML {
    guard !stores.pages.isEmpty else { return "" }
    return
      "<p class=\"remark\"><a href=\"#list\">All \(counted(stores.count, "store")), each with a page of its own</a></p>\n"
  }

  private var runs: String { summary.runs.prefix(5).map(\.name).joined(separator: ", ") }

  // MARK: Header

  private var remarks: HTML {
    HTML.each(summary.remarks) { remark in
      """
      <p class="remark">\(remark)</p>

      """
    }
  }

  /// What becomes of the stores, as a bar and in words.
  private var outcomes: HTML {
    let parts = summary.outcomes
    guard !parts.isEmpty else { return "" }
    let words = parts.map { "\(grouped($0.stores)) \($0.name)" }.joined(separator: ", ")
    let items = HTML.each(parts) { part in
      """
      <li><span class="swatch \(part.style)"></span><b>\(grouped(part.stores))</b> \(part.name) <span class="faint">\(rate(part.stores, of: summary.stores))</span></li>

      """
    }
    return """
      <svg class="bar wide" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-labelledby="outcome-title outcome-words"><title id="outcome-title">What becomes of the stores</title><desc id="outcome-words">\(words)</desc>\(AuditPage.bars(parts, of: summary.stores))</svg>
      <ul class="legend">
      \(items)</ul>
      """
  }

  /// Date, places, models and command.
  private var facts: HTML {
    HTML.each(run?.facts ?? []) { fact in
      let values = HTML.each(fact.values) { value in
        fact.isCommand ? "<dd class=\"command\">\(HTML.unbroken(value))</dd>" : "<dd>\(value)</dd>"
      }
      return """
        <div><dt>\(fact.name)</dt>\(values)</div>

        """
    }
  }
}

extension AuditPageRun {
  fileprivate var facts: [(name: String, values: [String], isCommand: Bool)] {
    let judges = models.isEmpty ? [isOfLines ? "the models of the lines" : "no model"] : shown(models)
    let words = (["storedoctor"] + arguments).map(shellQuoted).joined(separator: " ")
    let facts = [
      (name: "made", values: [DateText.text(secondsSince1970: Int(moment / 1_000_000_000))], isCommand: false),
      (name: isOfLines ? "from lines in" : "stores in", values: shown(places), isCommand: false),
      (name: "judged by", values: judges, isCommand: false),
      (name: "command", values: [words], isCommand: true),
    ]
    return facts.filter { !$0.values.isEmpty }
  }

  /// The first few names, and how many others there are.
  private func shown(_ names: [String]) -> [String] {
    let first = names.prefix(8).map(AuditPage.cut)
    return names.count > 8 ? first + ["and \(names.count - 8) more"] : first
  }
}
