import StoreDataModel
import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource
import SwiftSyntax

extension LintCheck {
  static let staticCarrier = LintCheck(.staticCarrier) { subject, say in
    for plan in subject.plans {
      for stage in plan.stages {
        guard let before = subject.body(.willMigrate, of: stage), let after = subject.body(.didMigrate, of: stage)
        else {
          continue
        }
        for (name, place) in subject.sharedVariables(of: plan, stage) {
          guard let write = before.write(to: name), after.mentioned[name] != nil, subject.loses(before, in: stage)
          else {
            continue
          }
          say.add(
            at: subject.place(write.span, in: write.file), schema: stage.stage.toVersion,
            message: "willMigrate keeps values in \(name) for didMigrate: they are gone if the app ends in between",
            notes: [.init("\(name) is declared here", at: place)])
        }
      }
    }
  }
}

extension LintSubject {
  /// Whether rows or values that `willMigrate` reads are lost when `didMigrate` begins, so that a variable alone holds
  /// them. Counting rows for a log loses nothing.
  fileprivate func loses(_ before: StageBody, in stage: StageDeclaration) -> Bool {
    if before.changes.contains(where: \.isDeletion) { return true }
    guard let from = versions.first(where: { $0.id == stage.fromVersion }),
      let to = versions.first(where: { $0.id == stage.toVersion }), let pair = Neighbours(from: from, to: to)
    else { return false }
    let read = Set(before.references.map { names[$0.id].name })
    return pair.difference.changes.contains { change in
      guard let entity = change.place.sourceEntity, read.contains(entity) else { return false }
      switch change.kind {
      case .entityRemoved: return true
      case .removed, .type, .propertyKind: return change.place.sourceProperty.map(before.names) ?? false
      default: return false
      }
    }
  }

  /// Variables that outlive a closure: static ones of the plan and enclosing types, and those at the file's top level.
  fileprivate func sharedVariables(of plan: LintPlan, _ stage: StageDeclaration) -> [(name: String, place: SourcePlace)]
  {
    var found: [(String, SourcePlace)] = []
    var current: TypeID? = plan.id
    while let id = current {
      for part in names[id].parts {
        for variable in part.declaration.members.variables
        where variable.isStatic && !variable.isConstant && variable.storage != .computed {
          found.append((variable.name, place(variable.nameSpan, in: part.file)))
        }
      }
      current = names[id].parent
    }
    for variable in names.files[stage.scope.file].declarations.variables where !variable.isConstant {
      found.append((variable.name, place(variable.nameSpan, in: stage.scope.file)))
    }
    return found
  }
}

extension StageBody {
  /// Whether a property with that name is read or written.
  fileprivate func names(_ property: String) -> Bool {
    mentioned[property] != nil || keyPathNames.contains(property)
  }

  private static let changing: Set<String> = ["append", "insert", "updateValue", "removeAll", "merge", "formUnion"]

  /// Where a variable is assigned.
  fileprivate func write(to name: String) -> (span: SourceSpan, file: Int)? {
    let assigned = assignments.first { $0.path.prefix(2).contains(name) }.map { ($0.span, $0.file) }
    return assigned
      ?? calls.first { call in
        let path = SourceExpression(call.syntax.calledExpression).pathNames ?? []
        return Self.changing.contains(call.name) && path.dropLast().suffix(2).contains(name)
      }.map { ($0.span, $0.file) }
  }
}

extension LintCheck {
  static let swallowedError = LintCheck(.swallowedError) { subject, say in
    for moment in [StageBody.Moment.willMigrate, .didMigrate] {
      subject.forEachBody(moment, say: &say) { stage, body, say in
        for swallowing in body.swallowings where swallowing.guarded.calls(["fetch", "save", "delete", "enumerate"]) {
          say.add(
            at: subject.place(swallowing.span, in: swallowing.file), schema: stage.stage.toVersion,
            message:
              "\(swallowing.text) in \(moment.rawValue) of the stage to \(stage.stage.toVersion) swallows the error: the "
              + "migration ends as if all were well", notes: [.init("the stage", at: stage.stage.place)])
        }
      }
    }
  }
}
