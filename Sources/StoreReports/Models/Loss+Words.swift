import StoreWords
import StoreMigration

extension ModelDiffReport {
  /// What a successful migration loses: "the rows of Tag and the values of 2 removed properties"; nil for nothing.
  var lossWords: String? {
    let losses = inference.losses
    let rows = losses.filter { $0.kind == .rows }
    let links = losses.filter { $0.kind == .links }
    let values = losses.filter { $0.kind == .values }
    let parts = [
      words(rows, "the rows of", "removed entities"),
      links.isEmpty ? words(values, "the values of", "removed properties") : nil,
      values.isEmpty ? words(links, "the links of", "removed relationships") : nil,
      values.isEmpty || links.isEmpty ? nil : words(values + links, "the values of", "removed properties"),
      words(losses.filter { $0.kind == .someValues }, "some values of", "moved properties"),
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }

  /// A single loss by name, several by number.
  private func words(_ losses: [Loss], _ what: String, _ several: String) -> String? {
    guard let first = losses.first else { return nil }
    guard losses.count == 1 else { return "\(what) \(losses.count) \(several)" }
    return "\(what) \([first.entity, first.property].compactMap { $0 }.map(escapedForTerminal).joined(separator: "."))"
  }
}
