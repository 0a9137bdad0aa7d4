import StoreDiagnosis
import StoreRepair
import StoreText
import StoreWords

/// The verdict of the model that a store is repaired for, before and after, and the decisions left.
extension RepairPlan {
  /// - Parameter after: the verdict on the repaired store; nil where there is none, because the plan is refused.
  /// The heading of what the model does with the store; nil where no model was given.
  var titleOfOpening: String? { aim.map { "With \(quoted($0.version)) of \(quoted($0.path))" } }

  /// What the model does with the store before and after, and what it fills; empty where no model was given.
  var openingFacts: [PageFact] { openingFacts(after: after.opening) }

  private func openingFacts(after: ModelVerdict?) -> [PageFact] {
    guard let aim, let before = before.opening else { return [] }
    let places = aim.defaults.map { "\($0.entity).\($0.attribute)" }.joined(separator: ", ")
    return [
      PageFact("before", before.line), PageFact("after", after?.line ?? "not known, since the plan is refused"),
    ] + (places.isEmpty ? [] : [PageFact("filled", "by the model's own default: \(places)")])
  }

  func writeModel(after: ModelVerdict?, to page: inout Page) {
    guard let titleOfOpening, let before = before.opening else { return }
    page.section(titleOfOpening)
    for fact in openingFacts(after: after) { page.field(fact.name, escapedForTerminal(fact.words), width: 6) }
    for reading in after?.readings ?? [] { page.paragraph(escapedForTerminal(reading), first: "  ? ") }
    (after ?? before).writeDecisions(to: &page)
  }
}

extension ModelVerdict {
  /// The rows that are in the way, each with the options that mend it, to be pasted.
  fileprivate func writeDecisions(to page: inout Page) {
    for stops in [true, false] {
      let wanted = decisions.filter { $0.stops == stops }
      guard !wanted.isEmpty else { continue }
      let hasChoices = wanted.contains { !$0.choices.isEmpty }
      page.section(
        stops
          ? "In the way" + (hasChoices ? ": choose an option for each, and add it to the command" : "")
          : "Stops nothing, but look at")
      for decision in wanted.prefix(Self.shownDecisions) { decision.write(to: &page) }
      let rest = wanted.count - Self.shownDecisions
      if rest > 0 { page.paragraph("and \(rest) more; --format json lists them") }
    }
  }

  private static let shownDecisions = 20
}

extension RowDecision {
  fileprivate func write(to page: inout Page) {
    let place = [entity, property].compactMap(\.self).joined(separator: ".")
    let shown = keys.prefix(5).map(String.init).joined(separator: ", ")
    let rest = count > Int64(min(keys.count, 5)) ? ", ..." : ""
    let which = keys.isEmpty ? "" : " (Z_PK \(shown)\(rest))"
    let codeWords = stops ? "" : code.map { ", \($0) at the next save" } ?? ""
    page.paragraph(
      escapedForTerminal("\(place): \(message)\(which)\(codeWords)"), first: stops ? "  E " : "  - ",
      style: stops ? .warning : nil)
    for choice in choices {
      page.line("      " + escapedForTerminal(choice.options.map(shellQuoted).joined(separator: " ")))
      if let caution = choice.caution { page.paragraph(escapedForTerminal(caution), indent: 8, first: "        # ") }
    }
    if let elsewhere { page.paragraph(escapedForTerminal(elsewhere), indent: 6, first: "      ") }
  }
}
