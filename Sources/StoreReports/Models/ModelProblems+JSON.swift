import StoreJSON
import StoreModels

/// `storedoctor.model-check/1`; its schema is `docs/schemas/model-check.json`.
extension ModelProblems: JSONRepresentable {
  /// The whole document.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.model-check/1")), ("tool", .object(["version": .string(toolVersion)])),
      ("path", .string(path)), ("versions", .array(versions.map(\.json))),
    ])
  }
}

extension ModelProblems.Version: JSONRepresentable {
  var json: JSONValue { .object([("name", .string(name)), ("problems", .array(problems.map(\.json)))]) }
}

extension ModelProblems.Problem: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("kind", .string(kind.rawValue)), ("severity", .string(kind.severity.rawValue)),
      ("compilerWarns", .bool(kind.isOfCompiler)), ("entity", .optional(entity)), ("property", .optional(property)),
      ("message", .string(message)), ("places", places.isEmpty ? nil : .array(places.map(\.json))),
    ])
  }
}

extension ModelProblems.Place: JSONRepresentable {
  var json: JSONValue {
    .object([("entity", .string(entity)), ("property", .string(property)), ("name", .optional(name))])
  }
}
