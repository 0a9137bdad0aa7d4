import StoreCoreData
import StoreJSON

extension StoreCommit: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("number", .integer(Int64(number))), ("frames", .integer(Int64(frames))), ("pages", .integer(Int64(pages))),
      ("databasePages", .integer(databasePages)), ("readable", .bool(refusal == nil)), ("why", .optional(refusal)),
      ("changes", changes?.json),
    ])
  }
}

extension StoreCommit.Changes: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("schema", .bool(changesSchema)), ("entities", .array(entities.map(\.json))),
      ("tables", .array(tables.map(\.json))),
      ("firstTransaction", .optional(times.map { timestamp($0.lowerBound) })),
      ("lastTransaction", .optional(times.map { timestamp($0.upperBound) })),
      ("unknownTables", .nonEmpty(unknownTables)),
      ("unplacedPages", .optional(unplacedPages == 0 ? nil : Int64(unplacedPages))),
    ])
  }
}

extension StoreCommit.RowChange: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("number", .optional(entity?.number)), ("table", .string(table)),
      ("added", .integer(Int64(added))), ("changed", .integer(Int64(changed))), ("removed", .integer(Int64(removed))),
    ])
  }
}
