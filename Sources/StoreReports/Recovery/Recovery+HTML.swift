import StoreRecovery
import StoreSQLite
import StoreText
import StoreWords

/// The facts about its run in a report: for a case file.
package struct RecoveryRun: Sendable {
  /// The words of the command line, without the program.
  package var arguments: [String]
  /// When it began, nanoseconds since 1970 UTC.
  package var started: Int64
  /// When it ended.
  package var ended: Int64
  /// The files that were read.
  package var files: [File]

  /// A run.
  package init(arguments: [String], started: Int64, ended: Int64, files: [File]) {
    self.arguments = arguments
    self.started = started
    self.ended = ended
    self.files = files
  }

  /// One file with its digests, lower-case hexadecimal.
  package struct File: Sendable {
    /// "main", "wal" or "journal".
    package var role: String
    /// The path.
    package var path: String
    /// Length in bytes.
    package var bytes: Int64
    /// When its content was last changed, nanoseconds since 1970 UTC.
    package var modified: Int64
    /// The digests.
    package var md5: String
    /// The digests.
    package var sha1: String
    /// The digests.
    package var sha256: String

    /// A file that was read.
    package init(
      role: String, path: String, bytes: Int64, modified: Int64, md5: String, sha1: String, sha256: String
    ) {
      self.role = role
      self.path = path
      self.bytes = bytes
      self.modified = modified
      self.md5 = md5
      self.sha1 = sha1
      self.sha256 = sha256
    }
  }
}

extension Recovery {
  /// A self-contained page for somebody who has no terminal: no script, no network.
  package func html(_ run: RecoveryRun) -> String { RecoveryPage(recovery: self, run: run).text }
}

/// The page, in the look of the audit's.
private struct RecoveryPage {
  var recovery: Recovery
  var run: RecoveryRun

  var text: String {
    let title = run.files.first.map { "Recovered from \($0.path)" } ?? "Recovered"
    let notes = recovery.notes.map { "<p class=\"remark\">\($0)</p>" as HTML }
    let command = "storedoctor " + run.arguments.map(shellQuoted).joined(separator: " ")
    return HTML.page(
      title: title, style: Self.style,
      body: """
        <header><p class="kicker">\(title)</p>
        <h1 id="answer">\(recovery.verdictLine)</h1>
        \(notes, separator: "\n")
        </header>
        <main>
        \(summary)\(sections)\(limits)\(files)</main>
        <footer><p>This page holds values of rows. Made \(timestamp(nanoseconds: run.started)) by storedoctor \(toolVersion), which \
        changed nothing it read: <code>\(command)</code></p></footer>

        """)
  }

  private static let style: HTML = """
    main > * { flex-basis: 100% !important; }
    .row { border-top: 1px solid var(--line); padding: .75rem 0; }
    .row:first-of-type { border-top: 0; padding-top: 0; }
    .row h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
    .row p { margin: .15rem 0; overflow-wrap: anywhere; }
    .values { margin: .35rem 0; display: grid; grid-template-columns: fit-content(9rem) minmax(0, 1fr);
      gap: .1rem 1rem; }
    .values dt { color: var(--faint); overflow-wrap: anywhere; }
    .values dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
    .tag.proved { border: 1px solid var(--good); }
    .tag.shown { border: 1px solid var(--fair); }
    .tag.implied { border: 1px solid var(--unread); }
    .limits { margin: 0; padding-left: 1.1rem; }
    @media print { .row { break-inside: avoid; } .card { border: 0; padding: 0; } }

    """

  /// A value with its line breaks, which are no markup.
  private func value(_ text: String) -> HTML {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)" as HTML }
    return "\(lines, separator: "\n")"
  }

  // MARK: Counts

  private var summary: HTML {
    guard !recovery.summary.isEmpty else { return "" }
    let names = recovery.summaryColumns
    let rows = recovery.summary.map { table in
      let cells = HTML.each(names) { "<td class=\"number\" data-label=\"\($0)\">\(table.cell($0))</td>" }
      return "<tr><th scope=\"row\"><span class=\"name\">\(table.name)</span></th>\(cells)</tr>" as HTML
    }
    let head = HTML.each(names) { "<th scope=\"col\" class=\"number\">\($0)</th>" }
    return """
      <section id="summary" class="card"><h2>Summary</h2>
      <table class="stacked"><thead><tr><th scope="col">entity</th>\(head)</tr></thead><tbody>
      \(rows, separator: "\n")
      </tbody></table>
      <p class="rest">\(recovery.summaryWords) proved: a change in the history, or one commit of the log that has the row before one that has \
      not. shown: its bytes were found. implied: a key that was handed out and is not in use; the object may never have been \
      saved.</p></section>

      """
  }

  // MARK: Rows

  private var sections: HTML {
    HTML.each(recovery.byEntity) { name, rows in
      let articles = HTML.each(RecoveredRun.runs(rows)) { article($0, of: name) }
      return """
        <section class="card"><h2>\(name)</h2>
        \(articles)</section>

        """
    }
  }

  /// The most characters of a text.
  private static let longest = 4_000

  private func article(_ run: RecoveredRun, of name: String) -> HTML {
    let row = run.row
    var lines: [HTML] = [
      """
      <div class="row"><h3>\(name) \(run.keyWords) <span class="tag">\(row.kind.rawValue)</span> \
      <span class="tag \(row.grade.rawValue)">\(row.grade.rawValue)</span></h3>
      """
    ]
    if let source = row.keySource { lines.append(faint(source.words)) }
    if let readWith = row.readWith { lines.append(faint(row.readWithWords(readWith))) }
    if let when = row.bracket.words { lines.append("<p>\(when)</p>") }
    lines += row.witnesses.map { faint($0.words) }
    let values = row.values.filter { !$0.value.isNull }
    if !values.isEmpty {
      let list = HTML.each(values) { "<dt>\($0.name)</dt><dd>\(value($0.words(upTo: Self.longest)))</dd>" }
      lines.append("<dl class=\"values\">\(list)</dl>")
    }
    if !row.missing.isEmpty, !row.places.isEmpty {
      lines.append(faint("missing: \(row.missing.joined(separator: ", "))"))
    }
    lines += row.places.map { faint($0.words) }
    if row.furtherCopies > 0 { lines.append(faint("and \(row.furtherCopies) more copies")) }
    return """
      \(lines, separator: "\n")</div>

      """
  }

  private func faint(_ words: String) -> HTML { "<p class=\"faint\">\(words)</p>" }

  // MARK: The rest

  private var limits: HTML {
    let items = [
      "\u{201C}deleted\u{201D} says that a row existed and is gone. A person, a cascade, a merge, sync and trimming look the same in the file.",
      "Nothing found does not mean that nothing was there: freed space may be wiped, and free pages at the end of a file are "
        + "given back. In this one \(recovery.freedSpace.words).",
      "An undecided row has lost its key: it is of one of the implied keys, or an earlier version of a row that still exists.",
      "Rows that an earlier version of the model wrote are found as far as something of that version is left in the file, or "
        + "--model gives it.",
      "Moments are those that the app's device wrote down; its clock may have been wrong.",
      "Long texts and binary values are cut here (\u{2026}); --format json has them whole.",
    ].map { "<li>\($0)</li>" as HTML }
    return """
      <section id="limits" class="card"><h2>What cannot be known</h2><ul class="limits">\(items, separator: "\n")</ul></section>

      """
  }

  private var files: HTML {
    guard !run.files.isEmpty else { return "" }
    let items = run.files.map { file in
      let facts = HTML.each([("MD5", file.md5), ("SHA-1", file.sha1), ("SHA-256", file.sha256)]) { name, digest in
        "<dt>\(name)</dt><dd><code>\(digest)</code></dd>"
      }
      let words = "\(file.role), \(bytesText(file.bytes)), last changed \(timestamp(nanoseconds: file.modified))"
      return "<div class=\"row\"><h3>\(file.path)</h3>\(faint(words))<dl class=\"values\">\(facts)</dl></div>" as HTML
    }
    let database: HTML = recovery.database.map { "<p class=\"remark\">\($0.words)</p>" } ?? ""
    return """
      <section id="files" class="card"><h2>Files</h2>\(database)\(items, separator: "\n")</section>

      """
  }
}
