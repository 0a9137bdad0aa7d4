import StoreJSON
import StoreMigrator
import StoreRows
import StoreWords

extension PerformedMigration {
  /// The migration for scripts; its JSON Schema is `docs/schemas/migration.json`. Values of rows are not in it.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.migration/1")), ("tool", .object(["version": .string(toolVersion)])),
      ("source", .string(store)), ("reading", reading.json), ("output", .optional(output)),
      ("verdict", .string(verdict.verdict.rawValue)),
      ("model", .object(["path": .string(verdict.path), "version": .string(verdict.version)])),
      ("hops", .array(hops.map(\.json))), ("assumed", .strings(assumptions)),
      (
        "losses",
        .array(
          verdict.losses.map { judged in
            .object([
              ("entity", .string(judged.loss.entity)), ("property", .optional(judged.loss.property)),
              ("kind", .string(judged.loss.kind.rawValue)), ("objects", .optional(judged.rows)),
            ])
          })
      ),
      ("kept", .optional(kept)), ("lost", .optional(lost)), ("log", log?.json),
      (
        "stageSwift",
        stageCode.map { .object(["path": .string($0.path), "notWritten": .strings($0.omissions)]) }
      ),
      ("entities", comparison.map { .array($0.entities.map(\.json)) }),
    ])
  }
}

extension DebugLogComparison {
  fileprivate var json: JSONValue {
    .object([
      ("planned", .integer(Int64(planned))), ("logged", .integer(Int64(logged))), ("equal", .bool(isEqual)),
      (
        "differences",
        .array(
          differences.map { difference in
            .object([
              ("in", .string(difference.isInLog ? "log" : "plan")), ("position", .integer(Int64(difference.position))),
              ("sql", .string(difference.sql)),
            ])
          })
      ),
    ])
  }
}

extension PerformedMigration.Hop {
  var json: JSONValue {
    .object([
      ("from", .optional(from)), ("to", .string(to)), ("mapping", mapping.map(JSONValue.string)),
      ("remarks", plan.remarks.isEmpty ? nil : .strings(plan.remarks)),
      (
        "tables",
        .object([
          ("altered", .integer(Int64(plan.tables.altered))), ("remade", .integer(Int64(plan.tables.remade))),
          ("made", .integer(Int64(plan.tables.made))), ("dropped", .integer(Int64(plan.tables.dropped))),
        ])
      ),
      ("willMigrate", willMigrate.isEmpty ? nil : .strings(willMigrate)),
      ("didMigrate", didMigrate.isEmpty ? nil : .strings(didMigrate)),
      ("lossyOperations", lossyOperations.isEmpty ? nil : .strings(lossyOperations)),
      ("schemaChanges", .integer(Int64(plan.schemaChanges))),
      ("indexesLeftOut", .strings(plan.indexesLeftOut)),
      (
        "statements",
        .array(
          plan.statements.map {
            .object(["purpose": .string($0.purpose.rawValue), "sql": .string($0.sql)])
          })
      ),
    ])
  }
}
