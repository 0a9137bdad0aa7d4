import StoreDiagnosis
import StoreSourceChecks
import StoreSourceLint
import StoreJSON
import StoreSwiftDataSchemas

// SARIF 2.1.0 with regions: unlike a store, source has lines.

extension SourceReport {
  /// One run with all checks of source as rules, and a result for each finding.
  package var sarif: JSONValue {
    .object([
      ("$schema", .string(sarifSchema)), ("version", .string("2.1.0")),
      (
        "runs",
        .array([
          .object([
            ("tool", .object(["driver": driver])), ("results", .array(results)),
            ("invocations", .array([invocation])), ("columnKind", .string("utf16CodeUnits")),
          ])
        ])
      ),
    ])
  }

  private var driver: JSONValue {
    .object([
      ("name", .string("storedoctor")), ("version", .string(toolVersion)), ("semanticVersion", .string(toolVersion)),
      ("rules", .array(SourceCheck.all.map(\.sarifRule))),
    ])
  }

  private var invocation: JSONValue {
    let notes = skipped.map { skipped in
      JSONValue.object([
        ("level", .string("note")), ("message", .object(["text": .string("not checked: \(skipped.reason)")])),
        ("associatedRule", .object(["id": .string(skipped.check)])),
      ])
    }
    return .object([("executionSuccessful", .bool(true)), ("toolExecutionNotifications", .array(notes))])
  }

  /// By 3.27.23, either all results of a run have a list of suppressions, or none has.
  private var results: [JSONValue] {
    let muted = (config?.muted ?? []).flatMap { muted in
      muted.findings.map { $0.sarifResult(suppressions: [suppression("external", reason: muted.mute.reason)]) }
    }
    let commented = silenced.map { $0.finding.sarifResult(suppressions: [suppression("inSource", reason: $0.reason)]) }
    let hasSuppressions = !muted.isEmpty || !commented.isEmpty
    return findings.map { $0.sarifResult(suppressions: hasSuppressions ? [] : nil) } + muted + commented
  }

  private func suppression(_ kind: String, reason: String) -> JSONValue {
    .object(["kind": .string(kind), "justification": .string(reason)])
  }
}

extension SourceCheck {
  fileprivate var sarifRule: JSONValue {
    let text = { (words: String) in JSONValue.object(["text": .string(words)]) }
    return .object([
      ("id", .string(id)), ("name", .string(name)), ("shortDescription", text(summary)),
      ("fullDescription", text(summary)),
      ("help", .object(["text": .string(explanation), "markdown": .string(explanation)])),
      ("defaultConfiguration", .object(["level": .string(severity.rawValue)])),
    ])
  }
}

extension SourceFinding {
  fileprivate func sarifResult(suppressions: [JSONValue]?) -> JSONValue {
    let index = SourceCheck.all.firstIndex { $0.id == check }.map { JSONValue.integer(Int64($0)) }
    let related = notes.compactMap { note in note.place.map { Self.location($0, message: note.message) } }
    return .object([
      ("ruleId", .string(check)), ("ruleIndex", index), ("level", .string(severity.rawValue)),
      ("message", .object(["text": .string(message + ".")])),
      ("locations", .array([Self.location(place, message: nil, line: excerpt)])),
      ("relatedLocations", related.isEmpty ? nil : .array(related)),
      ("partialFingerprints", .object(["storedoctor/1": .string(fingerprint)])),
      ("suppressions", suppressions.map(JSONValue.array)),
    ])
  }

  /// Columns are UTF-16 code units in SARIF; without the line's text they are left out.
  private static func location(_ place: SourcePlace, message: String?, line: String? = nil) -> JSONValue {
    var region: [(String, JSONValue?)] = [("startLine", .integer(Int64(max(place.line, 1))))]
    if let line {
      let bytes = Array(line.utf8)
      let start = min(max(place.column - 1, 0), bytes.count)
      let end = min(start + max(place.length, 0), bytes.count)
      let units = { (bytes: ArraySlice<UInt8>) in Int64(String(decoding: bytes, as: UTF8.self).utf16.count) }
      region.append(("startColumn", .integer(units(bytes[..<start]) + 1)))
      region.append(("endColumn", .integer(units(bytes[..<max(start, end)]) + 1)))
    }
    return .object([
      (
        "physicalLocation",
        .object([
          ("artifactLocation", .object(["uri": .string(percentEncoded(pathBytes: Array(place.plainFile.utf8)))])),
          ("region", .object(region)),
        ])
      ), ("message", message.map { .object(["text": .string($0 + ".")]) }),
    ])
  }
}
