import StoreText
import SwiftDataSource
import SwiftSyntax

/// Collects what a body does. It uses a stack of its own, since trees can be deeper than a thread's stack allows.
struct StageBodyReader {
  private let names: NameTable
  private let modelContext: TypeID?
  private(set) var body: StageBody

  /// The most nodes that are read of a body.
  private static let maximumNodes = 500_000

  init(_ names: NameTable, _ body: StageBody) {
    self.names = names
    modelContext = names.modelContext
    self.body = body
  }

  mutating func read(_ code: SourceCode, helper: String?, in scope: Scope) {
    if let helper { body.helpers.insert(helper) }
    body.contexts.formUnion(Self.contexts(of: code.syntax))
    var rest = [code.syntax]
    var count = 0
    while let node = rest.popLast(), count < Self.maximumNodes {
      count += 1
      let isWhole = read(node, origin: Origin(code: code, helper: helper, scope: scope))
      if !isWhole { rest += node.children(viewMode: .sourceAccurate).reversed() }
    }
  }

  /// The code that contains a node.
  private struct Origin {
    var code: SourceCode
    var helper: String?
    var scope: Scope

    var file: Int { code.file }
  }

  /// The parameters that are contexts: a closure's only one, and those of a function by type or name.
  private static func contexts(of root: Syntax) -> [String] {
    if let closure = root.as(ClosureExprSyntax.self) { return [closure.firstParameter ?? "$0"] }
    let parameters = root.as(FunctionDeclSyntax.self)?.signature.parameterClause.parameters ?? []
    return parameters.compactMap { parameter in
      let name = (parameter.secondName ?? parameter.firstName).text
      let type = TypeName(parameter.type).lastName
      return type == "ModelContext" || name.lowercased().contains("context") ? name : nil
    }
  }

  /// - Returns: whether the nodes inside of it need not be read.
  private mutating func read(_ node: Syntax, origin: Origin) -> Bool {
    switch node.kind {
    case .memberType, .identifierType:
      guard let type = node.as(TypeSyntax.self).map({ TypeName($0) }) else { return false }
      if let path = type.pathNames { add(path, at: node, origin: origin) }
      return type.pathNames != nil
    case .declReferenceExpr where node.parent?.kind == .keyPathPropertyComponent:
      // Part of a path that was read as a whole.
      return true
    case .memberAccessExpr, .declReferenceExpr:
      guard let expression = node.as(ExprSyntax.self) else { return false }
      guard let path = expression.pathNames else {
        mention(expression, at: node, origin: origin)
        return false
      }
      add(path, at: node, origin: origin)
      return true
    case .keyPathExpr:
      if let path = node.as(KeyPathExprSyntax.self) { add(path, origin: origin) }
    case .functionCallExpr: if let call = node.as(FunctionCallExprSyntax.self) { add(call, origin: origin) }
    case .sequenceExpr: if let sequence = node.as(SequenceExprSyntax.self) { add(sequence, origin: origin) }
    case .forStmt: if let loop = node.as(ForStmtSyntax.self) { add(loop, origin: origin) }
    case .patternBinding: if let binding = node.as(PatternBindingSyntax.self) { add(binding) }
    case .optionalBindingCondition: if let binding = node.as(OptionalBindingConditionSyntax.self) { add(binding) }
    case .tryExpr: if let expression = node.as(TryExprSyntax.self) { add(expression, origin: origin) }
    case .doStmt: if let statement = node.as(DoStmtSyntax.self) { add(statement, origin: origin) }
    default: break
    }
    return false
  }

  // MARK: Names

  private mutating func add(_ path: [String], at node: Syntax, origin: Origin) {
    let span = origin.code.span(node)
    for name in path where body.mentioned[name] == nil { body.mentioned[name] = (span, origin.file) }
    guard path.first?.first?.isUppercase ?? false else { return }
    // In `V1.Note.self` and `V1.Note.init`, the longest prefix that is a class.
    var names = path
    while !names.isEmpty {
      if let id = self.names.declaredType(.path(names), in: origin.scope), self.names[id].isModel {
        body.references.append(
          StageBody.Reference(
            id: id, text: names.joined(separator: "."), span: span, file: origin.file, helper: origin.helper,
            isBare: names.count == 1))
        return
      }
      names.removeLast()
    }
  }

  /// `\V1.Note.title`: `V1` is the root, and `Note` and `title` are parts, whatever they name.
  private mutating func add(_ path: KeyPathExprSyntax, origin: Origin) {
    let names = path.components.compactMap { component -> String? in
      if case .property(let property) = component.component { property.declName.baseName.text } else { nil }
    }
    // `\Note.tags?.count` names no property of a model alone.
    if names.count == path.components.count { body.keyPathNames.formUnion(names) }
    add((path.root.flatMap { TypeName($0).pathNames } ?? []) + names, at: Syntax(path), origin: origin)
  }

  private mutating func mention(_ expression: ExprSyntax, at node: Syntax, origin: Origin) {
    guard let member = expression.as(MemberAccessExprSyntax.self) else { return }
    let name = member.declName.baseName.text
    if body.mentioned[name] == nil { body.mentioned[name] = (origin.code.span(node), origin.file) }
  }

  // MARK: Actions

  private mutating func add(_ call: FunctionCallExprSyntax, origin: Origin) {
    let span = origin.code.span(call)
    let path = call.calledExpression.pathNames
    if path?.last?.first?.isLowercase ?? false {
      // `fill(\V2.Note.rank, in: context)`: a function of the app; `SortDescriptor(\.rank)` only reads.
      for argument in call.arguments {
        guard let part = argument.expression.as(KeyPathExprSyntax.self)?.components.last?.component,
          case .property(let property) = part
        else { continue }
        body.passedKeyPathNames.insert(property.declName.baseName.text)
      }
    }
    let member = call.calledExpression.as(MemberAccessExprSyntax.self)
    guard let name = path?.last ?? member?.declName.baseName.text else { return }
    body.calls.append(
      StageBody.Call(
        name: name, base: (path?.count ?? 0) > 1 ? path?.first : nil, syntax: call, span: span, file: origin.file,
        helper: origin.helper, isOwn: isOwn(path ?? [], origin: origin)))
    let closure = call.trailingClosure ?? call.arguments.last?.expression.as(ClosureExprSyntax.self)
    // `context.enumerate(descriptor) { note in … }`
    let sequence: ExprSyntax? =
      switch name {
      case "forEach": member?.base
      case "enumerate": call.arguments.first?.expression
      default: nil
      }
    if let closure, let sequence {
      body.loops.append(
        StageBody.Loop(
          variable: closure.firstParameter ?? "$0", sequence: sequence, body: Syntax(closure.statements), span: span,
          code: origin.code))
    }
  }

  /// Whether it is `save()` or `self.save()` in an extension of `ModelContext`.
  private func isOwn(_ path: [String], origin: Origin) -> Bool {
    guard let name = path.last, path.count == 1 || path.dropLast() == ["self"], let type = origin.scope.type,
      type == modelContext
    else { return false }
    return StageBody.contextMethods.contains(name) || names[type].functionNames.contains(name)
  }

  private mutating func add(_ sequence: SequenceExprSyntax, origin: Origin) {
    let elements = Array(sequence.elements)
    guard elements.count >= 3 else { return }
    let isAssignment =
      elements[1].is(AssignmentExprSyntax.self)
      || ["+=", "-=", "*=", "/="].contains(elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text ?? "")
    guard isAssignment, let path = Self.assignedPath(elements[0]) else { return }
    body.assignments.append(
      StageBody.Assignment(
        path: path, syntax: Syntax(sequence), span: origin.code.span(sequence), file: origin.file, helper: origin.helper
      )
    )
  }

  /// The names of `note.rank`, `note.tags[0].name`, `note?.rank`, from the first on.
  private static func assignedPath(_ expression: ExprSyntax) -> [String]? {
    var names: [String] = []
    var current: ExprSyntax? = expression
    while let part = current {
      if let name = part.as(DeclReferenceExprSyntax.self) {
        names.append(name.baseName.text)
        return names.reversed()
      } else if let member = part.as(MemberAccessExprSyntax.self) {
        names.append(member.declName.baseName.text)
        current = member.base
      } else if let chained = part.as(OptionalChainingExprSyntax.self) {
        current = chained.expression
      } else if let forced = part.as(ForceUnwrapExprSyntax.self) {
        current = forced.expression
      } else if let element = part.as(SubscriptCallExprSyntax.self) {
        current = element.calledExpression
      } else {
        return nil
      }
    }
    return nil
  }

  private mutating func add(_ loop: ForStmtSyntax, origin: Origin) {
    // `(number, note)` declares two variables.
    let names = Syntax(loop.pattern).allNodes.compactMap { $0.as(IdentifierPatternSyntax.self)?.identifier.text }
    body.loops += names.map { name in
      StageBody.Loop(
        variable: name, sequence: loop.sequence, isConditional: loop.whereClause != nil, body: Syntax(loop.body),
        span: origin.code.span(loop.sequence), code: origin.code)
    }
  }

  private mutating func add(_ binding: PatternBindingSyntax) {
    guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
      let value = binding.initializer?.value
    else { return }
    body.bindings.append(StageBody.Binding(name: name, value: value))
    if let other = value.as(DeclReferenceExprSyntax.self), body.contexts.contains(other.baseName.text) {
      body.contexts.insert(name)
    }
  }

  private mutating func add(_ binding: OptionalBindingConditionSyntax) {
    guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
      let value = binding.initializer?.value
    else { return }
    body.bindings.append(StageBody.Binding(name: name, value: value))
  }

  // MARK: Errors

  private mutating func add(_ expression: TryExprSyntax, origin: Origin) {
    guard let mark = expression.questionOrExclamationMark?.text else { return }
    body.swallowings.append(
      StageBody.Swallowing(
        text: "try\(mark)", guarded: Syntax(expression.expression), span: origin.code.span(expression),
        file: origin.file))
  }

  private mutating func add(_ statement: DoStmtSyntax, origin: Origin) {
    for clause in statement.catchClauses where clause.body.statements.onlyPrints {
      body.swallowings.append(
        StageBody.Swallowing(
          text: clause.body.statements.isEmpty ? "an empty catch" : "a catch that only prints",
          guarded: Syntax(statement.body), span: origin.code.span(clause), file: origin.file))
    }
  }
}
