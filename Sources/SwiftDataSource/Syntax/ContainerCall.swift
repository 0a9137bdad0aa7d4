import SwiftSyntax

/// A call that makes a container or a schema, anywhere in the code.
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
  /// The function that contains it.
  package var function: SourceSpan?
  /// The names that are true where it is made, by the conditions of the `if`s around it.
  package var trueNames: Set<String> = []
  /// Whether it is in a `#Preview` or a `PreviewProvider`.
  package var isInPreview: Bool
  /// Whether it runs only on older systems, in the `else` of an `#available`.
  package var isForOlderSystems: Bool
}

/// A call of a function of the sources, which makes a container or is on the way there.
package struct FunctionCall: Sendable {
  package var callee: SourceExpression
  package var arguments: [SourceArgument]
  package var span: SourceSpan
  package var failure: FailureHandling
  /// The function that contains it.
  package var function: SourceSpan?
  /// What is done with a value of it that says that it failed.
  package var received: ReceivedFailure

  /// Reads a call in the tree of a whole file.
  init?(_ call: FunctionCallExprSyntax, _ failures: inout FailureReader) {
    guard let found = CodeReader.functionCall(call, &failures) else { return nil }
    self = found
  }

  init(
    callee: SourceExpression, arguments: [SourceArgument], span: SourceSpan, failure: FailureHandling,
    function: SourceSpan?, received: ReceivedFailure
  ) {
    self.callee = callee
    self.arguments = arguments
    self.span = span
    self.failure = failure
    self.function = function
    self.received = received
  }
}

/// What is done with a value that says that something failed: `nil`, `(nil, error)`, `.failure(error)`.
package struct ReceivedFailure: Sendable, Hashable {
  /// The blocks that run for it.
  package var blocks: [SourceSpan] = []
  /// The statements that run for it, without braces around them.
  package var statements: [SourceSpan] = []
  /// Whether the function around gives it back.
  package var isReturned = false
}

/// A named value in code: `let schema = Schema([Note.self])` in a function, a parameter, a property of a type.
package struct LocalValue: Sendable, Equatable {
  package var name: String
  /// Nil if it is known only at run time: for parameters, stored `var`s, and names in other patterns than `if let`.
  package var value: SourceExpression?
  package var span: SourceSpan
  /// The block, function or type in which the name is valid.
  package var reach: SourceSpan
  /// Whether it is a property, which code before it can use too.
  package var isMember: Bool
  /// Whether it is a parameter of a function; `reach` is that function then.
  package var isParameter = false
}

/// The handling of a call that throws.
package struct FailureHandling: Sendable, Hashable {
  /// The blocks of the `catch` clauses around it, or the `else` block for `try?` in a condition.
  package var clauses: [SourceSpan] = []
  /// The statements that run on failure alone, since a `catch` clause falls through to them and the `do` block returns.
  package var rests: [SourceSpan] = []
  /// The `do` blocks around it.
  package var tried: [SourceSpan] = []
  /// `try!`
  package var isForced = false
  /// Whether the error is passed on to the function's callers.
  package var isLeftToCallers = false
  /// What the function around gives back where it fails, if that is a value.
  package var returned: ReturnedFailure?
  /// The closure that passes it on, where that is an argument of a call.
  package var closure: PassedClosure?

  /// A value that says that a container cannot be made.
  package enum ReturnedFailure: Sendable, Hashable {
    /// `nil`
    case absence
    /// `(nil, error)` and `.failure(error)`, which callers are meant to look at.
    case error
  }

  /// A closure that is passed to a function.
  package struct PassedClosure: Sendable, Hashable {
    package var span: SourceSpan
    /// The call that gets it.
    package var call: SourceSpan
  }
  /// The closure to which `.modelContainer(for:)` passes its result.
  package var setup: SourceSpan?
}

/// `#Predicate<Note> { $0.title == title }`
package struct PredicateUse: Sendable {
  package var type: TypeName
  /// The members of the closure's parameter that it uses, in order, as paths: `["place", "city"]`.
  package var members: [(path: [String], span: SourceSpan)]
  package var span: SourceSpan
}
