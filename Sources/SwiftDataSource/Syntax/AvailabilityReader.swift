import SwiftSyntax

/// Evaluates `#available` around code.
enum AvailabilityReader {
  /// In longer blocks, earlier statements are not examined.
  private static let maximumStatements = 256

  /// Whether a node runs only on older systems, because of an `#available` around or before it.
  static func isForOlderSystems(_ node: Syntax) -> Bool {
    node.ancestors.contains { isOlderPart($0.child, of: $0.node) }
  }

  private static func isOlderPart(_ node: Syntax, of parent: Syntax) -> Bool {
    if let choice = parent.as(IfExprSyntax.self) {
      if node.id == choice.body.id { return choice.conditions.contains { $0.asks(.poundUnavailable) } }
      return node.id == choice.elseBody.map { Syntax($0).id } && choice.conditions.contains { $0.asks(.poundAvailable) }
    }
    if let guarding = parent.as(GuardStmtSyntax.self), node.id == guarding.body.id {
      return guarding.conditions.contains { $0.asks(.poundAvailable) }
    }
    // `if #available(iOS 26, *) { return … }`, and what follows.
    guard let items = parent.as(CodeBlockItemListSyntax.self), items.count <= maximumStatements else { return false }
    return items.prefix { $0.id != node.id }.contains { $0.leavesToOlderSystems }
  }
}

extension ConditionElementSyntax {
  fileprivate func asks(_ keyword: TokenKind) -> Bool {
    condition.as(AvailabilityConditionSyntax.self)?.availabilityKeyword.tokenKind == keyword
  }
}

extension CodeBlockItemSyntax {
  fileprivate var leavesToOlderSystems: Bool {
    guard let choice = item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self),
      choice.conditions.count == 1, choice.conditions.contains(where: { $0.asks(.poundAvailable) })
    else { return false }
    return choice.body.statements.last.map { $0.item.is(ReturnStmtSyntax.self) || $0.item.is(ThrowStmtSyntax.self) }
      ?? false
  }
}
