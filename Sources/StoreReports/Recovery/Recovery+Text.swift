import StoreRecovery
import StoreSQLite
import StoreWords

extension Recovery {
  /// A table for people: a row each, with what is known of it and where its bytes are.
  package func text(width: Int, isStyled: Bool, isSummary: Bool) -> String {
    var text = ""
    writeText(width: width, isStyled: isStyled, isSummary: isSummary) { text += $0 }
    return text
  }

  /// The same in pieces, since there may be millions of rows.
  package func writeText(
    width: Int, isStyled: Bool, isSummary: Bool, to put: (String) throws -> Void
  ) rethrows {
    var page = Page(width: width, isStyled: isStyled)
    let verdict = verdictParts
    page.line(page.styled(verdict.first ?? "", as: .strong))
    page.paragraph(verdict.dropFirst().joined(separator: "; "))
    if let caseName { page.paragraph("case: " + escapedForTerminal(caseName), style: .faint) }
    if let examiner { page.paragraph("examiner: " + escapedForTerminal(examiner), style: .faint) }
    if let reading { page.write(reading) }
    if let database { page.paragraph(database.words, style: .faint) }
    page.paragraph("freed space: " + freedSpace.words, style: .faint)
    let names = summaryColumns
    let lines = summary.filter { isSummary || $0.isWorthALine }.map { table in
      [escapedForTerminal(table.name)] + names.map { table.cell($0) }
    }
    if !lines.isEmpty {
      page.section("Summary")
      // A long name takes room of its own, so that columns stay below each other.
      let longest = lines.compactMap { $0.first?.displayWidth }.max() ?? 0
      let all = [["entity"] + names] + lines
      let widths = names.indices.map { column in
        max(Self.narrowest, 1 + (all.map { $0[column + 1].count }.max() ?? 0))
      }
      let width = max(78 - widths.reduce(0, +), min(longest, Self.longestName) + 2)
      for cells in all { page.line(Self.columns(cells, width: width, widths)) }
      page.paragraph(summaryWords, style: .faint)
    }
    if !isSummary {
      let comparison = VersionComparison(self)
      for (name, objects) in byEntity {
        page.section(escapedForTerminal(name))
        for run in RecoveredRun.runs(objects, rows: rows) {
          write(run, to: &page, comparing: comparison)
          if let piece = page.takeLongText() { try put(piece) }
        }
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
    let said = Set(reading?.clauses ?? [])
    let notes = notes.filter { !said.contains($0) }
    if !notes.isEmpty { page.section("Notes") }
    for note in notes { page.paragraph(escapedForTerminal(note)) }
    try put(page.text)
  }

  /// Columns that a name in the summary takes at most.
  private static let longestName = 40

  /// Columns that a number takes at least, the space before it included.
  private static let narrowest = 9

  private static func columns(_ cells: [String], width: Int, _ widths: [Int]) -> String {
    let first = cells.first ?? ""
    let name = "  " + first + String(repeating: " ", count: max(1, width - 2 - first.displayWidth))
    return name
      + zip(cells.dropFirst(), widths).map { String(repeating: " ", count: max(1, $1 - $0.count)) + $0 }.joined()
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
    "ever: keys handed out (Z_MAX)\(summary.contains { $0.name == $0.table } ? "; links have none" : "")."
      + (summary.contains { $0.undecided > 0 }
        ? " open: rows without a key, each of one of the implied keys or a version of a row that is there." : "")
      + (summary.contains { $0.neverCommitted > 0 }
        ? " never: rows of a transaction that was never finished, so that they were never in the database." : "")
  }
}

extension Recovery.TableSummary {
  /// Whether there is anything but objects that are there, with all keys that were handed out in use.
  var isWorthALine: Bool { ever != live || earlierVersions + undecided + neverCommitted > 0 }

  /// The text of a column.
  func cell(_ column: String) -> String {
    switch column {
    // Links have no keys.
    case "ever": ever.map { grouped($0) } ?? (name == table ? "-" : "?")
    case "live": grouped(live)
    case "proved": grouped(Int64(proved))
    case "shown": grouped(Int64(shown))
    case "implied": grouped(implied)
    case "versions": grouped(Int64(earlierVersions))
    case "open": grouped(Int64(undecided))
    default: grouped(Int64(neverCommitted))
    }
  }
}

extension Recovery {
  /// One object: where only one row of it was found, in the line of its title.
  private func write(_ run: RecoveredRun, to page: inout Page, comparing comparison: VersionComparison) {
    let object = run.object
    guard let last = object.rows.last else { return }
    if object.rows.count == 1 {
      let row = rows[last]
      page.paragraph(
        "\(run.keyWords(rows)): \(row.kind.rawValue), \(row.grade.rawValue)"
          + (row.places.first.map { ", " + $0.words } ?? "") + run.numberWords, first: "  ")
      return comparison.forEachVersion(of: object) { row, changes in
        rows[row].writeDetails(to: &page, changes: changes, indent: 4, rows)
      }
    }
    page.paragraph(
      "\(run.keyWords(rows)): \(object.fateWords), \(counted(Int64(object.rows.count), "version")) found"
        + run.numberWords,
      first: "  ")
    comparison.forEachVersion(of: object) { index, changes in
      let row = rows[index]
      let saves = row.saves.map { "Z_OPT \($0), " } ?? ""
      page.paragraph(
        "\(row.citation.text): \(row.kind.rawValue), \(row.grade.rawValue), \(saves)"
          + (row.places.first?.words ?? "nothing is left of it"),
        first: "    ")
      row.writeDetails(to: &page, changes: changes, indent: 6, rows)
    }
  }
}

extension RecoveredRow {
  fileprivate func writeDetails(
    to page: inout Page, changes: VersionChanges?, indent: Int, _ rows: [RecoveredRow]
  ) {
    if let keySource { page.paragraph(keySource.words, indent: indent) }
    if let readWith { page.paragraph(escapedForTerminal(readWithWords(readWith)), indent: indent) }
    if let when = whenWords { page.paragraph(when, indent: indent) }
    for witness in witnesses { page.paragraph(escapedForTerminal(witness.words), indent: indent) }
    if let changes {
      page.paragraph(changes.title(rows) + ":", indent: indent)
      for change in changes.changes {
        page.paragraph(
          "\(escapedForTerminal(change.before.name)) = \(change.before.short), then "
            + (change.after?.short ?? "not known"), indent: indent + 2)
      }
    }
    let (values, missing) = content
    if changes == nil {
      let shown = values.filter { !$0.value.isNull }
      if !shown.isEmpty {
        let words = shown.map { "\(escapedForTerminal($0.name)) = \($0.short)" }
        page.paragraph(words.joined(separator: ", "), indent: indent)
      }
    }
    if !missing.isEmpty, !places.isEmpty {
      page.paragraph("missing: " + missing.map(escapedForTerminal).joined(separator: ", "), indent: indent)
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
