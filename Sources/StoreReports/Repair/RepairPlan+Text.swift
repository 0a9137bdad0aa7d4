import StoreWords
import StoreDiagnosis
import StoreRepair

/// A plan as text: its result, the operations, the obstacles, the condition before and after.
extension RepairPlan {
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  ///   - review: the first rows of each operation; nil for none.
  ///   - next: commands to suggest, one a line.
  package func text(width: Int, isStyled: Bool, review: PlanReview? = nil, next: [String] = []) -> String {
    var page = Page(width: width, isStyled: isStyled)
    write(to: &page, review: review, next: next)
    return page.text
  }

  /// The sections of the text, of which every format of a plan is made.
  func sections(review: PlanReview? = nil, next: [String] = []) -> [Page.Section] {
    var page = Page.forSections
    write(to: &page, review: review, next: next)
    return page.sections
  }

  /// The heading of what cannot be done.
  var titleOfObstacles: String { refusals.isEmpty ? "Not done" : "In the way" }

  private func write(to page: inout Page, review: PlanReview?, next: [String]) {
    page.paragraph(verdictLine, indent: 0, first: "", style: .strong)
    writeOperations(to: &page, review)
    writeObstacles(to: &page)
    writeModel(after: after.opening, to: &page)
    writeChanges(to: &page)
    writeNotices(to: &page)
    if !next.isEmpty {
      page.section("Next")
      for command in next { page.command(escapedForTerminal(command)) }
    }
  }

  /// "plan: 3 operations change 14 rows; safe".
  package var verdictLine: String {
    if !refusals.isEmpty { return "refused: what was asked for cannot be done as it is" }
    guard !isEmpty else {
      if let opening = after.opening, opening.verdict.isError {
        return opening.decisions.contains { $0.stops && !$0.choices.isEmpty }
          ? "nothing is mended without a decision: see what is in the way" : "no repair of rows lets the model open it"
      }
      return obstacles.isEmpty ? "nothing to do" : "nothing can be done of what was asked for"
    }
    let changes = operations.map(\.expectedChanges).reduce(0, +)
    let words = needs.isEmpty ? "" : "; needs \(needs.map(\.rawValue).joined(separator: " and "))"
    return "plan: \(counted(Int64(operations.count), "operation")), \(counted(Int64(changes), "change"))\(words)"
  }

  func writeNotices(to page: inout Page) {
    guard !notices.isEmpty else { return }
    page.section("Mind")
    for notice in notices { page.paragraph(escapedForTerminal(notice)) }
  }

  /// Writes lines like "join-orphans delete 3 links ... (3 changes, safe)", with a hanging indent.
  /// Below each stand its first rows.
  func writeOperations(to page: inout Page, _ review: PlanReview? = nil) {
    guard !isEmpty else { return }
    page.section("Operations")
    let width = operations.map(\.repair.rawValue.count).max() ?? 0
    for (index, operation) in operations.enumerated() {
      let changes = counted(Int64(operation.expectedChanges), "change")
      page.field(
        operation.repair.rawValue,
        escapedForTerminal("\(operation.summary) (\(changes), \(operation.grade.rawValue))"), width: width)
      if let review, index < review.operations.count { review.operations[index].write(to: &page, indent: 4) }
    }
  }

  func writeObstacles(to page: inout Page) {
    guard !obstacles.isEmpty else { return }
    page.section(titleOfObstacles)
    for obstacle in obstacles {
      let keys = obstacle.keys.isEmpty ? "" : " (Z_PK \(obstacle.keys.map(String.init).joined(separator: ", ")))"
      let place = [obstacle.entity, obstacle.property].compactMap(\.self).joined(separator: ".")
      let what = place.isEmpty ? obstacle.repair.rawValue : "\(obstacle.repair.rawValue) of \(place)"
      page.paragraph(
        escapedForTerminal("\(what): \(obstacle.message)\(keys)"),
        style: obstacle.refusesPlan ? .warning : nil)
    }
  }

  func writeChanges(to page: inout Page) {
    guard !isEmpty else { return }
    let places = Set(before.rows.keys).union(after.rows.keys).sorted()
    let rows = places.compactMap { place -> [String]? in
      let (old, new) = (before.rows[place] ?? 0, after.rows[place] ?? 0)
      return old == new ? nil : [escapedForTerminal(place), "\(old)", "\(new)"]
    }
    page.table(["rows of", "before", "after"], rows: rows, rightAligned: [1, 2])
    writeChangedFindings(to: &page)
  }

  /// Writes lines like "SD404 7 -> 0 orphaned-join-row at Note.tags".
  private func writeChangedFindings(to page: inout Page) {
    let changed = changedFindings
    guard !changed.isEmpty else { return }
    page.section("Findings")
    let counts = changed.map { "\($0.before) -> \($0.after)" }
    let width = counts.map(\.count).max() ?? 0
    for (finding, count) in zip(changed, counts) {
      let place = [finding.entity, finding.property].compactMap(\.self).joined(separator: ".")
      let name = finding.name
      page.paragraph(
        escapedForTerminal("\(name) at \(place.isEmpty ? "the store" : place)"),
        first: "  \(finding.id)  \(count.padded(to: width))  ")
    }
  }

  var changedFindings: [ChangedFinding] {
    var seen: [ChangedFinding] = []
    for found in before.findings + after.findings {
      let changed = ChangedFinding(
        id: found.id, entity: found.entity, property: found.property, before: before.count(at: found),
        after: after.count(at: found))
      if changed.before != changed.after, !seen.contains(changed) { seen.append(changed) }
    }
    return seen
  }
}

/// A finding whose count the plan changes.
struct ChangedFinding: Equatable {
  var id: String
  var entity: String?
  var property: String?
  var before: Int64
  var after: Int64

  /// The check's name.
  var name: String { Check.all.first { $0.id == id }?.name ?? "" }
}
