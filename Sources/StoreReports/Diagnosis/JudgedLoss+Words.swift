import StoreMigration
import StoreWords

extension [MigrationOutcome.JudgedLoss] {
  /// What rows lose, as the rest of a sentence after "losing": "Note.body in 18 rows and 5 rows of Tag"; nil for nothing.
  var lossWords: String? {
    guard !isEmpty else { return nil }
    let shown = prefix(count > 3 ? 2 : 3).map(\.words)
    let carried = contains { !$0.stages.isEmpty } ? " unless a custom stage carries it over" : ""
    if count > 3 { return "\(shown.joined(separator: ", ")) and \(count - 2) more\(carried)" }
    return (shown.dropLast().joined(separator: ", ") + (count > 1 ? " and " : "") + shown[shown.count - 1]) + carried
  }
}

extension MigrationOutcome.JudgedLoss {
  /// "Note.body in 18 rows"; names are escaped.
  fileprivate var words: String {
    let place = [loss.entity, loss.property].compactMap { $0.map(escapedForTerminal) }.joined(separator: ".")
    let rows = self.rows.map { counted($0, "row") } ?? "rows that could not be counted"
    return switch loss.kind {
    case .rows: "\(rows) of \(place)"
    case .values, .someValues: "\(place) in \(rows)"
    case .links: "the links of \(place) in \(rows)"
    case .someLinks: "links of \(place) in \(rows)"
    case .order: "the order of \(place) in \(rows)"
    }
  }
}
