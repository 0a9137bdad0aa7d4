import StoreDataModel
import StoreDiagnosis
import StoreFindings
import StoreJSON
import StoreText

/// The model that a repaired store is to open with: the deciding version of those given with `--model`.
///
/// Whether the store opens stands in the plan's conditions, as ``RepairPlan/Condition/opening``.
package struct RepairAim: Sendable, Equatable {
  /// The path of the model, as it was given.
  package var path: String
  /// The version's name.
  package var version: String
  /// The checksum of its hashes.
  package var checksum: [UInt8]
  /// Values filled in although the recipe does not say so: defaults of the model.
  package var defaults: [Recipe.Backfill]
}

extension RepairAim {
  /// The aim that a verdict on the unrepaired store gives.
  ///
  /// - Parameter isPossible: whether a store has what an item names.
  init(_ verdict: ModelVerdict, isPossible: (Recipe.Backfill) -> Bool) {
    path = verdict.path
    version = verdict.version
    checksum = verdict.checksum
    defaults = verdict.defaults.compactMap(Recipe.Backfill.init).filter(isPossible)
  }

  /// A recipe of the defaults alone. It is followed after the user's own, which may fill the NULLs with something better:
  /// merging duplicates takes a twin's value.
  var recipe: Recipe {
    var recipe = Recipe()
    recipe.backfill = defaults
    return recipe
  }

  /// As plans and outcomes show it.
  package var json: JSONValue {
    .object([
      ("path", .string(path)), ("version", .string(version)), ("checksum", .string(base64(checksum))),
      ("defaults", defaults.isEmpty ? nil : .array(defaults.map(\.json))),
    ])
  }
}

extension Recipe.Backfill {
  /// The item that fills NULLs with a model's default; nil if a recipe cannot hold the value.
  init?(_ given: ModelDefault) {
    guard let text = given.value.recipeText else { return nil }
    self.init(entity: given.entity, attribute: given.attribute, sources: [.value(Recipe.Constant(text))])
  }
}

extension DefaultValue {
  /// The value as a recipe spells it; nil for one that a recipe cannot hold, or not to the last digit.
  fileprivate var recipeText: String? {
    switch self {
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .real(let value): value.isFinite ? String(value) : nil
    case .string(let value), .uri(let value), .decimal(let value): value
    case .date(let seconds):
      DateText.text(secondsSince2001: seconds, fraction: .milliseconds).flatMap {
        DateReading.seconds($0) == seconds ? $0 : nil
      }
    case .uuid(let bytes): bytes.count == 16 ? UUIDText.text(bytes) : nil
    case .data(let bytes): base64(bytes)
    case .object, .unreadable: nil
    }
  }
}

extension RepairPlan {
  /// Whether the store, when the plan has been carried out, opens with the model or is migrated to it.
  public var opensWithItsModel: Bool { refusals.isEmpty && after.opening?.verdict.isError == false }
}

extension RepairPlan.Condition {
  /// The condition without its verdict, for a plan that is refused.
  var withoutOpening: Self {
    var condition = self
    condition.opening = nil
    return condition
  }
}

extension ModelVerdict {
  /// As a condition in a plan or an outcome holds it.
  var conditionJSON: JSONValue {
    .object([
      ("verdict", .string(verdict.rawValue)), ("way", .string(way.rawValue)),
      ("code", .optional(failure?.code.map(Int64.init))), ("basis", .string(basis.rawValue)),
      ("losing", .whenTrue(openings[way]?.isLosing == true)),
      (
        "ways",
        .object(
          OpeningWay.allCases.map { way in (way.rawValue, openings[way].map { .string($0.verdict.rawValue) }) })
      ),
      ("decisions", decisions.isEmpty ? nil : .array(decisions.map(\.json))),
    ])
  }
}

extension RowDecision {
  var json: JSONValue {
    .object([
      ("entity", .optional(entity)), ("property", .optional(property)), ("stops", .bool(stops)),
      ("count", .integer(count)), ("keys", keys.isEmpty ? nil : .array(keys.map(JSONValue.integer))),
      ("message", .string(message)), ("code", .optional(code.map(Int64.init))),
      ("choices", .array(choices.map(\.json))), ("elsewhere", .optional(elsewhere)),
    ])
  }
}

extension RowDecision.Choice {
  fileprivate var json: JSONValue {
    .object([("options", .strings(options)), ("caution", .optional(caution))])
  }
}
