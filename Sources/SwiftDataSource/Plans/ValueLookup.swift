/// Looks up named values: static properties and functions, constants at top level, and local ones.
package struct ValueLookup {
  let table: NameTable

  package init(table: NameTable) { self.table = table }

  /// A value, and the place for resolving its own names.
  package typealias Found = (value: SourceExpression, scope: Scope)

  /// The value of `common`, `self.common`, `Self.common` or `SchemaV1.models` at a place.
  ///
  /// - Parameter expected: the type that `.common` is a static member of.
  package func value(_ reference: SourceExpression, in scope: Scope, expecting expected: String? = nil) -> Found? {
    guard let path = reference.path(expecting: expected), let name = path.last else { return nil }
    let file = table.files[scope.file]
    if path.count == 2, path[0] == "self" {
      return file.property(name, at: reference.span)?.value.map { ($0, scope) }
    }
    if path.count > 1 {
      if let owner = owner(of: path, in: scope), let found = staticValue(name, of: owner) { return found }
      return type(of: Array(path.dropLast()), at: reference.span, in: scope, depth: 0).flatMap {
        instanceValue(name, of: $0)
      }
    }
    if let local = file.localValue(name, at: reference.span) {
      if let value = local.value { return (value, scope) }
      return local.isParameter ? parameter(name, of: local.reach, in: scope) : nil
    }
    if let found = outward(from: scope, { staticValue(name, of: $0) }) { return found }
    let all = table.topVariables[name] ?? []
    let here = all.filter { $0.file == scope.file }
    return only(here.isEmpty ? all : here).flatMap { top in
      // A stored `var` may be assigned another value.
      guard top.variable.isConstant || top.variable.storage == .computed else { return nil }
      return top.variable.value.map { ($0, Scope(file: top.file)) }
    }
  }

  /// The value that a parameter has in the call that is followed.
  private func parameter(_ name: String, of function: SourceSpan, in scope: Scope) -> Found? {
    guard let frame = scope.frame, frame.file == scope.file, frame.function == function else { return nil }
    return frame.argument(name)
  }

  // MARK: Instances

  private static let maximumDepth = 8

  /// The value of a constant or computed property of instances, where each has the same: `let schema = Schema([…])`.
  private func instanceValue(_ name: String, of id: TypeID) -> Found? {
    instanceVariable(name, of: id).flatMap { file, variable in
      guard variable.isConstant || variable.storage == .computed, !isOverridden(name, of: id) else { return nil }
      return variable.value.map { ($0, Scope(file: file, type: id)) }
    }
  }

  /// Whether a subclass has a property of that name.
  private func isOverridden(_ name: String, of id: TypeID) -> Bool {
    guard table[id].kind == .class else { return false }
    return table.types.contains { type in
      type.kind == .class && type.id != id && instanceVariable(name, of: type.id) != nil
        && table.superclass(of: type.id) == id
    }
  }

  private func instanceVariable(_ name: String, of id: TypeID) -> (file: Int, variable: VariableDeclaration)? {
    only(
      table[id].parts.flatMap { part in
        part.declaration.members.variables.filter { !$0.isStatic && $0.name == name }.map { (part.file, $0) }
      })
  }

  /// The type of `AppSchema.shared`, `self.store` or `store.settings`, as it is declared or as its initial value has it.
  private func type(of path: [String], at use: SourceSpan, in scope: Scope, depth: Int) -> TypeID? {
    guard depth < Self.maximumDepth, let name = path.last else { return nil }
    if path == ["self"] { return scope.type }
    if path.count > 1 {
      if let owner = owner(of: path, in: scope), let (file, variable) = only(table[owner].staticVariables(name)) {
        return type(of: variable, in: Scope(file: file, type: owner), depth: depth)
      }
      guard let base = type(of: Array(path.dropLast()), at: use, in: scope, depth: depth + 1),
        let (file, variable) = instanceVariable(name, of: base)
      else { return nil }
      return type(of: variable, in: Scope(file: file, type: base), depth: depth)
    }
    if let local = table.files[scope.file].localValue(name, at: use), let value = local.value {
      return type(of: value, in: scope, depth: depth + 1)
    }
    var current = scope.type
    while let id = current {
      if let (file, variable) = instanceVariable(name, of: id) ?? only(table[id].staticVariables(name)) {
        return type(of: variable, in: Scope(file: file, type: id), depth: depth)
      }
      current = table[id].parent
    }
    let all = table.topVariables[name] ?? []
    let here = all.filter { $0.file == scope.file }
    return only(here.isEmpty ? all : here).flatMap { type(of: $0.variable, in: Scope(file: $0.file), depth: depth) }
  }

  private func type(of variable: VariableDeclaration, in scope: Scope, depth: Int) -> TypeID? {
    if let type = variable.type { return table.declaredType(type, in: scope) }
    return variable.value.flatMap { type(of: $0, in: scope, depth: depth + 1) }
  }

  /// The type of `AppSchema()` and `AppSchema.shared`.
  private func type(of value: SourceExpression, in scope: Scope, depth: Int) -> TypeID? {
    guard let (callee, _) = value.call else {
      return value.pathNames.flatMap { type(of: $0, at: value.span, in: scope, depth: depth) }
    }
    guard var path = callee.pathNames else { return nil }
    if path.count > 1, path.last == "init" { path.removeLast() }
    return table.declaredType(.path(path), in: scope)
  }

  // MARK: Results

  /// The result of `v1ToV2()`, `Self.v1ToV2()` and `Stages.v1ToV2()`.
  func result(of path: [String], in scope: Scope) -> Found? {
    guard let name = path.last else { return nil }
    if path.count > 1 { return owner(of: path, in: scope).flatMap { staticResult(name, of: $0) } }
    if let found = outward(from: scope, { staticResult(name, of: $0) }) { return found }
    let all = table.files.indices.flatMap { file in
      table.files[file].declarations.functions.filter { $0.name == name && $0.labels.isEmpty }.map { (file, $0) }
    }
    let here = all.filter { $0.0 == scope.file }
    return only(here.isEmpty ? all : here).flatMap { file, function in
      function.value.map { ($0, Scope(file: file)) }
    }
  }

  /// The value of a static variable; nil where it is more than one expression.
  func staticValue(_ name: String, of id: TypeID) -> Found? {
    let all = table[id].staticVariables(name)
    guard let (file, variable) = all.first, let value = variable.value else { return nil }
    let scope = Scope(file: file, type: id)
    guard all.count > 1, case .undecided(let condition) = variable.condition else { return (value, scope) }
    // `#if DEBUG`, `static let …`, `#else`, `static let …`
    let values = all.compactMap { $0.file == file ? $0.variable.value : nil }
    guard values.count == all.count else { return nil }
    return (SourceExpression(kind: .alternatives(condition, values), span: value.span), scope)
  }

  private func staticResult(_ name: String, of id: TypeID) -> Found? {
    guard let (file, function) = table[id].staticFunction(name), let value = function.value else { return nil }
    return (value, Scope(file: file, type: id))
  }

  private func owner(of path: [String], in scope: Scope) -> TypeID? {
    if let declared = table.declaredType(.path(Array(path.dropLast())), in: scope) { return declared }
    // `extension MigrationStage { static let first = … }`
    return path.count == 2 ? table.extended(path[0]) : nil
  }

  /// The value in the nearest of the enclosing types that has it.
  private func outward(from scope: Scope, _ find: (TypeID) -> Found?) -> Found? {
    var current = scope.type
    while let id = current {
      if let found = find(id) { return found }
      current = table[id].parent
    }
    return nil
  }

  private func only<Element>(_ found: [Element]) -> Element? { found.count == 1 ? found[0] : nil }
}

extension SourceExpression {
  /// The components of a path; of `.first`, where a stage is expected, "MigrationStage" and "first".
  func path(expecting type: String?) -> [String]? {
    if let path = pathNames { return path }
    guard let type, case .member(nil, let component) = kind, component.arguments.isEmpty else { return nil }
    return [type, component.name]
  }
}
