import StoreSwiftDataSchemas

/// Reads a list of stages: sums of lists, names, calls of functions without parameters, and `#if`s around them.
struct StageListReader {
  let table: NameTable
  /// The stages in order.
  private(set) var stages: [StageDeclaration] = []
  /// Stages that other builds have instead of these.
  private(set) var others: [StageDeclaration] = []
  /// Why the list is incomplete.
  private(set) var problem: String?
  private var remainingParts = 50_000

  private static let maximumDepth = 16

  init(table: NameTable) { self.table = table }

  /// - Parameter name: the variable or function with the value.
  mutating func read(_ value: SourceExpression, named name: String? = nil, in scope: Scope, depth: Int = 0) {
    remainingParts -= 1
    guard depth < Self.maximumDepth, remainingParts > 0 else {
      problem = "stages refers to other lists more than \(Self.maximumDepth) times"
      return
    }
    switch value.kind {
    case .array(let parts), .sum(let parts): for part in parts { read(part, in: scope, depth: depth + 1) }
    case .alternatives(let condition, let values):
      read(values, condition: condition, named: name, in: scope, depth: depth + 1)
    case .call(let callee, let arguments):
      if let stage = StageReader(table: table).stage(value, named: name, in: scope) {
        stages.append(stage)
      } else if arguments.isEmpty, let path = callee.path(expecting: "MigrationStage"),
        let found = ValueLookup(table: table).result(of: path, in: scope)
      {
        read(found.value, named: path.last, in: found.scope, depth: depth + 1)
      } else {
        problem = "'\(text(value, in: scope))' is no stage of two versions"
      }
    default:
      guard let found = ValueLookup(table: table).value(value, in: scope, expecting: "MigrationStage") else {
        problem = "'\(text(value, in: scope))' is no stage and no list of stages"
        return
      }
      read(found.value, named: value.path(expecting: "MigrationStage")?.last, in: found.scope, depth: depth + 1)
    }
  }

  /// If all alternatives migrate alike, no decision is needed; otherwise the first is used and reported as uncertain.
  private mutating func read(
    _ values: [SourceExpression], condition: String, named name: String?, in scope: Scope, depth: Int
  ) {
    var readings: [Self] = []
    for value in values {
      var reading = Self(table: table)
      reading.remainingParts = remainingParts
      reading.read(value, named: name, in: scope, depth: depth)
      remainingParts = reading.remainingParts
      readings.append(reading)
    }
    guard let first = readings.first else { return }
    stages += first.stages
    others += first.others + readings.dropFirst().flatMap { $0.stages + $0.others }
    problem = first.problem ?? problem
    if !readings.allSatisfy(first.migratesLike) { problem = "stages depends on '\(condition)'" }
  }

  private func migratesLike(_ other: Self) -> Bool {
    problem == other.problem && stages.count == other.stages.count
      && zip(stages, other.stages).allSatisfy { own, other in
        own.stage.kind == other.stage.kind && own.stage.fromVersion == other.stage.fromVersion
          && own.stage.toVersion == other.stage.toVersion
      }
  }

  private func text(_ value: SourceExpression, in scope: Scope) -> String {
    TypeListReader(table: table).text(value, in: scope)
  }
}

/// Reads a call that makes a stage.
struct StageReader {
  let table: NameTable

  /// `.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)`
  func stage(_ value: SourceExpression, named name: String?, in scope: Scope) -> StageDeclaration? {
    guard let (callee, arguments) = value.call,
      let kind = callee.memberName.flatMap(SourcePlan.Stage.Kind.init(rawValue:)),
      let from = version(labelled: "fromVersion", among: arguments, in: scope),
      let to = version(labelled: "toVersion", among: arguments, in: scope)
    else { return nil }
    let (will, did) = Self.closures(arguments)
    return StageDeclaration(
      stage: SourcePlan.Stage(
        name: name, place: table.files[scope.file].place(value.span), kind: kind, fromVersion: from.name,
        toVersion: to.name, willMigrate: will != nil, didMigrate: did != nil),
      scope: scope, span: value.span, fromVersion: from.id, toVersion: to.id, willMigrate: will, didMigrate: did)
  }

  private func version(
    labelled label: String, among arguments: [SourceArgument], in scope: Scope
  ) -> (name: String, id: TypeID?)? {
    guard let type = arguments.first(where: { $0.label == label })?.value.selfType else { return nil }
    let id = table.declaredType(type, in: scope)
    return (id.map { table[$0].qualifiedName } ?? type.description, id)
  }

  /// A trailing closure is the first of the two that has no argument.
  private static func closures(
    _ arguments: [SourceArgument]
  ) -> (will: SourceExpression?, did: SourceExpression?) {
    var will = arguments.first { $0.label == "willMigrate" }?.value
    var did = arguments.first { $0.label == "didMigrate" }?.value
    for argument in arguments where argument.label == nil {
      if will == nil { will = argument.value } else if did == nil { did = argument.value }
    }
    return (will.flatMap { $0.isNil ? nil : $0 }, did.flatMap { $0.isNil ? nil : $0 })
  }
}
