import StoreJSON
import StoreSourceLint
import StoreSwiftDataSchemas

// The form of editors: Language Server Protocol 3.17, "PublishDiagnostics Notification".

extension SourceReport {
  /// What an editor and this program agree that a column counts.
  package enum ColumnUnit: String, Sendable {
    case utf8 = "utf-8"
    case utf16 = "utf-16"
  }

  /// The findings of a file, and what was not read of it, as values of `Diagnostic`, by the file's path.
  ///
  /// Places are those of the files as they are now. Findings that are silenced or muted are left out.
  ///
  /// - Parameters:
  ///   - unit: what columns count.
  ///   - text: the bytes of a file; nil where they cannot be read, and columns are those of UTF-8.
  package func diagnostics(
    columns unit: ColumnUnit, textOf text: @escaping (_ path: String) -> [UInt8]?
  ) -> [String: [JSONValue]] {
    var places = EditorPlaces(unit: unit, text: text)
    var result: [String: [JSONValue]] = [:]
    for finding in findings {
      let remark = Remark(finding, allNotes: false)
      let related = finding.notes.compactMap { note in
        note.place.map { place in
          JSONValue.object([
            (
              "location",
              .object([
                ("uri", .string(percentEncoded(pathBytes: Array(place.file.utf8)))), ("range", places.range(of: place)),
              ])
            ), ("message", .string(note.message)),
          ])
        }
      }
      result[finding.place.file, default: []].append(
        .object([
          ("range", places.range(of: finding.place)), ("severity", .integer(finding.severity.editorSeverity)),
          ("code", .string(finding.check)), ("source", .string("storedoctor")), ("message", .string(remark.text)),
          ("relatedInformation", related.isEmpty ? nil : .array(related)),
        ]))
    }
    for problem in reading.problems {
      guard let place = problem.place else { continue }
      result[place.file, default: []].append(
        .object([
          ("range", places.range(of: place)),
          ("severity", .integer(SourceFinding.Severity.note.editorSeverity)), ("source", .string("storedoctor")),
          ("message", .string("not read: \(problem.message)")),
        ]))
    }
    return result
  }

  /// What has no place among the findings: a line for each reason why something was not checked or not read.
  package var editorLog: [String] {
    notChecked.map { remark in
      (remark.place.map { "\($0.file):\(max($0.line, 1)): " } ?? "") + remark.text
    } + reading.problems.filter { $0.place == nil }.map { "not read: \($0.message)" }
  }
}

/// Places of source as an editor counts them: lines and columns from 0.
private struct EditorPlaces {
  let unit: SourceReport.ColumnUnit
  let text: (String) -> [UInt8]?
  /// Of the files that were asked for.
  private var files: [String: [UInt8]] = [:]

  init(unit: SourceReport.ColumnUnit, text: @escaping (String) -> [UInt8]?) {
    (self.unit, self.text) = (unit, text)
  }

  mutating func range(of place: SourcePlace) -> JSONValue {
    let bytes = files[place.file] ?? text(place.file) ?? []
    files[place.file] = bytes
    let line = max(place.line - 1, 0)
    let column = max(place.column - 1, 0)
    let length = max(place.length, 0)
    let start = place.offset - column
    guard start >= 0, start <= bytes.count, bytes.count - start >= column else {
      return Self.range((line, column), (line, column + min(length, 1 << 16)))
    }
    let first = start + column
    let part = bytes[first..<first + min(length, bytes.count - first)]
    // Line feeds, and carriage returns that none follows.
    var (breaks, lastLine) = (0, start)
    for position in part.indices {
      let next = position + 1
      let isBreak =
        bytes[position] == 0x0A || (bytes[position] == 0x0D && !(next < bytes.count && bytes[next] == 0x0A))
      if isBreak { (breaks, lastLine) = (breaks + 1, next) }
    }
    return Self.range(
      (line, count(bytes[start..<first])), (line + breaks, count(bytes[lastLine..<part.endIndex])))
  }

  private func count(_ bytes: ArraySlice<UInt8>) -> Int {
    unit == .utf8 ? bytes.count : String(decoding: bytes, as: UTF8.self).utf16.count
  }

  private static func range(_ start: (line: Int, column: Int), _ end: (line: Int, column: Int)) -> JSONValue {
    let value = { (place: (line: Int, column: Int)) in
      JSONValue.object([("line", .integer(Int64(place.line))), ("character", .integer(Int64(place.column)))])
    }
    return .object([("start", value(start)), ("end", value(end))])
  }
}

extension SourceFinding.Severity {
  /// `DiagnosticSeverity`.
  fileprivate var editorSeverity: Int64 {
    switch self {
    case .error: 1
    case .warning: 2
    case .note: 3
    }
  }
}
