/// A type as written, before its names are resolved.
package indirect enum TypeName: Sendable, Hashable {
  /// `Note`, `SchemaV1.Note`, `Array<String>`
  case named([Component])
  /// `[String]`
  case array(TypeName)
  /// `[String: Int]`
  case dictionary(TypeName, TypeName)
  /// `String?`, `String!`
  case optional(TypeName)
  /// Tuples, functions, `any P`, `some P`, and types nested too deeply, as text.
  case other(String)

  /// One name of a path, with its generic arguments.
  package struct Component: Sendable, Hashable {
    package var name: String
    package var arguments: [TypeName]

    package init(_ name: String, _ arguments: [TypeName] = []) {
      self.name = name
      self.arguments = arguments
    }
  }

  /// A plain name or path without arguments.
  package static func path(_ names: [String]) -> TypeName { .named(names.map { Component($0) }) }

  /// The names of a path without arguments; nil for everything else.
  package var pathNames: [String]? {
    guard case .named(let components) = self, components.allSatisfy(\.arguments.isEmpty) else { return nil }
    return components.map(\.name)
  }

  /// The last name of a path: `VersionedSchema` of `SwiftData.VersionedSchema`.
  package var lastName: String? {
    if case .named(let components) = self { components.last?.name } else { nil }
  }
}

extension TypeName: CustomStringConvertible {
  package var description: String {
    switch self {
    case .named(let components): components.map(\.description).joined(separator: ".")
    case .array(let element): "[\(element)]"
    case .dictionary(let key, let value): "[\(key): \(value)]"
    case .optional(let wrapped): "\(wrapped)?"
    case .other(let text): text
    }
  }
}

extension TypeName.Component: CustomStringConvertible {
  package var description: String {
    arguments.isEmpty ? name : "\(name)<\(arguments.map(\.description).joined(separator: ", "))>"
  }
}
