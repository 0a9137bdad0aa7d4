import SwiftDataSchemas

/// A stage with the syntax it was read from, for whoever looks into its closures.
package struct StageDeclaration: Sendable {
  package var stage: SourcePlan.Stage
  /// The file and type its names are looked up from.
  package var scope: Scope
  package var span: SourceSpan
  package var fromVersion: TypeID?
  package var toVersion: TypeID?
  /// A closure, or a name of a function or variable; nil for none.
  package var willMigrate: SourceExpression?
  package var didMigrate: SourceExpression?
}

/// Reads a `SchemaMigrationPlan`.
struct PlanReader {
  let table: NameTable

  private static let maximumStages = 10_000
  private static let maximumDepth = 16

  func plan(_ id: TypeID) -> (plan: SourcePlan, stages: [StageDeclaration]) {
    let type = table[id]
    var plan = SourcePlan(name: type.qualifiedName, place: table.place(of: id))
    readSchemas(of: id, into: &plan)
    var stages: [StageDeclaration] = []
    readStages(of: id, &stages, into: &plan)
    stages += unlisted(of: id, besides: stages)
    plan.stages = stages.map(\.stage)
    return (plan, stages)
  }

  private func readSchemas(of id: TypeID, into plan: inout SourcePlan) {
    guard let (file, variable) = table[id].staticVariable("schemas") else {
      plan.schemasProblem = "it has no static var schemas"
      return
    }
    guard let value = variable.value else {
      plan.schemasProblem = "schemas is computed by more than one expression"
      return
    }
    let list = TypeListReader(table: table).list(value, in: Scope(file: file, type: id))
    plan.schemasProblem = list.problem
    if case .undecided(let condition) = variable.condition { plan.schemasProblem = "schemas depends on '\(condition)'" }
    plan.schemaNames = list.entries.map { entry in entry.id.map { table[$0].qualifiedName } ?? entry.text }
  }

  // MARK: Stages

  private func readStages(of id: TypeID, _ stages: inout [StageDeclaration], into plan: inout SourcePlan) {
    guard let (file, variable) = table[id].staticVariable("stages") else {
      plan.stagesProblem = "it has no static var stages"
      return
    }
    guard let value = variable.value else {
      plan.stagesProblem = "stages is computed by more than one expression"
      return
    }
    if case .undecided(let condition) = variable.condition { plan.stagesProblem = "stages depends on '\(condition)'" }
    let scope = Scope(file: file, type: id)
    plan.stagesProblem = read(value, named: nil, scope, &stages, depth: 0) ?? plan.stagesProblem
  }

  /// A list, a sum of lists, a name, or a stage itself.
  ///
  /// - Returns: what could not be read.
  private func read(
    _ value: SourceExpression, named name: String?, _ scope: Scope, _ stages: inout [StageDeclaration], depth: Int
  ) -> String? {
    let reader = TypeListReader(table: table)
    guard depth < Self.maximumDepth, stages.count < Self.maximumStages else {
      return "stages refers to other lists more than \(Self.maximumDepth) times"
    }
    var problem: String?
    switch value.kind {
    case .array(let parts), .sum(let parts):
      for part in parts { problem = read(part, named: nil, scope, &stages, depth: depth + 1) ?? problem }
    case .call:
      guard let stage = stage(value, named: name, scope) else {
        return "'\(reader.text(value, scope))' is no stage of two versions"
      }
      stages.append(stage)
    default:
      guard let path = value.pathNames, let found = ValueLookup(table: table).value(path, in: scope) else {
        return "'\(reader.text(value, scope))' is no stage and no list of stages"
      }
      problem = read(found.value, named: path.last, found.scope, &stages, depth: depth + 1)
    }
    return problem
  }

  /// `.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)`
  private func stage(_ value: SourceExpression, named name: String?, _ scope: Scope) -> StageDeclaration? {
    guard let (callee, arguments) = value.call,
      let kind = callee.memberName.flatMap(SourcePlan.Stage.Kind.init(rawValue:)),
      let from = version(labelled: "fromVersion", arguments, scope),
      let to = version(labelled: "toVersion", arguments, scope)
    else { return nil }
    let (will, did) = Self.closures(arguments)
    return StageDeclaration(
      stage: SourcePlan.Stage(
        name: name, place: table.files[scope.file].place(value.span), kind: kind, fromVersion: from.name,
        toVersion: to.name, willMigrate: will != nil, didMigrate: did != nil),
      scope: scope, span: value.span, fromVersion: from.id, toVersion: to.id, willMigrate: will, didMigrate: did)
  }

  private func version(
    labelled label: String, _ arguments: [SourceArgument], _ scope: Scope
  ) -> (name: String, id: TypeID?)? {
    guard let type = arguments.first(where: { $0.label == label })?.value.selfType else { return nil }
    let id = table.declaredType(type, in: scope)
    return (id.map { table[$0].qualifiedName } ?? type.description, id)
  }

  /// A closure behind the call is the first of the two that is not given in it.
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

  /// Stages in static variables that the list does not name.
  private func unlisted(of id: TypeID, besides listed: [StageDeclaration]) -> [StageDeclaration] {
    var found: [StageDeclaration] = []
    for part in table[id].parts {
      for variable in part.declaration.members.variables where variable.isStatic && variable.name != "stages" {
        let scope = Scope(file: part.file, type: id)
        guard let value = variable.value, var stage = stage(value, named: variable.name, scope),
          !listed.contains(where: { $0.scope.file == part.file && $0.span == value.span })
        else { continue }
        stage.stage.isListed = false
        found.append(stage)
      }
    }
    return found
  }
}
