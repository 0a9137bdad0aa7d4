import StoreDigests
import StoreModels
import StoreDataModel
import StoreJSON
import StoreText

/// `storedoctor.pins/2`, or `storedoctor.pins/3` where a version is pinned in part; the schema of both is
/// `docs/schemas/pins.json`.
extension ModelPins: JSONRepresentable {
  /// The whole document.
  package var json: JSONValue {
    .object([
      ("schema", .string(form)), ("tool", .object(["version": .string(toolVersion)])),
      ("versions", .array(versions.map(\.json))),
    ])
  }
}

extension ModelPins.Version: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("checksum", .optional(checksum.map(base64))),
      ("entities", .object(entities.mapValues(\.json))),
      (
        "unknown",
        unknown.isEmpty
          ? nil
          : .array(
            unknown.map { .object([("entity", .optional($0.entity)), ("reason", .string($0.reason))]) })
      ),
    ])
  }
}

extension ModelPins.Entity: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("hash", .string(hash.description)), ("entity", text.entity.isEmpty ? nil : .string(text.entity)),
      ("properties", .object(text.properties.mapValues { .string($0.text) })),
    ])
  }
}

/// `storedoctor.pin-check/1`; its schema is `docs/schemas/pin-check.json`.
extension PinCheck: JSONRepresentable {
  /// The whole document.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.pin-check/1")), ("tool", .object(["version": .string(toolVersion)])),
      ("path", .string(path)), ("kept", .strings(kept)), ("missing", .strings(missing)),
      ("unpinned", .strings(unpinned)), ("moved", .array(moved.map(\.json))),
      ("undecided", undecided.isEmpty ? nil : .array(undecided.map(\.json))),
      ("conditions", conditions.isEmpty ? nil : .array(conditions.map(\.json))),
      ("unpinnedParts", unpinnedParts.isEmpty ? nil : .array(unpinnedParts.map(\.json))),
    ])
  }
}

extension PinCheck.Undecided: JSONRepresentable {
  var json: JSONValue { .object([("name", .string(name)), ("reasons", .strings(reasons))]) }
}

extension PinCheck.Moved: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("name", .string(name)),
      (
        "changes",
        .array(
          changes.map {
            .object([
              ("entity", .string($0.entity)), ("property", .optional($0.property)), ("before", .optional($0.before)),
              ("now", .optional($0.now)),
            ])
          })
      ),
    ])
  }
}
