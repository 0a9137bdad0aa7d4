import StoreRecovery
import StoreSQLite
import StoreWords

extension Recovery {
  /// A table for people: a row each, with what is known of it and where its bytes are.
  package func text(width: Int, isStyled: Bool, isSummary: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    let deleted = rows.count { $0.kind == .deleted }
    page.line(
      page.styled("\(deleted) deleted", .strong) + ", \(rows.count - deleted) earlier versions"
        + grades.map { ", \($0)" }.joined())
    if !summary.isEmpty {
      page.section("Summary")
      page.line(Self.columns(["entity", "ever", "live", "proved", "shown", "implied", "versions"]))
      for table in summary where isSummary || table.ever != table.live || table.earlierVersions > 0 {
        page.line(Self.columns(table.cells))
      }
      page.paragraph(
        "ever: keys handed out (Z_MAX). A shown row without a key is one of the implied keys as well.", style: .faint)
    }
    if !isSummary {
      for (name, rows) in Dictionary(grouping: rows, by: { $0.entity ?? $0.table ?? "unknown table" })
        .sorted(by: { $0.key < $1.key })
      {
        page.section(escapedForTerminal(name))
        for row in rows { row.write(to: &page) }
      }
    }
    if !droppedTables.isEmpty {
      page.section("Dropped tables")
      page.paragraph(droppedTables.map(escapedForTerminal).joined(separator: ", "))
    }
    if !notes.isEmpty { page.section("Notes") }
    for note in notes { page.paragraph(escapedForTerminal(note)) }
    return page.text
  }

  private var grades: [String] {
    RecoveredRow.Grade.allCases.reversed().compactMap { grade in
      let count = rows.count { $0.grade == grade }
      return count > 0 ? "\(count) \(grade.rawValue)" : nil
    }
  }

  private static func columns(_ cells: [String]) -> String {
    let first = cells.first ?? ""
    let name = "  " + first + String(repeating: " ", count: max(1, 26 - first.displayWidth))
    return name + cells.dropFirst().map { String(repeating: " ", count: max(1, 9 - $0.count)) + $0 }.joined()
  }
}

extension Recovery.TableSummary {
  fileprivate var cells: [String] {
    [
      escapedForTerminal(name), ever.map(String.init) ?? "?", String(live), String(proved), String(shown),
      String(implied), String(earlierVersions),
    ]
  }
}

extension RecoveredRow {
  fileprivate func write(to page: inout Page) {
    let head = "\(key.map(String.init) ?? "key unknown"): \(kind.rawValue), \(grade.rawValue)"
    let place = places.first.map { place in
      ", \(place.file) page \(place.page)\(place.frame.map { " frame \($0)" } ?? "") bytes \(place.start)-\(place.end) (\(place.method))"
    }
    page.paragraph(head + (place ?? ""), first: "  ")
    for witness in witnesses {
      page.paragraph(
        "\(witness.shows.rawValue): \(witness.what)\(witness.time.map { ", " + timestamp($0) } ?? "")", indent: 4)
    }
    let shown = values.filter { !$0.value.isNull }
    if !shown.isEmpty {
      page.paragraph(
        shown.map { "\(escapedForTerminal($0.name)) = \($0.value.short)" }.joined(separator: ", "), indent: 4)
    }
    if !missing.isEmpty, !places.isEmpty {
      page.paragraph("missing: " + missing.map(escapedForTerminal).joined(separator: ", "), indent: 4)
    }
  }
}

extension SQLiteValue {
  /// The value in a line; long ones are cut, since JSON has them whole.
  fileprivate var short: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number): "\(number)"
    case .text(let bytes):
      "\"" + escapedForTerminal(String(String(decoding: bytes, as: UTF8.self).prefix(60)))
        + (bytes.count > 60 ? "…\"" : "\"")
    case .blob(let bytes): "\(bytes.count) bytes" + (bytes.count <= 16 ? " " + hexadecimal(bytes) : "")
    }
  }
}
