import StoreSwiftDataSchemas

/// A call that makes a container, with what one of the callers of its function passes to it.
package struct ContainerUse: Sendable {
  package let call: ContainerCall
  /// The place for resolving the names of the call.
  package let scope: Scope
  /// What the source says it is.
  package let container: SourceContainer
}

/// Follows what is passed to functions that make containers.
struct ContainerUses {
  let names: NameTable
  private(set) var sites: CallSites

  /// Calls of calls of calls.
  private static let maximumDepth = 4
  /// The most callers of one function.
  static let maximumCallers = 32

  init(_ names: NameTable) {
    self.names = names
    sites = CallSites(names)
  }

  /// The scope of a call, or one for each caller of its function where the call depends on the function's parameters.
  mutating func scopes(of call: ContainerCall, in scope: Scope) -> [Scope] {
    guard call.kind != .schema, let function = call.function,
      depends(call.arguments.map(\.value), on: function, in: scope.file)
    else { return [scope] }
    let frames = frames(of: CallSites.Function(file: scope.file, span: function), depth: 0)
    return frames.isEmpty ? [scope] : frames.map { Scope(file: scope.file, type: scope.type, frame: $0) }
  }

  /// The calls of a function, each once for every way that leads to it with other arguments.
  private mutating func frames(of function: CallSites.Function, depth: Int) -> [CallFrame] {
    guard depth < Self.maximumDepth, let (declaration, owner) = names.declaration(function),
      let sites = sites.sites(of: function), sites.count <= Self.maximumCallers
    else { return [] }
    let home = Scope(file: function.file, type: owner)
    var frames: [CallFrame] = []
    for site in sites where site.call.span != function.span {
      var scopes = [site.scope]
      if let caller = site.call.function, caller != function.span || site.scope.file != function.file,
        depends(site.call.arguments.map(\.value), on: caller, in: site.scope.file)
      {
        let outer = self.frames(of: CallSites.Function(file: site.scope.file, span: caller), depth: depth + 1)
        if !outer.isEmpty {
          scopes = outer.map { Scope(file: site.scope.file, type: site.scope.type, frame: $0) }
        }
      }
      frames += scopes.prefix(Self.maximumCallers - frames.count).map {
        CallFrame(site.call, of: declaration, declaredIn: home, calledIn: $0)
      }
    }
    return frames
  }

  /// Whether values depend on the parameters of the function that they stand in, by whatever constants.
  private func depends(_ values: [SourceExpression], on function: SourceSpan, in file: Int) -> Bool {
    guard let declaration = names.declaration(CallSites.Function(file: file, span: function))?.declaration,
      !declaration.parameters.isEmpty
    else { return false }
    let search = ParameterSearch(file: names.files[file], function: function)
    return values.contains { search.finds($0, depth: 0) }
  }
}

/// Looks for the parameters of a function in values.
private struct ParameterSearch {
  let file: SourceFile
  let function: SourceSpan

  private static let maximumDepth = 12

  func finds(_ value: SourceExpression, depth: Int) -> Bool {
    guard depth < Self.maximumDepth else { return false }
    if case .name(let component) = value.kind {
      guard let local = file.localValue(component.name, at: value.span) else { return false }
      if local.isParameter { return local.reach == function }
      return local.value.map { finds($0, depth: depth + 1) } ?? false
    }
    return value.parts.contains { finds($0, depth: depth + 1) }
  }
}

extension SourceExpression {
  /// The expressions that it is made of.
  fileprivate var parts: [SourceExpression] {
    switch kind {
    case .member(let base, _): [base].compactMap(\.self)
    case .call(let callee, let arguments): [callee] + arguments.map(\.value)
    case .array(let elements), .sum(let elements), .arithmetic(let elements), .fallback(let elements),
      .alternatives(_, let elements), .choice(let elements):
      elements
    case .dictionary(let pairs): pairs.flatMap { [$0.key, $0.value] }
    case .forced(let inner), .cast(let inner, _): [inner]
    case .integer, .real, .string, .boolean, .null, .name, .keyPath, .type, .closure, .interpolation, .other: []
    }
  }
}
