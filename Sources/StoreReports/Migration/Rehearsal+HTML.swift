import StoreAudit
import StoreDiagnosis
import StoreWords

extension Rehearsal {
  /// A page that stands alone, for whoever signs a release off.
  ///
  /// - Parameters:
  ///   - moment: when it was made.
  ///   - command: the command that made it; nil where none did.
  ///   - facts: what else the run is known by: models.
  package func html(made moment: String = "", command: String? = nil, _ facts: [PageFact] = []) -> String {
    let folder = folder
    let page = RehearsalPage(
      rehearsal: shortened(by: folder), folder: String(folder), moment: moment, command: command, facts: facts)
    return page.report.html(style: RehearsalPage.style)
  }
}

/// The page, in the look of all reports.
private struct RehearsalPage {
  let rehearsal: Rehearsal
  /// The folder that all stores are in.
  let folder: String
  let moment: String
  let command: String?
  let facts: [PageFact]

  static let style: HTML = """
    \(ReportStyle.text)
    .outcomes td:nth-child(4), .outcomes td:nth-child(3) { white-space: nowrap; }
    .case { padding: 0 0 1.25rem; margin: 0 0 1.25rem; border-bottom: 1px solid var(--line); }
    .case:last-child { border-bottom: 0; margin: 0; }
    .case p { margin: .25rem 0 .5rem; overflow-wrap: anywhere; }
    """

  var report: ReportPage {
    ReportPage(
      kind: "Rehearsal", name: folder, moment: moment, title: rehearsal.verdictLine,
      hero: .hero(
        rehearsal.isPassed ? .kept : .error, rehearsal.isPassed ? "passed" : "failed", headline,
        lead: [rehearsal.verdictLine],
        facts: (moment.isEmpty ? [] : [PageFact("made", moment)]) + facts
          + [PageFact("made with", "storedoctor \(toolVersion)")], command: command,
        left: ("In short", figures), right: ("What is not known", unknown)),
      sections: [
        versions, list("obstacles", "In the way", "What did not pass, the most frequent first.", rehearsal.obstacles),
        list("losses", "Lost", "What passes, and loses data.", rehearsal.losses), stores,
      ],
      footer: "This page holds names of stores, keys and counts, and no values of rows. "
        + "Made by storedoctor \(toolVersion), which changed nothing it read.")
  }

  private var headline: String {
    let (passed, all) = (rehearsal.entries.count(where: rehearsal.isPassed), rehearsal.entries.count)
    if passed == all { return all == 1 ? "The store passes" : "All \(counted(Int64(all), "store")) pass" }
    return passed == 0
      ? (all == 1 ? "The store does not pass" : "None of \(counted(Int64(all), "store")) passes")
      : "\(grouped(Int64(all - passed))) of \(counted(Int64(all), "store")) do not pass"
  }

  private var figures: HTML {
    let kept = rehearsal.entries.reduce(Int64(0)) { $0 &+ ($1.result?.kept ?? 0) }
    let all = Int64(rehearsal.entries.count)
    let facts = [
      PageFact("stores", grouped(all)),
      PageFact("passed", grouped(Int64(rehearsal.entries.count(where: rehearsal.isPassed)))),
      PageFact("losing data", grouped(Int64(rehearsal.entries.count(where: \.isLosing)))),
      PageFact("objects kept", grouped(kept)),
    ]
    return "<dl class=\"figures\">\(HTML.each(facts, as: HTML.fact))</dl>"
  }

  /// The sections of the text that have no look of their own here: what is assumed, left open, not proved.
  private var unknown: HTML {
    HTML.each(rehearsal.sections.filter { !["In the way", "Lost"].contains($0.title) }, as: HTML.remarks)
  }

  private var versions: ReportPage.Section {
    let rows = rehearsal.byVersion.map { cells in
      row(
        zip(Rehearsal.versionHeader, cells).enumerated().map { position, named in
          position == 0 ? name(named.1) : cell(named.1, of: named.0, isNumber: true)
        })
    }
    return ReportPage.Section(
      id: "versions", title: "By version", remark: "Versions of the model that stores were made with.",
      content: table("wrap", head: Rehearsal.versionHeader, numbers: 1, rows))
  }

  private func list(
    _ id: HTML, _ title: HTML, _ remark: String, _ groups: [(words: [String], names: [String])]
  ) -> ReportPage.Section {
    let items = HTML.each(groups) { group in
      """
      <div class="case"><h3>\(rehearsal.listed(group.names))</h3>
      \(HTML.each(group.words) { "<p>\($0)</p>\n" })</div>

      """
    }
    return ReportPage.Section(id: id, title: title, remark: remark, content: items)
  }

  private var stores: ReportPage.Section {
    let rows = rehearsal.entries.map { entry in
      row(
        zip(Rehearsal.header, rehearsal.cells(entry)).enumerated().map { position, named in
          switch named.0 {
          case "store": name(named.1)
          case "outcome": "<td data-label=\"outcome\">\(mark(entry).labelled(named.1))</td>"
          case let column: cell(named.1, of: column, isNumber: position >= Self.numbers)
          }
        })
    }
    return ReportPage.Section(
      id: "stores", title: "Stores", remark: folder.isEmpty ? "In their order." : "Stores in \(folder)",
      content: table("outcomes", head: Rehearsal.header, numbers: Self.numbers, rows), isWide: true)
  }

  /// The column of stores from which on all are numbers.
  private static let numbers = 4

  private func row(_ cells: [HTML]) -> HTML { "<tr>\(cells, separator: "")</tr>\n" }

  private func cell(_ text: String, of column: String, isNumber: Bool) -> HTML {
    isNumber
      ? "<td class=\"r\" data-label=\"\(column)\">\(text)</td>" : "<td data-label=\"\(column)\">\(text)</td>"
  }

  /// What a row is about.
  private func name(_ text: String) -> HTML { "<th scope=\"row\">\(text)</th>" }

  /// - Parameter numbers: the column from which on all are numbers.
  private func table(_ style: HTML, head: [String], numbers: Int, _ rows: [HTML]) -> HTML {
    let head = HTML.each(head.enumerated()) { position, name -> HTML in
      position >= numbers ? "<th scope=\"col\" class=\"r\">\(name)</th>" : "<th scope=\"col\">\(name)</th>"
    }
    return """
      <div class="scroll"><table class="stack \(style)"><thead><tr>\(head)</tr></thead><tbody>
      \(rows, separator: "")</tbody></table></div>

      """
  }

  private func mark(_ entry: Rehearsal.Entry) -> Mark {
    rehearsal.isPassed(entry) ? (entry.isLosing ? .lost : .kept) : entry.result == nil ? .unknown : .error
  }
}
