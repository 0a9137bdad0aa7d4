import Foundation
import StoreSQLite

/// The answer key of one database of the SQLite Forensic Corpus: every row, and whether it was deleted.
///
/// Read by hand and not by an XML parser, since some files have characters that XML forbids.
struct CorpusAnswers {
  /// One row.
  struct Row {
    var table: String
    var values: [String]
    var isDeleted: Bool
  }

  var rows: [Row] = []

  init(_ xml: String) {
    for element in xml.components(separatedBy: "<element>").dropFirst() {
      let name = Self.between(element, "<name>", "</name>") ?? ""
      let isDropped = Self.between(element, "<deleted>", "</deleted>") == "True"
      let parts = element.components(separatedBy: "<row")
      for part in parts.dropFirst() where part.hasPrefix(">") || part.hasPrefix(" ") {
        let isDeleted = part.prefix { $0 != ">" }.contains("deleted=\"1\"")
        let body = part.components(separatedBy: "</row>").first ?? ""
        let values = body.components(separatedBy: "<column>").dropFirst().map { column in
          Self.unescaped(Self.between(column, "<content>", "</content>") ?? "")
        }
        rows.append(Row(table: name, values: values, isDeleted: isDeleted || isDropped))
      }
    }
  }

  private static func between(_ text: String, _ open: String, _ close: String) -> String? {
    guard let start = text.range(of: open), let end = text.range(of: close, range: start.upperBound..<text.endIndex)
    else { return nil }
    return String(text[start.upperBound..<end.lowerBound])
  }

  private static func unescaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
      .replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&apos;", with: "'")
      .replacingOccurrences(of: "&amp;", with: "&")
  }

  /// The bytes that all values of a row take in one piece, as SQLite stores them: nil where they cannot be told.
  static func bodies(_ row: Row) -> [[UInt8]] {
    var bodies: [[UInt8]] = [[]]
    for value in row.values {
      let forms = forms(of: value)
      bodies = bodies.flatMap { body in forms.map { body + $0 } }
      if bodies.count > 256 { bodies = Array(bodies.prefix(256)) }
    }
    return bodies
  }

  private static func forms(of value: String) -> [[UInt8]] {
    var forms = [Array(value.utf8)]
    if let number = Int64(value) { forms.insert(integer(number), at: 0) }
    if let number = Double(value) {
      if let whole = Int64(exactly: number), Int64(value) == nil { forms.insert(integer(whole), at: 0) }
      forms.insert((0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (56 - 8 * UInt64($0))) }, at: 0)
    }
    return forms
  }

  private static func integer(_ number: Int64) -> [UInt8] {
    if number == 0 || number == 1 { return [] }
    for size in [1, 2, 3, 4, 6] where number >= -(1 << (8 * size - 1)) && number < 1 << (8 * size - 1) {
      return (0..<size).map { UInt8(truncatingIfNeeded: number >> Int64(8 * (size - 1 - $0))) }
    }
    return (0..<8).map { UInt8(truncatingIfNeeded: number >> Int64(56 - 8 * $0)) }
  }

  /// Whether values are those of a row, numbers compared as numbers.
  static func isEqual(_ found: [SQLiteValue], _ expected: [String]) -> Bool {
    guard found.count == expected.count else { return false }
    return zip(found, expected).allSatisfy { value, text in
      switch value {
      case .null: text.isEmpty || text == "NULL"
      case .integer(let number): Int64(text) == number || Double(text) == Double(number)
      case .real(let number): Double(text).map { abs($0 - number) <= abs(number) * 1e-12 } ?? false
      case .text(let bytes): String(decoding: bytes, as: UTF8.self) == text
      case .blob(let bytes):
        String(decoding: bytes, as: UTF8.self) == text
          || bytes.map { String(format: "%02X", $0) }.joined() == text.uppercased()
      }
    }
  }
}
