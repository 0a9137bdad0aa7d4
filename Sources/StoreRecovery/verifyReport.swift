import SQLitePages
import StoreJSON
import StoreSQLite
import StoreText

/// The result of checking the byte ranges of a report.
package struct ReportVerification: Sendable {
  /// Ranges that were read again.
  package var ranges = 0
  /// Ranges that differ, in words.
  package var differences: [String] = []
}

/// Reads every byte range of a report (`recover --format json` or `jsonl`) again in the files of the database at `path`.
///
/// - Throws: `FileError`; `JSONError` for text that is no JSON, `NoRecoveryReport` for JSON that is no report.
package func verifyReport(_ report: String, path: PosixPath) throws -> ReportVerification {
  let files = try DatabaseFiles(path)
  var result = ReportVerification()
  // JSON lines: each row is a document of its own.
  let isLines = report.contains("\n{")
  for text in isLines ? report.split(separator: "\n").map(Array.init) : [Array(report)] {
    let root = try JSONValue(Array(String(text).utf8))
    for row in root["rows"]?.elements ?? [root] {
      // A document without ranges would be as good as one that is right.
      guard let places = row["places"]?.elements else { throw NoRecoveryReport() }
      for place in places { try check(place, in: files, result: &result) }
    }
  }
  guard result.ranges > 0 else { throw NoRecoveryReport() }
  return result
}

/// JSON without byte ranges: not from `recover`, or of a search that found none.
package struct NoRecoveryReport: Error, CustomStringConvertible {
  /// Advice on what to do.
  package var description: String {
    "the report names no byte ranges, so nothing can be read again; give one that 'recover --format json' or jsonl wrote, "
      + "with results and without --summary"
  }
}

private func check(_ place: JSONValue, in files: DatabaseFiles, result: inout ReportVerification) throws {
  result.ranges += 1
  guard case .string(let role)? = place["file"], case .integer(let start)? = place["start"],
    case .integer(let end)? = place["end"], case .string(let expected)? = place["checksum"]
  else {
    result.differences.append("range \(result.ranges) of the report lacks file, start, end or checksum")
    return
  }
  let name = "\(role) \(start)-\(end)"
  let source: (any ByteSource)? =
    switch role {
    case "main": files.main
    case "wal": files.wal
    case "journal": files.journal
    default: nil
    }
  // No cell is longer than a page.
  guard let source, start >= 0, end > start, end.subtractingReportingOverflow(start).partialValue <= 1 << 17 else {
    result.differences.append("\(name): there is no such range")
    return
  }
  let bytes = try source.read(at: start, count: Int(end - start))
  guard bytes.count == Int(end - start) else {
    result.differences.append("\(name): the file ends before")
    return
  }
  if bytes.withUnsafeBytes({ ByteHash.checksum($0) }) != expected {
    result.differences.append("\(name): the bytes are not those of the report")
  }
}

extension JSONValue {
  fileprivate subscript(_ name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  fileprivate var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}
