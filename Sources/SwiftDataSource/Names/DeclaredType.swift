import StoreSwiftDataSchemas

/// A type's number in its ``NameTable``.
package struct TypeID: Hashable, Sendable, Comparable {
  package let number: Int
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// A type with its declaration and its extensions, from any file.
package struct DeclaredType: Sendable {
  /// A declaration or an extension, with its file's number.
  package struct Part: Sendable {
    package let file: Int
    package let declaration: TypeDeclaration
  }

  /// A typealias with its file's number.
  package struct Alias: Sendable {
    package let file: Int
    package let declaration: AliasDeclaration
  }

  package let id: TypeID
  package let name: String
  /// The name with the types it is nested in: `SchemaV1.Note`.
  package let qualifiedName: String
  package let parent: TypeID?
  /// `extension` for a type that the sources do not declare, such as `String`.
  package let kind: TypeDeclaration.Kind
  /// The declaration, if there is one; then extensions.
  package internal(set) var parts: [Part]
  package internal(set) var children: [String: [TypeID]] = [:]
  package internal(set) var aliases: [String: [Alias]] = [:]

  /// The declaration; nil for a type that the sources do not declare.
  package var declaration: TypeDeclaration? { kind == .extension ? nil : parts.first?.declaration }
  package var file: Int { parts.first?.file ?? 0 }
  /// The superclass and protocols in the declaration and its extensions.
  package var inherited: [TypeName] { parts.flatMap(\.declaration.inherited) }
  /// Whether it is a class with `@Model`.
  package var isModel: Bool { kind == .class && (declaration?.has(attribute: "Model") ?? false) }

  /// Whether an app begins with it.
  var isApp: Bool {
    guard let declaration, ["main", "UIApplicationMain", "NSApplicationMain"].contains(where: declaration.has)
    else { return false }
    return ["App", "UIApplicationDelegate", "NSApplicationDelegate", "WKApplicationDelegate"].contains { name in
      inherited.contains { $0.lastName == name }
    }
  }

  package func conforms(to name: String) -> Bool {
    inherited.contains { type in
      guard case .named(let components) = type, components.last?.name == name else { return false }
      return components.count == 1 || (components.count == 2 && components[0].name == "SwiftData")
    }
  }

  /// Whether it conforms to one of these protocols; see ``NameTable/refinements(of:)``.
  package func conforms(toAnyOf names: Set<String>) -> Bool { names.contains(where: conforms) }

  /// A static variable of the type, with its file.
  package func staticVariable(_ name: String) -> (file: Int, variable: VariableDeclaration)? {
    for part in parts {
      if let found = part.declaration.members.variables.first(where: { $0.isStatic && $0.name == name }) {
        return (part.file, found)
      }
    }
    return nil
  }

  /// All static variables with a name; there may be several inside of undecided `#if`s.
  func staticVariables(_ name: String) -> [(file: Int, variable: VariableDeclaration)] {
    parts.flatMap { part in
      part.declaration.members.variables.filter { $0.isStatic && $0.name == name }.map { (part.file, $0) }
    }
  }

  /// The static function with a name and no parameters, with its file; nil where there are several.
  func staticFunction(_ name: String) -> (file: Int, function: FunctionDeclaration)? {
    let found = parts.flatMap { part in
      part.declaration.members.functions.filter { $0.isStatic && $0.name == name && $0.labels.isEmpty }
        .map { (part.file, $0) }
    }
    return found.count == 1 ? found[0] : nil
  }
}

/// The place where a name is used.
package struct Scope: Sendable {
  package var file: Int
  package var type: TypeID?
  /// The call of the function around it whose arguments the function's parameters have; nil where none is followed.
  package var frame: CallFrame?

  package init(file: Int, type: TypeID? = nil, frame: CallFrame? = nil) {
    self.file = file
    self.type = type
    self.frame = frame
  }
}

/// The meaning of a written type.
package indirect enum ResolvedType: Sendable {
  case declared(TypeID)
  /// Not declared in the sources: `String`, `Color.Resolved`, `Money`; without `Swift.` or `Foundation.`.
  case foreign(String)
  case array(ResolvedType)
  case set(ResolvedType)
  case dictionary(ResolvedType, ResolvedType)
  case optional(ResolvedType)
  case failed(NameFailure)
}

/// Why a name cannot be resolved.
package enum NameFailure: Sendable, Hashable {
  /// Several declarations, none of them nearer than the others.
  case ambiguous(String, [SourcePlace])
  /// A chain of more than 16 typealiases, or a cycle.
  case endlessAlias(String)
  /// A generic parameter, or a generic type of the sources.
  case generic(String)
  /// Tuples, functions, `any P`.
  case notNominal(String)
}
