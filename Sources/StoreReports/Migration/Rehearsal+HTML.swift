import StoreAudit
import StoreWords

extension Rehearsal {
  /// A page that stands alone, for whoever signs a release off.
  ///
  /// - Parameter facts: what the run is known by: date, command, models; a name and a value each.
  package func html(_ facts: [(name: String, value: String)] = []) -> String {
    let folder = folder
    let page = RehearsalPage(rehearsal: shortened(by: folder), folder: String(folder), facts: facts)
    return HTML.page(title: verdictLine, style: RehearsalPage.style, body: page.body)
  }
}

/// The page, in the look of the audit's.
private struct RehearsalPage {
  let rehearsal: Rehearsal
  /// The folder that all stores are in.
  let folder: String
  let facts: [(name: String, value: String)]

  static let style: HTML = """
    .rows { margin: .5rem 0 0; padding-left: 1.1rem; overflow-wrap: anywhere; }
    .identity { margin: 0; } .identity dt { color: var(--faint); font-size: .8rem; }
    .identity dd { margin: 0 0 .4rem; overflow-wrap: anywhere; }
    .wide { overflow-x: auto; } .whole { grid-column: 1 / -1; }

    """

  var body: HTML {
    let versions = HTML.each(rehearsal.byVersion) { cells in "<tr>\(HTML.each(cells) { "<td>\($0)</td>" })</tr>" }
    let stores = HTML.each(rehearsal.entries) { entry in row(rehearsal.cells(entry)) { "<td\($1)>\($0)</td>" } }
    return """
      <header><p class="kicker">storedoctor rehearse</p><h1>\(rehearsal.verdictLine)</h1></header><main>
      <section class="card \(rehearsal.isPassed ? "passed" : "failed")"><h2>By version</h2><div class="wide"><table><thead><tr><th>version</th><th>stores</th>\
      <th>passed</th><th>objects kept</th><th>losing data</th></tr></thead><tbody>\(versions)</tbody></table></div></section>
      \(list(rehearsal.obstacles, title: "In the way", style: "failed"))\(list(rehearsal.losses, title: "Lost", style: ""))
      <section class="card whole"><h2>Stores\(folder.isEmpty ? "" : " in \(folder)")</h2><div class="wide"><table><thead>\(row(Rehearsal.header) { "<th\($1)>\($0)</th>" })</thead><tbody>\
      \(stores)</tbody></table></div></section>
      \(others)\(identity)
      </main>

      """
  }

  /// The sections of the text that have no look of their own here.
  private var others: HTML {
    HTML.each(rehearsal.sections.filter { !["In the way", "Lost"].contains($0.title) }) { $0.card }
  }

  private var identity: HTML {
    guard !facts.isEmpty else { return "" }
    let items = HTML.each(facts) { name, value in "<dt>\(name)</dt><dd><code>\(value)</code></dd>" }
    return "<section class=\"card\"><h2>The run</h2><dl class=\"identity\">\(items)</dl></section>"
  }

  /// - Parameter cell: makes a cell of its text and its class.
  private func row(_ cells: [String], cell: (String, HTML) -> HTML) -> HTML {
    let numbers: Set = [4, 5, 6, 7]
    let cells = HTML.each(cells.enumerated()) { position, text in
      cell(text, numbers.contains(position) ? " class=\"number\"" : "")
    }
    return "<tr>\(cells)</tr>"
  }

  private func list(_ groups: [(words: [String], names: [String])], title: String, style: String) -> HTML {
    guard !groups.isEmpty else { return "" }
    let items = HTML.each(groups) { group in
      let words = HTML.each(group.words) { "<br>\($0)" }
      return "<li><span class=\"name\">\(rehearsal.listed(group.names))</span>\(words)</li>"
    }
    return "<section class=\"card \(style)\"><h2>\(title)</h2><ul>\(items)</ul></section>"
  }
}
