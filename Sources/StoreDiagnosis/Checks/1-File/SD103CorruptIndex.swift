import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let corruptIndex = Check(
    .corruptIndex, "corrupt-index", .error, traits: [.pages],
    summary: "An index cannot be read, or disagrees with its table.",
    explanation: """
      ## What it looks for
      What SQLite's `integrity_check` says of indexes: entries that are missing or too many, equal entries in an index
      that refuses them, and damaged pages. `--no-integrity` leaves the comparison with the table out.

      ## Why it matters
      A fetch that goes through the index misses objects or finds ones that are gone, and a unique index no longer
      refuses duplicates. The rows themselves are in the table and are not lost.

      ## Example
      `ZNOTE_ZFOLDER_INDEX` lacks the entry of row 3: the folder shows one note fewer than it has.

      ## What can be done
      The repair `structure: [reindex]` makes the index again from its table. It is safe. An index whose own pages are
      damaged cannot be replaced where it is: `sqlite3 STORE .dump | sqlite3 NEW` writes a new store from the tables.
      """
  ) { check, scan in
    {
      try scan.integrity().trees.filter(\.isIndex).map { tree in
        let damage =
          tree.pages.isEmpty ? nil : "\(counted(tree.pages.count, "page")) of index \(tree.name) cannot be read"
        let entries =
          tree.wrongEntries == 0
          ? nil : "SQLite finds \(counted(tree.wrongEntries, "disagreement")) of index \(tree.name) with its table"
        return check.finding(
          scan.map.entity(ofTable: tree.table)?.name, table: tree.table,
          count: Int64(tree.pages.count + tree.wrongEntries),
          examples: tree.pages.prefix(scan.exampleLimit).map { .init(nil, ["page": .number($0)]) },
          message: [damage, entries].compactMap(\.self).joined(separator: "; "), blocks: [259, 11],
          remedies: tree.pages.isEmpty ? [.init("structure: [reindex]", isSafe: true)] : [])
      }
    }
  }
}
