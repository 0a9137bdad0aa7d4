import CoreDataStore
import StoreDoctor

/// A plan as a person reads it: what it comes to, the operations, what cannot be done, before and after.
extension RepairPlan {
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  ///   - next: commands to run next, one a line.
  public func text(width: Int, isStyled: Bool, next: [String] = []) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(verdictLine, indent: 0, first: "", style: .strong)
    writeOperations(to: &page)
    writeObstacles(to: &page)
    writeChanges(to: &page)
    writeNotices(to: &page)
    if !next.isEmpty {
      page.section("Next")
      for command in next { page.line("  " + escapedForTerminal(command)) }
    }
    return page.text
  }

  /// "plan: 3 operations change 14 rows; safe".
  public var verdictLine: String {
    if !refusals.isEmpty { return "refused: what was asked for cannot be done as it is" }
    guard !isEmpty else {
      return obstacles.isEmpty ? "nothing to do" : "nothing can be done of what was asked for"
    }
    let changes = operations.map(\.expectedChanges).reduce(0, +)
    let words = neededOptions.isEmpty ? "" : "; needs \(neededOptions.joined(separator: " and "))"
    return "plan: \(counted(Int64(operations.count), "operation")), \(counted(Int64(changes), "change"))\(words)"
  }

  func writeNotices(to page: inout Page) {
    guard !notices.isEmpty else { return }
    page.section("Mind")
    for notice in notices { page.paragraph(escapedForTerminal(notice)) }
  }

  func writeOperations(to page: inout Page) {
    guard !isEmpty else { return }
    page.table(
      ["repair", "what is done", "changes", "grade"],
      operations.map {
        [$0.repair.rawValue, escapedForTerminal($0.summary), "\($0.expectedChanges)", $0.grade.rawValue]
      }, rightAligned: [2])
  }

  func writeObstacles(to page: inout Page) {
    guard !obstacles.isEmpty else { return }
    page.section(refusals.isEmpty ? "Not done" : "In the way")
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
    page.table(["rows of", "before", "after"], rows, rightAligned: [1, 2])
    page.table(["finding", "at", "before", "after"], changedFindings, rightAligned: [2, 3])
  }

  private var changedFindings: [[String]] {
    var seen: [[String]] = []
    for found in before.findings + after.findings {
      let (old, new) = (before.count(at: found), after.count(at: found))
      let place = [found.entity, found.property].compactMap(\.self).joined(separator: ".")
      let name = Check.all.first { $0.id == found.id }?.description ?? found.id
      let row = [name, escapedForTerminal(place.isEmpty ? "the store" : place), "\(old)", "\(new)"]
      if old != new, !seen.contains(row) { seen.append(row) }
    }
    return seen
  }
}
