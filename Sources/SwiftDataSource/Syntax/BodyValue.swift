import SwiftSyntax

/// The value of a body with a single expression: `{ [Note.self] }`, `{ return stages }`, and the same within `#if`s.
struct BodyValue {
  private let defines: BuildDefines
  /// Limits the alternatives, which each `#if` can double.
  private var remainingValues = 64

  /// Bodies with more statements are not read.
  private static let maximumStatements = 16

  static func read(_ statements: CodeBlockItemListSyntax, defines: BuildDefines) -> SourceExpression? {
    var reader = BodyValue(defines: defines)
    return reader.value(of: Self.items(statements))
  }

  /// The expression of a body without other statements.
  static func only(_ statements: CodeBlockItemListSyntax) -> ExprSyntax? {
    guard statements.count == 1, let only = statements.first else { return nil }
    return switch only.item {
    case .expr(let expression): expression
    case .stmt(let statement): statement.as(ReturnStmtSyntax.self)?.expression
    case .decl: nil
    }
  }

  private init(defines: BuildDefines) { self.defines = defines }

  private static func items(_ statements: CodeBlockItemListSyntax) -> [CodeBlockItemSyntax] {
    statements.count <= maximumStatements ? Array(statements) : []
  }

  private mutating func value(of statements: [CodeBlockItemSyntax]) -> SourceExpression? {
    remainingValues -= 1
    guard remainingValues > 0, let first = statements.first else { return nil }
    switch first.item {
    case .expr(let expression): return statements.count == 1 ? SourceExpression(expression) : nil
    // Code after a return, such as after an `#if`, never runs.
    case .stmt(let statement): return statement.as(ReturnStmtSyntax.self)?.expression.map { SourceExpression($0) }
    case .decl(let declaration):
      return declaration.as(IfConfigDeclSyntax.self).flatMap { value(of: $0, before: Array(statements.dropFirst())) }
    }
  }

  /// The value of the active clause; for an undecided condition, all possible values.
  private mutating func value(
    of config: IfConfigDeclSyntax, before rest: [CodeBlockItemSyntax]
  ) -> SourceExpression? {
    var bodies: [[CodeBlockItemSyntax]] = []
    var condition: String?
    var isCovered = false
    for clause in config.clauses where !isCovered {
      let decision = clause.condition.map { defines.decide($0) } ?? true
      if decision == false { continue }
      switch clause.elements {
      case .statements(let list): bodies.append(Self.items(list) + rest)
      case nil: bodies.append(rest)
      case .decls, .attributes, .postfixExpression, .switchCases: return nil
      }
      isCovered = decision == true
      if !isCovered { condition = condition ?? clause.condition.map { "#if \($0.shortText)" } }
    }
    if !isCovered { bodies.append(rest) }
    let values = bodies.map { value(of: $0) }
    let known = values.compactMap(\.self)
    guard known.count == values.count, let first = known.first else { return nil }
    guard let condition else { return first }
    return SourceExpression(kind: .alternatives(condition, known), span: SourceSpan(config))
  }
}
