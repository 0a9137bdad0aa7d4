import StoreDigests
import StoreModels
import StoreDataModel
import StoreJSON
import StoreText

/// `storedoctor.model-hashes/2`; its schema is `docs/schemas/model-hashes.json`.
extension HashListing: JSONRepresentable {
  /// The whole document.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.model-hashes/2")), ("tool", .object(["version": .string(toolVersion)])),
      ("path", .string(path)), ("format", .string(format)), ("currentVersion", .optional(currentVersionName)),
      ("versions", .array(versions.map { $0.json(of: entities) })),
      ("equalVersions", .array(equalVersions.map(JSONValue.strings))),
      ("sameSchemas", sameSchemas.isEmpty ? nil : .array(sameSchemas.map(JSONValue.strings))),
    ])
  }
}

extension HashListing.Version {
  fileprivate func json(of entities: [String]) -> JSONValue {
    let shown = Set(entities)
    let own = hashes.byEntity.filter { shown.contains($0.key) }
    let unproven = unproven.filter { shown.contains($0.key) }
    return .object([
      ("name", .string(name)), ("identifiers", .strings(identifiers)), ("hashes", VersionHashes(own).json),
      ("checksum", .optional(doubts.isEmpty ? base64(hashes.checksum) : nil)),
      ("digest", .optional(doubts.isEmpty ? base64(hashes.digest) : nil)),
      (
        "doubts",
        doubts.isEmpty
          ? nil
          : .array(doubts.map { .object([("entity", .optional($0.entity)), ("message", .string($0.message))]) })
      ),
      ("faults", .nonEmpty(faults)),
      ("unproven", unproven.isEmpty ? nil : .object(unproven.mapValues { .strings($0.map(\.rawValue)) })),
      ("recordedDifferently", recordedDifferently.map(JSONValue.strings)),
      ("recordedChecksumEqual", .optional(recordedChecksumEqual)),
      ("assumed", .nonEmpty(assumed)),
      ("systems", systems.isEmpty ? nil : .array(systems.map { $0.json(of: shown) })),
    ])
  }
}

extension HashListing.System {
  fileprivate func json(of entities: Set<String>) -> JSONValue {
    .object([
      ("systems", .string(frameworks.systems)), ("fromFramework", .optional(frameworks.from.map(Int64.init))),
      ("belowFramework", .optional(frameworks.below.map(Int64.init))), ("certain", .bool(isCertain)),
      ("hashes", VersionHashes(hashes.byEntity.filter { entities.contains($0.key) }).json),
      ("checksum", .optional(whole.map { base64($0.checksum) })),
      ("digest", .optional(whole.map { base64($0.digest) })),
      ("remedy", .optional(remedy)),
    ])
  }
}
