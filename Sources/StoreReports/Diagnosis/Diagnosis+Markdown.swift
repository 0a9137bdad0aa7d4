import StoreDiagnosis
import StoreFindings
import StoreText
import StoreWords

extension Diagnosis {
  /// The diagnosis for an issue tracker or a pull request: the verdict, a table of the gravest findings, and what was not
  /// looked at or is muted. Names and messages can neither format nor mention anything.
  package var markdown: String {
    var text = "**\(escapedForMarkdown(verdictLine))**\n\n"
    text += "Store \(markdownCode(store.path)), storedoctor \(toolVersion)\n"
    for clause in store.reading.clausesOfDiagnosis { text += "\n\(escapedForMarkdown(clause))\n" }
    let shown = findings.sorted { $0.severity > $1.severity }.prefix(markdownLimit)
    if !shown.isEmpty {
      text += "\n| | check | where | what | rows |\n|---|---|---|---|---:|\n"
      for finding in shown { text += finding.markdownRow }
    }
    if findings.count > shown.count {
      text += "\n\(counted(Int64(findings.count - shown.count), "finding")) more; `--format json` has them all\n"
    }
    var remarks = skipped.map { "\($0.check) could not look at everything: \($0.reason)" }
    for muted in config?.muted ?? [] {
      remarks.append(
        "\(muted.mute.check): \(counted(Int64(muted.findings.count), "finding")) muted: \(muted.mute.reason)")
    }
    if let leftOut = scope?.leftOut.count, leftOut > 0 {
      remarks.append("\(counted(Int64(leftOut), "finding")) of other entities left out")
    }
    if !remarks.isEmpty { text += "\n" + remarks.map { "- \(escapedForMarkdown($0))\n" }.joined() }
    return text
  }
}

/// The findings of a table; issue trackers take some 65,000 characters.
private let markdownLimit = 100

extension Finding {
  fileprivate var markdownRow: String {
    let place = [entity ?? table, property].compactMap(\.self).joined(separator: ".")
    let cells = [
      severity.rawValue, "\(id) \(name)", place.isEmpty ? "" : markdownCode(place), escapedForMarkdown(message),
      count > 0 ? "\(count)" : "",
    ]
    return "| " + cells.joined(separator: " | ") + " |\n"
  }
}

/// Text as a span of code, also inside a table.
private func markdownCode(_ text: String) -> String {
  // A span may not hold its own delimiter, and a table takes a bar for the end of a cell even there.
  "`" + escapedForTerminal(text).replacing("`", with: "'").replacing("|", with: "\\|") + "`"
}

/// Text that a tracker shows as it is: no emphasis, no links, no HTML, and nobody is mentioned.
private func escapedForMarkdown(_ text: String) -> String {
  var result = ""
  for character in escapedForTerminal(text) {
    switch character {
    case "\n": result += " "
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\\", "`", "*", "_", "[", "]", "|", "~", "!", "$": result += "\\\(character)"
    // A comment between keeps names and numbers from becoming mentions and references.
    case "@", "#": result += "\(character)<!-- -->"
    default: result.append(character)
    }
  }
  return result
}
