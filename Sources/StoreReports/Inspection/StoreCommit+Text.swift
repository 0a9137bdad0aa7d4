import StoreCoreData
import StoreInspection
import StoreWords

extension Inspection {
  /// The commits as a table: number, pages, kind, what changed, and the wall clock where history tells it.
  func writeCommits(_ commits: [StoreCommit], to page: inout Page) {
    page.section("Commits in the write-ahead log")
    guard commits.count > 1 else {
      page.paragraph("none: the main file holds everything")
      return
    }
    page.table(
      ["commit", "pages", "kind", "time (UTC)", "changes"], rows: commits.map(\.cells), rightAligned: [0, 1],
      wrapping: 4)
    page.line()
    page.line(
      page.styled("  + added, ~ changed, - removed rows, by entity; tables of Core Data itself by table", as: .faint))
    let refused = commits.count { $0.refusal != nil }
    page.paragraph(
      refused == 0
        ? "all can be read: --as-of N, or STORE@N; 0 is the store before the first"
        : "\(refused) of \(commits.count) cannot be read any more; the others can: --as-of N, or STORE@N")
  }
}

extension StoreCommit {
  fileprivate var cells: [String] {
    let kind = changes.map { $0.changesSchema ? "schema" : "data" } ?? ""
    let time = changes?.times.map { timestamp($0.upperBound) } ?? ""
    return [String(number), number == 0 ? "" : grouped(Int64(pages)), kind, time, words]
  }

  private var words: String {
    if let refusal { return "cannot be read: \(escapedForTerminal(refusal))" }
    if number == 0 { return "the store before the first commit" }
    guard let changes else { return "not known, since the commit before cannot be read" }
    return changes.words
  }
}

extension StoreCommit.Changes {
  /// "Note +2 ~1, Z_PRIMARYKEY ~1".
  var words: String {
    var parts = (entities + tables).map { change in
      let counts = [("+", change.added), ("~", change.changed), ("-", change.removed)].filter { $0.1 > 0 }
        .map { $0.0 + grouped(Int64($0.1)) }
      return "\(escapedForTerminal(change.name)) \(counts.joined(separator: " "))"
    }
    if !unknownTables.isEmpty {
      parts.append("not known of \(unknownTables.map(escapedForTerminal).joined(separator: ", ")) (damaged pages)")
    }
    if unplacedPages > 0 { parts.append("\(counted(Int64(unplacedPages), "page")) of long values of rows not known") }
    return parts.isEmpty ? "no rows" : parts.joined(separator: ", ")
  }
}
