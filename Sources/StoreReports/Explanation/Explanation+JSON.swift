import StoreDigests
import StoreDiagnosis
import StoreExplanation
import StoreJSON

/// The JSON form of an explanation, `storedoctor.explanation/1`; its schema is `docs/schemas/explanation.json`.
extension Explanation: JSONRepresentable {
  /// The whole document.
  public var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.explanation/1")),
      ("tool", .object(["version": .string(toolVersion)])),
      ("checks", .array(checks.map(\.json))), ("errors", .array(errors.map(\.json))),
      ("unknownErrors", .array(unknown.map(\.json))), ("log", log?.json), ("store", store?.json),
      ("suggestedChecks", .strings(suggestedChecks)),
    ])
  }
}

extension CheckWords: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("id", .string(id)), ("name", .string(name)), ("severity", .string(severity.rawValue)),
      ("summary", .string(summary)), ("text", .string(text)),
    ])
  }
}

extension KnownError: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("domain", .string(domain.rawValue)), ("code", .integer(Int64(code))), ("symbol", .optional(symbol)),
      ("cause", .string(cause)), ("inFile", .optional(inFile)), ("checks", .strings(checks)),
      ("basis", .string(basis.rawValue)),
    ])
  }
}

extension LogFacts.Code: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("domain", .string(domain.rawValue)), ("code", .integer(Int64(number))), ("line", .integer(Int64(line))),
    ])
  }
}

extension LogFacts: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("codes", .array(codes.map(\.json))), ("reasons", .array(reasons.map(\.json))),
      ("places", .array(places.map(\.json))), ("objects", .strings(objects.map(\.text))),
      ("hashes", .object(hashes.mapValues(\.json))), ("schemaNames", .strings(schemaNames)),
      ("leadsToDeletion", .bool(leadsToDeletion)), ("isCutOff", .bool(isCutOff)),
    ])
  }
}

extension KnownReason: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("words", .string(words)), ("meaning", .string(meaning)), ("checks", .strings(checks)),
      ("leadsToDeletion", .bool(leadsToDeletion)),
    ])
  }
}

extension LogFacts.Place: JSONRepresentable {
  var json: JSONValue { .object([("entity", .string(entity)), ("property", .optional(property))]) }
}

extension LogFacts.PartialHash: JSONRepresentable {
  var json: JSONValue {
    .object([("first", .string(hexadecimal(first))), ("last", last.isEmpty ? nil : .string(hexadecimal(last)))])
  }
}

extension LogInStore: JSONRepresentable {
  var json: JSONValue { .object([("path", .string(path)), ("statements", .array(statements.map(\.json)))]) }
}

extension LogInStore.Statement: JSONRepresentable {
  var json: JSONValue {
    .object([("subject", .string(subject)), ("holds", holds.map(JSONValue.bool)), ("words", .string(words))])
  }
}
