import StoreDigests
import StoreInspection
import StoreJSON
import StoreText

/// The JSON form of a custody record, `storedoctor.custody/1`; its schema is `docs/schemas/custody.json`.
extension CustodyRecord: JSONRepresentable {
  /// The whole document.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.custody/1")),
      ("tool", .object([("version", .string(toolVersion)), ("program", program.map { .object($0.members) })])),
      ("arguments", .strings(arguments)), ("note", .optional(note)),
      ("started", .string(timestamp(nanoseconds: started))), ("ended", .string(timestamp(nanoseconds: ended))),
      ("exitStatus", .integer(Int64(status))), ("files", .array(files.map(\.json))),
      ("outputs", .array(outputs.map(\.json))), ("gaps", .nonEmpty(gaps)),
    ])
  }
}

extension CustodyRecord.Content {
  fileprivate var members: [(String, JSONValue?)] {
    [
      ("bytes", .integer(bytes)), ("md5", .string(hexadecimal(digests.md5))),
      ("sha1", .string(hexadecimal(digests.sha1))), ("sha256", .string(hexadecimal(digests.sha256))),
    ]
  }
}

extension CustodyRecord.State {
  fileprivate var json: JSONValue {
    .object(
      content.members + [
        ("modified", .string(timestamp(nanoseconds: modified))), ("changed", .string(timestamp(nanoseconds: changed))),
        ("accessed", .string(timestamp(nanoseconds: accessed))),
      ])
  }
}

extension CustodyRecord.File {
  fileprivate var json: JSONValue {
    .object([
      ("path", .string(path)), ("pathBytes", .optional(pathBytes.map(base64))), ("role", .string(role.rawValue)),
      ("before", before?.json), ("after", after?.json), ("unchanged", .bool(isUnchanged)),
      ("problem", .optional(problem)),
    ])
  }
}

extension CustodyRecord.Output {
  fileprivate var json: JSONValue {
    .object(
      [
        ("path", .optional(path)), ("pathBytes", .optional(pathBytes.map(base64))),
        ("standardOutput", .whenTrue(path == nil)),
      ] + content.members)
  }
}
