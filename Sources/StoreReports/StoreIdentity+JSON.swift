import StoreCoreData
import StoreJSON
import StoreText

/// `store` as it is in every JSON, and in every schema of `docs/schemas/`.
extension StoreIdentity: JSONRepresentable {
  var json: JSONValue { .object(members) }

  /// Members that a command adds have the same shape.
  var members: [(String, JSONValue?)] {
    [
      ("path", .string(path)), ("pathBytes", .optional(pathBytes.map(base64))), ("uuid", .optional(uuid)),
      ("frameworkVersion", .optional(frameworkVersion)), ("versionIdentifiers", .strings(versionIdentifiers)),
      ("modelSource", .string(modelSource)), ("digest", .optional(digest)), ("checksum", .optional(checksum)),
      ("asOf", asOf.map { .object(["commit": .integer(Int64($0.commit)), "commits": .integer(Int64($0.commits))]) }),
      ("reading", reading.json),
    ]
  }
}
