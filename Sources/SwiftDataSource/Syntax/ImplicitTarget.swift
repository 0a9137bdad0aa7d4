import SwiftSyntax

/// The type that `.init(…)` makes, if the code around it says that it is a container.
enum ImplicitTarget {
  /// `let container: ModelContainer = …`, or the result of a function that returns one.
  case container
  /// `container = …`
  case variable(String)

  /// Nil for anything but a container, or where only a compiler could tell.
  init?(of call: FunctionCallExprSyntax) {
    for (parent, node) in call.ancestors {
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
      // An argument's type depends on the function; a closure that is called at once has the type of its result.
      if parent.is(LabeledExprSyntax.self) { return nil }
      if let other = parent.as(FunctionCallExprSyntax.self), other.calledExpression.id != node.id { return nil }
    }
    return nil
  }
}

extension TypeSyntax {
  /// `ModelContainer`, `ModelContainer?`
  var isContainer: Bool {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.isContainer }
    if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType.isContainer }
    if let name = self.as(IdentifierTypeSyntax.self)?.name { return name.text == "ModelContainer" }
    guard let member = self.as(MemberTypeSyntax.self), member.name.text == "ModelContainer" else { return false }
    return member.baseType.as(IdentifierTypeSyntax.self)?.name.text == "SwiftData"
  }
}
