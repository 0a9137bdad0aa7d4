import StoreSourceChecks
import StoreSourceLint
import StoreSwiftDataSchemas
import StoreText
import StoreWords

// One line for each finding, for programs that read lines. No character of the source or of a path can end a line or
// begin another command.

extension SourceReport {
  /// The lines that Xcode shows in its navigator: `/path/V1.swift:12:16: warning: text [SD903 live-class-in-version]`.
  ///
  /// A check that was not run becomes a note. Findings that are silenced or muted are left out.
  ///
  /// - Parameter folder: the working directory, an absolute path; relative paths are completed with it, since Xcode
  /// opens
  ///   absolute ones only.
  package func xcodeLines(in folder: String) -> String {
    let place = { (place: SourcePlace) in
      let path = place.file.hasPrefix("/") ? place.file : "\(folder == "/" ? "" : folder)/\(place.plainFile)"
      return "\(escapedForTerminal(path)):\(max(place.line, 1)):\(max(place.column, 1)): "
    }
    let lines = remarks.map { remark in
      (remark.place.map(place) ?? "") + "\(remark.severity.rawValue): \(escapedForTerminal(remark.text))\n"
    }
    return lines.joined()
  }

  /// The lines that GitHub's runners turn into annotations: `::error file=V1.swift,line=12,title=SD903 ...::text`.
  ///
  /// A check that was not run becomes a notice. Findings that are silenced or muted are left out. GitHub shows ten
  /// errors, ten warnings and ten notices of a step.
  package var gitHubAnnotations: String {
    let lines = remarks.map { remark in
      let title = "title=\(gitHubProperty(remark.title))"
      let properties =
        remark.place.map { "file=\(gitHubProperty($0.plainFile)),line=\(max($0.line, 1)),\(title)" } ?? title
      return "::\(remark.severity.gitHubCommand) \(properties)::\(gitHubText(remark.text))\n"
    }
    return lines.joined()
  }

  private var remarks: [Remark] {
    findings.map { Remark($0) } + notChecked
      + reading.problems.map { Remark(.note, $0.place, title: "not read", text: "not read: \($0.message)") }
  }
}

extension SourceReport {
  /// One for each reason and place, with all its checks.
  var notChecked: [Remark] {
    var first: [SkipKey: Int] = [:]
    var skips: [(key: SkipKey, checks: [String])] = []
    for skipped in skipped {
      let key = SkipKey(reason: skipped.reason, place: skipped.place)
      if let position = first[key] {
        skips[position].checks.append(skipped.check)
      } else {
        first[key] = skips.count
        skips.append((key, [skipped.check]))
      }
    }
    return skips.map { key, checks in
      let ids = checks.joined(separator: ", ")
      return Remark(.note, key.place, title: "\(ids) not checked", text: "not checked: \(key.reason) [\(ids)]")
    }
  }
}

private struct SkipKey: Hashable {
  let reason: String
  let place: SourcePlace?
}

/// The content of one line.
struct Remark {
  let severity: SourceFinding.Severity
  let place: SourcePlace?
  let title: String
  let text: String

  private static let mostNotes = 5

  fileprivate init(_ severity: SourceFinding.Severity, _ place: SourcePlace?, title: String, text: String) {
    (self.severity, self.place, self.title, self.text) = (severity, place, title, text)
  }

  /// - Parameter allNotes: whether the text has the notes, too, that have a place of their own.
  init(_ finding: SourceFinding, allNotes: Bool = true) {
    let title = [finding.check, SourceCheck.named(finding.check)?.name].compactMap(\.self).joined(separator: " ")
    let notes = allNotes ? finding.notes : finding.notes.filter { $0.place == nil }
    var parts = [finding.message] + notes.prefix(Self.mostNotes).map(\.message)
    if notes.count > Self.mostNotes {
      parts.append("\(notes.count - Self.mostNotes) more notes with --format text")
    }
    self.init(
      finding.severity, finding.place, title: title, text: "\(parts.joined(separator: "; ")) [\(title)]")
  }
}

extension SourcePlace {
  /// The path without the `./` that it begins with where the folder `.` is linted: GitHub and Xcode compare paths as
  /// text.
  var plainFile: String { file.hasPrefix("./") ? String(file.dropFirst(2)) : file }
}

extension SourceFinding.Severity {
  fileprivate var gitHubCommand: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .note: "notice"
    }
  }
}

/// Text after the second `::` of a command.
///
/// Source: docs.github.com, "Workflow commands", and `escapeData` of github.com/actions/toolkit.
private func gitHubText(_ text: String) -> String {
  escapedForTerminal(text).replacing("%", with: "%25")
}

/// A value before the second `::`. A path keeps its line breaks, by which alone GitHub finds it.
private func gitHubProperty(_ text: String) -> String {
  text.replacing("%", with: "%25").replacing("\r\n", with: "%0D%0A").replacing("\r", with: "%0D")
    .replacing("\n", with: "%0A").replacing(":", with: "%3A").replacing(",", with: "%2C")
}
