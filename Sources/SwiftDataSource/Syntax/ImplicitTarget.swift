import SwiftSyntax

/// What `.init(…)` makes, where the code around it says that it is a container.
enum ImplicitTarget {
  /// `let container: ModelContainer = …`, or what a function gives that returns one.
  case container
  /// `container = …`
  case variable(String)

  /// Nil for what is no container, or where only a compiler knows.
  init?(of call: FunctionCallExprSyntax) {
    var node = Syntax(call)
    for _ in 0..<64 {
      guard let parent = node.parent else { return nil }
      if let binding = parent.as(PatternBindingSyntax.self) {
        guard let type = binding.typeAnnotation?.type, type.isContainer else { return nil }
        self = .container
        return
      }
      if let function = parent.as(FunctionDeclSyntax.self) {
        guard let type = function.signature.returnClause?.type, type.isContainer else { return nil }
        self = .container
        return
      }
      if let sequence = parent.as(SequenceExprSyntax.self) {
        let elements = Array(sequence.elements.prefix(3))
        guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self), let name = elements[0].pathNames?.last
        else { return nil }
        self = .variable(name)
        return
      }
      // An argument is of a type that the function says; a closure that is called at once gives what it gives.
      if parent.is(LabeledExprSyntax.self) { return nil }
      if let other = parent.as(FunctionCallExprSyntax.self), other.calledExpression.id != node.id { return nil }
      node = parent
    }
    return nil
  }
}

extension TypeSyntax {
  /// `ModelContainer`, `ModelContainer?`
  var isContainer: Bool {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.isContainer }
    if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType.isContainer }
    return ["ModelContainer", "SwiftData.ModelContainer"].contains(trimmedDescription)
  }
}

/// Schemas that a `ModelConfiguration` is given: they share out a container's classes, and are no model of their own.
struct ConfigurationSchemas {
  private var spans: Set<SourceSpan> = []
  /// Names that configurations and containers are given.
  private var names: Set<String> = []
  private var containerNames: Set<String> = []
  /// `let schema = Schema(…)`: by the call's place.
  private var named: [SourceSpan: String] = [:]

  /// Takes note of a call.
  mutating func note(_ call: FunctionCallExprSyntax) {
    if let binding = call.parent?.parent?.as(PatternBindingSyntax.self),
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText
    {
      named[SourceSpan(call)] = name
    }
    for argument in call.arguments {
      let name = argument.expression.as(DeclReferenceExprSyntax.self)?.baseName.plainText
      switch argument.label?.text {
      case "schema":
        if argument.expression.is(FunctionCallExprSyntax.self) { spans.insert(SourceSpan(argument.expression)) }
        if let name { names.insert(name) }
      case "for": if let name { containerNames.insert(name) }
      default: break
      }
    }
  }

  func areOnlyForConfigurations(_ call: ContainerCall) -> Bool {
    guard call.kind == .schema else { return false }
    if spans.contains(call.span) { return true }
    return named[call.span].map { names.contains($0) && !containerNames.contains($0) } ?? false
  }
}
