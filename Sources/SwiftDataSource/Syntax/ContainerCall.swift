/// A call that makes a container or a schema, wherever it stands.
package struct ContainerCall: Sendable {
  package enum Kind: String, Sendable {
    /// `ModelContainer(for: …)`
    case container
    /// `.modelContainer(for: …)`
    case modifier
    /// `Schema(…)`
    case schema
  }

  package var kind: Kind
  package var arguments: [SourceArgument]
  package var span: SourceSpan
  package var failure: FailureHandling
  /// The function it stands in.
  package var function: SourceSpan?
  /// Whether it stands in a `#Preview`.
  package var isInPreview: Bool
  /// Whether only older systems come by: behind the `else` of `#available`.
  package var isForOlderSystems: Bool
}

/// A name that code gives a value: `let schema = Schema([Note.self])` in a function, a parameter, a property of a type.
package struct LocalValue: Sendable {
  package var name: String
  /// Nil for what only a run of the program decides: parameters, `var`s that are stored, what a pattern binds.
  package var value: SourceExpression?
  package var span: SourceSpan
  /// The block, function or type in which the name means this.
  package var reach: SourceSpan
  /// Whether it is a property, which what stands before it may use as well.
  package var isMember: Bool
}

/// What happens where a call throws.
package struct FailureHandling: Sendable, Hashable {
  /// The blocks of the `catch` clauses around it, or the one behind `else` where it is tried with `try?` in a condition.
  package var clauses: [SourceSpan] = []
  /// `try!`
  package var isForced = false
  /// Whether the function it stands in throws what it throws.
  package var isLeftToCallers = false
  /// The closure that `.modelContainer(for:)` gives its result to.
  package var setup: SourceSpan?
}

/// `#Predicate<Note> { $0.title == title }`
package struct PredicateUse: Sendable {
  package var type: TypeName
  /// The members of the closure's parameter that it names, in order, with the members of them: `["place", "city"]`.
  package var members: [(path: [String], span: SourceSpan)]
  package var span: SourceSpan
}
