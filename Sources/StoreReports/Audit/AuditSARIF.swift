import StoreAudit
import StoreJSON

/// SARIF 2.1.0 of an audit: one run with all checks as rules, and a result for each finding of each store.
package struct AuditSARIF: AuditLineWriter {
  private var hasResults = false

  /// A log without results.
  package init() {}

  /// The tool, and where the results begin.
  package func begin() -> String {
    """
    {
      "$schema": "\(sarifSchema)",
      "version": "2.1.0",
      "runs": [{
        "columnKind": "utf16CodeUnits",
        "tool": {"driver": \(sarifDriver.lineText.dropLast())},
        "results": [
    """
  }

  /// A result for each finding.
  package mutating func line(_ line: AuditLine) -> String {
    line.findings.map { finding in
      defer { hasResults = true }
      return (hasResults ? "," : "") + "\n"
        + finding.sarifResult(in: line.pathInBytes, suppressions: nil).lineText.dropLast()
    }.joined()
  }

  /// Where the results end.
  package func end(_ gate: AuditGate.Outcome) -> String {
    """

        ],
        "invocations": [{"executionSuccessful": true}]
      }]
    }

    """
  }
}
