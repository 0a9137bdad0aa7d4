import StoreRecovery
import StoreSQLite
import StoreWords

/// What a report says of its run: for a case file.
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
    return """
      \(InertHTML.head(title: inert(title), style: AuditPageStyle.text + Self.style))
      <body>
      <header><p class="kicker">\(inert(title))</p>
      <h1 id="answer">\(inert(recovery.verdictLine))</h1>
      \(recovery.notes.map { "<p class=\"remark\">\(inert($0))</p>" }.joined(separator: "\n"))
      </header>
      <main>
      \(summary)\(sections)\(limits)\(files)</main>
      <footer><p>This page holds values of rows. Made \(timestamp(nanoseconds: run.started)) by storedoctor \(toolVersion), which \
      changed nothing it read: <code>\(inert("storedoctor " + run.arguments.map(shellQuoted).joined(separator: " ")))</code></p></footer>
      </body>
      </html>

      """
  }

  private static let style = """
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

  private func inert(_ text: String) -> String { InertHTML().escapeText(text) }

  /// A value with its line breaks, which are no markup.
  private func value(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { inert(String($0)) }.joined(separator: "\n")
  }

  // MARK: Counts

  private var summary: String {
    guard !recovery.summary.isEmpty else { return "" }
    let names = ["ever", "live", "proved", "shown", "implied", "versions"]
    let rows = recovery.summary.map { table in
      let cells = table.cells.dropFirst()
      return "<tr><th scope=\"row\"><span class=\"name\">\(inert(table.name))</span></th>"
        + zip(names, cells).map { "<td class=\"number\" data-label=\"\($0)\">\(inert($1))</td>" }.joined() + "</tr>"
    }
    let head = names.map { "<th scope=\"col\" class=\"number\">\($0)</th>" }.joined()
    return """
      <section id="summary" class="card"><h2>Summary</h2>
      <table class="stacked"><thead><tr><th scope="col">entity</th>\(head)</tr></thead><tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table>
      <p class="rest">ever: keys handed out (Z_MAX). proved: a change in the history, or one commit of the log that has the row before one that has \
      not. shown: its bytes were found. implied: a key that was handed out and is not in use; the object may never have been \
      saved.</p></section>

      """
  }

  // MARK: Rows

  private var sections: String {
    recovery.byEntity.map { name, rows in
      "<section class=\"card\"><h2>\(inert(name))</h2>\n" + RecoveredRun.runs(rows).map { article($0, name) }.joined()
        + "</section>\n"
    }.joined()
  }

  /// The most characters of a text.
  private static let longest = 4_000

  private func article(_ run: RecoveredRun, _ name: String) -> String {
    let row = run.row
    var lines = [
      "<div class=\"row\"><h3>\(inert("\(name) \(run.keyWords)")) <span class=\"tag\">\(row.kind.rawValue)</span> "
        + "<span class=\"tag \(row.grade.rawValue)\">\(row.grade.rawValue)</span></h3>"
    ]
    if let when = row.bracket.words { lines.append("<p>\(inert(when))</p>") }
    lines += row.witnesses.map { "<p class=\"faint\">\(inert($0.words))</p>" }
    let values = row.values.filter { !$0.value.isNull }
    if !values.isEmpty {
      let list = values.map { "<dt>\(inert($0.name))</dt><dd>\(value($0.words(upTo: Self.longest)))</dd>" }
      lines.append("<dl class=\"values\">\(list.joined())</dl>")
    }
    if !row.missing.isEmpty, !row.places.isEmpty {
      lines.append("<p class=\"faint\">missing: \(inert(row.missing.joined(separator: ", ")))</p>")
    }
    lines += row.places.map { "<p class=\"faint\">\(inert($0.words))</p>" }
    if row.furtherCopies > 0 { lines.append("<p class=\"faint\">and \(row.furtherCopies) more copies</p>") }
    return lines.joined(separator: "\n") + "</div>\n"
  }

  // MARK: The rest

  private var limits: String {
    let items = [
      "\u{201C}deleted\u{201D} says that a row existed and is gone. A person, a cascade, a merge, sync and trimming look the same in the file.",
      "Nothing found does not mean that nothing was there: freed space is overwritten with zeros on iOS 12, macOS 10.14 and "
        + "later, and free pages at the end of a file are given back.",
      "A row whose key is lost may be an earlier version of a row that still exists, and one of the implied keys once more.",
      "Moments are those that the app's device wrote down; its clock may have been wrong.",
      "Long texts and binary values are cut here (\u{2026}); --format json has them whole.",
    ]
    return "<section id=\"limits\" class=\"card\"><h2>What cannot be known</h2><ul class=\"limits\">"
      + items.map { "<li>\(inert($0))</li>" }.joined(separator: "\n") + "</ul></section>\n"
  }

  private var files: String {
    guard !run.files.isEmpty else { return "" }
    let items = run.files.map { file in
      let facts = [("MD5", file.md5), ("SHA-1", file.sha1), ("SHA-256", file.sha256)]
        .map { "<dt>\($0)</dt><dd><code>\(inert($1))</code></dd>" }
      return
        "<div class=\"row\"><h3>\(inert(file.path))</h3><p class=\"faint\">\(inert(file.role)), \(bytesText(file.bytes)), last "
        + "changed \(timestamp(nanoseconds: file.modified))</p><dl class=\"values\">\(facts.joined())</dl></div>"
    }
    let database = recovery.database.map { "<p class=\"remark\">\(inert($0.words))</p>" } ?? ""
    return "<section id=\"files\" class=\"card\"><h2>Files</h2>\(database)\(items.joined(separator: "\n"))</section>\n"
  }
}
