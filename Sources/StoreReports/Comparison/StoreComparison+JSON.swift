import StoreCoreData
import StoreJSON
import StoreRows

extension ObjectChange {
  /// The change as a line of JSON Lines, or an element of `changes`.
  package var json: JSONValue {
    .object([
      ("kind", .string(kind.rawValue)), ("entity", .string(entity)), ("keyBefore", .optional(keyBefore)),
      ("keyAfter", .optional(keyAfter)), ("title", .optional(title)),
      (
        "values",
        values.isEmpty
          ? nil
          : .array(
            values.map { value in
              .object([
                ("property", .string(value.property)), ("before", value.before), ("after", value.after),
                ("orderOnly", .whenTrue(value.isOrderOnly)),
              ])
            })
      ),
    ])
  }
}

extension StoreComparison {
  /// A summary of a comparison, without the objects: members of `storedoctor.comparison/1`.
  package var summary: [(String, JSONValue?)] {
    [
      ("schema", .string("storedoctor.comparison/1")), ("tool", .object(["version": .string(toolVersion)])),
      ("before", before.json), ("after", after.json), ("equal", .optional(isEqual)),
      ("keysGivenAnew", .optional(keysGivenAnew)),
      ("entities", .array(entities.map(\.json))), ("onlyBefore", list(onlyBefore)), ("onlyAfter", list(onlyAfter)),
      (
        "notCompared",
        .array(notCompared.map { .object(["entity": .string($0.entity), "reason": .string($0.reason)]) })
      ),
    ]
  }

  private func list(_ entities: [(entity: String, objects: Int64)]) -> JSONValue {
    .array(entities.map { .object(["entity": .string($0.entity), "objects": .integer($0.objects)]) })
  }
}

extension EntityComparison: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("nameBefore", .optional(nameBefore)), ("pairedBy", .string(pairedBy)),
      ("before", .integer(before)), ("after", .integer(after)), ("removed", .integer(removed)),
      ("added", .integer(added)), ("changed", .integer(changed)), ("moved", .integer(moved)),
      ("changedValues", .object(changedValues.mapValues { .integer($0) })),
      ("dropped", .array(dropped.map(\.json))), ("new", .array(new.map(\.json))),
      (
        "renamed", .array(renamed.map { .object(["before": .string($0.before), "after": .string($0.after)]) })
      ),
    ])
  }
}

extension EntityComparison.PropertyFate: JSONRepresentable {
  var json: JSONValue {
    .object([("name", .string(name)), ("values", .integer(values)), ("constant", constant)])
  }
}
