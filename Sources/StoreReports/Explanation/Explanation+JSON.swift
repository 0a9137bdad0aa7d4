import StoreDigests
import StoreDiagnosis
import StoreExplanation
import StoreJSON

/// The JSON form of an explanation, `storedoctor.explanation/2`; its schema is `docs/schemas/explanation.json`.
extension Explanation: JSONRepresentable {
  /// The whole document.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.explanation/2")),
      ("tool", .object(["version": .string(toolVersion)])),
      ("checks", .array(checks.map(\.json))), ("choices", choices.isEmpty ? nil : .array(choices.map(\.json))),
      ("errors", .array(errors.map(\.json))),
      ("unknownErrors", .array(unknown.map(\.json))), ("log", log?.json), ("store", store?.store.json),
      ("inStore", store.map { .array($0.statements.map(\.json)) }),
      ("suggestedChecks", .strings(suggestedChecks)),
      ("claims", claims.isEmpty ? nil : .array(claims.map(\.json))),
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
      ("hashes", .object(hashes.mapValues(\.json))),
      ("destinationHashes", destinationHashes.isEmpty ? nil : .object(destinationHashes.mapValues(\.json))),
      ("schemaNames", .strings(schemaNames)), ("relationships", .nonEmpty(relationships)),
      ("statements", statements.isEmpty ? nil : .array(statements.map(\.json))),
      ("leadsToDeletion", .bool(leadsToDeletion)), ("isCutOff", .bool(isCutOff)),
      ("joinedLines", .integer(Int64(joinedLines))),
    ])
  }
}

extension KnownReason: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("words", .string(words)), ("meaning", .string(meaning)), ("checks", .strings(checks)),
      ("leadsToDeletion", .bool(leadsToDeletion)), ("basis", .string(basis.rawValue)),
    ])
  }
}

extension LoggedStatement: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("kind", .string(kind.rawValue)), ("tables", .strings(tables)), ("columns", .strings(columns.map(\.text))),
      ("key", .optional(key?.text)), ("line", .integer(Int64(line))), ("count", .integer(Int64(count))),
    ])
  }
}

extension LogFacts.Place: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("entity", .string(entity)), ("property", .optional(property)), ("brokenEntity", .optional(brokenEntity)),
    ])
  }
}

extension LogFacts.PartialHash: JSONRepresentable {
  var json: JSONValue {
    .object([("first", .string(hexadecimal(first))), ("last", last.isEmpty ? nil : .string(hexadecimal(last)))])
  }
}

extension LogInStore.Statement: JSONRepresentable {
  var json: JSONValue {
    .object([("subject", .string(subject)), ("holds", holds.map(JSONValue.bool)), ("words", .string(words))])
  }
}
