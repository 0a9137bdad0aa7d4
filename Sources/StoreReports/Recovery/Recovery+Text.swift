import StoreRecovery
import StoreSQLite
import StoreWords

extension Recovery {
  /// A table for people: a row each, with what is known of it and where its bytes are.
  package func text(width: Int, isStyled: Bool, isSummary: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    let parts = verdictLine.split(separator: ",", maxSplits: 1)
    page.line(page.styled(String(parts.first ?? ""), as: .strong) + parts.dropFirst().map { "," + $0 }.joined())
    if let database { page.paragraph(database.words, style: .faint) }
    page.paragraph("freed space: " + freedSpace.words, style: .faint)
    if !summary.isEmpty {
      page.section("Summary")
      let names = summaryColumns
      page.line(Self.columns(["entity"] + names))
      for table in summary
      where isSummary || table.ever != table.live || table.earlierVersions + table.undecided + table.neverCommitted > 0
      {
        page.line(Self.columns([escapedForTerminal(table.name)] + names.map { table.cell($0) }))
      }
      page.paragraph(summaryWords, style: .faint)
    }
    if !isSummary {
      for (name, rows) in byEntity {
        page.section(escapedForTerminal(name))
        for run in RecoveredRun.runs(rows) { run.write(to: &page) }
      }
    }
    let others = models.filter { $0.isCurrent != true }
    if !others.isEmpty {
      page.section("Earlier versions of the model")
      writeModels(others, to: &page)
    }
    if !droppedTables.isEmpty {
      page.section("Dropped tables")
      page.paragraph(droppedTables.map(escapedForTerminal).joined(separator: ", "))
    }
    if !notes.isEmpty { page.section("Notes") }
    for note in notes { page.paragraph(escapedForTerminal(note)) }
    return page.text
  }

  /// "2 deleted, 1 earlier version, 1 proved, 2 shown".
  ///
  /// Keys that only a gap shows are no objects that were found, and neither is a row of which it is not known whether its
  /// object is gone: neither is among those called deleted.
  var verdictLine: String {
    func count(_ isCounted: (RecoveredRow) -> Bool) -> Int64 { Int64(rows.count(where: isCounted)) }
    let deleted = count { $0.kind == .deleted && $0.grade != .implied }
    let undecided = count { $0.kind == .undecided }
    let neverCommitted = count { $0.kind == .neverCommitted }
    let unreachable = count { $0.kind == .unreachable }
    let parts: [String?] = [
      "\(grouped(deleted)) deleted", counted(count { $0.kind == .earlierVersion }, "earlier version"),
      undecided == 0 ? nil : "\(grouped(undecided)) undecided (deleted, or earlier versions)",
      neverCommitted == 0 ? nil : "\(grouped(neverCommitted)) never committed",
      unreachable == 0 ? nil : "\(grouped(unreachable)) unreachable",
    ]
    return (parts.compactMap(\.self) + grades).joined(separator: ", ")
      + (reading?.sound == .no ? "; a table is damaged, so counts are bounds" : "")
  }

  /// The rows by entity, or table where it is not known.
  var byEntity: [(name: String, rows: [RecoveredRow])] {
    Dictionary(grouping: rows) { $0.entity ?? $0.table ?? "unknown table" }
      .map { (name: $0.key, rows: $0.value) }.sorted { $0.name < $1.name }
  }

  private var grades: [String] {
    RecoveredRow.Grade.allCases.reversed().compactMap { grade in
      let count = rows.count { $0.grade == grade }
      return count > 0 ? "\(grouped(Int64(count))) \(grade.rawValue)" : nil
    }
  }

  private static func columns(_ cells: [String]) -> String {
    let first = cells.first ?? ""
    let width = 78 - 9 * (cells.count - 1)
    let name = "  " + first + String(repeating: " ", count: max(1, width - 2 - first.displayWidth))
    return name + cells.dropFirst().map { String(repeating: " ", count: max(1, 9 - $0.count)) + $0 }.joined()
  }
}

extension Recovery {
  /// The columns of the summary behind the name; those of rare kinds where there are such rows.
  var summaryColumns: [String] {
    ["ever", "live", "proved", "shown", "implied", "versions"]
      + (summary.contains { $0.undecided > 0 } ? ["open"] : [])
      + (summary.contains { $0.neverCommitted > 0 } ? ["never"] : [])
  }

  /// What the columns mean, as far as names do not say it.
  var summaryWords: String {
    "ever: keys handed out (Z_MAX)."
      + (summary.contains { $0.undecided > 0 }
        ? " open: rows without a key, each of one of the implied keys or a version of a row that is there." : "")
      + (summary.contains { $0.neverCommitted > 0 }
        ? " never: rows of a transaction that was never finished, so that they were never in the database." : "")
  }
}

extension Recovery.TableSummary {
  /// The text of a column.
  func cell(_ column: String) -> String {
    switch column {
    case "ever": ever.map(String.init) ?? "?"
    case "live": String(live)
    case "proved": String(proved)
    case "shown": String(shown)
    case "implied": String(implied)
    case "versions": String(earlierVersions)
    case "open": String(undecided)
    default: String(neverCommitted)
    }
  }
}

extension RecoveredRun {
  fileprivate func write(to page: inout Page) {
    page.paragraph(
      "\(keyWords): \(row.kind.rawValue), \(row.grade.rawValue)" + (row.places.first.map { ", " + $0.words } ?? ""),
      first: "  ")
    row.writeDetails(to: &page)
  }
}

extension RecoveredRow {
  fileprivate func writeDetails(to page: inout Page) {
    if let keySource { page.paragraph(keySource.words, indent: 4) }
    if let readWith { page.paragraph(escapedForTerminal(readWithWords(readWith)), indent: 4) }
    if let when = bracket.words { page.paragraph(when, indent: 4) }
    for witness in witnesses { page.paragraph(escapedForTerminal(witness.words), indent: 4) }
    let shown = values.filter { !$0.value.isNull }
    if !shown.isEmpty {
      page.paragraph(shown.map { "\(escapedForTerminal($0.name)) = \($0.short)" }.joined(separator: ", "), indent: 4)
    }
    if !missing.isEmpty, !places.isEmpty {
      page.paragraph("missing: " + missing.map(escapedForTerminal).joined(separator: ", "), indent: 4)
    }
  }
}

extension RecoveredRow.Value {
  /// The value in a line; long ones are cut, since JSON has them whole.
  fileprivate var short: String {
    let words = escapedForTerminal(words(upTo: isText ? 60 : 16))
    return isText ? "\"\(words)\"" : words
  }
}
