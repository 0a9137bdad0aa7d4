import StoreFindings
import StoreDiagnosis
import StoreMigration
import StoreDataModel
import StoreJSON

extension ModelVerdict: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("path", .string(path)), ("version", .string(version)), ("deciding", .bool(isDeciding)),
      ("nearest", isNearest ? .bool(true) : nil), ("verdict", .string(verdict.rawValue)),
      ("basis", .string(basis.rawValue)),
      (
        "opening",
        .object(OpeningWay.allCases.map { way in (way.rawValue, openings[way]?.json) })
      ),
      ("readings", .nonEmpty(readings)), ("faults", .nonEmpty(faults)),
      ("changes", .array(changes.map(\.json))), ("unknown", unknown.isEmpty ? nil : .array(unknown.map(\.json))),
      ("blocking", .nonEmpty(blocking)), ("atRisk", .nonEmpty(atRisk)),
      ("unanswered", unanswered.isEmpty ? nil : .array(unanswered.map(\.json))),
      ("losses", losses.isEmpty || !leavesRows ? nil : .array(losses.map(\.json))),
      (
        "likelyRenames",
        likelyRenames.isEmpty ? nil : .array(likelyRenames.map { $0.json(inSwift: isSwiftSource) })
      ),
      ("hops", hops.isEmpty ? nil : .array(hops.map(\.json))), ("recipe", .optional(recipe.recipe)),
    ])
  }
}

extension MigrationOutcome.JudgedChange: JSONRepresentable {
  var json: JSONValue { change.json(change.words, effect: effect) }
}

extension JSONValue {
  fileprivate static func nonEmpty(_ rules: [MigrationOutcome.JudgedRule]) -> JSONValue? {
    rules.isEmpty ? nil : .array(rules.map(\.json))
  }
}

extension MigrationOutcome.JudgedLoss: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("kind", .string(loss.kind.rawValue)), ("entity", .string(loss.entity)), ("property", .optional(loss.property)),
      ("rows", .optional(rows)),
    ])
  }
}

extension OpeningVerdict: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("verdict", .string(verdict.rawValue)), ("code", .optional(failure?.code.map(Int64.init))),
      ("reason", .optional(failure?.reason)), ("basis", .string(basis.rawValue)),
      ("losing", isLosing ? .bool(true) : nil),
      ("steps", steps.isEmpty ? nil : .array(steps.map { .object(["from": .string($0.from), "to": .string($0.to)]) })),
      ("mappings", mappings.isEmpty ? nil : .array(mappings.map(\.json))),
    ])
  }
}

extension MigrationOutcome.JudgedRule: JSONRepresentable {
  /// The rule, and the rows that violate it.
  var json: JSONValue {
    .object([
      ("condition", rule.json), ("entity", .optional(change?.place.entity)),
      ("property", .optional(change?.place.property)), ("rows", .array(violations.map(\.json))),
    ])
  }
}

extension RowViolation: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("entity", .string(entity)), ("count", .integer(count)), ("keys", .array(keys.map(JSONValue.integer))),
      ("groups", .optional(groups)),
    ])
  }
}

extension ModelVerdict.Hop: JSONRepresentable {
  var json: JSONValue {
    .object([("from", .string(from)), ("to", .string(to)), ("opening", verdict.json)])
  }
}
