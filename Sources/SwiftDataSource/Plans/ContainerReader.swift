import StoreSwiftDataSchemas

/// The models of a container or a `Schema`.
package struct ContainerTarget {
  package enum Classes {
    /// `Schema(versionedSchema: SchemaV2.self)`
    case version(TypeID)
    case list(TypeListReader.List)
  }

  package var classes: Classes
  var identifier = SourceSchema.Identifier.left
}

/// Reads calls that make containers.
package struct ContainerReader {
  let table: NameTable

  package init(table: NameTable) { self.table = table }

  private static let maximumDepth = 8

  /// The parts of a call; nil where it makes nothing new (`.modelContainer(container)`), and a problem where that is
  /// not known.
  package func target(of call: ContainerCall, in scope: Scope) -> (target: ContainerTarget?, problem: String?)? {
    switch call.kind {
    case .schema: return schema(call.arguments, in: scope)
    case .container, .modifier:
      guard let first = call.arguments.firstIndex(where: { $0.label == "for" }) else { return nil }
      // `for: Note.self, Tag.self, configurations: …`
      let rest = call.arguments[(first + 1)...].prefix { $0.label == nil && $0.value.selfType != nil }
      return target(of: [call.arguments[first].value] + rest.map(\.value), in: scope, depth: 0)
    }
  }

  /// The classes that `Schema(…)`, a variable or a list of types stands for; nil where not all are known.
  package func classes(of values: [SourceExpression], in scope: Scope) -> [TypeID]? {
    guard let target = target(of: values, in: scope, depth: 0).target else { return nil }
    let list =
      switch target.classes {
      case .version(let id): VersionReader(table: table).models(of: id)
      case .list(let list): list
      }
    return list.problem == nil && !list.ids.isEmpty ? list.ids : nil
  }

  /// The plan in `migrationPlan: Plan.self`.
  package func plan(of call: ContainerCall, in scope: Scope) -> (name: String?, problem: String?) {
    guard let value = call.arguments.first(where: { $0.label == "migrationPlan" })?.value, !value.isNil else {
      return (nil, nil)
    }
    if value.memberName == "none" { return (nil, nil) }
    let found = followed(value, in: scope)
    if found.value.isNil { return (nil, nil) }
    guard let type = found.value.selfType, let id = table.declaredType(type, in: found.scope) else {
      return (nil, "its plan is not known")
    }
    return (table[id].qualifiedName, nil)
  }

  /// The type that a name stands for, as a parameter does.
  private func followed(_ value: SourceExpression, in scope: Scope) -> ValueLookup.Found {
    var found: ValueLookup.Found = (value, scope)
    for _ in 0..<Self.maximumDepth where found.value.selfType == nil {
      guard let next = ValueLookup(table: table).value(found.value, in: found.scope) else { break }
      found = next
    }
    return found
  }

  private func target(
    of values: [SourceExpression], in scope: Scope, depth: Int
  ) -> (target: ContainerTarget?, problem: String?) {
    guard depth < Self.maximumDepth, let first = values.first else { return (nil, "its classes are not known") }
    if values.count == 1 {
      // `Schema([Note.self])`, and `.init([Note.self])` where a schema is expected.
      if let (callee, arguments) = first.call, Self.isSchema(callee) { return schema(arguments, in: scope) }
      if let found = ValueLookup(table: table).value(first, in: scope, expecting: "Schema") {
        return target(of: [found.value], in: found.scope, depth: depth + 1)
      }
    }
    let array = SourceExpression(kind: values.count == 1 ? first.kind : .array(values), span: first.span)
    return (ContainerTarget(classes: .list(classes(array, in: scope))), nil)
  }

  private func classes(_ value: SourceExpression, in scope: Scope) -> TypeListReader.List {
    VersionReader(table: table).classes(TypeListReader(table: table).list(value, in: scope))
  }

  private static func isSchema(_ callee: SourceExpression) -> Bool {
    guard let path = callee.pathNames else {
      if case .member(nil, let name) = callee.kind { return name.name == "init" }
      return false
    }
    return ["Schema", "SwiftData.Schema", "Schema.init"].contains(path.joined(separator: "."))
  }

  /// Reads `Schema(versionedSchema:)`, `Schema([…])` and `Schema([…], version:)`.
  private func schema(
    _ arguments: [SourceArgument], in scope: Scope
  ) -> (target: ContainerTarget?, problem: String?) {
    if let version = arguments.first(where: { $0.label == "versionedSchema" }) {
      let found = followed(version.value, in: scope)
      guard let type = found.value.selfType, let id = table.declaredType(type, in: found.scope) else {
        return (nil, "its version is not known")
      }
      return (ContainerTarget(classes: .version(id)), nil)
    }
    let values = arguments.prefix { $0.label == nil }.map(\.value)
    guard let first = values.first else { return (nil, "its classes are not known") }
    let value = values.count == 1 ? first : SourceExpression(kind: .array(values), span: first.span)
    var target = ContainerTarget(classes: .list(classes(value, in: scope)))
    if let version = arguments.first(where: { $0.label == "version" }) {
      target.identifier = VersionReader(table: table).identifier(version.value)
    }
    return (target, nil)
  }
}
