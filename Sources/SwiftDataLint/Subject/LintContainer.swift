import SwiftDataSchemas
import SwiftDataSource

/// A call that makes a container, with what its configurations say.
struct LintContainer {
  /// Whether it mirrors to CloudKit.
  enum Mirroring {
    case no
    /// `.automatic` or `.private(…)` is written.
    case stated
    /// Nothing is said: it does as soon as the app has the entitlement.
    case byDefault
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

  /// Those of the source, by place. A schema alone is none.
  func all(_ code: inout LintCode) -> [LintContainer] {
    let byPlace = Dictionary(reading.containers.map { ($0.place, $0) }) { first, _ in first }
    var handlers: [Handling: FailureHandler] = [:]
    return names.files.enumerated().flatMap { number, file in
      file.calls.compactMap { call -> LintContainer? in
        guard call.kind != .schema, let container = byPlace[file.place(call.span)] else { return nil }
        let scope = Scope(file: number, type: names.innermostType(at: call.span, file: number))
        let configurations = self.configurations(of: call, in: scope)
        let inMemory = (call.arguments + configurations.flatMap { $0 }).contains { argument in
          guard case .boolean(true) = argument.value.kind else { return false }
          return ["isStoredInMemoryOnly", "inMemory"].contains(argument.label ?? "")
        }
        return LintContainer(
          call: call, scope: scope, container: container, isInMemory: inMemory,
          mirroring: inMemory ? .no : mirroring(configurations),
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

  /// The arguments of the `ModelConfiguration`s a call is given.
  private func configurations(of call: ContainerCall, in scope: Scope) -> [[SourceArgument]] {
    guard let first = call.arguments.firstIndex(where: { ($0.label ?? "").hasPrefix("configuration") }) else {
      return []
    }
    var values = [call.arguments[first].value]
    values += call.arguments[(first + 1)...].prefix { $0.label == nil }.map(\.value)
    return values.flatMap { arguments(of: $0, in: scope, depth: 0) }
  }

  private func arguments(of value: SourceExpression, in scope: Scope, depth: Int) -> [[SourceArgument]] {
    guard depth < 4 else { return [] }
    if case .array(let elements) = value.kind {
      return elements.prefix(64).flatMap { arguments(of: $0, in: scope, depth: depth + 1) }
    }
    if let (_, arguments) = value.call { return [arguments] }
    guard let path = value.pathNames, let found = ValueLookup(table: names).value(path, in: scope) else { return [] }
    return arguments(of: found.value, in: found.scope, depth: depth + 1)
  }

  private func mirroring(_ configurations: [[SourceArgument]]) -> LintContainer.Mirroring {
    var result = LintContainer.Mirroring.no
    for arguments in configurations.isEmpty ? [[]] : configurations {
      guard let database = arguments.first(where: { $0.label == "cloudKitDatabase" })?.value else {
        if case .no = result { result = .byDefault }
        continue
      }
      let name = database.memberName ?? database.call?.callee.memberName
      if name == "automatic" || name == "private" { result = .stated }
    }
    return result
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
