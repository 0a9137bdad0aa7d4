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
    return HTML.page(title: page.title, style: PlanPage.style, body: page.body)
  }
}

/// The page of a plan, in the look of the audit's.
private struct PlanPage {
  let plan: RepairPlan
  let review: PlanReview
  let showsValues: Bool
  let next: [String]
  let command: String?

  var title: String { "Repair of \(plan.store.path)" }

  var body: HTML {
    """
    <header>
    <p class="kicker">\(title)</p>
    <h1 id="answer">\(plan.verdictLine)</h1>
    </header>
    <main>
    \(obstacles)\(notices)\(others)\(steps)\(counts)\(findings)\(suggestions)<section id="store" class="card"><h2>The store</h2><dl class="identity">\(identity)</dl>
    <p class="signature"><span>checked by</span><span>date</span></p></section>
    </main>
    <footer><p>\(privacy) storedoctor \(toolVersion). Every row: <code>storedoctor repair ... --format json</code></p></footer>

    """
  }

  private var privacy: String {
    showsValues ? "This page holds values of rows." : "This page holds keys, and no values of rows."
  }

  /// The sections of the text that have no look of their own here: the model's verdict before and after, and the rows that
  /// are in its way.
  private var others: HTML {
    var own: Set = ["Operations", "Mind", "Findings", "Next"]
    return HTML.each(
      plan.sections(review: review).filter { section in
        // Of two with that heading the first is that of the obstacles.
        if section.title == plan.titleOfObstacles, !plan.obstacles.isEmpty {
          return !own.insert(section.title).inserted
        }
        return !own.contains(section.title)
      }
    ) { $0.card }
  }

  private var suggestions: HTML {
    HTML.each(plan.sections(review: review, next: next).filter { $0.title == "Next" }) { $0.card }
  }

  private var identity: HTML {
    let model = plan.aim.map { "\($0.path)#\($0.version)" }
    let made = timestamp(plan.generated.now)
    let facts =
      [("made", made), ("model", model), ("command", command)].compactMap { name, value in
        value.map { (name, $0) }
      } + [
        ("store", plan.store.path), ("UUID", plan.store.uuid ?? "none"),
        ("SHA-256 of the content", plan.store.fingerprint),
      ]
    return HTML.each(facts) { name, value in "<dt>\(name)</dt><dd><code>\(value)</code></dd>" }
  }

  // MARK: What to mind

  private var obstacles: HTML {
    guard !plan.obstacles.isEmpty else { return "" }
    let items = HTML.each(plan.obstacles) { obstacle in
      let place = [obstacle.entity, obstacle.property].compactMap(\.self).joined(separator: ".")
      let keys = obstacle.keys.isEmpty ? "" : " (Z_PK \(obstacle.keys.map(String.init).joined(separator: ", ")))"
      return "<li>\(obstacle.repair.rawValue)\(place.isEmpty ? "" : " of \(place)"): \(obstacle.message)\(keys)</li>"
    }
    return """
      <section id="obstacles" class="card failed"><h2>\(plan.refusals.isEmpty ? "Not done" : "In the way")</h2><ul class="rows">\(items)</ul></section>

      """
  }

  private var notices: HTML {
    guard !plan.notices.isEmpty else { return "" }
    return """
      <section id="notices" class="card"><h2>Mind</h2><ul class="rows">\(HTML.each(plan.notices) { "<li>\($0)</li>" })</ul></section>

      """
  }

  // MARK: Operations

  private var steps: HTML {
    HTML.each(zip(plan.operations, review.operations)) { operation, review in
      let style = operation.grade == .safe ? "note" : operation.grade == .lossy ? "error" : "warning"
      return """
        <section class="card"><h2>\(operation.summary)</h2>
        <p class="remark">\(operation.repair.rawValue) <span class="tag \(style)">\(operation.grade.rawValue)</span> \(counted(Int64(operation.expectedChanges), "change"))</p>
        \(groups(review))
        \(rows(review))
        <p class="rest">\(review.remark ?? "")</p></section>

        """
    }
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
      <table class="stacked groups"><thead><tr><th scope="col">stays</th><th scope="col">the others</th><th scope="col">what it gets</th><th scope="col">differ in</th></tr></thead><tbody>
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
    return "<ul class=\"rows\">\(items)</ul>"
  }

  // MARK: Before and after

  private var counts: HTML {
    let (before, after) = (plan.before.rows, plan.after.rows)
    let places = Set(before.keys).union(after.keys).sorted()
    let rows = places.map { (name: $0, before: before[$0] ?? 0, after: after[$0] ?? 0) }
      .filter { $0.before != $0.after }
    return comparison(
      rows.map { row($0.name, before: $0.before, after: $0.after) }, id: "counts", title: "Rows", column: "rows of")
  }

  private var findings: HTML {
    let rows = plan.changedFindings.map { finding in
      let place = [finding.entity, finding.property].compactMap(\.self).joined(separator: ".")
      return row(
        "\(finding.id) \(finding.name) at \(place.isEmpty ? "the store" : place)", before: finding.before,
        after: finding.after)
    }
    return comparison(rows, id: "findings", title: "Findings", column: "what and where")
  }

  private func row(_ name: String, before: some BinaryInteger, after: some BinaryInteger) -> HTML {
    """
    <tr><th scope="row">\(name)</th><td class="number">\(before)</td><td class="number">\(after)</td></tr>

    """
  }

  private func comparison(_ rows: [HTML], id: String, title: String, column: String) -> HTML {
    guard !rows.isEmpty else { return "" }
    return """
      <section id="\(id)" class="card"><h2>\(title)</h2>
      <table><thead><tr><th scope="col">\(column)</th><th scope="col" class="number">before</th><th scope="col" class="number">after</th></tr></thead><tbody>
      \(rows, separator: "")</tbody></table></section>

      """
  }

  static let style: HTML = """
    main > * { flex-basis: 100% !important; }
    .rows { margin: .5rem 0 0; padding-left: 1.1rem; overflow-wrap: anywhere; }
    .identity { margin: 0; } .identity dt { color: var(--faint); font-size: .8rem; }
    .identity dd { margin: 0 0 .4rem; }
    .difference { display: block; }
    .difference b { font-weight: 600; }
    tbody th { overflow-wrap: anywhere; }
    td { overflow-wrap: anywhere; }
    .signature { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 2.5rem 1.5rem; padding-top: 2.5rem; }
    .signature span { border-top: 1px solid var(--text); padding-top: .25rem; color: var(--faint); font-size: .875rem; }
    @media (min-width: 36.01rem) {
      .groups th, .groups td { width: 18%; }
      .groups td:last-child, .groups thead th:last-child { width: 46%; }
    }
    @media (max-width: 36rem) {
      .groups tbody tr { flex-direction: column; }
      .groups tbody th { display: block; font-weight: 600; border: 0; padding: 0; }
      .groups td:empty { display: none; }
    }

    """
}

extension Page.Section {
  /// The section on a page, a line each.
  var card: HTML {
    """
    <section class="card"><h2>\(title)</h2><ul class="rows">\(HTML.each(lines) { "<li>\($0)</li>" })</ul></section>

    """
  }
}
