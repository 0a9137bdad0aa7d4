import CoreDataStore
import SQLite

extension Check {
  static let highWaterTooLow = Check(
    "SD207", "high-water-too-low", .warning,
    summary: "Z_MAX is lower than the highest key in use.",
    explanation: """
      ## What it looks for
      `Z_MAX` in a root entity's row of `Z_PRIMARYKEY` is the highest key that was handed out. It may be higher than any
      key in use, since objects were deleted, but not lower. History's own tables are held to it too.

      ## Why it matters
      Core Data takes the next key from here: a new object gets the key of one that exists, and the save fails or
      overwrites it. It also hints at a store that was copied without its WAL, or written to by another tool.

      ## Example
      `Z_MAX` of `Artwork` is 0, and `ZARTWORK` has a row 1.

      ## What can be done
      The repair `structure: [high-water]` raises `Z_MAX` to the highest key. It is safe.
      """
  ) { check, scan in
    {
      try scan.store.layout.entities.compactMap { entity in
        guard entity.tableExists, scan.store.entityMap.root(of: entity.id) == entity.id,
          let highest = try highestKey(entity.table, scan)
        else { return nil }
        let highWater = scan.store.entityMap[entity.id]?.highWater
        guard highest > highWater ?? 0 else { return nil }
        return check.finding(
          entity.name, table: entity.table,
          examples: [.init(highest, ["highWater": highWater.map(Finding.Fact.number)])],
          "Z_MAX is \(highWater.map(String.init) ?? "NULL"), and \(entity.table) has a row \(highest)",
          remedies: [.init("structure: [high-water]", isSafe: true)])
      }
    }
  }
}

/// The highest key of a table: the last row of its tree, so no read of the table.
private func highestKey(_ table: String, _ scan: Scan) throws -> Int64? {
  guard scan.store.shape.tables[table]?.has("Z_PK") == true else { return nil }
  do {
    let rows = try scan.store.connection.prepare("SELECT max(Z_PK) FROM \(quotedIdentifier(table))")
    return try rows.step() && !rows.isNull(0) ? rows.int64(0) : nil
  } catch {
    if error.endsReading { throw error }
    scan.skip("table \(quoted(table)) cannot be read: \(error.message)")
    return nil
  }
}
