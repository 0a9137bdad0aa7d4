import StoreDiagnosis
import StoreJSON

extension Savable {
  /// The counts of what would be saved.
  var json: JSONValue {
    .object([
      ("saved", .integer(Int64(saved))), ("tables", .array(tables.map(\.json))),
      ("damagedPages", .integer(Int64(damagedPages))),
    ])
  }
}

extension Savable.Table {
  /// The table's rows, as `storedoctor.salvage/1` and `storedoctor.diagnosis/2` have them.
  var json: JSONValue {
    .object([
      ("name", .string(name)),
      (
        "entities",
        .array(
          entities.map { entity in
            .object([("name", .optional(entity.name)), ("saved", .integer(Int64(entity.saved)))])
          })
      ),
      ("doubtful", .integer(Int64(doubtful))), ("torn", .integer(Int64(torn))),
      (
        "lost",
        .array(
          lost.map { keys in
            .object([("first", .integer(keys.lowerBound)), ("last", .integer(keys.upperBound))])
          })
      ),
      ("lostKeys", .optional(lostKeys)),
    ])
  }
}
