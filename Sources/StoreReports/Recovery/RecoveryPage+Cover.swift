import StoreRecovery
import StoreText
import StoreWords

extension RecoveryPage {
  /// What a second examiner needs to do the same: case, evidence, run, clock, and what was left out.
  var cover: HTML {
    """
    <dl class="cover-facts">
    \(fact("Case", content: "\(recovery.caseName ?? "not given")"))\
    \(fact("Examiner", content: "\(recovery.examiner ?? "not given")"))\
    \(fact("Evidence", content: HTML.each(run.files, as: file) + database))\
    \(fact("Search", content: "began \(timestamp(nanoseconds: run.started)), ended \(timestamp(nanoseconds: run.ended)); \(bytesText(recovery.bytesSearched)) of all versions of all pages\(unsearched)"))\
    \(fact("Program", content: "storedoctor \(toolVersion)<code class=\"command\">\(withWholeOptions(command))</code>"))\
    \(fact("Clock", content: "\(clock)"))\
    \(fact("Not examined", content: "<ul class=\"limits\">\(HTML.each(notExamined) { "<li>\(withWholeOptions($0))</li>" })</ul>"))\
    </dl>

    """
  }

  /// What a search that stopped has left.
  private var unsearched: String {
    recovery.bytesUnsearched > 0
      ? "; the search stopped, and \(bytesText(recovery.bytesUnsearched)) were not searched" : ""
  }

  private func fact(_ name: HTML, content: HTML) -> HTML {
    "<div><dt>\(name)</dt><dd>\(content)</dd></div>\n"
  }

  /// A text whose options stand on one line: a browser breaks lines behind any hyphen.
  private func withWholeOptions(_ text: String) -> HTML {
    HTML.each(text.split(separator: " ", omittingEmptySubsequences: false).enumerated()) { index, word in
      let space: HTML = index == 0 ? "" : " "
      return word.hasPrefix("--")
        ? "\(space)<span class=\"option\">\(String(word))</span>" : "\(space)\(String(word))"
    }
  }

  private var command: String { "storedoctor " + run.arguments.map(shellQuoted).joined(separator: " ") }

  private func file(_ file: RecoveryRun.File) -> HTML {
    let digests = HTML.each([("MD5", file.md5), ("SHA-1", file.sha1), ("SHA-256", file.sha256)]) { name, digest in
      "<span class=\"digest\"><span class=\"faint\">\(name)</span> <code>\(digest)</code></span>"
    }
    let words = "\(file.role), \(bytesText(file.bytes)), last changed \(timestamp(nanoseconds: file.modified))"
    return "<div class=\"file\"><strong>\(file.path)</strong><span class=\"faint\">\(words)</span>\(digests)</div>"
  }

  private var database: HTML {
    let words = [recovery.database?.words, "freed space: " + recovery.freedSpace.words].compactMap(\.self)
    return HTML.each(words) { "<p class=\"faint\">\($0)</p>" }
  }

  private var clock: String {
    let run =
      run.isClockFixed
      ? "Those of the search are SOURCE_DATE_EPOCH, and no clock's." : "Those of the search are this computer's."
    return
      "All times are UTC. Those of objects, changes and transactions are what the app's device wrote into the store; that its "
      + "clock was right is not known. Commits of the log have no clock of their own, and take that of the history transactions in "
      + "them or next to them. " + run
  }

  private var notExamined: [String] {
    let choice = recovery.choice
    var items: [String] = []
    if !choice.entities.isEmpty {
      items.append("entities and tables but \(choice.entities.joined(separator: ", ")): left out by --entity")
    }
    if choice.grade != .implied { items.append("results weaker than \(choice.grade.rawValue): left out by --grade") }
    if choice.since != nil || choice.until != nil {
      let since = choice.since.map { "before \(momentText($0))" }
      let until = choice.until.map { "after \(momentText($0))" }
      items.append(
        "results \([since, until].compactMap(\.self).joined(separator: " or ")): left out by --since and --until")
    }
    items += recovery.notes + run.unread
    if recovery.isStore, choice.models.isEmpty {
      items.append(
        "rows that only an earlier version of the app's model explains, where the file tells nothing of it: no model was given "
          + "with --model")
    }
    items.append(
      "other copies of the database, backups, and what the device's file system may still hold: no part of the evidence"
    )
    return items
  }
}
