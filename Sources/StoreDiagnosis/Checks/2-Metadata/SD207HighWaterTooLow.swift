import StoreFindings
import StoreScanning
import StoreCoreData

extension Check {
  static let highWaterTooLow = Check(
    .highWaterTooLow, "high-water-too-low", .warning, traits: [.standingRule],
    summary: "Z_MAX is lower than the highest key in use, or no number of keys.",
    explanation: """
      ## What it looks for
      `Z_MAX` in a root entity's row of `Z_PRIMARYKEY` is the highest key that was handed out. It may be higher than any
      key in use, since objects were deleted, but not lower. History's own tables are held to it too. Below 0 or above a
      thousand million it is no number of keys that a store handed out.

      ## Why it matters
      Core Data takes the next key from here: a new object gets the key of one that exists, and the save fails or
      overwrites it. It also hints at a store that was copied without its WAL, or written to by another tool.

      ## Example
      `Z_MAX` of `Artwork` is 0, and `ZARTWORK` has a row 1.

      ## What can be done
      The repair `structure: [high-water]` raises `Z_MAX` to the highest key. It is safe. A `Z_MAX` that is far too high is
      damage, or was put there: look at where the store comes from.
      """
  ) { check, scan in
    {
      guard !scan.store.entityMap.isNumberedByModel else { return [] }
      return try scan.store.layout.entities.compactMap { entity in
        guard entity.tableExists, scan.store.entityMap.root(of: entity.id) == entity.id,
          let highest = try scan.highestKey(entity.table)
        else { return nil }
        let highWater = scan.store.entityMap[entity.id]?.highWater
        if let highWater, highWater > EntityMap.Row.mostKeys, highest <= highWater {
          return check.finding(
            entity.name, table: entity.table, examples: [.init(highest, ["highWater": .number(highWater)])],
            message:
              "Z_MAX is \(highWater), which is no number of keys; the highest key of \(entity.table) is \(highest)")
        }
        guard highest > highWater ?? 0 else { return nil }
        return check.finding(
          entity.name, table: entity.table,
          examples: [.init(highest, ["highWater": highWater.map(Finding.Fact.number)])],
          message: "Z_MAX is \(highWater.map(String.init) ?? "NULL"), and \(entity.table) has a row \(highest)",
          remedies: [.init("structure: [high-water]", isSafe: true)])
      }
    }
  }
}
