/// The values that a function's parameters have in one call of it.
package final class CallFrame: Sendable {
  /// A value with the place for resolving its own names.
  package typealias Argument = (value: SourceExpression, scope: Scope)

  /// The function's declaration.
  package let function: SourceSpan
  /// The file of that declaration.
  package let file: Int
  /// The call that passes them, in the file of `caller`.
  package let call: SourceSpan
  /// The place of that call.
  package let caller: Scope
  private let arguments: [String: Argument]

  /// - Parameters:
  ///   - declaration: the function that is called, with the place where its default values are read.
  ///   - scope: the place of the call.
  package init(
    _ call: FunctionCall, of declaration: FunctionDeclaration, declaredIn home: Scope, calledIn scope: Scope
  ) {
    function = declaration.span
    file = home.file
    self.call = call.span
    caller = scope
    var arguments: [String: Argument] = [:]
    for (name, value) in Self.pairs(call.arguments, declaration.parameters) { arguments[name] = (value, scope) }
    for parameter in declaration.parameters where arguments[parameter.name] == nil {
      // A default value is that of the function, and may not use its other parameters.
      if let value = parameter.defaultValue { arguments[parameter.name] = (value, home) }
    }
    self.arguments = arguments
  }

  /// The value of a parameter, by its name in the function's body.
  package func argument(_ name: String) -> Argument? { arguments[name] }

  /// The parameter that gets the value at a span of the calling file.
  package func name(ofArgumentAt span: SourceSpan) -> String? { arguments.first { $0.value.value.span == span }?.key }

  /// The arguments by the names of the parameters that they are for.
  private static func pairs(
    _ arguments: [SourceArgument], _ parameters: [FunctionDeclaration.Parameter]
  ) -> [(String, SourceExpression)] {
    var rest = parameters[...]
    return arguments.compactMap { argument in
      if let position = rest.firstIndex(where: { $0.label == argument.label ?? "_" }) {
        defer { rest = rest[(position + 1)...] }
        return (rest[position].name, argument.value)
      }
      // The first trailing closure is without a label.
      guard argument.label == nil, case .closure = argument.value.kind, let last = rest.last else { return nil }
      rest = rest.dropLast()
      return (last.name, argument.value)
    }
  }
}
