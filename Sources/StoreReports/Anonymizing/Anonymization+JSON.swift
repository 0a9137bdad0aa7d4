import StoreAnonymizing
import StoreJSON

extension Anonymization {
  /// The copy for scripts; its JSON Schema is `docs/schemas/anonymization.json`.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.anonymization/1")), ("tool", .object(["version": .string(toolVersion)])),
      ("store", .string(store)), ("output", .string(output)), ("sizes", .string(sizes.rawValue)),
      ("sample", sample?.json),
      ("rows", .integer(rows)),
      ("externalFiles", .integer(Int64(externalFiles))), ("caution", .string(caution)), ("notes", .strings(notes)),
      (
        "attributes",
        .array(
          attributes.map { attribute in
            .object([
              ("name", .string(attribute.name)), ("decision", .string(attribute.decision.rawValue)),
              ("why", .string(attribute.why)), ("values", .integer(attribute.values)),
              ("distinct", .optional(attribute.distinct.map { Int64($0) })),
            ])
          })
      ),
      (
        "proof",
        .object([
          (
            "findings",
            .object([
              ("same", .integer(Int64(proof.findings))), ("notCompared", .strings(proof.notCompared)),
            ])
          ),
          (
            "verdicts",
            .array(
              proof.verdicts.map { verdict in
                .object([
                  ("version", .string(verdict.version)), ("verdict", .string(verdict.verdict)),
                  ("ofStore", .optional(verdict.ofStore)),
                ])
              })
          ),
          (
            "values",
            .object([
              ("kept", .integer(proof.keptValues)), ("replaced", .integer(proof.replacedValues)),
              ("lengths", .string(sizes == .rough ? "classes" : "same")),
              ("otherLengths", .integer(proof.otherLengths)), ("keptLengths", .optional(proof.keptLengths)),
            ])
          ),
          (
            "search",
            .object([
              ("runs", .integer(proof.runs)), ("bytes", .integer(proof.searchedBytes)), ("found", .integer(0)),
              ("ofKeptValues", .integer(Int64(proof.runsOfKeptValues))),
              ("acrossValues", .integer(Int64(proof.runsAcrossValues))),
              ("inNumbers", .integer(Int64(proof.runsInNumbers))),
            ])
          ),
        ])
      ),
    ])
  }
}

extension Anonymization.Sample {
  fileprivate var json: JSONValue {
    .object([
      ("limit", .integer(Int64(limit))),
      (
        "entities",
        .array(
          entities.map { entity in
            .object([
              ("name", .string(entity.name)), ("objects", .integer(entity.objects)), ("of", .integer(entity.of)),
            ])
          })
      ), ("cutLinks", .integer(cutLinks)), ("leftOutRows", .integer(leftOutRows)),
      ("missingFindings", .strings(missing)),
    ])
  }
}
