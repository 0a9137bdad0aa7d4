import StoreSQLite
import StoreWords
import StoreDiagnosis
import StoreFindings

/// Mentions findings that are not shown, so that the report does not seem complete without them.
extension Diagnosis {
  /// "2 errors, 1 note"; empty for none.
  func severityCounts(_ findings: [Finding]) -> String {
    Severity.allCases.reversed().compactMap { severity -> String? in
      let count = findings.count { $0.severity == severity }
      return count > 0 ? counted(Int64(count), severity.rawValue) : nil
    }.joined(separator: ", ")
  }

  /// The words about them in the verdict line.
  var leftOutWords: String {
    let muted = config?.muted.flatMap(\.findings) ?? []
    return (scope.map { $0.leftOut.isEmpty ? "" : "; \(severityCounts($0.leftOut)) of other entities left out" } ?? "")
      + (muted.isEmpty ? "" : "; \(severityCounts(muted)) muted")
  }

  func writeScope(to page: inout Page) {
    guard let scope else { return }
    page.section("Only some entities")
    let names = scope.entities.map(quoted).joined(separator: ", ")
    let others = scope.leftOut.isEmpty ? "nothing was found at others" : "left out: \(severityCounts(scope.leftOut))"
    page.paragraph("findings of \(names), of what they inherit, and of the store as a whole; \(others)")
  }

  func writeConfiguration(to page: inout Page) {
    guard let config else { return }
    page.section("Settings of \(quoted(config.path.description))")
    for muted in config.muted {
      let place = [muted.mute.entity, muted.mute.property].compactMap(\.self).joined(separator: ".")
      let what = muted.findings.isEmpty ? "nothing found" : severityCounts(muted.findings)
      page.paragraph(
        escapedForTerminal(
          "muted \(muted.mute.check)\(place.isEmpty ? "" : " \(place)"): \(what): \(muted.mute.reason)"))
    }
    for moved in config.severities {
      page.paragraph(
        "\(moved.check) counts as \(moved.severity.rawValue): \(counted(Int64(moved.findings), "finding"))")
    }
    if config.muted.isEmpty && config.severities.isEmpty { page.paragraph("nothing muted") }
  }
}
