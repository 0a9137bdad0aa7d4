import StoreWords
import StoreMigration

extension ModelDiffReport {
  /// The losses of a successful migration: "the rows of Tag and the values of 2 removed properties"; nil for nothing.
  var lossWords: String? {
    let losses = inference.losses
    let rows = losses.filter { $0.kind == .rows }
    let links = losses.filter { $0.kind == .links }
    let values = losses.filter { $0.kind == .values }
    let parts = [
      words(rows, what: "the rows of", several: "removed entities"),
      links.isEmpty ? words(values, what: "the values of", several: "removed properties") : nil,
      values.isEmpty ? words(links, what: "the links of", several: "removed relationships") : nil,
      values.isEmpty || links.isEmpty
        ? nil : words(values + links, what: "the values of", several: "removed properties"),
      words(losses.filter { $0.kind == .someValues }, what: "some values of", several: "moved properties"),
      words(losses.filter { $0.kind == .someLinks }, what: "links beyond the first of", several: "relationships"),
      words(losses.filter { $0.kind == .order }, what: "the order of", several: "relationships"),
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }

  /// A single loss by name, several by number.
  private func words(_ losses: [Loss], what: String, several: String) -> String? {
    guard let first = losses.first else { return nil }
    guard losses.count == 1 else { return "\(what) \(losses.count) \(several)" }
    return "\(what) \([first.entity, first.property].compactMap { $0 }.map(escapedForTerminal).joined(separator: "."))"
  }
}
