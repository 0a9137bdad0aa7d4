import StoreSQLite
import StoreWords
import StoreFindings
import StoreScanning
import StoreCoreData

extension Check {
  package static let lostWALSuspected = Check(
    .lostWALSuspected, "lost-wal-suspected", .warning, traits: [.sideFiles],
    summary: "The store looks as if its write-ahead log had been left behind, or the log is damaged.",
    explanation: """
      ## What it looks for
      A store in WAL mode without a `-wal` file, where a `-shm` file is there all the same, or a root entity's `Z_MAX` is
      lower than a key in use. And a log whose header is damaged, or with transactions behind a damaged
      frame. An app that closes its store takes both files away; Core Data raises `Z_MAX` in the same
      transaction that adds the row.

      ## Why it matters
      What was saved last is in the log that is missing, or in the part of it that SQLite passes over without a word, and
      SQLite says the main file is ok.

      ## Example
      `Test-Cloud-13.1` came without a log, and its `Z_MAX` is 130 with a row 132.

      ## What can be done
      Look for the `-wal` where the store came from, before anything is repaired. It is only a suspicion: the `-shm` can
      be left over, a tool can have added rows without raising `Z_MAX`, and frames behind a damaged one can be older than it.
      Keep a damaged log as it is: `storedoctor repair` changes no store in place that has one.
      """
  ) { check, scan in
    {
      let store = scan.store
      if let damage = store.wal?.damage {
        var finding = check.finding(count: 1, message: "part of the write-ahead log may be lost: \(damage)")
        finding.basis = .assumed
        return [finding]
      }
      guard store.header.isWAL, store.files.wal == nil else { return [] }
      let low = try lowHighWater(scan)
      let signs = [
        store.files.sharedMemory == nil ? nil : "its -shm is there without it",
        low.isEmpty ? nil : "Z_MAX is behind the rows of \(low.map(quoted).joined(separator: ", "))",
      ].compactMap(\.self)
      guard !signs.isEmpty else { return [] }
      var finding = check.finding(
        count: 1, message: "the write-ahead log may have been left behind: \(signs.joined(separator: ", and "))")
      finding.basis = .assumed
      return [finding]
    }
  }
}

/// Root entities whose `Z_MAX` is too low. Not if it is 0: then another tool probably inserted the rows.
private func lowHighWater(_ scan: Scan) throws -> [String] {
  try scan.store.layout.entities.filter { entity in
    guard entity.tableExists, !entity.id.isInternal, scan.store.entityMap.root(of: entity.id) == entity.id,
      let highWater = scan.store.entityMap[entity.id]?.highWater, highWater > 0
    else { return false }
    return try scan.highestKey(entity.table).map { $0 > highWater } ?? false
  }.map(\.name)
}
