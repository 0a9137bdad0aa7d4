import StoreSQLite
import StoreDiagnosis
import StoreFindings
import StoreJSON
import StoreText

/// The JSON form of a diagnosis, `storedoctor.diagnosis/2`; its schema is `docs/schemas/diagnosis.json`.
extension Diagnosis: JSONRepresentable {
  /// The whole document.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.diagnosis/2")),
      ("tool", .object(["version": .string(toolVersion)])),
      ("store", store.json), ("verdict", .string(verdict.rawValue)),
      ("models", models.isEmpty ? nil : .array(models.map(\.json))), ("findings", .array(findings.map(\.json))),
      ("skipped", .array(skipped.map(\.json))), ("config", config?.json), ("scope", scope?.json),
      ("savable", savable?.json),
    ])
  }
}

extension Diagnosis.ConfigurationUse: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("path", .string(path.description)), ("pathBytes", path.isText ? nil : .string(base64(path.bytes))),
      ("muted", .array(muted.map(\.json))),
      ("severities", severities.isEmpty ? nil : .array(severities.map(\.json))),
    ])
  }
}

extension Diagnosis.ConfigurationUse.Muted: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("check", .string(mute.check)), ("entity", .optional(mute.entity)), ("property", .optional(mute.property)),
      ("reason", .string(mute.reason)), ("findings", .integer(Int64(findings.count))),
    ])
  }
}

extension Diagnosis.ConfigurationUse.MovedSeverity: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("check", .string(check)), ("severity", .string(severity.rawValue)), ("findings", .integer(Int64(findings))),
    ])
  }
}

extension Diagnosis.Scope: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("entities", .strings(entities)),
      (
        "leftOut",
        .object(
          Severity.allCases.map { severity in
            (severity.rawValue, .integer(Int64(leftOut.count { $0.severity == severity })))
          })
      ),
    ])
  }
}

extension SkippedCheck: JSONRepresentable {
  var json: JSONValue { .object(["check": .string(check), "reason": .string(reason)]) }
}

extension Finding: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("id", .string(id)), ("name", .string(name)), ("severity", .string(severity.rawValue)),
      ("entity", .optional(entity)), ("table", .optional(table)), ("property", .optional(property)),
      ("count", .integer(count)), ("entities", entities.isEmpty ? nil : .object(entities.mapValues(JSONValue.integer))),
      ("examples", .array(examples.map(\.json))), ("message", .string(message)),
      ("blocks", .array(blocks.map { .integer(Int64($0)) })), ("remedies", .array(remedies.map(\.json))),
      ("basis", .string(basis.rawValue)), ("fingerprint", .string(fingerprint)),
      ("show", .optional(rowsCommand(of: "STORE"))),
    ])
  }
}

extension Finding.Example: JSONRepresentable {
  var json: JSONValue {
    var members = facts.mapValues(\.json)
    if let primaryKey { members["primaryKey"] = .integer(primaryKey) }
    return .object(members)
  }
}

extension Finding.Fact: JSONRepresentable {
  var json: JSONValue {
    switch self {
    case .number(let number): .integer(number)
    case .text(let text): .string(text)
    }
  }
}

extension Finding.Remedy: JSONRepresentable {
  var json: JSONValue { .object(["recipe": .string(recipe), "safe": .bool(isSafe)]) }
}
