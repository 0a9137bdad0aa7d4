import StoreInspection
import StoreRecovery
import StoreText
import StoreWords

// What has a time: the history, the log, deletions, and dates where values may be shown.

extension StorePage {
  var time: ReportPage.Section {
    guard let times else { return ReportPage.Section(id: "time", title: "Time", content: "") }
    let picture = times.picture
    let problems = times.timeline.problems.filter { !inspection.problems.contains($0) }
    let notes = [inspection.history.goneWords, undatedWords(picture)].compactMap(\.self) + problems
    return ReportPage.Section(
      id: "time", title: "Time", remark: remark(picture),
      content: drawing(picture) + HTML.each(notes) { "<p class=\"small\">\($0)</p>\n" } + deletions(times)
        + events(times))
  }

  private func remark(_ picture: TimePicture) -> String {
    let changes = picture.count { event in
      switch event {
      case .inserted, .updated, .changed, .deleted(.proved): true
      case .saved, .deleted, .replaced, .commit, .boundedCommit, .date: false
      }
    }
    let saves = picture.count { $0 == .saved }
    let history =
      saves == 0 && changes == 0
      ? nil : "\(counted(Int64(changes), "change")) in \(counted(Int64(saves), "transaction"))."
    let axis =
      picture.isEmpty
      ? nil
      : "A column is a \(picture.span.word), by UTC; what lies between without an event is left out. "
        + "Names of authors are the app's own."
    let dates = showsDates ? nil : "Dates of objects are values, and hidden."
    return [history, axis, dates].compactMap(\.self).joined(separator: " ")
  }

  private var showsDates: Bool { run.showsValues || rows != nil || times?.listsEvents == true }

  private func undatedWords(_ picture: TimePicture) -> String? {
    picture.undated.isEmpty ? nil : "No time is known of: " + picture.undated.words
  }

  private func drawing(_ picture: TimePicture) -> HTML {
    guard let first = picture.columns.first, let last = picture.columns.last else {
      let history = inspection.history.isPresent ? "The history has no transaction" : "The store keeps no history"
      return "<p>\(history), and there is no log with commits\(showsDates ? ", and no date" : "").</p>\n"
    }
    let ends = first == last ? first.title : "\(first.title) to \(last.title)"
    let label = "What happened when, \(ends); the same stands in the table below"
    let beyond = picture.lanes.count - TimePicture.mostLanes
    let left: HTML =
      beyond > 0 ? "<p class=\"small\">\(counted(Int64(beyond), "lane")) more: in the table alone.</p>\n" : ""
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(label)">
      \(picture.svg(label: label))</div>
      \(picture.legend)\(left)\(table(picture))
      """
  }

  /// The picture in words, for those who do not see it.
  private func table(_ picture: TimePicture) -> HTML {
    let byTime = picture.marks.sorted { ($0.column, $0.lane) < ($1.column, $1.lane) }
    let rows = HTML.each(byTime) { mark in
      let lane = picture.lanes[mark.lane]
      return """
        <tr><th scope="row">\(picture.columns[mark.column].title)</th><td data-label="lane">\(lane.name) <span class="soft">\(lane.detail)</span></td><td data-label="what">\(mark.counts.words)</td></tr>

        """
    }
    return """
      <details><summary><h3>The same as a table</h3><span class="meta">\(counted(byTime.count, "row"))</span></summary><div class="in"><table class="stack"><thead><tr><th scope="col">\(picture.span.word)</th><th scope="col">who or which</th><th scope="col">what</th></tr></thead><tbody>
      \(rows)</tbody></table></div></details>

      """
  }

  // MARK: Deletions

  private func deletions(_ times: PageTimes) -> HTML {
    let counted = Dictionary(inspection.deleted.map { ($0.entity, $0) }, uniquingKeysWith: { first, _ in first })
    let found = Dictionary((times.found ?? []).map { ($0.entity, $0) }, uniquingKeysWith: { first, _ in first })
    let others = found.keys.filter { counted[$0] == nil }.sorted { codeUnitsPrecede($0, $1) }
    let names = inspection.deleted.map(\.entity) + others
    guard !names.isEmpty else { return "" }
    let heads = Self.deletedHeads(searched: times.found != nil)
    let rows = HTML.each(names) { name in
      let cells = deletedCells(name, counted[name], found[name], searched: times.found != nil)
      return """
        <tr><th scope="row">\(link(to: name))</th>\(HTML.each(zip(heads, cells)) { "<td class=\"r\" data-label=\"\($0.0)\">\($0.1)</td>" })</tr>

        """
    }
    return """
      <h3 class="sub">Deleted, by entity and grade</h3>
      <div class="scroll"><table class="stack wrap"><thead><tr><th scope="col">entity</th>\(HTML.each(heads) { "<th scope=\"col\" class=\"r\">\($0)</th>" })</tr></thead><tbody>
      \(rows)</tbody></table></div>
      <p class="small soft">Proved: the history or the log says that the object is gone. Shown: its bytes were found. Implied: the row \
      may never have been saved. Keys not in use were handed out and have no row: deleted, proved ones among them, or never saved.\
      \(times.found == nil ? " Pages were not searched for what is left of them: with --rows --recover they are." : "")</p>

      """
  }

  private static let grades: [RecoveredRow.Grade] = [.proved, .shown, .implied]

  private static func deletedHeads(searched: Bool) -> [String] {
    let found = grades.map { "found, " + $0.rawValue } + ["earlier versions"]
    return ["live", "proved by the history"] + (searched ? found : []) + ["keys not in use"]
  }

  /// What is known of one entity, below the heads.
  private func deletedCells(
    _ name: String, _ known: Inspection.Deleted?, _ found: PageTimes.Found?, searched: Bool
  ) -> [String] {
    func words(_ number: Int64?) -> String { number.map(grouped) ?? "" }
    var proved = words(known?.proved)
    if known?.isAtLeast == true, !proved.isEmpty { proved = "at least " + proved }
    var cells = [words(own.first { $0.name == name }?.rows), proved]
    if searched {
      for grade in Self.grades { cells.append(words(found?.deleted[grade])) }
      cells.append(words(found.flatMap { $0.versions == 0 ? nil : $0.versions }))
    }
    return cells + [known.map { $0.unusedKeys.map(grouped) ?? unusedElsewhere(name) } ?? ""]
  }

  /// Keys are handed out by the entity at the root, and counted there.
  private func unusedElsewhere(_ name: String) -> String {
    var (root, steps) = (name, 0)
    while let parent = own.first(where: { $0.name == root })?.parent, steps < 64 { (root, steps) = (parent, steps + 1) }
    return root == name ? "not known" : "with \(root)"
  }

  // MARK: Events

  private static let mostEvents = 5_000

  private func events(_ times: PageTimes) -> HTML {
    guard times.listsEvents else { return "" }
    let timeline = times.timeline
    let rows = HTML.each(timeline.events.prefix(Self.mostEvents)) { event in
      let parts = timeline.parts(of: event)
      return """
        <tr><th scope="row">\(parts.time)</th><td data-label="event">\(parts.event)</td><td data-label="what">\(parts.message)</td></tr>

        """
    }
    let left = timeline.events.count - Self.mostEvents
    let rest: HTML =
      left > 0
      ? """
      <p class="small">\(counted(Int64(left), "event")) more are left out: 'storedoctor timeline \(shellQuoted(inspection.store.path))' \
      shows them.</p>

      """ : ""
    let clauses = HTML.each(timeline.store.reading.clauses) { "<p class=\"small\">\($0)</p>\n" }
    return """
      <details class="events"\(timeline.events.count <= 100 ? " open" : "")><summary><h3>Events</h3><span class="meta">\(timeline.summary)</span></summary><div class="in">
      \(clauses)<table class="stack"><thead><tr><th scope="col">time</th><th scope="col">event</th><th scope="col">what</th></tr></thead><tbody>
      \(rows)</tbody></table>
      \(rest)</div></details>

      """
  }
}
