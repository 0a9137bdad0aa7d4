import StoreSQLite
import StoreFindings
import StoreScanning
import StoreText
import StoreWords
import StoreCoreData

extension Check {
  static let corruptPage = Check(
    .corruptPage, "corrupt-page", .error, traits: [.damage, .pages],
    summary: "Pages of the file cannot be read as what they should be.",
    explanation: """
      ## What it looks for
      SQLite's `integrity_check` (with `--no-integrity` its `quick_check`), and pages that a file is too short to have.
      Each damaged page is tied to its table, and rows are counted by an index of the table that is still whole.

      ## Why it matters
      The app gets "database disk image is malformed" (SQLite code 11, Cocoa error 259) as soon as it touches the page,
      on opening or weeks later. Rows on the page are lost, and all rows below a damaged inner page.

      ## Example
      Page 227 of `ZNOTE` is all zeros: an index still counts 60,000 rows, and 59,938 can be read.

      ## What can be done
      Copy the store with its `-wal` first; do not open it with the app again. `storedoctor salvage STORE --output NEW`
      writes a new store with all rows that can be read, those on pages to which nothing leads any more too, and says what
      is lost by key. `storedoctor repair` takes no row for missing that may be on a damaged page, mends no page, and
      refuses a store that it cannot copy. Nothing can bring back what was on the page but an older copy.
      """
  ) { check, scan in
    { try damagedTables(check, in: scan) + shortFile(check, in: scan) + otherComplaints(check, in: scan) }
  }
}

private func damagedTables(_ check: Check, in scan: Scan) throws -> [Finding] {
  let report = try scan.integrity()
  return report.trees.filter { !$0.isIndex && !$0.pages.isEmpty }.map { tree in
    if tree.name == IntegrityReport.DamagedTree.schema { return damagedSchema(check, report, tree, scan) }
    let pages = counted(tree.pages.count, "page")
    let cannot = "\(pages) of \(tree.name) cannot be read"
    let rows =
      tree.lostRows.map { lost in
        "; an index still counts \(counted(tree.entriesByIndex ?? 0, "row")), of which about \(lost) cannot be read"
      } ?? "; how many rows were there cannot be told, \(tree.readableEntries) can be read"
    return check.finding(
      scan.map.entity(ofTable: tree.name)?.name, table: tree.name, count: Int64(tree.pages.count),
      examples: tree.pages.prefix(scan.exampleLimit).map { .init(nil, ["page": .number($0)]) },
      message: cannot + rows, blocks: [259, 11])
  }
}

/// Damage in the table of the schema, whose rows could be read or this would be no store.
private func damagedSchema(
  _ check: Check, _ report: IntegrityReport, _ tree: IntegrityReport.DamagedTree, _ scan: Scan
) -> Finding {
  let words = report.complaints.first { $0.contains("age 1:") || $0.contains("age 1 ") || $0.hasSuffix("age 1") }
  return check.finding(
    table: tree.name, count: Int64(tree.pages.count),
    examples: tree.pages.prefix(scan.exampleLimit).map { .init(nil, ["page": .number($0)]) },
    message: "the schema's own table is damaged: SQLite says \"\(words ?? report.complaints.first ?? "corrupt")\"",
    blocks: [259, 11])
}

/// A file that is shorter than its header says.
private func shortFile(_ check: Check, in scan: Scan) -> [Finding] {
  guard let truncation = scan.store.truncation else { return [] }
  let missing = (truncation.expected - truncation.actual) / Int64(max(scan.store.header.pageSize, 1))
  return [
    check.finding(
      table: scan.store.files.main.name, count: max(missing, 1),
      message: "the file has \(truncation.actual) of the \(truncation.expected) bytes its header asks for",
      blocks: [259, 11])
  ]
}

/// SQLite's complaints about the whole file: free pages and pointers that are not needed to read rows.
private func otherComplaints(_ check: Check, in scan: Scan) throws -> [Finding] {
  let report = try scan.integrity()
  if report.isCutOff {
    scan.skip("SQLite stopped at \(report.complaints.count) complaints about the file: there may be more")
  }
  if let problem = report.problem {
    scan.skip("damaged pages cannot be tied to tables: \(problem)")
    // Even if it cannot be located, it is damage.
    guard report.trees.isEmpty || report.otherComplaints > 0 else { return [] }
    return [check.finding(count: Int64(report.complaints.count), message: complaint(report), blocks: [259, 11])]
  }
  guard report.otherComplaints > 0 else { return [] }
  var finding = check.finding(count: Int64(report.otherComplaints), message: complaint(report))
  // If no table is damaged, all rows can be read.
  if report.trees.isEmpty { finding.severity = .warning }
  return [finding]
}

private func complaint(_ report: IntegrityReport) -> String {
  "SQLite says of the file as a whole: \(report.otherComplaint ?? report.complaints.first ?? "it is damaged")"
}
