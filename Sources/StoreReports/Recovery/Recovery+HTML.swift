import StoreRecovery
import StoreSQLite
import StoreText
import StoreWords

extension Recovery {
  /// A self-contained page for somebody who has no terminal: no script, no network.
  package func html(_ run: RecoveryRun) -> String {
    var text = ""
    writeHTML(run) { text += $0 }
    return text
  }

  /// The same in pieces, since there may be millions of rows.
  package func writeHTML(_ run: RecoveryRun, to put: (String) throws -> Void) rethrows {
    try RecoveryPage(recovery: self, run: run).write(to: put)
  }
}

/// The page for a case, in the look of the audit's: a first page with all that a second examiner needs, then the results,
/// deletions first, each with the number by which it is cited.
struct RecoveryPage {
  let recovery: Recovery
  let run: RecoveryRun
  private let comparison: VersionComparison
  private let byFate: [RecoveredObject.Fate: [RecoveredObject]]

  init(recovery: Recovery, run: RecoveryRun) {
    self.recovery = recovery
    self.run = run
    comparison = VersionComparison(recovery)
    byFate = Dictionary(grouping: recovery.objects, by: \.fate)
  }

  func write(to put: (String) throws -> Void) rethrows {
    var page = frame[...]
    // What is read from a store cannot have a comment in it: it is escaped.
    if let place = page.firstRange(of: Self.placeOfResults) {
      try put(String(page[..<place.lowerBound]))
      page = page[place.upperBound...]
      for fate in RecoveredObject.Fate.allCases { try write(fate, to: put) }
    }
    try put(String(page))
  }

  private static let placeOfResults = "<!-- results -->"

  /// The page without its results.
  private var frame: String {
    let title = run.files.first.map { "Recovered from \($0.path)" } ?? "Recovered"
    return HTML.page(
      title: title, style: RecoveryPageStyle.text,
      body: """
        <header class="cover"><p class="kicker">\(title)</p>
        \(verdict)\(cover)</header>
        <main>
        \(summary)<!-- results -->\(models)\(limits)</main>
        <footer><p>This page holds values of rows. Made \(timestamp(nanoseconds: run.started)) by storedoctor \(toolVersion), which \
        changed nothing it read.</p></footer>

        """)
  }

  /// The deletions large, all else below.
  private var verdict: HTML {
    let parts = recovery.verdictParts
    let rest = HTML.each(parts.dropFirst()) { "<li>\($0)</li>" }
    return """
      <h1 id="answer">\(parts.first ?? "")</h1>
      <ul class="lead">\(rest)</ul>

      """
  }

  // MARK: Counts

  private var summary: HTML {
    guard !recovery.summary.isEmpty else { return "" }
    let names = recovery.summaryColumns
    let shown = recovery.summary.filter(\.isWorthALine)
    let rows = shown.map { table in
      let cells = HTML.each(names) { name in
        let text = table.cell(name)
        let style: HTML = text == "0" ? "number zero" : "number"
        return "<td class=\"\(style)\" data-label=\"\(name)\">\(text)</td>"
      }
      return "<tr><th scope=\"row\"><span class=\"name\">\(table.name)</span></th>\(cells)</tr>" as HTML
    }
    let head = HTML.each(names) { "<th scope=\"col\" class=\"number\">\($0)</th>" }
    let others = recovery.summary.count - shown.count
    let rest: HTML =
      others == 0
      ? ""
      : "<p class=\"rest\">\(counted(Int64(others), "entity", "entities")) more: every key that was handed out is in use, and nothing was found.</p>"
    let table: HTML =
      rows.isEmpty
      ? ""
      : """
      <table class="stacked"><thead><tr><th scope="col">entity</th>\(head)</tr></thead><tbody>
      \(rows, separator: "\n")
      </tbody></table>

      """
    return """
      <section id="summary" class="card"><h2>Summary</h2>
      \(table)\(rest)<p class="rest">\(recovery.summaryWords) proved: a change in the history, or one commit of the log that has the row before one that has \
      not. shown: its bytes were found. implied: a key that was handed out and is not in use; the object may never have been \
      saved.</p></section>

      """
  }

  // MARK: Results

  private func write(_ fate: RecoveredObject.Fate, to put: (String) throws -> Void) rethrows {
    guard let objects = byFate[fate] else { return }
    var piece: HTML = """
      <section id="\(fate.rawValue)" class="card"><h2>\(fate.title) <span class="faint">\(objects.count)</span></h2>
      <p class="remark">\(fate.remark)</p>

      """
    if fate == .implied {
      piece += table(ofKeys: objects)
    } else {
      // Objects of which nothing is left in a table, then those with content one by one.
      let bare = objects.filter { object in object.rows.allSatisfy { !recovery.rows[$0].isFound } }
      if !bare.isEmpty { piece += table(ofBare: bare) }
      for object in objects where object.rows.contains(where: { recovery.rows[$0].isFound }) {
        piece += article(object)
        guard piece.text.utf8.count >= Self.longPiece else { continue }
        try put(piece.text)
        piece = ""
      }
    }
    piece += "</section>\n"
    try put(piece.text)
  }

  /// Bytes that are written at once.
  private static let longPiece = 1 << 16

  private func table(ofBare objects: [RecoveredObject]) -> HTML {
    let rows = HTML.each(objects) { object in
      guard let row = object.rows.last.map({ recovery.rows[$0] }) else { return "" }
      func witnesses(_ shows: RecoveredRow.Witness.Shows, label: HTML) -> HTML {
        let lines = row.witnesses.filter { $0.shows == shows }.map { witness -> HTML in
          let isKnown = witness.isDeletion && witness.time == row.deletedAt
          let time: HTML = isKnown ? "" : witness.time.map { ", \(moment($0))" } ?? ""
          return "<span class=\"line\">\(witness.what)\(time)</span>"
        }
        return lines.isEmpty
          ? "<td class=\"none\"></td>" : "<td data-label=\"\(label)\">\(lines, separator: " ")</td>"
      }
      return """
        <tr id="r\(object.number)"><td class="no" data-label="no.">\(object.number)</td>\
        <th scope="row"><span class="name">\(recovery.name(of: object))</span> \(row.keyWords)</th>\
        <td class="when" data-label="deleted">\(row.deletedAt.map(moment) ?? "\(row.bracket.words ?? "not known")") \(tag(row.grade))</td>\
        \(witnesses(.absent, label: "gone by"))\(witnesses(.present, label: "last seen"))</tr>

        """
    }
    return """
      <h3 class="part">Nothing is left of their values</h3>
      <table class="stacked bare"><thead><tr><th scope="col" class="no">no.</th><th scope="col">object</th>\
      <th scope="col">deleted</th><th scope="col">gone by</th><th scope="col">last seen</th></tr></thead><tbody>
      \(rows)</tbody></table>

      """
  }

  private func table(ofKeys objects: [RecoveredObject]) -> HTML {
    let groups = Dictionary(grouping: objects, by: recovery.name).sorted { $0.key < $1.key }
    let lines = HTML.each(groups) { name, objects in
      let runs = RecoveredRun.runs(objects, rows: recovery.rows).map { run in
        "<span class=\"line\"><span class=\"no\">\(run.numbers)</span> \(name) \(run.keyWords(recovery.rows))</span>"
          as HTML
      }
      return "<li>\(runs, separator: " ")</li>"
    }
    return "<ul class=\"keys\">\(lines)</ul>"
  }

  private func article(_ object: RecoveredObject) -> HTML {
    let isOnly = object.rows.count == 1
    var body: HTML = ""
    comparison.forEachVersion(of: object) { index, changes in
      let row = recovery.rows[index]
      body += isOnly ? details(row, changes: changes) : version(row, changes: changes)
    }
    let last = object.rows.last.map { recovery.rows[$0] }
    let tags: HTML = isOnly ? (last.map { "\(tag($0.kind)) \(tag($0.grade)) \(saves($0))" } ?? "") : ""
    return """
      <div class="row" id="r\(object.number)"><h3><span class="no">\(object.number)</span> <span class="name">\(recovery.name(of: object))</span> \
      \(last?.keyWords ?? "") \(tags)</h3>
      \(body)</div>

      """
  }

  private func version(_ row: RecoveredRow, changes: VersionChanges?) -> HTML {
    """
    <div class="version" id="r\(row.citation.text)"><h4><span class="no">\(row.citation.text)</span> \(tag(row.kind)) \
    \(tag(row.grade)) \(saves(row))</h4>
    \(details(row, changes: changes))</div>

    """
  }

  private func details(_ row: RecoveredRow, changes: VersionChanges?) -> HTML {
    var lines: [HTML] = []
    let (values, missing) = row.content
    if let when = row.whenWords {
      lines.append("<p class=\"when\">\(row.kind == .earlierVersion ? "replaced " : "")\(when)</p>")
    }
    if let source = row.keySource { lines.append(faint(source.words)) }
    if let readWith = row.readWith { lines.append(faint(row.readWithWords(readWith))) }
    lines += row.witnesses.map { witness in
      let time: HTML = witness.time.map { ", \(moment($0))" } ?? ""
      return "<p class=\"faint\">\(witness.shows.rawValue): \(witness.what)\(time)</p>"
    }
    if let changes {
      lines.append(list(changes))
    } else {
      let shown = values.filter { !$0.value.isNull && !Self.titleColumns.contains($0.column) }
      if !shown.isEmpty { lines.append("<dl class=\"values\">\(HTML.each(shown, as: item))</dl>") }
    }
    if !missing.isEmpty, row.isFound { lines.append(faint("missing: \(missing.joined(separator: ", "))")) }
    if row.isFound {
      let further = row.furtherCopies > 0 ? ", and \(row.furtherCopies) more copies" : ""
      lines.append(faint("found in " + row.places.map(\.words).joined(separator: "; ") + further))
    }
    return "\(lines, separator: "\n")\n"
  }

  // MARK: Values

  /// The most characters of a text.
  private static let longest = 4_000
  /// A text that is longer has a line of its own.
  private static let short = 48

  /// What stands in the title of a result.
  private static let titleColumns: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]

  private func item(_ value: RecoveredRow.Value) -> HTML {
    let words = value.words(upTo: Self.longest)
    let isLong = words.unicodeScalars.count > Self.short || words.contains("\n")
    let style: HTML = isLong ? "<div class=\"long\">" : "<div>"
    return "\(style)<dt>\(value.name)</dt><dd>\(lines(words))</dd></div>"
  }

  /// Text with its line breaks, which are no markup.
  private func lines(_ text: String) -> HTML {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)" as HTML }
    return "\(lines, separator: "\n")"
  }

  private func list(_ changes: VersionChanges) -> HTML {
    // How often it was saved stands in the title of a version.
    let shown = changes.changes.filter { $0.before.column != "Z_OPT" }
    guard !shown.isEmpty else { return "<p>no value but Z_OPT differs from \(changes.nextWords(recovery.rows))</p>" }
    let title: HTML = "<p>differs from \(changes.nextWords(recovery.rows)):</p>"
    let items = HTML.each(shown) { change in
      let (before, after) = change.excerpts(upTo: Self.longest)
      return "<div><dt>\(change.before.name)</dt><dd>\(lines(before))</dd><dd class=\"then\">\(lines(after))</dd></div>"
    }
    return "\(title)\n<dl class=\"changes\">\(items)</dl>"
  }

  private func moment(_ seconds: Double) -> HTML { "<span class=\"moment\">\(momentText(seconds))</span>" }

  private func saves(_ row: RecoveredRow) -> HTML {
    row.saves.map { "<span class=\"saves\">Z_OPT \($0)</span>" } ?? ""
  }

  private func tag(_ kind: RecoveredRow.Kind) -> HTML { "<span class=\"tag\">\(kind.rawValue)</span>" }

  private func tag(_ grade: RecoveredRow.Grade) -> HTML {
    "<span class=\"tag \(grade.rawValue)\">\(grade.rawValue)</span>"
  }

  private func faint(_ words: String) -> HTML { "<p class=\"faint\">\(words)</p>" }

  // MARK: The end

  private var models: HTML {
    let others = recovery.models.filter { $0.isCurrent != true }
    guard !others.isEmpty || !recovery.droppedTables.isEmpty else { return "" }
    let lines = HTML.each(others) { model in HTML.each(model.lines) { "<p>\($0)</p>" } }
    let tables: HTML =
      recovery.droppedTables.isEmpty
      ? "" : "<p>tables that are no more in the schema: \(recovery.droppedTables.joined(separator: ", "))</p>"
    return """
      <section id="models" class="card"><h2>Earlier versions of the model</h2>
      \(lines)\(tables)</section>

      """
  }

  private var limits: HTML {
    let items = [
      "Who deleted: deleted says that a row existed and is gone. A person, a cascade, a merge, sync and trimming of the history "
        + "look the same in the file.",
      "Nothing found does not mean that nothing was there: freed space may be wiped, and free pages at the end of a file are "
        + "given back. In this one \(recovery.freedSpace.words).",
      "An undecided row has lost its key: it is of one of the implied keys, or an earlier version of a row that still exists.",
      "Rows that an earlier version of the model wrote are found as far as something of that version is left in the file, or "
        + "--model gives it.",
      "Moments are those that the app's device wrote down; its clock may have been wrong.",
      "Of an earlier version only the values that changed are shown, and values that are NULL are not; long texts and binary values "
        + "are cut here (\u{2026}). --format json has all of them whole, under the same numbers.",
    ].map { "<li>\($0)</li>" as HTML }
    return """
      <section id="limits" class="card"><h2>What cannot be known</h2><ul class="limits">\(items, separator: "\n")</ul></section>

      """
  }
}

extension RecoveredObject.Fate {
  fileprivate var title: String {
    switch self {
    case .deleted: "Deleted objects"
    case .there: "Objects that are there, with earlier versions"
    case .undecided: "Undecided"
    case .neverCommitted: "Never committed"
    case .unreachable: "Unreachable"
    case .link: "Links that are gone"
    case .implied: "Keys that are not in use"
    }
  }

  fileprivate var remark: String {
    switch self {
    case .deleted: "They existed and are gone."
    case .there: "The object exists. What is shown is what it was before, by what changed."
    case .undecided: "Their key is lost: each is of an object that is gone, or an earlier version of one that is there."
    case .neverCommitted: "Only in a transaction that the app did not finish: never in the database."
    case .unreachable: "A damaged table does not show them; they may be there all the same."
    case .link: "Rows of many-to-many tables, which are no objects."
    case .implied: "Handed out and not in use; nothing is left of such an object, and it may never have been saved."
    }
  }
}
