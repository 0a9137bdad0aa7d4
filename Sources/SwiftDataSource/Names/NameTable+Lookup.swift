import StoreSwiftDataSchemas

/// Resolves names as the compiler does: nested in the class itself, in the enclosing types outwards, in extensions of
/// those, at top level; then typealiases, up to 16 steps; then the table of known types.
extension NameTable {
  private static let maximumAliases = 16

  /// The meaning of a type at a place.
  package func resolve(_ type: TypeName, in scope: Scope) -> ResolvedType {
    var search = Search(table: self)
    let found = search.resolve(type, in: scope, aliases: 0)
    // For a cycle, reports the name that led into it.
    if case .failed(.endlessAlias) = found { return .failed(.endlessAlias(type.description)) }
    return found
  }

  /// The raw type of an enum: "String"; nil where it has none.
  func rawType(of id: TypeID) -> String? {
    var search = Search(table: self)
    return search.rawType(of: id, aliases: 0)
  }

  /// The type of the sources that a path of names means; nil where there is none, or it is ambiguous.
  package func declaredType(_ type: TypeName, in scope: Scope) -> TypeID? {
    if case .declared(let id) = resolve(type, in: scope) { id } else { nil }
  }

  /// One resolution. Its steps are limited, since each typealias can double the size of a type.
  private struct Search {
    let table: NameTable
    /// Whether superclasses are searched; not while resolving a superclass, or a class could be its own ancestor.
    let inherits: Bool
    private var remaining = 2_000

    init(table: NameTable, inherits: Bool = true) {
      self.table = table
      self.inherits = inherits
    }

    mutating func resolve(_ type: TypeName, in scope: Scope, aliases: Int) -> ResolvedType {
      remaining -= 1
      guard remaining > 0, aliases <= NameTable.maximumAliases else { return .failed(.endlessAlias(type.description)) }
      switch type {
      case .array(let element): return .array(resolve(element, in: scope, aliases: aliases))
      case .optional(let wrapped): return .optional(resolve(wrapped, in: scope, aliases: aliases))
      case .dictionary(let key, let value):
        return .dictionary(
          resolve(key, in: scope, aliases: aliases), resolve(value, in: scope, aliases: aliases))
      case .other(let text): return .failed(.notNominal(text))
      case .named(let components): return resolve(components, in: scope, aliases: aliases)
      }
    }

    private mutating func resolve(
      _ components: [TypeName.Component], in scope: Scope, aliases: Int
    ) -> ResolvedType {
      guard let first = components.first else { return .failed(.notNominal("")) }
      let rest = Array(components.dropFirst())
      if let found = outward(first.name, from: scope) {
        return follow(found, component: first, rest: rest, scope: scope, aliases: aliases)
      }
      if !rest.isEmpty, table.moduleNames.contains(first.name) {
        if table.hasModule(first.name),
          let found = table.atTopLevel(rest[0].name, from: scope.file, module: first.name)
        {
          return follow(found, component: rest[0], rest: Array(rest.dropFirst()), scope: scope, aliases: aliases)
        }
        return foreign(rest, in: scope, aliases: aliases)
      }
      return foreign(components, in: scope, aliases: aliases)
    }

    private func outward(_ name: String, from scope: Scope) -> Found? {
      var current = scope.type
      while let id = current {
        let type = table[id]
        if type.parts.contains(where: { $0.declaration.genericParameters.contains(name) }) {
          return .failed(.generic(name))
        }
        if name == "Self" { return .type(id) }
        if let found = table.member(name, of: id, from: scope.file, inherits: inherits) { return found }
        // A type is visible by its own name from within.
        current = type.parent
      }
      return table.atTopLevel(name, from: scope.file, module: nil)
    }

    private mutating func follow(
      _ found: Found, component: TypeName.Component, rest: [TypeName.Component], scope: Scope, aliases: Int
    ) -> ResolvedType {
      switch found {
      case .failed(let failure): return .failed(failure)
      case .alias(let alias, let owner):
        guard !alias.declaration.isGeneric else { return .failed(.generic(component.description)) }
        let target = resolve(
          alias.declaration.target, in: Scope(file: alias.file, type: owner), aliases: aliases + 1)
        guard !rest.isEmpty else { return target }
        guard case .declared(let id) = target else {
          if case .foreign(let name) = target { return .foreign(name + "." + rest.map(\.name).joined(separator: ".")) }
          return target
        }
        return members(rest, of: id, scope: scope, aliases: aliases)
      case .type(let id):
        let type = table[id]
        if type.kind == .extension, rest.isEmpty { return foreign([component], in: scope, aliases: aliases) }
        if !component.arguments.isEmpty || (type.declaration?.isGeneric ?? false) {
          return .failed(.generic(component.description))
        }
        return members(rest, of: id, scope: scope, aliases: aliases)
      }
    }

    private mutating func members(
      _ names: [TypeName.Component], of id: TypeID, scope: Scope, aliases: Int
    ) -> ResolvedType {
      guard let first = names.first else { return .declared(id) }
      guard let found = table.member(first.name, of: id, from: scope.file, inherits: inherits) else {
        if names.count == 1, first.name == "RawValue", let raw = rawType(of: id, aliases: aliases) {
          return .foreign(raw)
        }
        return .foreign(([table[id].qualifiedName] + names.map(\.description)).joined(separator: "."))
      }
      if case .type(let inner) = found, table[inner].kind == .extension, names.count == 1 {
        return .foreign(table[inner].qualifiedName)
      }
      return follow(found, component: first, rest: Array(names.dropFirst()), scope: scope, aliases: aliases)
    }

    mutating func rawType(of id: TypeID, aliases: Int) -> String? {
      let type = table[id]
      guard type.kind == .enum, let first = type.declaration?.inherited.first,
        case .foreign(let name) = resolve(first, in: Scope(file: type.file, type: id), aliases: aliases + 1),
        case .sure? = ScalarType(name)
      else { return nil }
      return name
    }

    /// A type that the sources do not declare: Swift's collections by their generic names, others by name.
    private mutating func foreign(
      _ components: [TypeName.Component], in scope: Scope, aliases: Int
    ) -> ResolvedType {
      if components.count == 1 {
        let arguments = components[0].arguments.map { resolve($0, in: scope, aliases: aliases) }
        switch (components[0].name, arguments.count) {
        case ("Optional", 1): return .optional(arguments[0])
        case ("Array", 1): return .array(arguments[0])
        case ("Set", 1): return .set(arguments[0])
        case ("Dictionary", 2): return .dictionary(arguments[0], arguments[1])
        default: break
        }
      }
      return .foreign(components.map(\.description).joined(separator: "."))
    }
  }

  // MARK: One level

  private enum Found {
    case type(TypeID)
    case alias(DeclaredType.Alias, owner: TypeID?)
    case failed(NameFailure)
  }

  /// A type nested in another one, in its extensions, or in a superclass.
  private func member(_ name: String, of id: TypeID, from file: Int, inherits: Bool) -> Found? {
    var current = id
    for _ in 0..<16 {
      let type = self[current]
      if let found = choose(
        name, types: type.children[name] ?? [], aliases: type.aliases[name] ?? [], owner: current, from: file)
      {
        return found
      }
      guard inherits else { return nil }
      guard type.kind == .class, let parent = superclass(of: current) else { break }
      current = parent
    }
    return aliasOfProtocol(name, of: id, from: file)
  }

  private static let maximumProtocols = 32

  /// A typealias inherited from a protocol of the sources.
  private func aliasOfProtocol(_ name: String, of id: TypeID, from file: Int) -> Found? {
    for inherited in self[id].inherited.prefix(Self.maximumProtocols) {
      for other in inherited.lastName.flatMap({ topLevel[$0] }) ?? [] where self[other].kind == .protocol {
        if let found = choose(name, types: [], aliases: self[other].aliases[name] ?? [], owner: other, from: file) {
          return found
        }
      }
    }
    return nil
  }

  /// The extensions of a type that the sources do not declare.
  package func extended(_ name: String) -> TypeID? { topLevel[name]?.first { self[$0].kind == .extension } }

  private func atTopLevel(_ name: String, from file: Int, module: String?) -> Found? {
    var types = topLevel[name] ?? []
    var aliases = topAliases[name] ?? []
    if let module {
      types = types.filter { isOf(module, file: self[$0].file) }
      aliases = aliases.filter { isOf(module, file: $0.file) }
    }
    return choose(name, types: types, aliases: aliases, owner: nil, from: file)
  }

  /// The first type a class inherits from, if it is a class of the sources.
  package func superclass(of id: TypeID) -> TypeID? {
    let type = self[id]
    guard type.kind == .class, let first = type.declaration?.inherited.first else { return nil }
    var search = Search(table: self, inherits: false)
    let scope = Scope(file: type.file, type: type.parent)
    guard case .declared(let parent) = search.resolve(first, in: scope, aliases: 0) else { return nil }
    return self[parent].kind == .class && parent != id ? parent : nil
  }

  /// Prefers declarations in the same file, then in the same target, because a module's own names hide imported ones.
  /// Private declarations in other files are ignored. If no targets are known, the nearest declaration is preferred:
  /// the one sharing the deepest folder.
  private func choose(
    _ name: String, types: [TypeID], aliases: [DeclaredType.Alias], owner: TypeID?, from file: Int
  ) -> Found? {
    var found: [(file: Int, found: Found)] = types.compactMap { id in
      if let declaration = self[id].declaration, declaration.isFilePrivate, self[id].file != file { return nil }
      return (self[id].file, .type(id))
    }
    found += aliases.compactMap { alias in
      let isPrivate = alias.declaration.modifiers.contains { $0 == "private" || $0 == "fileprivate" }
      return isPrivate && alias.file != file ? nil : (alias.file, .alias(alias, owner: owner))
    }
    // `typealias Tags = [Tag]`, and `extension Tags`, which extends the array.
    if !aliases.isEmpty {
      found.removeAll { if case .type(let id) = $0.found { self[id].kind == .extension } else { false } }
    }
    if found.count > 1 {
      let here = found.filter { $0.file == file }
      let near = here.isEmpty ? found.filter { shareATarget($0.file, file) } : here
      if !near.isEmpty { found = near } else if !hasTarget(file) { found = nearest(found, to: file) }
    }
    guard let first = found.first else { return nil }
    guard found.count > 1 else { return first.found }
    return .failed(.ambiguous(name, found.map { place(of: $0.found, file: $0.file) }.sorted()))
  }

  private func nearest(_ found: [(file: Int, found: Found)], to file: Int) -> [(file: Int, found: Found)] {
    let own = files[file].path.split(separator: "/").dropLast()
    let depths = found.map { candidate in
      zip(own, files[candidate.file].path.split(separator: "/").dropLast()).prefix { $0 == $1 }.count
    }
    guard let deepest = depths.max() else { return found }
    return zip(found, depths).filter { $1 == deepest }.map(\.0)
  }

  private func place(of found: Found, file: Int) -> SourcePlace {
    switch found {
    case .type(let id): place(of: id)
    case .alias(let alias, _): files[file].place(alias.declaration.nameSpan)
    case .failed: SourcePlace(file: files[file].path, line: 1, column: 1, offset: 0, length: 0)
    }
  }
}

// MARK: Protocols

extension NameTable {
  private static let maximumRefinements = 8

  /// A protocol, and the protocols of the sources that refine it: `protocol AppSchema: VersionedSchema {}`.
  package func refinements(of name: String) -> Set<String> {
    var names: Set = [name]
    let protocols = types.filter { $0.kind == .protocol }
    for _ in 0..<Self.maximumRefinements {
      let more = protocols.filter { !names.contains($0.name) && $0.conforms(toAnyOf: names) }
      if more.isEmpty { break }
      names.formUnion(more.map(\.name))
    }
    return names
  }
}
