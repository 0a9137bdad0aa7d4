import StoreMigration
import StoreModels
import StoreDataModel
import StoreJSON

/// The JSON form of a difference, `storedoctor.model-diff/1`; its schema is `docs/schemas/model-diff.json`.
extension ModelDiffReport: JSONRepresentable {
  /// The whole document.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.model-diff/1")), ("tool", .object(["version": .string(toolVersion)])),
      ("source", source.json), ("destination", destination.json),
      ("hashesEqual", isUndecided && hashedCount == 0 ? nil : .bool(inference.difference.hashesAreEqual)),
      ("changesEnteringHash", .integer(Int64(hashedCount))), ("lightweight", lightweight),
      ("mapping", mapping?.json),
      ("changes", .array(shown.map { $0.change.json(words(of: $0.change), effect: $0.effect) })),
      ("likelyRenames", .array(inference.difference.likelyRenames.map { $0.json(inSwift: destination.isSwiftSource) })),
      ("formsLeftOut", formCount == 0 || showsForms ? nil : .integer(Int64(formCount))),
      ("unproven", .nonEmpty(unproven.map(\.rawValue))),
      ("doubtful", doubtful.isEmpty ? nil : .array(doubtful.map(\.json))),
    ])
  }

  /// The changes that enter the hash.
  var changesEnteringHash: [JSONValue] {
    shown.filter(\.change.entersHash).map { $0.change.json(words(of: $0.change), effect: $0.effect) }
  }

  /// The result of a lightweight migration; nil where none is needed.
  private var lightweight: JSONValue? {
    guard !inference.difference.hashesAreEqual || isUndecided else { return nil }
    let passes = isInferable != false
    return .object([
      ("inferable", isInferable.map(JSONValue.bool)), ("basis", .string(grade.basis.rawValue)),
      ("conditions", .array(passes ? inference.blockingRules.map(\.json) : [])),
      ("losses", .array(passes ? inference.losses.map(\.json) : [])),
    ])
  }
}

extension ModelComparison.Doubtful: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("entity", .string(entity)), ("changed", .bool(isChanged)), ("undecided", isUndecided ? .bool(true) : nil),
      ("reasons", .strings(messages)),
    ])
  }
}

extension ModelDiffReport.Side: JSONRepresentable {
  var json: JSONValue { .object([("path", .string(path)), ("version", .optional(version))]) }
}

extension ModelChange {
  func json(_ words: ChangeWords, effect: Effect) -> JSONValue {
    .object([
      ("sourceEntity", .optional(place.sourceEntity)), ("sourceProperty", .optional(place.sourceProperty)),
      ("destinationEntity", .optional(place.destinationEntity)),
      ("destinationProperty", .optional(place.destinationProperty)), ("kind", .string(words.kind)),
      ("from", .optional(words.from)), ("to", .optional(words.to)), ("names", words.names.map(JSONValue.strings)),
      ("entersHash", .bool(entersHash)), ("formOnly", isOfForm ? .bool(true) : nil), ("migration", effect.json),
    ])
  }
}

extension Effect: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("inference", .string(name)), ("code", .optional(failure?.code.map(Int64.init))),
      ("reason", .optional(failure?.reason)), ("basis", .string(basis.rawValue)), ("grade", .string(grade.rawValue)),
      ("rows", .string(afterwards)), ("conditions", rules.isEmpty ? nil : .array(rules.map(\.json))),
    ])
  }

  private var name: String {
    switch inference {
    case .notNeeded: "notNeeded"
    case .possible: "possible"
    case .impossible: "impossible"
    case .unknown: "unknown"
    }
  }

  private var failure: Failure? { if case .impossible(let failure) = inference { failure } else { nil } }
}

extension RowRule: JSONRepresentable {
  var json: JSONValue {
    let (entities, properties) = condition.subject
    return .object([
      ("kind", .string(condition.kind)), ("entities", .strings(entities)), ("properties", .nonEmpty(properties)),
      ("consequence", .string(name)), ("code", .optional(code)), ("reason", .optional(reason)),
      ("basisWhenMet", .string(gradeWhenMet.basis.rawValue)),
      ("basisWhenViolated", .string(gradeWhenViolated.basis.rawValue)), ("message", .string(words)),
    ])
  }

  /// The consequence as a word.
  var name: String {
    switch consequence {
    case .blocks: "blocks"
    case .atRisk: "atRisk"
    case .loses: "loses"
    }
  }

  /// The error code of the failing migration, or of the next save of such an object.
  var code: Int64? {
    switch consequence {
    case .blocks(let failure): failure.code.map(Int64.init)
    case .atRisk(let code): code.map(Int64.init)
    case .loses: nil
    }
  }

  private var reason: String? { if case .blocks(let failure) = consequence { failure.reason } else { nil } }
}

extension Loss: JSONRepresentable {
  var json: JSONValue {
    .object([("kind", .string(kind.rawValue)), ("entity", .string(entity)), ("property", .optional(property))])
  }
}

extension LikelyRename {
  func json(inSwift isSwift: Bool) -> JSONValue {
    .object([
      ("sourceEntity", .optional(place.sourceEntity)), ("sourceProperty", .optional(place.sourceProperty)),
      ("destinationEntity", .optional(place.destinationEntity)),
      ("destinationProperty", .optional(place.destinationProperty)),
      ("renamingIdentifier", .string(renamingIdentifier)), ("reason", .string(reason.rawValue)),
      ("explanation", .string(words(inSwift: isSwift))),
    ])
  }
}
