import StoreDiagnosis
import StoreFindings
import StoreModels
import StoreWords

// The versions of the model, and all that was found.

extension StorePage {
  func versions(_ document: Diagnosis.Document) -> ReportPage.Section {
    ReportPage.Section(
      id: "versions", title: "Versions of the model",
      remark: "Each version that was given, and what becomes of this store with it.",
      content: strip + HTML.each(document.reasons, as: HTML.lines) + HTML.each(diagnosis.models, as: changes),
      isWide: diagnosis.models.count > 2)
  }

  private var strip: HTML {
    guard !diagnosis.models.isEmpty else { return "" }
    let items = HTML.each(diagnosis.models) { version in
      let isHere = version.comparison?.isEqual == true
      let flags: HTML =
        (isHere ? "<span class=\"flag\">This store is here</span>" : "")
        + (version.isDeciding ? "<span class=\"flag app\">The app opens it with</span>" : "")
      let outcome = version.openings[version.way].map { Mark($0).labelled($0.words) } ?? ""
      return """
        <li class="ver\(isHere ? " here" : "")">\(flags)<b>\(version.name)</b><p>\(version.comparison?.short ?? "no hashes")</p><p>\(outcome)</p></li>

        """
    }
    return "<ol class=\"strip\" aria-label=\"Versions of the model, in the order given\">\n\(items)</ol>\n"
  }

  /// What changes from the store's version to this one.
  private func changes(_ version: ModelVerdict) -> HTML {
    guard !version.changes.isEmpty else { return "" }
    let rows = HTML.each(version.changes) { judged in
      """
      <tr><th scope="row">\(broken(judged.change.place.words))</th><td>\(judged.change.words.phrase)</td><td>\(judged.effect.afterwards)</td></tr>

      """
    }
    return """
      <details\(version.isDeciding ? " open" : "")><summary><h3>From the store's version to \(version.name)</h3><span class="meta">\(counted(Int64(version.changes.count), "change"))</span></summary><div class="scroll"><table><thead><tr><th scope="col">where</th><th scope="col">change</th><th scope="col">rows</th></tr></thead><tbody>
      \(rows)</tbody></table></div></details>

      """
  }

  func findings(_ document: Diagnosis.Document) -> ReportPage.Section {
    let all = document.findings.flatMap { entity, alike in alike.map { (entity: entity, findings: $0) } }
    let ordered = all.enumerated().sorted { left, right in
      let (own, other) = (worst(left.element.findings), worst(right.element.findings))
      return own == other ? left.offset < right.offset : own > other
    }
    let groups =
      ordered.count > Self.mostSingly
      ? byCheck(ordered.map(\.element))
      : HTML.each(ordered.map(\.element)) { entity, findings in
        findings.count > 1 ? fold(findings, of: entity) : HTML.each(findings) { article($0, of: entity) }
      }
    return ReportPage.Section(
      id: "findings", title: "Findings", remark: "The gravest first. Each is named as the command explain knows it.",
      content: groups.isEmpty ? "<p>No further finding.</p>\n" : groups)
  }

  /// From more of them on, findings are folded by what was found.
  private static let mostSingly = 12

  /// One fold for each check, which says once how to learn more of it.
  private func byCheck(_ all: [(entity: String, findings: [Finding])]) -> HTML {
    var (order, folds): ([String], [String: [(entity: String, finding: Finding)]]) = ([], [:])
    for (entity, findings) in all {
      for finding in findings {
        let key = "\(finding.severity.rawValue) \(finding.id)"
        if folds[key] == nil { order.append(key) }
        folds[key, default: []].append((entity, finding))
      }
    }
    return HTML.each(order) { key in
      guard let members = folds[key], let first = members.first?.finding else { return "" }
      let entities = counted(Int64(Set(members.map(\.entity)).count), "entity", "entities")
      let places = members.reduce(Int64(0)) { $0 + $1.finding.count }
      let articles = HTML.each(members) { article($0.finding, of: $0.entity, explains: false) }
      return """
        <details class="finding"><summary><span>\(Mark(first.severity).labelled(first.severity.rawValue)) <b>\(HTML.unbroken("\(first.id) \(first.name)"))</b></span><span class="meta">\(counted(Int64(members.count), "finding")) in \(entities), \(counted(places, "place"))</span></summary>
        <div class="in"><p>\(Check.summary(of: first.id) ?? "")</p>
        \(HTML.command("storedoctor explain \(first.id)"))\(articles)</div></details>

        """
    }
  }

  private func worst(_ findings: [Finding]) -> Severity { findings.map(\.severity).max() ?? .note }

  private func fold(_ findings: [Finding], of entity: String) -> HTML {
    let all = HTML.each(findings) { article($0, of: entity) }
    let mark = findings.first.map { Mark($0.severity).labelled($0.severity.rawValue) } ?? ""
    return """
      <details class="finding"><summary><span>\(mark) <b>\(entity)</b><br>\(findings.foldedWords)</span></summary>
      \(all)</details>

      """
  }

  private func article(_ finding: Finding, of entity: String, explains: Bool = true) -> HTML {
    let path = shellQuoted(inspection.store.path)
    let show =
      finding.rowsCommand(of: path) ?? finding.entity.map { "storedoctor inspect \(path) --entity \(shellQuoted($0))" }
    let commands = [show, explains ? "storedoctor explain \(finding.id)" : nil].compactMap(\.self)
    let items = HTML.each(finding.furtherLines) { "<li>\($0)</li>" }
    let lines: HTML = items.isEmpty ? "" : "<ul class=\"plain small\">\(items)</ul>"
    let rows: HTML = finding.count > 1 ? "<span class=\"soft\">\(counted(finding.count, "place"))</span>" : ""
    return """
      <article class="finding"><p class="line">\(Mark(finding.severity).labelled(finding.severity.rawValue)) \(rows)</p>
      <h3>\(entity)</h3>
      <p>\(finding.words(withPlace: false))</p>
      \(lines)
      \(HTML.each(commands, as: HTML.command))</article>

      """
  }
}
