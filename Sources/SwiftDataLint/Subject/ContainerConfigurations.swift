import SwiftDataSource

/// What the `ModelConfiguration`s say that a call is given.
struct ContainerConfigurations {
  /// The arguments of each; nil where one is made where it is not found.
  let arguments: [[SourceArgument]]?
  /// Whether what is stored is gone with the container.
  let isInMemory: Bool

  init(names: NameTable, call: ContainerCall, scope: Scope) {
    let reader = Reader(names: names, call: call)
    arguments = reader.configurations(scope)
    isInMemory = (call.arguments + (arguments ?? []).flatMap { $0 }).contains { argument in
      guard case .boolean(true) = argument.value.kind else { return false }
      return ["isStoredInMemoryOnly", "inMemory"].contains(argument.label ?? "")
    }
  }

  private struct Reader {
    let names: NameTable
    let call: ContainerCall

    func configurations(_ scope: Scope) -> [[SourceArgument]]? {
      guard let first = call.arguments.firstIndex(where: { ($0.label ?? "").hasPrefix("configuration") }) else {
        return []
      }
      var values = [call.arguments[first].value]
      values += call.arguments[(first + 1)...].prefix { $0.label == nil }.map(\.value)
      return all(values, scope, depth: 0)
    }

    private func all(_ values: [SourceExpression], _ scope: Scope, depth: Int) -> [[SourceArgument]]? {
      let found = values.prefix(64).map { arguments(of: $0, scope, depth: depth) }
      return found.contains { $0 == nil } ? nil : found.flatMap { $0 ?? [] }
    }

    private func arguments(of value: SourceExpression, _ scope: Scope, depth: Int) -> [[SourceArgument]]? {
      guard depth < 4 else { return nil }
      if case .array(let elements) = value.kind { return all(elements, scope, depth: depth + 1) }
      if let (callee, arguments) = value.call { return Self.isConfiguration(callee) ? [arguments] : nil }
      guard let path = value.pathNames else { return nil }
      if let local = local(path, scope) { return self.arguments(of: local, scope, depth: depth + 1) }
      guard let found = ValueLookup(table: names).value(path, in: scope) else { return nil }
      return self.arguments(of: found.value, found.scope, depth: depth + 1)
    }

    /// `ModelConfiguration(…)`, `.init(…)`; what any other function makes is not known.
    private static func isConfiguration(_ callee: SourceExpression) -> Bool {
      guard let path = callee.pathNames else { return callee.memberName == "init" }
      return ["ModelConfiguration", "SwiftData.ModelConfiguration", "ModelConfiguration.init"]
        .contains(path.joined(separator: "."))
    }

    /// The last variable of that name before the call, in the same function.
    private func local(_ path: [String], _ scope: Scope) -> SourceExpression? {
      guard path.count == 1 else { return nil }
      return names.files[scope.file].localValues.last { local in
        local.name == path[0] && local.span.end <= call.span.start && call.function?.contains(local.span) ?? true
      }?.value
    }
  }
}
