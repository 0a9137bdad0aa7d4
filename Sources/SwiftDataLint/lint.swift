import StoreDigests
import StoreSwiftDataSchemas
import SwiftDataSource

/// Finds mistakes in Swift source.
///
/// ```swift
/// let (reading, lint) = lint(try SourceProject(paths: ["Sources"]))
/// ```
package func lint(_ project: SourceProject) -> (reading: SourceReading, lint: SourceLint) {
  let subject = LintSubject(project)
  let running = subject.withoutUnusedPlans
  var result = SourceLint()
  for check in LintCheck.all {
    let found = check.findings(in: subject)
    let own = running.flatMap { found.isGrave ? check.findings(in: $0) : nil }
    result.findings += found.findings.map { finding in
      subject.weakenedOutside(subject.unused.weakened(finding, isOfThem: own.map { !$0.contains(finding) } ?? false))
    }
    result.skipped += found.skipped
  }
  let silences = project.files.flatMap(Silence.all)
  result.findings += silences.flatMap(\.complaints)
  result.findings.sort { ($0.place, $0.check, $0.message) < ($1.place, $1.check, $1.message) }
  result.silences = silences.map(\.accepted)
  result.silence()
  let files = Dictionary(project.files.map { ($0.path, $0) }) { first, _ in first }
  for position in result.findings.indices {
    let place = result.findings[position].place
    result.findings[position].excerpt = files[place.file]?.excerpt(at: place)
  }
  for edit in result.findings.compactMap(\.fix).flatMap(\.edits) where result.digests[edit.file] == nil {
    result.digests[edit.file] = files[edit.file].map { hexadecimal(Digests.sha256($0.bytes)) }
  }
  return (subject.reading, result)
}

extension LintSubject {
  /// The finding as a note, where it stands in a file that no target is built from.
  fileprivate func weakenedOutside(_ finding: SourceFinding) -> SourceFinding {
    guard finding.severity != .note, let number = names.files.firstIndex(where: { $0.path == finding.place.file }),
      let project = names.projectWithout(number)
    else { return finding }
    var weak = finding
    weak.severity = .note
    weak.notes.append(.init("this file is in no target of '\(project)'"))
    return weak
  }
}

extension SourceFile {
  /// The longest excerpt, in bytes; generated code has longer lines.
  private static let longestExcerpt = 400

  /// The line at a place without its line feed; nil where it is too long.
  fileprivate func excerpt(at place: SourcePlace) -> String? {
    let start = place.offset - (place.column - 1)
    guard start >= 0, start <= bytes.count else { return nil }
    let line = bytes[start...].prefix { $0 != 0x0A && $0 != 0x0D }
    return line.count <= Self.longestExcerpt ? String(decoding: line, as: UTF8.self) : nil
  }
}
