/// Whether the build decides that a declaration counts.
package enum BuildCondition: Sendable, Hashable {
  case always
  /// Within an `#if` that nobody decided: its text.
  case undecided(String)
}

/// The members of a type, an extension or a file, in order; what an `#if` rules out is not there.
package struct SourceMembers: Sendable {
  package var types: [TypeDeclaration] = []
  package var aliases: [AliasDeclaration] = []
  package var variables: [VariableDeclaration] = []
  package var cases: [CaseDeclaration] = []
  package var functions: [FunctionDeclaration] = []
  package var macros: [MacroUse] = []
}

/// A class, struct, enum, actor, protocol, or an extension of a type.
package struct TypeDeclaration: Sendable {
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
  /// Whether something in it is no Swift.
  package var hasError: Bool

  package var isFilePrivate: Bool { modifiers.contains { $0 == "private" || $0 == "fileprivate" } }
  package func has(attribute name: String) -> Bool { attributes.contains { $0.name == name } }
}

/// `typealias Note = SchemaV2.Note`
package struct AliasDeclaration: Sendable {
  package var name: String
  package var nameSpan: SourceSpan
  package var span: SourceSpan
  package var isGeneric: Bool
  package var modifiers: [String]
  package var target: TypeName
  package var condition: BuildCondition
}

/// One name of a `var` or `let`.
package struct VariableDeclaration: Sendable {
  package enum Storage: Sendable, Hashable { case stored, observed, computed }

  /// Empty for a tuple pattern.
  package var name: String
  package var nameSpan: SourceSpan
  /// The whole declaration, attributes included.
  package var span: SourceSpan
  /// Its `var` or `let`.
  package var specifierSpan: SourceSpan
  package var isConstant: Bool
  /// How many names the declaration has; `var a, b: Int` has two.
  package var nameCount: Int
  package var modifiers: [String]
  package var attributes: [AttributeUse]
  package var type: TypeName?
  package var typeSpan: SourceSpan?
  package var initialValue: SourceExpression?
  package var storage: Storage
  /// What a getter gives, where that is one expression.
  package var getterValue: SourceExpression?
  package var condition: BuildCondition

  package var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }
  /// What is read where the name is used: the initial value, or what its getter gives.
  package var value: SourceExpression? { initialValue ?? getterValue }
  package func attribute(_ name: String) -> AttributeUse? { attributes.first { $0.name == name } }
}

/// One case of an enum.
package struct CaseDeclaration: Sendable {
  package var name: String
  package var span: SourceSpan
  package var hasPayload: Bool
  package var condition: BuildCondition
}

/// A function or an initialiser (`init`, `init?`).
package struct FunctionDeclaration: Sendable {
  package var name: String
  package var span: SourceSpan
  package var modifiers: [String]
  /// Labels of the parameters; "_" for none.
  package var labels: [String]
  /// What a call without arguments gives, where that is one expression.
  package var value: SourceExpression?
  package var condition: BuildCondition

  package var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }
  package var isInitializer: Bool { name == "init" || name == "init?" }
}

/// `@Attribute(.unique)`
package struct AttributeUse: Sendable {
  /// Without its module: `Attribute` of `@SwiftData.Attribute`. `#if` for attributes that depend on the build.
  package var name: String
  package var arguments: [SourceArgument]
  package var span: SourceSpan
}

/// `#Unique<Note>([\.name])`
package struct MacroUse: Sendable {
  package var name: String
  package var types: [TypeName]
  package var arguments: [SourceArgument]
  package var span: SourceSpan
  package var condition: BuildCondition
}
