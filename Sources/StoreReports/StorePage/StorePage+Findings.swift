import StoreDiagnosis
import StoreFindings
import StoreModels
import StoreWords

// The versions of the model, and all that was found.

extension StorePage {
  func versions(_ document: Diagnosis.Document) -> Section {
    Section(
      id: "versions", title: "Versions of the model",
      remark: "Each version that was given, and what becomes of this store with it.",
      content: strip + HTML.each(document.reasons, as: list) + HTML.each(diagnosis.models, as: changes),
      isWide: diagnosis.models.count > 2)
  }

  private var strip: HTML {
    guard !diagnosis.models.isEmpty else { return "" }
    let items = HTML.each(diagnosis.models) { version in
      let isHere = version.comparison?.isEqual == true
      let flags: HTML =
        (isHere ? "<span class=\"flag\">This store is here</span>" : "")
        + (version.isDeciding ? "<span class=\"flag app\">The app opens it with</span>" : "")
      let outcome = version.openings[version.way].map { mark($0).labelled($0.words) } ?? ""
      return """
        <li class="ver\(isHere ? " here" : "")">\(flags)<b>\(version.name)</b><p>\(version.comparison?.short ?? "no hashes")</p><p>\(outcome)</p></li>

        """
    }
    return "<ol class=\"strip\" aria-label=\"Versions of the model, in the order given\">\n\(items)</ol>\n"
  }

  private func mark(_ opening: OpeningVerdict) -> Mark {
    switch opening.verdict {
    case .opens, .healthy, .findings: .kept
    case .migrates: opening.isLosing ? .lost : .kept
    case .unknownVersion: .unknown
    case .blockedByData, .needsCustomStage, .foreignModel, .damaged: .error
    }
  }

  /// A section of the text; a line that is indented further belongs to the one before.
  private func list(_ section: Page.Section) -> HTML {
    let isCode = section.title.hasPrefix("Recipe")
    guard !isCode else {
      return """
        <h3 class="sub">\(section.title)</h3>
        <pre class="code">\(section.lines.joined(separator: "\n"))</pre>

        """
    }
    let items = HTML.each(section.lines) { line in
      let (severity, words) = marked(line)
      let style: HTML = line.hasPrefix("  ") ? " class=\"in\"" : ""
      return "<li\(style)>\(severity.map { $0.labelled("") } ?? "")\(words)</li>\n"
    }
    return "<h3 class=\"sub\">\(section.title)</h3>\n<ul class=\"lines\">\n\(items)</ul>\n"
  }

  private func marked(_ line: String) -> (Mark?, String) {
    for (start, mark) in [("E ", Mark.error), ("W ", .warning), ("N ", .note), ("? ", .unknown), ("! ", .warning)]
    where line.hasPrefix(start) {
      return (mark, String(line.dropFirst(2)))
    }
    return (nil, withoutMark(line))
  }

  /// What changes from the store's version to this one.
  private func changes(_ version: ModelVerdict) -> HTML {
    guard !version.changes.isEmpty else { return "" }
    let rows = HTML.each(version.changes) { judged in
      """
      <tr><th scope="row">\(judged.change.place.words)</th><td>\(judged.change.words.phrase)</td><td>\(judged.effect.afterwards)</td></tr>

      """
    }
    return """
      <details\(version.isDeciding ? " open" : "")><summary><h3>From the store's version to \(version.name)</h3><span class="meta">\(counted(Int64(version.changes.count), "change"))</span></summary><div class="scroll"><table><thead><tr><th scope="col">where</th><th scope="col">change</th><th scope="col">rows</th></tr></thead><tbody>
      \(rows)</tbody></table></div></details>

      """
  }

  func findings(_ document: Diagnosis.Document) -> Section {
    let groups = HTML.each(document.findings) { entity, alike in
      HTML.each(alike) { findings in
        findings.count > 1 ? fold(findings, of: entity) : HTML.each(findings) { article($0, of: entity) }
      }
    }
    return Section(
      id: "findings", title: "Findings", remark: "The gravest first. Each is named as the command explain knows it.",
      content: groups.isEmpty ? "<p>No further finding.</p>\n" : groups)
  }

  private func fold(_ findings: [Finding], of entity: String) -> HTML {
    let all = HTML.each(findings) { article($0, of: entity) }
    let mark = findings.first.map { Mark($0.severity).labelled($0.severity.rawValue) } ?? ""
    return """
      <details class="finding"><summary><span>\(mark) <b>\(entity)</b><br>\(findings.foldedWords)</span></summary>
      \(all)</details>

      """
  }

  private func article(_ finding: Finding, of entity: String) -> HTML {
    let path = shellQuoted(inspection.store.path)
    let show =
      finding.rowsCommand(of: path) ?? finding.entity.map { "storedoctor inspect \(path) --entity \(shellQuoted($0))" }
    let commands = [show, "storedoctor explain \(finding.id)"].compactMap(\.self)
    let items = HTML.each(finding.furtherLines) { "<li>\($0)</li>" }
    let lines: HTML = items.isEmpty ? "" : "<ul class=\"plain small\">\(items)</ul>"
    let rows: HTML = finding.count > 1 ? "<span class=\"soft\">\(counted(finding.count, "place"))</span>" : ""
    return """
      <article class="finding"><p class="line">\(Mark(finding.severity).labelled(finding.severity.rawValue)) \(rows)</p>
      <h3>\(entity)</h3>
      <p>\(finding.words(withPlace: false))</p>
      \(lines)
      \(HTML.each(commands) { "<code class=\"cmd\">\($0)</code>\n" })</article>

      """
  }
}
