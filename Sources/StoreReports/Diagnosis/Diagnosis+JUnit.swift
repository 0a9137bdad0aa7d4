import StoreSQLite
import StoreDiagnosis
import StoreFindings

extension Diagnosis {
  /// JUnit's XML, which every CI server shows: a test case for each check that was run.
  ///
  /// - Parameters:
  ///   - checks: the checks that were run.
  ///   - isAtGate: whether a finding of that severity fails its check; other findings go to `system-out`.
  package func jUnit(checks: [Check], isAtGate: (Severity) -> Bool) -> String {
    let cases = checks.map { TestCase($0, in: self, isAtGate: isAtGate) }
    let failures = cases.count { $0.isFailure }
    let skippedCount = cases.count { $0.isSkipped }
    let counts = "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skippedCount)\""
    let name = "storedoctor diagnose \(store.path)"
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(counts)>
        <testsuite name="\(escapedForXML(name))" \(counts)>
      \(properties)\(cases.map(\.xml).joined())  </testsuite>
      </testsuites>

      """
  }

  /// How the findings were selected, unless all are included, and what a person has to know of the files.
  private var properties: String {
    var properties = config.map { [("config", $0.path.description)] } ?? []
    for moved in config?.severities ?? [] { properties.append(("severity \(moved.check)", moved.severity.rawValue)) }
    if let scope {
      properties.append(("entities", scope.entities.joined(separator: ", ")))
      properties.append(("findings left out", "\(scope.leftOut.count)"))
    }
    for clause in store.reading.clausesOfDiagnosis { properties.append(("reading", clause)) }
    guard !properties.isEmpty else { return "" }
    let lines = properties.map { name, value in
      "      <property name=\"\(escapedForXML(name))\" value=\"\(escapedForXML(value))\"/>\n"
    }
    return "    <properties>\n\(lines.joined())    </properties>\n"
  }
}

private struct TestCase {
  var check: Check
  var failures: [Finding]
  var others: [Finding]
  /// Why something was not checked, or not shown.
  var skips: [String]

  init(_ check: Check, in diagnosis: Diagnosis, isAtGate: (Severity) -> Bool) {
    self.check = check
    let findings = diagnosis.findings.filter { $0.id == check.id }
    failures = findings.filter { isAtGate($0.severity) }
    others = findings.filter { !isAtGate($0.severity) }
    let muted = (diagnosis.config?.muted ?? []).filter { $0.mute.check == check.id }
    skips =
      diagnosis.skipped.filter { $0.check == check.id }.map { "not looked at: \($0.reason)" }
      + muted.flatMap { muted in muted.findings.map { "muted: \(muted.mute.reason): \($0.line)" } }
  }

  var isFailure: Bool { !failures.isEmpty }
  /// A check with findings does not count as skipped, even if it could not check everything.
  var isSkipped: Bool { failures.isEmpty && others.isEmpty && !skips.isEmpty }

  var xml: String {
    let name = escapedForXML("\(check.id) \(check.name)")
    var body: [String] = []
    if let first = failures.first {
      // In one element, since some servers show only the first of several.
      let more = failures.count > 1 ? " (and \(failures.count - 1) more)" : ""
      let details = failures.map(\.details).joined(separator: "\n\n")
      body.append(
        "      <failure type=\"\(first.severity.rawValue)\" message=\"\(escapedForXML(first.line + more))\">"
          + "\(escapedForXML(details))</failure>\n")
    }
    if isSkipped {
      body.append("      <skipped message=\"\(escapedForXML(skips.joined(separator: "; ")))\"/>\n")
    }
    let notes = others.map(\.line) + (isSkipped ? [] : skips)
    if !notes.isEmpty {
      body.append("      <system-out>\(escapedForXML(notes.joined(separator: "\n")))</system-out>\n")
    }
    let start = "    <testcase classname=\"storedoctor\" name=\"\(name)\""
    return body.isEmpty ? start + "/>\n" : start + ">\n" + body.joined() + "    </testcase>\n"
  }
}

extension Finding {
  /// Severity, place and message.
  var line: String {
    let place = [entity ?? table, property].compactMap(\.self).joined(separator: ".")
    return "\(severity.rawValue): \(place.isEmpty ? "" : "\(place): ")\(message)"
  }

  /// Line, rows, error codes and repairs.
  var details: String {
    let keys = examples.compactMap(\.primaryKey).map(String.init).joined(separator: ", ")
    return [
      line, keys.isEmpty ? nil : "keys: \(keys)\(count > Int64(examples.count) ? ", ..." : "")",
      blocks.isEmpty ? nil : "error codes: \(blocks.map(String.init).joined(separator: ", "))",
    ].compactMap(\.self).joined(separator: "\n") + remedies.map { "\nrepair: \($0.recipe)" }.joined()
  }
}

/// Text for an element or a quoted attribute. Characters that XML 1.0 forbids, and those that could act on a screen,
/// are written as code points.
func escapedForXML(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "\n": result += "&#10;"
    case "\t": result += "&#9;"
    default:
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
  return result
}
