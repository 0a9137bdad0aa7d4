import StoreFindings
import StoreDiagnosis
import StoreSourceChecks
import StoreSourceLint
import StoreDigests
import StoreJSON
import StoreSwiftDataSchemas

/// The JSON form of a lint report, `storedoctor.lint/1`; its schema is `docs/schemas/lint.json`.
extension SourceReport: JSONRepresentable {
  /// The whole document.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.lint/1")), ("tool", .object(["version": .string(toolVersion)])),
      ("paths", .strings(paths)),
      (
        "source",
        .object([
          ("files", .integer(Int64(reading.fileCount))), ("parsedFiles", .integer(Int64(reading.parsedFileCount))),
          ("versions", .strings(reading.schemas.filter { $0.origin == .versioned }.map(\.name))),
          ("plans", .strings(reading.plans.map(\.name))),
          ("problems", .array(reading.problems.map { note($0.message, at: $0.place) })),
        ])
      ),
      ("findings", .array(findings.map(\.reportJSON))),
      (
        "silenced",
        .array(
          silenced.map { silenced in
            .object([("finding", silenced.finding.reportJSON), ("reason", .string(silenced.reason))])
          })
      ),
      (
        "skipped",
        .array(
          skipped.map { skipped in
            .object([
              ("check", .string(skipped.check)), ("reason", .string(skipped.reason)),
              ("place", skipped.place?.reportJSON), ("undecided", skipped.isUndecided ? .bool(true) : nil),
            ])
          })
      ), ("config", config?.json),
    ])
  }
}

private func note(_ message: String, at place: SourcePlace?) -> JSONValue {
  .object([("message", .string(message)), ("place", place?.reportJSON)])
}

extension SourceReport.ConfigurationUse {
  fileprivate var json: JSONValue {
    .object([
      ("path", .string(path)),
      (
        "muted",
        .array(
          muted.map { muted in
            .object([
              ("check", .string(muted.mute.check)), ("entity", .optional(muted.mute.entity)),
              ("property", .optional(muted.mute.property)), ("reason", .string(muted.mute.reason)),
              ("findings", .integer(Int64(muted.findings.count))),
            ])
          })
      ),
      ("severities", severities.isEmpty ? nil : .object(severities.mapValues { .string($0.rawValue) })),
    ])
  }
}

extension SourceFinding {
  /// Identifies the finding even if lines are added or removed: check, file, version, entity and property.
  var fingerprint: String {
    let parts = [check, place.file, schema ?? "", entity ?? "", property ?? ""]
    return hexadecimal(Digests.sha256(Array(parts.joined(separator: "\0").utf8)).prefix(8))
  }

  fileprivate var reportJSON: JSONValue {
    .object([
      ("id", .string(check)), ("name", .string(SourceCheck.named(check)?.name ?? "")),
      ("severity", .string(severity.rawValue)), ("place", place.reportJSON), ("schema", .optional(schema)),
      ("entity", .optional(entity)), ("property", .optional(property)), ("message", .string(message)),
      ("notes", .array(notes.map { note($0.message, at: $0.place) })), ("fix", fix?.reportJSON),
      ("excerpt", .optional(excerpt)), ("fingerprint", .string(fingerprint)),
    ])
  }
}

extension SourceFinding.Fix {
  fileprivate var reportJSON: JSONValue {
    .object([
      ("summary", .string(summary)), ("certain", .bool(isCertain)),
      (
        "edits",
        .array(
          edits.map { edit in
            .object([
              ("file", .string(edit.file)), ("offset", .integer(Int64(edit.offset))),
              ("length", .integer(Int64(edit.length))), ("replacement", .string(edit.replacement)),
            ])
          })
      ),
    ])
  }
}

extension SourcePlace {
  fileprivate var reportJSON: JSONValue {
    .object([
      ("file", .string(file)), ("line", .integer(Int64(line))), ("column", .integer(Int64(column))),
      ("offset", .integer(Int64(offset))), ("length", .integer(Int64(length))),
    ])
  }
}
