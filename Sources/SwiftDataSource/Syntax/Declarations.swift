/// Whether the build includes a declaration.
package enum BuildCondition: Sendable, Hashable {
  case always
  /// Inside of an `#if` with an undecided condition, given as text.
  case undecided(String)
}

/// The members of a type, an extension or a file, in order, without those that an `#if` excludes.
package struct SourceMembers: Sendable, Equatable {
  package var types: [TypeDeclaration] = []
  package var aliases: [AliasDeclaration] = []
  package var variables: [VariableDeclaration] = []
  package var cases: [CaseDeclaration] = []
  package var functions: [FunctionDeclaration] = []
  package var macros: [MacroUse] = []
}

/// A class, struct, enum, actor, protocol, or an extension of a type.
package struct TypeDeclaration: Sendable, Equatable {
  package enum Kind: String, Sendable { case `class`, `struct`, `enum`, actor, `protocol`, `extension` }

  package var kind: Kind
  /// One name; of an extension, the path it extends.
  package var name: [String]
  package var nameSpan: SourceSpan
  package var span: SourceSpan
  package var attributes: [AttributeUse]
  package var modifiers: [String]
  package var isGeneric: Bool
  package var genericParameters: [String]
  package var inherited: [TypeName]
  package var members: SourceMembers
  package var condition: BuildCondition
  /// Whether it contains syntax errors.
  package var hasError: Bool

  package var isFilePrivate: Bool { modifiers.contains { $0 == "private" || $0 == "fileprivate" } }
  package func has(attribute name: String) -> Bool { attributes.contains { $0.name == name } }
}

/// `typealias Note = SchemaV2.Note`
package struct AliasDeclaration: Sendable, Equatable {
  package var name: String
  package var nameSpan: SourceSpan
  package var span: SourceSpan
  package var isGeneric: Bool
  package var modifiers: [String]
  package var target: TypeName
  package var condition: BuildCondition
}

/// One name of a `var` or `let`.
package struct VariableDeclaration: Sendable, Equatable {
  package enum Storage: Sendable, Hashable { case stored, observed, computed }

  /// Empty for a tuple pattern.
  package var name: String
  package var nameSpan: SourceSpan
  /// The whole declaration, attributes included.
  package var span: SourceSpan
  /// Its `var` or `let`.
  package var specifierSpan: SourceSpan
  package var isConstant: Bool
  /// The number of names in the declaration; two for `var a, b: Int`.
  package var nameCount: Int
  package var modifiers: [String]
  package var attributes: [AttributeUse]
  package var type: TypeName?
  package var typeSpan: SourceSpan?
  package var initialValue: SourceExpression?
  package var storage: Storage
  /// The getter's value, if it is one expression.
  package var getterValue: SourceExpression?
  package var condition: BuildCondition

  package var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }
  /// The value of the name: the initial value, or the getter's.
  package var value: SourceExpression? { initialValue ?? getterValue }
  package func attribute(_ name: String) -> AttributeUse? { attributes.first { $0.name == name } }
}

/// One case of an enum.
package struct CaseDeclaration: Sendable, Equatable {
  package var name: String
  package var span: SourceSpan
  package var hasPayload: Bool
  package var condition: BuildCondition
}

/// A function or an initialiser (`init`, `init?`).
package struct FunctionDeclaration: Sendable, Equatable {
  package var name: String
  package var span: SourceSpan
  package var modifiers: [String]
  package var parameters: [Parameter] = []
  /// The result of a call without arguments, if it is one expression.
  package var value: SourceExpression?
  package var condition: BuildCondition

  package var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }
  package var isInitializer: Bool { name == "init" || name == "init?" }
  /// Labels of the parameters; "_" for none.
  package var labels: [String] { parameters.map(\.label) }

  /// A parameter of a function.
  package struct Parameter: Sendable, Equatable {
    /// "_" for none.
    package var label: String
    /// The name in the function's body.
    package var name: String
    package var defaultValue: SourceExpression?
  }
}

/// `@Attribute(.unique)`
package struct AttributeUse: Sendable, Equatable {
  /// The name without its module: `Attribute` for `@SwiftData.Attribute`; `#if` for attributes that depend on the
  /// build.
  package var name: String
  package var arguments: [SourceArgument]
  package var span: SourceSpan
}

/// `#Unique<Note>([\.name])`
package struct MacroUse: Sendable, Equatable {
  package var name: String
  package var types: [TypeName]
  package var arguments: [SourceArgument]
  package var span: SourceSpan
  package var condition: BuildCondition
}
