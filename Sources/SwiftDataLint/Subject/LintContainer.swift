import SwiftDataSchemas
import SwiftDataSource
import SwiftSyntax

/// A call that makes a container, with what its configurations say.
struct LintContainer {
  /// Whether it mirrors to CloudKit.
  enum Mirroring: Equatable {
    case no
    /// `.automatic` or `.private(…)` is written.
    case stated
    /// Nothing is said, and the app has the entitlement: the file that says so.
    case entitled(String)
    /// Nothing is said: it does as soon as the app has the entitlement.
    case byDefault
    /// A configuration is made where it is not found.
    case unknown
  }

  let call: ContainerCall
  /// The file and type it stands in.
  let scope: Scope
  let container: SourceContainer
  let isInMemory: Bool
  let mirroring: Mirroring

  var place: SourcePlace { container.place }
}

extension LintSubject {
  /// The containers of the source, by place. A schema alone is none.
  var containers: [LintContainer] {
    let byPlace = Dictionary(reading.containers.map { ($0.place, $0) }) { first, _ in first }
    return names.files.enumerated().flatMap { number, file in
      file.calls.compactMap { call -> LintContainer? in
        guard call.kind != .schema, let container = byPlace[file.place(call.span)] else { return nil }
        let scope = Scope(file: number, type: names.innermostType(at: call.span, file: number))
        let configurations = ContainerConfigurations(names: names, call: call, scope: scope)
        return LintContainer(
          call: call, scope: scope, container: container, isInMemory: configurations.isInMemory,
          mirroring: configurations.isInMemory ? .no : mirroring(configurations, file.path))
      }
    }
  }

  private func mirroring(_ configurations: ContainerConfigurations, _ path: String) -> LintContainer.Mirroring {
    guard let all = configurations.arguments else { return .unknown }
    var result = LintContainer.Mirroring.no
    for arguments in all.isEmpty ? [[]] : all {
      guard let database = arguments.first(where: { $0.label == "cloudKitDatabase" })?.value else {
        if result == .no { result = unsaidMirroring(path) }
        continue
      }
      let name = database.memberName ?? database.call?.callee.memberName
      if name == "automatic" || name == "private" { result = .stated }
    }
    return result
  }

  /// What the entitlements decide where the configuration does not.
  private func unsaidMirroring(_ path: String) -> LintContainer.Mirroring {
    if let entitlements = cloudKitEntitlements(for: path) { return .entitled(entitlements) }
    // They are at hand, and no target of the project has a container of CloudKit.
    return project.surroundings.entitlements.isEmpty || !mirroringEntitlements.isEmpty ? .byDefault : .no
  }

  func schema(of container: LintContainer) -> SourceSchema? {
    container.container.schemaName.flatMap { name in reading.schemas.first { $0.name == name } }
  }

  func plan(of container: LintContainer) -> LintPlan? {
    container.container.planName.flatMap { name in plans.first { $0.plan.name == name } }
  }
}

extension ContainerCall {
  /// The `catch` clauses around the call, and whether it is made with `try!`. Functions and closures end the search.
  var failureHandling: (clauses: [CatchClauseSyntax], isForced: Bool) {
    var node = Syntax(syntax)
    var isForced = false
    for _ in 0..<256 {
      guard let parent = node.parent else { break }
      if let attempt = parent.as(TryExprSyntax.self), attempt.questionOrExclamationMark?.text == "!" { isForced = true }
      if let statement = parent.as(DoStmtSyntax.self), node.id == statement.body.id {
        return (Array(statement.catchClauses), isForced)
      }
      if [.functionDecl, .closureExpr, .initializerDecl, .accessorDecl].contains(parent.kind) {
        break
      }
      node = parent
    }
    return ([], isForced)
  }
}
