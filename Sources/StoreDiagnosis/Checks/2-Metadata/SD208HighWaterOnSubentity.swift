import StoreCoreData
import StoreFindings
import StoreScanning

extension Check {
  static let highWaterOnSubentity = Check(
    .highWaterOnSubentity, "high-water-on-subentity", .note,
    summary: "Z_MAX of an entity that inherits from another is not 0.",
    explanation: """
      ## What it looks for
      Only the root of an inheritance has `Z_MAX` in `Z_PRIMARYKEY`; the entities that inherit from it have 0, because
      all share one sequence of keys.

      ## Why it matters
      Core Data does not write it. Something else has written to the store.

      ## Example
      `ArtistDocument` inherits from `Document`, and has -1.

      ## What can be done
      The repair `structure: [high-water]` sets it to 0. It is safe.
      """
  ) { check, scan in
    {
      scan.store.entityMap.rows.compactMap { row in
        guard row.parent != nil, let highWater = row.highWater, highWater != 0 else { return nil }
        return check.finding(
          row.name, table: "Z_PRIMARYKEY", message: "Z_MAX is \(highWater), and only a root entity has one",
          remedies: [.init("structure: [high-water]", isSafe: true)])
      }
    }
  }
}
