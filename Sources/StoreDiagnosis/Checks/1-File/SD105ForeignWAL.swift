import StoreFindings
import StoreScanning
import StoreCoreData

extension Check {
  static let foreignWAL = Check(
    .foreignWAL, "foreign-wal", .error, traits: [.sideFiles],
    summary: "The write-ahead log beside the store belongs to another, or may.",
    explanation: """
      ## What it looks for
      Whether the `-wal` file is this store's: page size, size after its last commit, store identifier, schema and
      change counter in its pages. It is an error where the log cannot be this store's, and a warning where something
      speaks against it. Salts and checksums cannot tell, since the main file holds none.

      ## Why it matters
      The next app that opens the store merges the log into it, for good: rows of another store, or of the same store at
      another time, with `integrity_check` saying ok.

      ## Example
      The log names the store `8E43…` and the main file is the store `5DA5…`: it was renamed, or copied to the wrong
      place. Then everything is read from the main file alone.

      ## What can be done
      Find the log that belongs to the store, or take it away before the app opens it. `storedoctor repair` asks for
      `--without-wal` or `--accept-wal`.
      """
  ) { check, scan in
    {
      guard let wal = scan.store.wal, wal.committedFrames > 0, wal.hasDoubt || wal.belongsToStore == .no else {
        return []
      }
      let isForeign = wal.belongsToStore == .no
      let why = wal.reasons.first ?? "nothing in it names the store"
      var finding = check.finding(
        count: Int64(wal.committedFrames),
        message: isForeign
          ? "the write-ahead log does not belong to this store, and was not read: \(why)"
          : "the write-ahead log may not belong to this store\(wal.isRead ? "" : ", and was not read"): "
            + wal.reasons.joined(separator: "; "),
        blocks: isForeign ? [11] : [])
      if !isForeign { finding.severity = .warning }
      return [finding]
    }
  }
}
