import StoreText
import SwiftSyntax

extension ReceivedFailure {
  /// What is done with the value of a call, where that says that it failed.
  init(of call: Syntax) {
    self.init()
    for (parent, node) in call.ancestors {
      if let guarding = parent.as(GuardStmtSyntax.self), node.id == guarding.conditions.id {
        if !guarding.conditions.match("failure") { blocks.append(SourceSpan(guarding.body)) }
        return
      }
      if let choice = parent.as(IfExprSyntax.self), node.id == choice.conditions.id {
        add(choice, ofFailure: choice.conditions.match("failure"))
        return
      }
      if let choice = parent.as(SwitchExprSyntax.self), node.id == choice.subject.id {
        add(choice)
        return
      }
      if let item = parent.as(CodeBlockItemSyntax.self) {
        self = Self(in: item)
        return
      }
      if [.functionDecl, .closureExpr, .initializerDecl, .accessorDecl].contains(parent.kind) { return }
    }
  }

  /// What is done with the value that a statement gives a name or gives back.
  init(in item: CodeBlockItemSyntax) {
    guard let list = item.parent?.as(CodeBlockItemListSyntax.self) else { return }
    let isOnly = list.count == 1 && (list.parent?.parent?.is(FunctionDeclSyntax.self) ?? false)
    isReturned = item.item.is(ReturnStmtSyntax.self) || (isOnly && item.item.is(ExprSyntax.self))
    let names = item.boundNames
    guard !names.isEmpty else { return }
    for next in list.lazy.drop(while: { $0.position < item.endPosition }).prefix(Self.maximumStatements) {
      for name in names { add(next, askingFor: name) }
      if let value = next.item.as(ReturnStmtSyntax.self)?.expression?.pathNames, value == names { isReturned = true }
    }
  }

  private static let maximumStatements = 64

  /// Adds what a statement does where a name says that something failed.
  private mutating func add(_ item: CodeBlockItemSyntax, askingFor name: String) {
    let isOfError = ["error", "failure", "problem"].contains { name.lowercased().contains($0) }
    if let guarding = item.item.as(GuardStmtSyntax.self) {
      if guarding.conditions.asks(whether: name, isNil: isOfError) || guarding.conditions.match("success", of: name) {
        blocks.append(SourceSpan(guarding.body))
      }
      return
    }
    if let statement = item.item.as(DoStmtSyntax.self), Syntax(statement.body).gets(name) {
      blocks += statement.catchClauses.map { SourceSpan($0.body) }
      return
    }
    let expression = item.item.as(ExpressionStmtSyntax.self)?.expression ?? item.item.as(ExprSyntax.self)
    if let choice = expression?.as(SwitchExprSyntax.self), choice.subject.pathNames?.last == name { return add(choice) }
    guard let choice = expression?.as(IfExprSyntax.self) else { return }
    let conditions = choice.conditions
    if conditions.asks(whether: name, isNil: !isOfError) || conditions.match("failure", of: name) {
      blocks.append(SourceSpan(choice.body))
    } else if conditions.asks(whether: name, isNil: isOfError) || conditions.match("success", of: name) {
      blocks += [choice.elseBody?.as(CodeBlockSyntax.self)].compactMap { $0.map { SourceSpan($0) } }
    }
  }

  private mutating func add(_ choice: IfExprSyntax, ofFailure: Bool) {
    if ofFailure {
      blocks.append(SourceSpan(choice.body))
    } else if let other = choice.elseBody?.as(CodeBlockSyntax.self) {
      blocks.append(SourceSpan(other))
    } else if choice.elseBody == nil, choice.body.statements.leaves,
      let rest = FailureReader.rest(behind: Syntax(choice))
    {
      statements.append(rest)
    }
  }

  /// Adds the cases that are not for `.success`, of a switch that has a case for one of the two.
  private mutating func add(_ choice: SwitchExprSyntax) {
    let cases = choice.cases.compactMap { $0.as(SwitchCaseSyntax.self) }
    func asks(_ one: SwitchCaseSyntax, for name: String) -> Bool { Syntax(one.label).mentions(member: name) }
    guard cases.contains(where: { asks($0, for: "success") || asks($0, for: "failure") }) else { return }
    statements += cases.filter { !asks($0, for: "success") && !$0.statements.isEmpty }.map { SourceSpan($0.statements) }
  }
}

extension CodeBlockItemSyntax {
  /// The names that the statement gives values: `container` for `let container = try? …` and `self.container = try? …`,
  /// two for `let (container, error) = …`.
  fileprivate var boundNames: [String] {
    if let binding = item.as(VariableDeclSyntax.self)?.bindings.first {
      if let tuple = binding.pattern.as(TuplePatternSyntax.self) {
        return tuple.elements.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText }
      }
      return [binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText].compactMap(\.self)
    }
    let expression = item.as(ExpressionStmtSyntax.self)?.expression ?? item.as(ExprSyntax.self)
    let elements = expression?.as(SequenceExprSyntax.self)?.elements
    guard let elements, let first = elements.first, elements.dropFirst().first?.is(AssignmentExprSyntax.self) ?? false
    else { return [] }
    if let tuple = first.as(TupleExprSyntax.self) { return tuple.elements.compactMap { $0.expression.pathNames?.last } }
    return [first.pathNames?.last].compactMap(\.self)
  }
}

extension ConditionElementListSyntax {
  /// Whether it asks if a name is nil, or is not: `container == nil`, `let container`, `let container = self.container`.
  fileprivate func asks(whether name: String, isNil: Bool) -> Bool {
    contains { element in
      switch element.condition {
      case .optionalBinding(let binding):
        let own = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText
        return !isNil && (binding.initializer.map { $0.value.pathNames?.last } ?? own) == name
      case .expression(let condition):
        guard let parts = condition.as(SequenceExprSyntax.self)?.elements, parts.count == 3 else { return false }
        let operands = [parts.first, parts.last].compactMap(\.self)
        let sign = parts.dropFirst().first?.as(BinaryOperatorExprSyntax.self)?.operator.text
        return sign == (isNil ? "==" : "!=") && operands.contains { $0.is(NilLiteralExprSyntax.self) }
          && operands.contains { $0.pathNames?.last == name }
      default: return false
      }
    }
  }

  /// Whether it matches a value, that of a name if one is given, with `case .failure` or another member.
  fileprivate func match(_ member: String, of name: String? = nil) -> Bool {
    contains { element in
      guard case .matchingPattern(let match) = element.condition, Syntax(match.pattern).mentions(member: member) else {
        return false
      }
      return name == nil || match.initializer.value.pathNames?.last == name
    }
  }
}

extension SyntaxProtocol {
  /// Whether a member of that name is in it: `.failure`.
  fileprivate func mentions(member name: String) -> Bool {
    Syntax(self).allNodes.contains { $0.as(MemberAccessExprSyntax.self)?.declName.baseName.text == name }
  }

  /// Whether `name.get()` is in it.
  fileprivate func gets(_ name: String) -> Bool {
    Syntax(self).allNodes.contains { node in
      guard let member = node.as(MemberAccessExprSyntax.self), member.declName.baseName.text == "get" else {
        return false
      }
      return member.base?.pathNames?.last == name
    }
  }
}
