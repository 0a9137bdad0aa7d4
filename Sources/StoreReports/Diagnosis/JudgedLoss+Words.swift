import StoreMigration
import StoreWords

extension [MigrationOutcome.JudgedLoss] {
  /// The losses of rows, the rest of a sentence after "losing": "Note.body in 18 rows and 5 rows of Tag"; nil for
  /// nothing.
  var lossWords: String? {
    // The gravest first; of several of a kind in their order.
    let ordered = Loss.Kind.allCases.flatMap { kind in filter { $0.loss.kind == kind } }
    guard let first = ordered.first else { return nil }
    let rest =
      switch count {
      case 1: ""
      case 2: " and \(ordered[1].words)"
      default: " and \(count - 1) more"
      }
    return first.words + rest + (contains { !$0.stages.isEmpty } ? " unless a custom stage carries it over" : "")
  }
}

extension MigrationOutcome.JudgedLoss {
  /// "Note.body in 18 rows"; names are escaped.
  fileprivate var words: String {
    let place = [loss.entity, loss.property].compactMap { $0.map(escapedForTerminal) }.joined(separator: ".")
    let rows = self.rows.map { counted($0, "row") } ?? "rows that could not be counted"
    let what =
      switch loss.kind {
      case .rows: "\(rows) of \(place)"
      case .values, .someValues: "\(place) in \(rows)"
      case .links: "the links of \(place) in \(rows)"
      case .someLinks: "links of \(place) in \(rows)"
      case .order: "the order of \(place) in \(rows)"
      }
    return loss.doubt == nil ? what : "perhaps " + what
  }
}
