import StoreFindings
import StoreText
import StoreWords
import StoreDiagnosis
import StoreSourceChecks
import StoreSourceLint
import StoreSwiftDataSchemas

/// The findings in the format of compilers, then their number, and what was not checked.
extension SourceReport {
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  package func text(width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    for finding in findings { finding.write(to: &page) }
    if !findings.isEmpty { page.line() }
    page.paragraph([(countLine.split(separator: " ").map(String.init), .strong)], hanging: 2)
    writeSkipped(to: &page)
    for problem in reading.problems.prefix(20) {
      page.paragraph("not read: \(escapedForTerminal(problem.message))", indent: 2, first: "")
    }
    if let config {
      let muted = config.muted.filter { !$0.findings.isEmpty }
      page.paragraph("settings of \(quoted(config.path)) hold", indent: 2, first: "")
      for muted in muted {
        page.paragraph(
          escapedForTerminal(
            "muted: \(counted(Int64(muted.findings.count), "finding")) of \(muted.mute.check): \(muted.mute.reason)"),
          indent: 2, first: "")
      }
    }
    if findings.contains(where: { $0.fix?.isCertain ?? false }) {
      page.paragraph("'storedoctor lint --fix' shows what can be mended for certain", indent: 2, first: "")
    }
    return page.text
  }

  /// "2 errors, 1 warning and 3 notes in 14 files (5 of them parsed); 1 silenced"
  private var countLine: String {
    let counts: [(SourceFinding.Severity, String)] = [(.error, "error"), (.warning, "warning"), (.note, "note")]
    let parts = counts.filter { count($0.0) > 0 }.map { counted(Int64(count($0.0)), $0.1) }
    let found = parts.isEmpty ? "nothing found" : parts.joined(separator: ", ")
    let silent = silenced.isEmpty ? "" : "; \(silenced.count) silenced in the source"
    let versions = reading.schemas.count { $0.origin == .versioned }
    let open = isUndecided ? "; not all that was asked for is known" : ""
    return "\(found) in \(counted(Int64(reading.fileCount), "file")), \(counted(Int64(versions), "version")) and "
      + "\(counted(Int64(reading.plans.count), "plan"))\(silent)\(open)"
  }

  private func writeSkipped(to page: inout Page) {
    var checks: [String: [String]] = [:]
    var reasons: [String] = []
    for skipped in skipped {
      let reason = (skipped.place.map { "\($0): " } ?? "") + skipped.reason
      if checks[reason] == nil { reasons.append(reason) }
      checks[reason, default: []].append(skipped.check)
    }
    for reason in reasons.prefix(20) {
      let ids = (checks[reason] ?? []).joined(separator: ", ")
      let words = escapedForTerminal("not checked: \(reason) [\(ids)]").split(separator: " ").map(String.init)
      page.paragraph([(words, nil)], hanging: 4)
    }
    if reasons.count > 20 { page.line("not checked: \(reasons.count - 20) more; --format json lists all") }
  }
}

extension SourceFinding {
  fileprivate func write(to page: inout Page) {
    let name = SourceCheck.named(check)?.name ?? ""
    page.paragraph(
      [
        // A path may contain spaces, and is not wrapped.
        (["\(escapedForTerminal(place.description)):"], nil),
        (["\(severity.rawValue):"], severity == .note ? .faint : severity == .error ? .error : .warning),
        (Self.words(message), .strong),
        (["[\(check)", "\(name)]"], nil),
      ], hanging: 4)
    if let excerpt { writeExcerpt(excerpt, to: &page) }
    for note in notes {
      let place = note.place.map { [escapedForTerminal("\($0):")] } ?? []
      page.paragraph([(place + Self.words("note: \(note.message)"), nil)], indent: 2, hanging: 4)
    }
    // `--fix` makes only certain ones; the others need a person.
    if let fix {
      let word = fix.isCertain ? "fix" : "perhaps"
      page.paragraph([(Self.words("\(word): \(fix.summary)"), nil)], indent: 2, hanging: 4)
    }
  }

  private static func words(_ text: String) -> [String] {
    escapedForTerminal(text).split(separator: " ").map(String.init)
  }

  /// Writes the line, with a caret below the first byte and dashes to the last; of a line that does not fit, the part
  /// around the caret.
  private func writeExcerpt(_ line: String, to page: inout Page) {
    let bytes = Array(line.utf8)
    let start = min(max(place.column - 1, 0), bytes.count)
    let end = max(start, min(start + max(place.length, 1), bytes.count))
    let part = ExcerptPart(
      before: Self.shown(bytes[..<start]), marked: Self.shown(bytes[start..<end]), after: Self.shown(bytes[end...]),
      width: page.width - 8)
    page.line("\("\(place.line)".rightAligned(to: 5)) | \(part.before)\(part.marked)\(part.after)")
    page.line(
      String(repeating: " ", count: 5) + " | " + String(repeating: " ", count: part.before.displayWidth)
        + page.styled("^" + String(repeating: "~", count: max(0, part.marked.displayWidth - 1)), as: .warning))
  }

  /// Tabs as four spaces, and characters that would act on a terminal escaped.
  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    escapedForTerminal(String(decoding: bytes, as: UTF8.self).replacing("\t", with: "    "))
  }
}
