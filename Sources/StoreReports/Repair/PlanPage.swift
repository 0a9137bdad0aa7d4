import StoreDiagnosis
import StoreRepair
import StoreWords

extension RepairPlan {
  /// The plan as a self-contained page for the person who signs it off: no script, no network.
  ///
  /// - Parameters:
  ///   - review: the rows to show.
  ///   - showsValues: whether the review shows values, which the page says at its end.
  ///   - next: commands to suggest.
  ///   - command: the command that made the plan; nil where none did.
  package func html(
    review: PlanReview, showsValues: Bool, next: [String] = [], command: String? = nil
  ) -> String {
    let page = PlanPage(plan: self, review: review, showsValues: showsValues, next: next, command: command)
    return page.report.html(style: PlanPage.style)
  }
}

/// The page of a plan, in the look of all reports.
private struct PlanPage {
  let plan: RepairPlan
  let review: PlanReview
  let showsValues: Bool
  let next: [String]
  let command: String?

  var report: ReportPage {
    ReportPage(
      kind: "Repair plan", name: plan.store.path, moment: made, title: "Repair of \(plan.store.path): \(headline)",
      hero: .hero(
        mark, state, headline, lead: [plan.verdictLine], facts: facts, command: command,
        left: ("Next", HTML.steps(next)), right: ("Mind", notices)),
      sections: [opening, obstacles, operations, counts, findings, others, method],
      footer: "\(privacy) Made by storedoctor \(toolVersion), which changed nothing it read.")
  }

  private var made: String { timestamp(plan.generated.now) }

  private var facts: [PageFact] {
    let facts: [(name: String, words: String?)] = [
      ("made", made), ("model", plan.aim.map { "\($0.path)#\($0.version)" }),
      ("made with", "storedoctor \(toolVersion)"),
    ]
    return facts.compactMap { fact in fact.words.map { PageFact(fact.name, $0) } }
  }

  private var privacy: String {
    showsValues ? "This page holds values of rows." : "This page holds keys, and no values of rows."
  }

  // MARK: The answer

  private var changes: Int64 { Int64(plan.operations.map(\.expectedChanges).reduce(0, +)) }

  /// The result in a sentence, and with a model what becomes of the store afterwards.
  private var headline: String {
    guard plan.refusals.isEmpty else { return "The plan is refused" }
    let start = plan.isEmpty ? "Nothing would be changed" : "The plan makes \(counted(changes, "change"))"
    guard let after = plan.after.opening else { return start }
    let assumed = after.basis == .assumed ? " (assumed)" : ""
    let model = quoted(after.name)
    if after.verdict.isError {
      return
        "\(start), and \(model) \(plan.before.opening?.verdict.isError == true ? "still cannot" : "cannot") open the store\(assumed)"
    }
    let losing = after.openings[after.way]?.isLosing == true ? ", and loses data" : ""
    let then = plan.isEmpty ? "and" : "and then"
    return after.verdict == .opens
      ? "\(start), \(then) \(model) opens the store\(assumed)"
      : "\(start), \(then) the update to \(model) opens the store\(losing)\(assumed)"
  }

  private var state: String {
    guard plan.refusals.isEmpty else { return "refused" }
    if let after = plan.after.opening, after.verdict.isError { return after.verdict.rawValue }
    guard !plan.isEmpty else { return "no change" }
    return plan.needs.isEmpty ? "plan, safe" : "plan, needs \(plan.needs.map(\.rawValue).joined(separator: " and "))"
  }

  private var mark: Mark {
    if !plan.refusals.isEmpty || plan.after.opening?.verdict.isError == true { return .error }
    if !plan.obstacles.isEmpty { return .warning }
    return plan.grades.contains(.lossy) ? .lost : plan.needs.isEmpty ? .kept : .warning
  }

  private var notices: HTML {
    let sentences =
      plan.notices + (plan.after.opening?.readings ?? [])
      + ["The plan was tried out on a private copy. The store was read, and not changed."]
    return HTML.plain(sentences)
  }

  // MARK: The model

  private var sections: [Page.Section] { plan.sections(review: review) }

  private var opening: ReportPage.Section {
    let facts = plan.openingFacts
    let content: HTML =
      facts.isEmpty
      ? ""
      : """
      <h3 class="sub">\(HTML.unbroken(plan.titleOfOpening ?? ""))</h3>
      <ol class="strip">
      \(version("Before", plan.before.opening, facts[0].words))\(version("After", plan.after.opening, facts[1].words))</ol>
      \(HTML.plain(facts.dropFirst(2).map { "\($0.name) \($0.words)" }))
      """
    return ReportPage.Section(
      id: "opening", title: "The model, before and after",
      remark: "What the model does with the store as it is, and as it would be.", content: content)
  }

  private func version(_ title: HTML, _ verdict: ModelVerdict?, _ words: String) -> HTML {
    let mark = verdict.map { $0.openings[$0.way].map(Mark.init) ?? .unknown } ?? .unknown
    return """
      <li class="ver"><span class="flag app">\(title)</span><b>\(mark.labelled(verdict?.verdict.rawValue ?? "not known"))</b><p>\(words)</p></li>

      """
  }

  // MARK: What is in the way

  /// What cannot be done, and the rows that are in the model's way, with what mends them.
  private var obstacles: ReportPage.Section {
    let items = plan.obstacles.map { obstacle in
      let place = [obstacle.entity, obstacle.property].compactMap(\.self).joined(separator: ".")
      let keys = obstacle.keys.isEmpty ? "" : " (Z_PK \(obstacle.keys.map(String.init).joined(separator: ", ")))"
      return "\(obstacle.repair.rawValue)\(place.isEmpty ? "" : " of \(place)"): \(obstacle.message)\(keys)"
    }
    let own: HTML =
      items.isEmpty ? "" : "<h3 class=\"sub\">\(plan.titleOfObstacles)</h3>\n\(HTML.plain(items))"
    return ReportPage.Section(
      id: "obstacles", title: "In the way", remark: "What cannot be done, and rows that the model does not take.",
      content: own + HTML.each(decisions, as: HTML.lines))
  }

  /// The sections about rows in the model's way. Of two with one heading the first is that of the obstacles.
  private var decisions: [Page.Section] {
    var obstacles = plan.obstacles.isEmpty ? [] : [plan.titleOfObstacles]
    return sections.filter { section in
      if let position = obstacles.firstIndex(of: section.title) {
        obstacles.remove(at: position)
        return false
      }
      return section.title.hasPrefix("In the way") || section.title.hasPrefix("Stops nothing")
    }.map { $0.withoutTable }
  }

  /// The sections of the text that have no look of their own here.
  private var others: ReportPage.Section {
    var own: Set = ["Operations", "Mind", "Findings", "Next", plan.titleOfObstacles]
    own.formUnion(decisions.map(\.title) + [plan.titleOfOpening].compactMap(\.self))
    return ReportPage.Section(
      id: "more", title: "More", content: HTML.each(sections.filter { !own.contains($0.title) }, as: HTML.lines))
  }

  // MARK: Operations

  private var operations: ReportPage.Section {
    ReportPage.Section(
      id: "operations", title: "Operations",
      remark: "In their order, with the rows that each changes.",
      content: HTML.each(zip(plan.operations, review.operations)) { article($0, $1) }, isWide: true)
  }

  private func article(_ operation: StoreRepair.Operation, _ review: PlanReview.Operation) -> HTML {
    let mark: Mark = operation.grade == .safe ? .kept : operation.grade == .lossy ? .lost : .warning
    let remark: HTML = review.remark.map { "<p class=\"small soft\">\($0)</p>\n" } ?? ""
    return """
      <article class="finding"><p class="line">\(mark.labelled(operation.grade.rawValue)) <span class="soft">\(operation.repair.rawValue), \(counted(Int64(operation.expectedChanges), "change"))</span></p>
      <h3>\(operation.summary)</h3>
      \(groups(review))\(rows(review))\(remark)</article>

      """
  }

  /// Objects that become one.
  private func groups(_ review: PlanReview.Operation) -> HTML {
    guard !review.groups.isEmpty else { return "" }
    let rows = HTML.each(review.groups) { group in
      let others = group.others.map { "\($0.key)" + ($0.title.map { " \($0.words)" } ?? "") }.joined(separator: ", ")
      let differences = HTML.each(group.differences) { difference in
        "<span class=\"difference\"><b>\(difference.property)</b> \(difference.valueWords)</span>"
      }
      return """
        <tr><th scope="row">\(group.kept.words)</th><td data-label="the others:">\(others)</td><td data-label="gets:">\(group.effects.joined(separator: "; "))</td><td data-label="differ in:">\(differences)</td></tr>

        """
    }
    return """
      <table class="stack groups"><thead><tr><th scope="col">stays</th><th scope="col">the others</th><th scope="col">what it gets</th><th scope="col">differ in</th></tr></thead><tbody>
      \(rows)</tbody></table>

      """
  }

  /// Rows one below the other where there is more to say of them than their key, and in one line otherwise.
  private func rows(_ review: PlanReview.Operation) -> HTML {
    let words = review.rows.map(\.words)
    guard !words.isEmpty else { return "" }
    let hasDetails = review.rows.contains { !$0.changes.isEmpty || $0.ends.contains { $0.title != nil } }
    let items = HTML.each(hasDetails ? words : [words.joined(separator: ", ")]) { words in
      """
      <li>\(words)</li>

      """
    }
    return "<ul class=\"lines\">\n\(items)</ul>\n"
  }

  // MARK: Before and after

  private var counts: ReportPage.Section {
    let (before, after) = (plan.before.rows, plan.after.rows)
    let places = Set(before.keys).union(after.keys).sorted()
    let rows = places.map { (name: $0, before: before[$0] ?? 0, after: after[$0] ?? 0) }
      .filter { $0.before != $0.after }
    return ReportPage.Section(
      id: "counts", title: "Rows", remark: "Where their number changes.",
      content: comparison(rows.map { row($0.name, before: $0.before, after: $0.after) }, column: "rows of"))
  }

  private var findings: ReportPage.Section {
    let rows = plan.changedFindings.map { finding in
      let place = [finding.entity, finding.property].compactMap(\.self).joined(separator: ".")
      return row(
        "\(finding.id) \(finding.name) at \(place.isEmpty ? "the store" : place)", before: finding.before,
        after: finding.after)
    }
    return ReportPage.Section(
      id: "findings", title: "Findings", remark: "What 'diagnose' says of the store, before and after.",
      content: comparison(rows, column: "what and where"))
  }

  private func row(_ name: String, before: some BinaryInteger, after: some BinaryInteger) -> HTML {
    """
    <tr><th scope="row">\(name)</th><td class="r">\(grouped(Int64(before)))</td><td class="r">\(grouped(Int64(after)))</td></tr>

    """
  }

  private func comparison(_ rows: [HTML], column: HTML) -> HTML {
    guard !rows.isEmpty else { return "" }
    return """
      <table><thead><tr><th scope="col">\(column)</th><th scope="col" class="r">before</th><th scope="col" class="r">after</th></tr></thead><tbody>
      \(rows, separator: "")</tbody></table>

      """
  }

  // MARK: The store

  private var method: ReportPage.Section {
    let identity = [
      PageFact("store", plan.store.path), PageFact("UUID", plan.store.uuid ?? "none"),
      PageFact("SHA-256 of the content", plan.store.fingerprint),
    ]
    return ReportPage.Section(
      id: "store", title: "Store and method",
      remark: "The plan is for these bytes: a store that changed since is refused.",
      content: """
        <dl class="facts">\(HTML.each(identity, as: HTML.fact))</dl>
        <p class="small">Every row: <code>storedoctor repair ... --format json</code></p>
        <p class="signature"><span>checked by</span><span>date</span></p>

        """)
  }

  static let style: HTML = """
    \(ReportStyle.text)
    .difference { display: block; }
    .difference b { font-weight: 600; }
    .groups { margin-top: .75rem; }
    @media (min-width: 36.01rem) {
      .groups th, .groups td { width: 18%; }
      .groups td:last-child, .groups thead th:last-child { width: 46%; }
    }
    """
}

extension Page.Section {
  /// The section without the lines of a table that follows it, which has no heading of its own.
  fileprivate var withoutTable: Page.Section {
    var section = self
    if let head = lines.firstIndex(where: { $0.hasPrefix("rows of ") }) { section.lines.removeSubrange(head...) }
    return section
  }
}
