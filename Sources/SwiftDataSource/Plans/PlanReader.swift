import StoreSwiftDataSchemas

/// A stage with its syntax, for checks of its closures.
package struct StageDeclaration: Sendable {
  package var stage: SourcePlan.Stage
  /// The file and type for resolving its names.
  package var scope: Scope
  package var span: SourceSpan
  package var fromVersion: TypeID?
  package var toVersion: TypeID?
  /// A closure, or the name of a function or variable; nil for none.
  package var willMigrate: SourceExpression?
  package var didMigrate: SourceExpression?
}

/// Reads a `SchemaMigrationPlan`.
struct PlanReader {
  let table: NameTable

  func plan(_ id: TypeID) -> (plan: SourcePlan, stages: [StageDeclaration]) {
    let type = table[id]
    var plan = SourcePlan(name: type.qualifiedName, place: table.place(of: id))
    readSchemas(of: id, into: &plan)
    let stages = readStages(of: id, into: &plan)
    plan.stages = stages.map(\.stage)
    return (plan, stages)
  }

  private func readSchemas(of id: TypeID, into plan: inout SourcePlan) {
    let list = TypeListReader(table: table).list("schemas", of: id)
    plan.schemasProblem = list.problem
    plan.schemaNames = list.entries.map { entry in entry.id.map { table[$0].qualifiedName } ?? entry.text }
  }

  // MARK: Stages

  private func readStages(of id: TypeID, into plan: inout SourcePlan) -> [StageDeclaration] {
    var list = StageListReader(table: table)
    switch StaticList("stages", of: id, in: table) {
    case .unknown(let problem): plan.stagesProblem = problem
    case .value(let value, let scope, let condition):
      list.read(value, in: scope)
      plan.stagesProblem = list.problem ?? condition.map { "stages depends on '\($0)'" }
    }
    return list.stages + unlisted(of: id, besides: list.stages + list.others)
  }

  /// Stages in static variables that are not in the list.
  private func unlisted(of id: TypeID, besides listed: [StageDeclaration]) -> [StageDeclaration] {
    var found: [StageDeclaration] = []
    for part in table[id].parts {
      for variable in part.declaration.members.variables where variable.isStatic && variable.name != "stages" {
        let scope = Scope(file: part.file, type: id)
        guard let value = variable.value,
          var stage = StageReader(table: table).stage(value, named: variable.name, in: scope),
          !listed.contains(where: { $0.scope.file == part.file && $0.span == value.span })
        else { continue }
        stage.stage.isListed = false
        found.append(stage)
      }
    }
    return found
  }
}

/// The value of `static var models`, `schemas` or `stages` of a type.
enum StaticList {
  /// With the condition of an undecided `#if` around the declaration.
  case value(SourceExpression, Scope, condition: String?)
  /// Why it cannot be read.
  case unknown(String)

  init(_ name: String, of id: TypeID, in table: NameTable) {
    let declared = table[id].staticVariables(name)
    guard let first = declared.first else {
      self = .unknown("it has no static var \(name)")
      return
    }
    guard let (value, scope) = ValueLookup(table: table).staticValue(name, of: id) else {
      self = .unknown("\(name) is computed by more than one expression")
      return
    }
    // With several declarations, their values tell whether the condition matters.
    guard declared.count == 1, case .undecided(let condition) = first.variable.condition else {
      self = .value(value, scope, condition: nil)
      return
    }
    self = .value(value, scope, condition: condition)
  }
}
