import StoreJSON
import StoreRecovery
import StoreSQLite

extension Recovery {
  /// The header of the table, its end included.
  package static var csvHeader: String { AuditCSV.row(csvColumns) }

  /// One row as a line of a table, its end included; the first place alone, and values as JSON in one cell.
  package static func csvLine(_ row: RecoveredRow) -> String {
    let place = row.places.first
    let bracket = row.bracket
    var cells: [String?] = [row.entity, row.table, row.key.map { String($0) } ?? "unknown", row.kind.rawValue]
    cells += [row.grade.rawValue, bracket.after.map(momentText), bracket.before.map(momentText)]
    cells += [row.witnesses.map(\.words).joined(separator: "; "), row.missing.joined(separator: "; ")]
    cells += [place?.file, place.map { String($0.page) }, place?.frame.map { String($0) }]
    cells += [place.map { String($0.start) }, place.map { String($0.end) }, place?.method]
    cells += [String(row.places.count + row.furtherCopies)]
    let last = [row.readWith, row.keySource?.rawValue, row.citation.text, row.deletedAt.map(momentText)].map {
      $0.map(AuditCSV.inert) ?? ""
    }
    return AuditCSV.row(cells.map { $0.map(AuditCSV.inert) ?? "" } + [values(of: row)] + last)
  }

  private static let csvColumns = [
    "entity", "table", "key", "kind", "grade", "after", "before", "witnesses", "missing", "file", "page", "frame",
    "start", "end", "method", "places", "values",
    "readWith", "keyFrom", "number", "deletedAt",
  ]

  /// A JSON object begins like no formula, and its text escapes what acts on terminals.
  private static func values(of row: RecoveredRow) -> String {
    guard !row.values.isEmpty else { return "" }
    return String(
      JSONValue.object(
        row.values.map { ($0.name, $0.plainJSON) } as [(String, JSONValue?)]
      ).lineText.dropLast())
  }
}

extension RecoveredRow.Value {
  /// The value by the attribute's type; binary values, and texts that are no UTF-8, in hexadecimal.
  fileprivate var plainJSON: JSONValue {
    switch (value, type) {
    case (.null, _): return .null
    case (.integer(let number), .boolean?) where number == 0 || number == 1: return .bool(number == 1)
    case (.integer, .date?), (.real, .date?): return .string(words(upTo: .max))
    case (.blob(let bytes), .uuid?) where bytes.count == 16: return .string(words(upTo: .max))
    case (.integer(let number), _): return .integer(number)
    case (.real(let number), _): return number.isFinite ? .number(number) : .string("\(number)")
    case (.text(let bytes), _):
      guard let text = String(validating: bytes, as: UTF8.self) else {
        return .object(["textBytes": .string(hexadecimal(bytes))])
      }
      return .string(text)
    case (.blob(let bytes), _): return .object(["blob": .string(hexadecimal(bytes))])
    }
  }
}
