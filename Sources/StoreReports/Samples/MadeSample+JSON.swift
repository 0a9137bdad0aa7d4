import StoreJSON
import StoreSamples

extension MadeSample {
  /// The sample for scripts; its JSON Schema is `docs/schemas/sample.json`.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.sample/1")), ("tool", .object(["version": .string(toolVersion)])),
      ("output", .string(output)),
      ("model", .object(["path": .string(modelPath), "version": .string(version)])),
      ("kind", .string(options.kind.rawValue)), ("like", .optional(options.like?.path)),
      ("rows", .optional(options.rows.map { Int64($0) })),
      // As text: readers of JSON lose digits of large numbers.
      ("seed", .string(String(options.seed))), ("objects", .integer(Int64(objects))), ("links", .integer(Int64(links))),
      (
        "entities",
        .array(
          entities.map { .object([("name", .string($0.name)), ("objects", .integer(Int64($0.objects)))]) })
      ),
      (
        "notKept",
        .array(
          findings.map { finding in
            .object([
              ("id", .string(finding.id)), ("entity", .optional(finding.entity)),
              ("property", .optional(finding.property)), ("count", .integer(finding.count)),
              ("message", .string(finding.message)),
            ])
          })
      ),
      ("limits", .strings(limits)),
    ])
  }
}
