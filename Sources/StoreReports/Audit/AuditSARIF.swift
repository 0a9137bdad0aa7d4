import StoreAudit
import StoreJSON

/// SARIF 2.1.0 of an audit: one run with all checks as rules, and a result for each finding of each store.
package struct AuditSARIF: AuditLineWriter {
  private var hasResults = false
  /// What answers leave open: the first of them, and how many there are.
  private var notifications: (first: [JSONValue], count: Int) = ([], 0)
  private static let mostNotifications = 1000

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
    for remark in line.remarks {
      notifications.count += 1
      guard notifications.first.count < Self.mostNotifications else { continue }
      let words = "\(line.id ?? line.path): \(remark)"
      notifications.first.append(
        .object([("level", .string("note")), ("message", .object([("text", .string(words))]))]))
    }
    return line.findings.map { finding in
      defer { hasResults = true }
      return (hasResults ? "," : "") + "\n"
        + finding.sarifResult(in: line.pathInBytes, suppressions: nil).lineText.dropLast()
    }.joined()
  }

  /// Where the results end.
  package func end(_ gate: AuditGate.Outcome) -> String {
    var invocation: [(String, JSONValue?)] = [("executionSuccessful", .bool(true))]
    if notifications.count > 0 {
      let rest = notifications.count - notifications.first.count
      let more = rest > 0 ? "and \(rest) more: the format jsonl has them all" : nil
      let last = more.map { words in
        JSONValue.object([("level", .string("note")), ("message", .object([("text", .string(words))]))])
      }
      invocation.append(
        ("toolExecutionNotifications", .array(notifications.first + [last].compactMap(\.self))))
    }
    return """

          ],
          "invocations": [\(JSONValue.object(invocation).lineText.dropLast())]
        }]
      }

      """
  }
}
