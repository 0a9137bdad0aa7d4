import SwiftSyntax

extension SourceExpression {
  /// Expressions nested more deeply are not read.
  fileprivate static let maximumDepth = 48

  package init(_ syntax: ExprSyntax, depth: Int = 0) { self.init(syntax, depth: depth, start: nil) }

  /// - Parameter start: where it begins, if known: in `a.b.c` all parts begin at `a`, which takes time to find.
  private init(_ syntax: ExprSyntax, depth: Int, start: Int?) {
    if depth <= Self.maximumDepth, let value = Self.valueOfCalledClosure(syntax) {
      self = SourceExpression(value, depth: depth + 1)
      return
    }
    span = start.map { SourceSpan(syntax, start: $0) } ?? SourceSpan(syntax)
    kind = depth > Self.maximumDepth ? .other : Self.kind(syntax, depth: depth + 1, start: span.start)
  }

  private static func kind(_ syntax: ExprSyntax, depth: Int, start: Int) -> Kind {
    switch syntax.kind {
    case .integerLiteralExpr, .floatLiteralExpr, .stringLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr,
      .prefixOperatorExpr:
      return literal(syntax) ?? .other
    case .declReferenceExpr, .genericSpecializationExpr, .memberAccessExpr:
      return reference(syntax, depth: depth, start: start) ?? .other
    case .functionCallExpr:
      return syntax.as(FunctionCallExprSyntax.self).map { call($0, depth: depth, start: start) } ?? .other
    case .arrayExpr:
      guard let array = syntax.as(ArrayExprSyntax.self) else { return .other }
      return .array(array.elements.map { SourceExpression($0.expression, depth: depth) })
    case .dictionaryExpr: return dictionary(syntax, depth: depth)
    case .keyPathExpr: return syntax.as(KeyPathExprSyntax.self).flatMap(keyPath) ?? .other
    case .sequenceExpr: return syntax.as(SequenceExprSyntax.self).flatMap { sequence($0, depth: depth) } ?? .other
    case .closureExpr: return .closure
    default: return wrapped(syntax, depth: depth) ?? .other
    }
  }

  // MARK: Literals

  private static func literal(_ syntax: ExprSyntax) -> Kind? {
    if let literal = syntax.as(IntegerLiteralExprSyntax.self) { return .integer(integer(literal.literal.text)) }
    if let literal = syntax.as(FloatLiteralExprSyntax.self) { return .real(real(literal.literal.text)) }
    if let literal = syntax.as(BooleanLiteralExprSyntax.self) {
      return .boolean(literal.literal.tokenKind == .keyword(.true))
    }
    if syntax.is(NilLiteralExprSyntax.self) { return .null }
    if let literal = syntax.as(StringLiteralExprSyntax.self) {
      return literal.representedLiteralValue.map(Kind.string) ?? .interpolation
    }
    guard let prefix = syntax.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" else { return nil }
    if let literal = prefix.expression.as(IntegerLiteralExprSyntax.self) {
      return .integer(integer("-" + literal.literal.text))
    }
    return prefix.expression.as(FloatLiteralExprSyntax.self).map { .real(real("-" + $0.literal.text)) }
  }

  private static func integer(_ text: String) -> Int64? {
    var digits = text.filter { $0 != "_" }
    let isNegative = digits.hasPrefix("-")
    if isNegative { digits.removeFirst() }
    let radix = ["0x": 16, "0o": 8, "0b": 2][String(digits.prefix(2))]
    return Int64((isNegative ? "-" : "") + (radix == nil ? digits : String(digits.dropFirst(2))), radix: radix ?? 10)
  }

  private static func real(_ text: String) -> Double? { Double(text.filter { $0 != "_" }) }

  // MARK: Names

  /// `a.b.c` is a chain to the left, whose length the parser does not limit.
  private static func reference(_ syntax: ExprSyntax, depth: Int, start: Int) -> Kind? {
    if let name = syntax.as(DeclReferenceExprSyntax.self) { return .name(TypeName.Component(name.baseName.plainText)) }
    if let special = syntax.as(GenericSpecializationExprSyntax.self) {
      let arguments = TypeName.arguments(special.genericArgumentClause, depth: 0)
      switch kind(special.expression, depth: depth, start: start) {
      case .name(let component): return .name(TypeName.Component(component.name, arguments))
      case .member(let base, let component): return .member(base, TypeName.Component(component.name, arguments))
      default: return nil
      }
    }
    guard let member = syntax.as(MemberAccessExprSyntax.self) else { return nil }
    return .member(
      member.base.map { SourceExpression($0, depth: depth, start: start) },
      TypeName.Component(member.declName.baseName.plainText))
  }

  private static func keyPath(_ path: KeyPathExprSyntax) -> Kind? {
    var names: [String] = []
    for component in path.components {
      switch component.component {
      case .property(let property): names.append(property.declName.baseName.plainText)
      // `\Note.tags?.count` and subscripts do not name a property of a model.
      default: return nil
      }
    }
    var root = path.root.map { TypeName($0) }
    // In `\SchemaV2.Note.tags` only the first name is parsed as a type; capitalised names after it are types too.
    while names.count > 1, names[0].first?.isUppercase ?? false, case .named(let parts)? = root {
      root = .named(parts + [TypeName.Component(names.removeFirst())])
    }
    return .keyPath(root, names)
  }

  // MARK: Calls and lists

  private static func call(_ call: FunctionCallExprSyntax, depth: Int, start: Int) -> Kind {
    var arguments = call.arguments.map { SourceArgument($0, depth: depth) }
    if let closure = call.trailingClosure {
      arguments.append(
        SourceArgument(label: nil, value: SourceExpression(ExprSyntax(closure)), span: SourceSpan(closure)))
    }
    for trailing in call.additionalTrailingClosures {
      arguments.append(
        SourceArgument(
          label: trailing.label.plainText, value: SourceExpression(ExprSyntax(trailing.closure)),
          span: SourceSpan(trailing.closure)))
    }
    return .call(callee(call.calledExpression, depth: depth, start: start), arguments)
  }

  /// `{ MigrationStage.lightweight(…) }()`
  private static func valueOfCalledClosure(_ syntax: ExprSyntax) -> ExprSyntax? {
    guard let call = syntax.as(FunctionCallExprSyntax.self), call.arguments.isEmpty, call.trailingClosure == nil,
      let closure = call.calledExpression.as(ClosureExprSyntax.self), closure.signature == nil
    else { return nil }
    return BodyValue.only(closure.statements)
  }

  /// The callee; in `[String]()` it is a type that looks like a list.
  private static func callee(_ syntax: ExprSyntax, depth: Int, start: Int) -> SourceExpression {
    var callee = SourceExpression(syntax, depth: depth, start: start)
    switch callee.kind {
    case .array(let elements):
      if elements.count == 1, let element = elements[0].typeName { callee.kind = .type(.array(element)) }
    case .dictionary(let pairs):
      if pairs.count == 1, let key = pairs[0].key.typeName, let value = pairs[0].value.typeName {
        callee.kind = .type(.dictionary(key, value))
      }
    default:
      if let type = syntax.as(TypeExprSyntax.self) { callee.kind = .type(TypeName(type.type)) }
    }
    return callee
  }

  private static func dictionary(_ syntax: ExprSyntax, depth: Int) -> Kind {
    guard let dictionary = syntax.as(DictionaryExprSyntax.self) else { return .other }
    switch dictionary.content {
    case .colon: return .dictionary([])
    case .elements(let elements):
      return .dictionary(
        elements.map { element in
          SourceExpression.Pair(
            key: SourceExpression(element.key, depth: depth), value: SourceExpression(element.value, depth: depth))
        })
    }
  }

  /// Operands between operators: sums, other arithmetic and `??`, and whatever else is read of a sequence.
  private static func sequence(_ sequence: SequenceExprSyntax, depth: Int) -> Kind? {
    var operands: [SourceExpression] = []
    var symbols: Set<String> = []
    if let cast = cast(sequence, depth: depth) ?? choice(sequence, depth: depth) { return cast }
    for element in sequence.elements {
      if let symbol = element.as(BinaryOperatorExprSyntax.self) {
        symbols.insert(symbol.operator.text)
      } else if element.is(UnresolvedTernaryExprSyntax.self) || element.is(UnresolvedAsExprSyntax.self)
        || element.is(UnresolvedIsExprSyntax.self) || element.is(AssignmentExprSyntax.self)
        || element.is(ArrowExprSyntax.self)
      {
        return nil
      } else {
        operands.append(SourceExpression(element, depth: depth))
      }
    }
    if symbols == ["+"] { return .sum(operands) }
    if symbols == ["??"] { return .fallback(operands) }
    return symbols.isSubset(of: ["+", "-", "*", "/", "%"]) ? .arithmetic(operands) : nil
  }

  /// The values of `a ? b : c ? d : e`: `b`, `d` and `e`.
  private static func choice(_ sequence: SequenceExprSyntax, depth: Int) -> Kind? {
    let elements = Array(sequence.elements)
    guard let last = elements.last, elements.count > 2,
      elements[elements.count - 2].is(UnresolvedTernaryExprSyntax.self),
      !elements.contains(where: { $0.is(AssignmentExprSyntax.self) })
    else { return nil }
    let values = elements.compactMap { $0.as(UnresolvedTernaryExprSyntax.self)?.thenExpression } + [last]
    return .choice(values.map { SourceExpression($0, depth: depth) })
  }

  /// The cast in `[Note.self] as [any PersistentModel.Type]`.
  private static func cast(_ sequence: SequenceExprSyntax, depth: Int) -> Kind? {
    let elements = Array(sequence.elements.prefix(4))
    guard elements.count == 3, elements[1].as(UnresolvedAsExprSyntax.self)?.questionOrExclamationMark == nil,
      elements[1].is(UnresolvedAsExprSyntax.self), let type = elements[2].as(TypeExprSyntax.self)
    else { return nil }
    return .cast(SourceExpression(elements[0], depth: depth), TypeName(type.type))
  }

  // MARK: Wrappers

  /// The expression inside of `try x`, `await x`, `(x)`, `x!`; and types used as values.
  private static func wrapped(_ syntax: ExprSyntax, depth: Int) -> Kind? {
    if let unwrapped = syntax.as(TryExprSyntax.self),
      unwrapped.questionOrExclamationMark?.tokenKind != .postfixQuestionMark
    {
      return SourceExpression(unwrapped.expression, depth: depth).kind
    }
    if let awaited = syntax.as(AwaitExprSyntax.self) { return SourceExpression(awaited.expression, depth: depth).kind }
    if let forced = syntax.as(ForceUnwrapExprSyntax.self) {
      return .forced(SourceExpression(forced.expression, depth: depth))
    }
    // The `url?` of `url?.path`.
    if let chained = syntax.as(OptionalChainingExprSyntax.self) {
      return .forced(SourceExpression(chained.expression, depth: depth))
    }
    if let group = syntax.as(TupleExprSyntax.self), group.elements.count == 1, let only = group.elements.first,
      only.label == nil
    {
      return SourceExpression(only.expression, depth: depth).kind
    }
    return syntax.as(TypeExprSyntax.self).map { .type(TypeName($0.type)) }
  }
}

extension ExprSyntax {
  /// The names of `a.b.c`; nil for anything but a path of plain names, or a longer one than is read.
  package var pathNames: [String]? {
    var names: [String] = []
    var part = self
    while let member = part.as(MemberAccessExprSyntax.self), let base = member.base {
      guard names.count < SourceExpression.maximumDepth else { return nil }
      names.append(member.declName.baseName.plainText)
      part = base
    }
    // A call's result has no path; checking `a.b().c()` further would read each call to its end.
    guard !part.is(FunctionCallExprSyntax.self) else { return nil }
    return SourceExpression(part).pathNames.map { $0 + names.reversed() }
  }
}

extension SourceArgument {
  package init(_ syntax: LabeledExprSyntax, depth: Int = 0) {
    label = syntax.label?.plainText
    value = SourceExpression(syntax.expression, depth: depth)
    span = SourceSpan(syntax)
  }
}
