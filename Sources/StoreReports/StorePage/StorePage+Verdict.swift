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
    return .hero(
      mark, diagnosis.verdict.rawValue, headline, lead: document.lead.prefix(1) + further.map(withoutMark),
      left: ("What to do first", nothingToDo + HTML.steps(document.next)),
      right: ("What is not known", notKnown(unknown, document.remarks)))
  }

  private var nothingToDo: HTML {
    diagnosis.verdict == .healthy && isWhole ? "<p>Nothing has to be done.</p>\n" : ""
  }

  private func notKnown(_ clauses: [String], _ remarks: [Page.Section]) -> HTML {
    let items = HTML.each(clauses) { "<li>\(HTML.unbroken(withoutMark($0)))</li>" }
    let rest = HTML.each(remarks, as: HTML.remarks)
    let none: HTML = """
      <p class="small">Nothing that the files show was left unread. What the app keeps elsewhere, and what its own code does on \
      opening, no file shows.</p>
      """
    if clauses.isEmpty, remarks.isEmpty { return none }
    return (items.isEmpty ? "" : "<ul class=\"plain small\">\(items)</ul>") + rest
  }
}
