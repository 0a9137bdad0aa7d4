import StoreAudit
import StoreFindings

/// JUnit's XML of an audit: a suite for each store, with a failing case for each finding at the gate, or one case that
/// passes.
///
/// Totals are given at each suite; those of the whole would be known only after the last store.
package struct AuditJUnit: AuditLineWriter {
  private let isAtGate: (Severity) -> Bool
  private let failsOnLoss: Bool

  /// - Parameters:
  ///   - failsOnLoss: whether a rehearsed migration that loses something fails its store.
  ///   - isAtGate: whether a finding of that severity fails its store; other findings go to `system-out`.
  package init(failsOnLoss: Bool = false, isAtGate: @escaping (Severity) -> Bool) {
    self.isAtGate = isAtGate
    self.failsOnLoss = failsOnLoss
  }

  /// The start of the document.
  package func begin() -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"storedoctor audit\">\n"
  }
  /// The end of the document, with a suite for the gate as a whole, which could fail although every case passes.
  package func end(_ gate: AuditGate.Outcome) -> String {
    guard !gate.demands.isEmpty else { return "</testsuites>\n" }
    let cases = gate.demands.map { demand in
      let examples = demand.examples.map { $0.id ?? $0.path }.joined(separator: "\n")
      let outcome: Case.Outcome =
        switch demand.isMet {
        case true?: .passed
        case false?: .failed(.error, demand.sentence, examples)
        case nil: .skipped(demand.sentence)
        }
      return Case(name: demand.option, outcome: outcome)
    }
    return suite("gate", cases: cases, skipped: gate.demands.count { $0.isMet == nil }, notes: []) + "</testsuites>\n"
  }

  /// A store's suite.
  package func line(_ line: AuditLine) -> String {
    suite(
      line.name, cases: cases(of: line), skipped: line.status.isStore ? 0 : 1,
      notes: line.remarks
        + line.findings.filter { !isAtGate($0.severity) }.map(\.line))
  }

  private func suite(_ name: String, cases: [Case], skipped: Int, notes: [String]) -> String {
    let counts =
      "tests=\"\(cases.count)\" failures=\"\(cases.count(where: \.isFailure))\" errors=\"0\" skipped=\"\(skipped)\""
    let output = notes.isEmpty ? "" : "    <system-out>\(escapedForXML(notes.joined(separator: "\n")))</system-out>\n"
    return "  <testsuite name=\"\(escapedForXML(name))\" \(counts)>\n" + cases.map(\.xml).joined() + output
      + "  </testsuite>\n"
  }

  private func cases(of line: AuditLine) -> [Case] {
    guard line.status.isStore else {
      let message = line.problem?.message ?? line.status.rawValue
      return [Case(name: line.status.rawValue, outcome: .skipped(message))]
    }
    let rehearsal = rehearsal(of: line)
    let failures = line.findings.filter { isAtGate($0.severity) }.map { finding in
      let place = [finding.entity ?? finding.table, finding.property].compactMap(\.self).joined(separator: ".")
      let name = [finding.id, finding.name, place].filter { !$0.isEmpty }.joined(separator: " ")
      return Case(name: name, outcome: .failed(finding.severity, finding.line, finding.details))
    }
    if !failures.isEmpty { return failures + rehearsal }
    let answer = line.verdict?.rawValue ?? line.status.rawValue
    // All findings of a damaged store may be muted or known, and it is still damaged.
    if let severity = line.severity, isAtGate(severity) {
      return [Case(name: answer, outcome: .failed(severity, "the store is \(answer)", ""))] + rehearsal
    }
    return [Case(name: answer, outcome: .passed)] + rehearsal
  }

  /// The case of a rehearsed migration.
  private func rehearsal(of line: AuditLine) -> [Case] {
    guard let rehearsal = line.rehearsal else { return [] }
    guard !line.passesRehearsal(failsOnLoss: failsOnLoss) else { return [Case(name: "rehearsal", outcome: .passed)] }
    let message = rehearsal.outcome.isPassed ? "it loses data" : rehearsal.outcome.rawValue
    let losses = line.findings.filter { $0.traits.contains(.losses) }.map(\.line)
    let details = rehearsal.outcome.isPassed ? losses : rehearsal.reasons
    return [Case(name: "rehearsal", outcome: .failed(.error, message, details.joined(separator: "\n")))]
  }
}

private struct Case {
  var name: String
  var outcome: Outcome

  enum Outcome {
    case passed
    case failed(Severity, String, String)
    case skipped(String)
  }

  var isFailure: Bool { if case .failed = outcome { true } else { false } }

  var xml: String {
    let start = "    <testcase classname=\"storedoctor\" name=\"\(escapedForXML(name))\""
    switch outcome {
    case .passed: return start + "/>\n"
    case .failed(let severity, let message, let details):
      return start + "><failure type=\"\(severity.rawValue)\" message=\"\(escapedForXML(message))\">"
        + "\(escapedForXML(details))</failure></testcase>\n"
    case .skipped(let message): return start + "><skipped message=\"\(escapedForXML(message))\"/></testcase>\n"
    }
  }
}

extension AuditLine {
  /// The store's name in the report: its id with the path, or the path.
  fileprivate var name: String { id.map { "\($0) (\(path))" } ?? path }
}

extension AuditLine {
  /// What its answer leaves open.
  var remarks: [String] {
    let known = store?.remarks ?? []
    return known.isEmpty && store?.isWhole == false ? ["what was saved last may be missing"] : known
  }
}
