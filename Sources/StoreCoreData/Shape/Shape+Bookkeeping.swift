extension Shape {
  /// The tables without which Core Data does not open a store.
  private static let bookkeeping = ["Z_METADATA", "Z_PRIMARYKEY"]

  /// Those of the two that are missing.
  package var lostTables: [String] { Self.bookkeeping.filter { tables[$0] == nil } }

  /// Whether these are the tables of a store. One of the two that keep its books may be lost: the other, and what Core Data
  /// alone makes, tell that it was one.
  var isOfStore: Bool {
    let lost = lostTables
    guard lost.count == 1 else { return lost.isEmpty }
    let isKept =
      lost == ["Z_METADATA"]
      ? has(["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"], in: "Z_PRIMARYKEY") : has(["Z_UUID", "Z_PLIST"], in: "Z_METADATA")
    return isKept && (tables["Z_MODELCACHE"] != nil || tables.values.contains { $0.has("Z_PK") && $0.has("Z_OPT") })
  }

  private func has(_ columns: [String], in table: String) -> Bool {
    tables[table].map { table in columns.allSatisfy { table.has($0) } } ?? false
  }
}
