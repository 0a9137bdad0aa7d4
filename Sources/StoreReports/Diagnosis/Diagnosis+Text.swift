import CoreDataModel
import CoreDataStore
import StoreDoctor

/// The diagnosis as a person reads it: a verdict line, the findings by entity, what was skipped, the next command.
extension Diagnosis {
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  public func text(width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.line(page.styled(verdictLine, .strong))
    for (entity, findings) in byEntity {
      page.section(escapedForTerminal(entity))
      for finding in findings { finding.write(to: &page) }
    }
    writeSkipped(to: &page)
    writeNext(to: &page)
    return page.text
  }

  /// "findings: 2 errors, 1 warning, 3 notes".
  public var verdictLine: String {
    let counts = Severity.allCases.reversed().compactMap { severity -> String? in
      let count = findings.count { $0.severity == severity }
      return count > 0 ? counted(Int64(count), severity.rawValue) : nil
    }
    let skippedChecks = Set(skipped.map(\.check)).count
    let skippedWords =
      skippedChecks > 0 ? "; \(counted(Int64(skippedChecks), "check")) could not look at everything" : ""
    guard !counts.isEmpty else { return "\(verdict.rawValue): nothing found" + skippedWords }
    return "\(verdict.rawValue): \(counts.joined(separator: ", "))" + skippedWords
  }

  /// Findings under the entity they stand at, the store as a whole first.
  private var byEntity: [(entity: String, findings: [Finding])] {
    let groups = Dictionary(grouping: findings) { $0.entity }
    return groups.sorted { codeUnitsPrecede($0.key ?? "", $1.key ?? "") }
      .map { ($0.key ?? "The store", $0.value.sorted { $0.severity > $1.severity }) }
  }

  private func writeSkipped(to page: inout Page) {
    guard !skipped.isEmpty else { return }
    page.section("Not looked at")
    let groups = Dictionary(grouping: skipped, by: \.reason).mapValues { $0.map(\.check) }
    for (reason, checks) in groups.sorted(by: { ($0.value.first ?? "", $0.key) < ($1.value.first ?? "", $1.key) }) {
      page.paragraph(escapedForTerminal("\(checks.joined(separator: ", ")): \(reason)"))
    }
  }

  private func writeNext(to page: inout Page) {
    let path = shellQuoted(store.path)
    page.section("Next")
    if let entity = findings.max(by: { $0.severity < $1.severity })?.entity {
      page.line("  storedoctor inspect \(path) --entity \(shellQuoted(entity))")
    }
    page.line("  storedoctor diagnose \(path) --format json")
  }
}

extension Finding {
  fileprivate func write(to page: inout Page) {
    let place = property.map { "\($0): " } ?? ""
    let assumed = basis == .assumed ? " (assumed)" : ""
    page.paragraph(
      escapedForTerminal("\(id) \(place)\(message)\(assumed)"), first: "  \(severity.mark) ", style: severity.style)
    let keys = examples.compactMap(\.primaryKey).map(String.init)
    if !keys.isEmpty, count > 1 || keys.count == 1 {
      let more = count > Int64(examples.count) ? ", ..." : ""
      page.paragraph("keys \(keys.joined(separator: ", "))\(more)", indent: 4)
    }
    for remedy in remedies {
      page.paragraph(escapedForTerminal("repair: \(remedy.recipe)\(remedy.isSafe ? " (safe)" : "")"), indent: 4)
    }
  }
}

extension Severity {
  fileprivate var mark: String {
    switch self {
    case .error: "E"
    case .warning: "W"
    case .note: "N"
    }
  }

  fileprivate var style: Page.Style? { self == .note ? nil : .warning }
}
