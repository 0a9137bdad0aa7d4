import SwiftDataSchemas
import SwiftDataSource

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
  /// The `catch` clauses that are run where the container cannot be made.
  let handlers: [FailureHandler]

  var place: SourcePlace { container.place }
}

/// Makes containers of calls.
struct LintContainers {
  let names: NameTable
  let reading: SourceReading
  let entitlements: Entitlements

  /// Those of the source, by place. A schema alone is none.
  func all(_ code: inout LintCode) -> [LintContainer] {
    let byPlace = Dictionary(reading.containers.map { ($0.place, $0) }) { first, _ in first }
    var handlers: [Handling: FailureHandler] = [:]
    return names.files.enumerated().flatMap { number, file in
      file.calls.compactMap { call -> LintContainer? in
        guard call.kind != .schema, let container = byPlace[file.place(call.span)] else { return nil }
        let scope = Scope(file: number, type: names.innermostType(at: call.span, file: number))
        let configurations = ContainerConfigurations(names: names, call: call, scope: scope)
        return LintContainer(
          call: call, scope: scope, container: container, isInMemory: configurations.isInMemory,
          mirroring: configurations.isInMemory ? .no : mirroring(configurations, file.path),
          handlers: call.failure.clauses.map { span in
            let handling = Handling(file: number, type: scope.type, span: span)
            let handler = handlers[handling] ?? FailureHandler(span, in: scope, &code)
            handlers[handling] = handler
            return handler
          })
      }
    }
  }

  /// A clause, which can be that of many containers.
  private struct Handling: Hashable {
    var file: Int
    var type: TypeID?
    var span: SourceSpan
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
    if let entitlements = entitlements.mirroring(path) { return .entitled(entitlements) }
    // They are at hand, and no target of the project has a container of CloudKit.
    return entitlements.denyMirroring ? .no : .byDefault
  }
}

extension LintSubject {
  func schema(of container: LintContainer) -> SourceSchema? {
    container.container.schemaName.flatMap { name in reading.schemas.first { $0.name == name } }
  }

  func plan(of container: LintContainer) -> LintPlan? {
    container.container.planName.flatMap { name in plans.first { $0.plan.name == name } }
  }
}
