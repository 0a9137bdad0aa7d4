import StoreDiagnosis
import StoreFindings
import StoreSourceChecks
import StoreSourceLint
import StoreSwiftDataSchemas

extension SourceReport {
  /// JUnit's XML: a test case for each check that was run.
  ///
  /// - Parameter isAtGate: whether a finding of that severity fails its check; other findings go to `system-out`.
  package func jUnit(isAtGate: (Severity) -> Bool) -> String {
    let cases = checks.map { SourceTestCase($0, in: self, isAtGate: isAtGate) }
    let counts =
      "tests=\"\(cases.count)\" failures=\"\(cases.count { !$0.failures.isEmpty })\" errors=\"0\" "
      + "skipped=\"\(cases.count { $0.isSkipped })\""
    let name = escapedForXML("storedoctor lint \(paths.joined(separator: " "))")
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(counts)>
        <testsuite name="\(name)" \(counts)>
      \(cases.map(\.xml).joined())  </testsuite>
      </testsuites>

      """
  }
}

private struct SourceTestCase {
  let check: SourceCheck
  let failures: [SourceFinding]
  let others: [SourceFinding]
  let skips: [String]

  init(_ check: SourceCheck, in report: SourceReport, isAtGate: (Severity) -> Bool) {
    self.check = check
    let findings = report.findings.filter { $0.check == check.id }
    failures = findings.filter { isAtGate(Severity($0.severity)) }
    others = findings.filter { !isAtGate(Severity($0.severity)) }
    var skips: [String] = []
    for skipped in report.skipped where skipped.check == check.id { skips.append("not checked: \(skipped.reason)") }
    for silenced in report.silenced where silenced.finding.check == check.id {
      skips.append("silenced: \(silenced.reason): \(silenced.finding.line)")
    }
    for muted in report.config?.muted ?? [] where muted.mute.check == check.id {
      skips += muted.findings.map { "muted: \(muted.mute.reason): \($0.line)" }
    }
    self.skips = skips
  }

  /// A check with findings does not count as skipped, even if it could not check everything.
  var isSkipped: Bool { failures.isEmpty && others.isEmpty && !skips.isEmpty }

  var xml: String {
    var body = ""
    if let first = failures.first {
      // In one element, since some servers show only the first of several.
      let more = failures.count > 1 ? " (and \(failures.count - 1) more)" : ""
      let details = failures.map(\.line).joined(separator: "\n")
      body +=
        "      <failure type=\"\(first.severity.rawValue)\" message=\"\(escapedForXML(first.line + more))\">"
        + "\(escapedForXML(details))</failure>\n"
    }
    if isSkipped { body += "      <skipped message=\"\(escapedForXML(skips.joined(separator: "; ")))\"/>\n" }
    let notes = others.map(\.line) + (isSkipped ? [] : skips)
    if !notes.isEmpty {
      body += "      <system-out>\(escapedForXML(notes.joined(separator: "\n")))</system-out>\n"
    }
    let start = "    <testcase classname=\"storedoctor\" name=\"\(escapedForXML("\(check.id) \(check.name)"))\""
    return body.isEmpty ? start + "/>\n" : start + ">\n" + body + "    </testcase>\n"
  }
}

extension SourceFinding {
  fileprivate var line: String { "\(place): \(severity.rawValue): \(message)" }
}
