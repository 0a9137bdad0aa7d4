import StoreSwiftDataSchemas
import SwiftDataSource
import Testing

@testable import SwiftDataLint

/// What one check reports about a source, as a compiler would print it: "3: error: message".
func findings(
  _ check: LintCheck, _ text: String, file: String = "Models.swift"
) -> [String] {
  lines(check, [file: text])
}

/// The same for several files; with more than one, the file's name comes first.
func lines(_ check: LintCheck, _ texts: [String: String]) -> [String] {
  let subject = LintSubject(SourceProject(texts: texts))
  return check.findings(in: subject).findings.sorted { $0.place < $1.place }.map { finding in
    let place = texts.count > 1 ? "\(finding.place.file):\(finding.place.line)" : "\(finding.place.line)"
    return "\(place): \(finding.severity.rawValue): \(finding.message)"
  }
}

/// The lines and severities alone, where another test has the message: "3 error".
func places(_ check: LintCheck, _ text: String) -> [String] {
  let subject = LintSubject(SourceProject(texts: ["Models.swift": text]))
  return check.findings(in: subject).findings.sorted { $0.place < $1.place }.map {
    "\($0.place.line) \($0.severity.rawValue)"
  }
}

/// What a check reports that it could not look at.
func skips(_ check: LintCheck, _ text: String) -> [String] { skips(check, ["Models.swift": text]) }

/// The same for several files.
func skips(_ check: LintCheck, _ texts: [String: String]) -> [String] {
  check.findings(in: LintSubject(SourceProject(texts: texts))).skipped.map(\.reason)
}

/// The source after the first fix of a check's first finding.
func fixed(_ check: LintCheck, _ text: String) throws -> String {
  let subject = LintSubject(SourceProject(texts: ["Models.swift": text]))
  let fix = try #require(check.findings(in: subject).findings.compactMap(\.fix).first)
  var bytes = Array(text.utf8)
  for edit in fix.edits.sorted(by: { $0.offset > $1.offset }) {
    bytes.replaceSubrange(edit.offset..<(edit.offset + edit.length), with: edit.replacement.utf8)
  }
  return String(decoding: bytes, as: UTF8.self)
}
