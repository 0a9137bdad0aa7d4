import StoreText
import StoreWords
import StoreAudit
import StoreFindings

/// A table of an audit's lines for spreadsheets: a header, then one row for each line (RFC 4180).
///
/// Spreadsheets interpret cells that begin with `=`, `+`, `-` or `@` as formulas; these get an apostrophe in front.
/// Control and bidirectional characters are written as `\u{..}`. Where a cell so differs from the path, `pathBytes`
/// holds the path in base-64.
package struct AuditCSV: AuditLineWriter {
  /// A table without rows.
  package init() {}

  /// The names of the columns.
  package func begin() -> String { Self.row(Self.columns.map(\.name)) }
  /// One row.
  package func line(_ line: AuditLine) -> String { Self.row(Self.columns.map { $0.cell(line) ?? "" }) }
  /// Nothing follows the rows.
  package func end(_ gate: AuditGate.Outcome) -> String { "" }

  private typealias Column = (name: String, cell: @Sendable (AuditLine) -> String?)

  private static let columns: [Column] = [
    ("path", { inert($0.path) }), ("pathBytes", { pathBytes($0) }), ("id", { $0.id.map(inert) }),
    ("status", { $0.status.rawValue }), ("severity", { $0.severity?.rawValue }), ("verdict", { $0.verdict?.rawValue }),
    ("version", { $0.version.map(inert) }), ("code", { $0.deciding?.code.map { String($0) } }),
    ("versionIdentifiers", { $0.store.map { inert($0.versionIdentifiers.joined(separator: "; ")) } }),
    ("checksum", { $0.store?.checksum.map(inert) }),
    ("frameworkVersion", { $0.store?.frameworkVersion.map { String($0) } }),
    ("bytes", { $0.bytes.map { String($0) } }), ("rows", { $0.rows.map { String($0) } }),
    ("errors", { count($0, of: .error) }), ("warnings", { count($0, of: .warning) }),
    ("notes", { count($0, of: .note) }),
    ("known", { String($0.known) }), ("muted", { String($0.muted) }),
    ("findings", { inert($0.findings.map(\.shortWords).joined(separator: "; ")) }),
    ("problem", { $0.problem.map { inert($0.kind) } }), ("message", { $0.problem.map { inert($0.message) } }),
    ("milliseconds", { $0.milliseconds.map { String($0) } }),
    ("rehearsal", { $0.rehearsal?.outcome.rawValue }), ("kept", { $0.rehearsal?.kept.map { String($0) } }),
    ("lost", { $0.rehearsal?.lost.map { String($0) } }),
    ("lostValues", { $0.rehearsal?.lostValues.map { String($0) } }),
    ("complete", { $0.store?.isWhole.map { $0 ? "yes" : "unknown" } }),
    ("container", { $0.container.map(inert) }), ("device", { $0.device.map(inert) }),
    ("accessTimes", { $0.store?.keepsAccessTimes.map { $0 ? "kept" : "mayHaveChanged" } }),
  ]

  static func row(_ cells: [String]) -> String { cells.map(quotedCell).joined(separator: ",") + "\r\n" }

  /// Quoted if necessary: "Fields containing line breaks (CRLF), double quotes, and commas should be enclosed in
  /// double-quotes" (RFC 4180, 2.6); also with semicolons, which some spreadsheets use as separators, and spaces at the
  /// ends.
  private static func quotedCell(_ cell: String) -> String {
    let isPlain =
      cell.utf8.allSatisfy { !",;\"\r\n".utf8.contains($0) } && cell.utf8.first != 0x20 && cell.utf8.last != 0x20
    // By scalars: a quote with a combining accent is another character, but still contains a quote.
    return isPlain ? cell : "\"\(cell.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined())\""
  }

  private static func count(_ line: AuditLine, of severity: Severity) -> String {
    String(line.findings.count { $0.severity == severity })
  }

  private static func pathBytes(_ line: AuditLine) -> String? {
    line.pathBytes == nil && inert(line.path).utf8.elementsEqual(line.path.utf8) ? nil : base64(line.pathInBytes)
  }

  /// Text without effect on terminals and spreadsheets.
  static func inert(_ text: String) -> String {
    let text = escapedForTerminal(text)
    let first = text.unicodeScalars.first { $0 != " " }
    return first.map(formulaStarts.contains) == true ? "'" + text : text
  }

  /// Including full-width forms.
  private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]
}

extension Finding {
  /// "SD401 Note.folder (3)".
  var shortWords: String {
    let place = [entity ?? table, property].compactMap(\.self).joined(separator: ".")
    return [id, place, "(\(count))"].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
