import StoreCoreData
import StoreDiagnosis
import StoreFindings
import StoreWords

// The first thing that one reads: the verdict in plain words, what to do first, and what limits it.

extension StorePage {
  /// The verdict in a sentence that needs no knowledge of Core Data.
  var headline: String {
    let model = diagnosis.deciding.map { quoted($0.name) } ?? "the model"
    let assumed = diagnosis.deciding?.basis == .assumed ? " (assumed)" : ""
    let sentence =
      switch diagnosis.verdict {
      case .healthy: "Nothing is wrong with this store"
      case .findings: "This store can be read, and something is wrong with it"
      case .damaged: "This store is damaged"
      case .opens: "\(model) opens this store as it is"
      case .migrates: "The update to \(model) opens this store\(losses)"
      case .blockedByData: "The update to \(model) cannot open this store: rows are in its way"
      case .needsCustomStage: "The update to \(model) needs code of its own for this store"
      case .unknownVersion: "None of the versions given made this store"
      case .foreignModel: "The model is of another app than this store"
      }
    return sentence + assumed + (isWhole || diagnosis.verdict.isError ? "" : ", as far as it could be read")
  }

  private var losses: String {
    diagnosis.deciding?.lossesOfRows.isEmpty == false ? ", and loses data" : ""
  }

  /// Whether nothing limits what is said.
  private var isWhole: Bool { diagnosis.store.reading.clausesOfDiagnosis.isEmpty && diagnosis.skipped.isEmpty }

  private var mark: Mark {
    switch diagnosis.verdict {
    case .healthy, .opens: isWhole ? .kept : .unknown
    case .migrates: losses.isEmpty ? isWhole ? .kept : .unknown : .lost
    case .findings: diagnosis.worstSeverity.map(Mark.init) ?? .warning
    case .damaged, .blockedByData, .needsCustomStage, .foreignModel: .error
    case .unknownVersion: .unknown
    }
  }

  func verdict(_ document: Diagnosis.Document) -> HTML {
    let unknown = document.lead.dropFirst().filter { $0.hasPrefix("  ? ") }
    let further = document.lead.dropFirst().filter { !$0.hasPrefix("  ? ") }
    return """
      <header class="hero"><p class="state">\(mark.labelled(diagnosis.verdict.rawValue))</p>
      <h1 id="answer">\(headline)</h1>
      <p class="lead">\(document.lead.first ?? "")</p>
      \(HTML.each(further) { "<p class=\"lead\">\(withoutMark($0))</p>\n" })<div class="two"><div><h2>What to do first</h2><ol class="steps">\(HTML.each(document.next, as: step))</ol></div>
      <div class="quiet"><h2>What is not known</h2>\(notKnown(unknown, document.remarks))</div></div></header>

      """
  }

  /// A command with its note.
  private func step(_ line: String) -> HTML {
    guard line.hasPrefix("storedoctor "), let note = line.range(ofLast: "   # ") else {
      return line.hasPrefix("storedoctor ")
        ? "<li><code class=\"cmd\">\(line)</code></li>" : "<li><p>\(withoutMark(line))</p></li>"
    }
    return """
      <li><code class="cmd">\(String(line[..<note.lowerBound]))</code> <p class="soft"># \(String(line[note.upperBound...]))</p></li>
      """
  }

  private func notKnown(_ clauses: [String], _ remarks: [Page.Section]) -> HTML {
    let items = HTML.each(clauses) { "<li>\(withoutMark($0))</li>" }
    let rest = HTML.each(remarks) { section in
      "<h3 class=\"sub\">\(section.title)</h3><ul class=\"plain small\">\(HTML.each(section.lines) { "<li>\($0)</li>" })</ul>"
    }
    let none: HTML = """
      <p class="small">Nothing that the files show was left unread. What the app keeps elsewhere, and what its own code does on \
      opening, no file shows.</p>
      """
    if clauses.isEmpty, remarks.isEmpty { return none }
    return (items.isEmpty ? "" : "<ul class=\"plain small\">\(items)</ul>") + rest
  }
}

/// A line of text without the mark before it.
func withoutMark(_ line: String) -> String {
  let words = line.drop { $0 == " " }
  for mark in ["? ", "! ", "# ", "- ", "E ", "W ", "N "] where words.hasPrefix(mark) {
    return String(words.dropFirst(2))
  }
  return String(words)
}

extension String {
  /// The last place of a text.
  fileprivate func range(ofLast text: String) -> Range<Index>? {
    let (own, sought) = (Array(utf8), Array(text.utf8))
    guard own.count >= sought.count else { return nil }
    for start in stride(from: own.count - sought.count, through: 0, by: -1)
    where own[start..<start + sought.count].elementsEqual(sought) {
      let lower = utf8.index(startIndex, offsetBy: start)
      return lower..<utf8.index(lower, offsetBy: sought.count)
    }
    return nil
  }
}

/// What something is, by shape, word and colour.
enum Mark {
  case error, warning, note, kept, lost, unknown

  init(_ severity: Severity) {
    switch severity {
    case .error: self = .error
    case .warning: self = .warning
    case .note: self = .note
    }
  }

  private var shape: HTML {
    switch self {
    case .error: "<path d=\"M1 1h14v14H1zM4 6.6v2.8h8V6.6z\" fill-rule=\"evenodd\"/>"
    case .warning: "<path d=\"M8 1l7.5 14H.5z\"/>"
    case .note: "<path d=\"M8 1a7 7 0 100 14A7 7 0 008 1zm0 2.2a4.8 4.8 0 110 9.6 4.8 4.8 0 010-9.6z\"/>"
    case .kept: "<path d=\"M6.2 14L.8 8.4l2-2 3.4 3.4L13.2 2l2 2z\"/>"
    case .lost: "<path d=\"M8 15L.5 1h15zM8 10.8L12.2 3H3.8z\" fill-rule=\"evenodd\"/>"
    case .unknown: "<path d=\"M8 0l8 8-8 8-8-8zm0 3L3 8l5 5 5-5z\" fill-rule=\"evenodd\"/>"
    }
  }

  private var style: HTML {
    switch self {
    case .error: "error"
    case .warning, .lost: "warning"
    case .note, .unknown: "note"
    case .kept: "kept"
    }
  }

  func labelled(_ word: String) -> HTML {
    "<span class=\"sev \(style)\"><svg aria-hidden=\"true\" viewBox=\"0 0 16 16\">\(shape)</svg>\(word)</span>"
  }
}
