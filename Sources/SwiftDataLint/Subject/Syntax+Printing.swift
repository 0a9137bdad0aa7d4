import StoreText
import SwiftSyntax

extension CodeBlockItemListSyntax {
  /// Whether the code does nothing with an error except log it.
  var onlyPrints: Bool {
    allSatisfy { item in
      switch item.item {
      case .expr(let expression): expression.as(FunctionCallExprSyntax.self)?.isPrinting ?? false
      case .stmt(let statement):
        switch statement.kind {
        case .returnStmt, .continueStmt, .breakStmt: true
        default: false
        }
      case .decl: false
      }
    }
  }
}

extension FunctionCallExprSyntax {
  private static let functions: Set<String> = ["print", "debugPrint", "dump", "NSLog", "os_log"]
  private static let methods: Set<String> = [
    "trace", "debug", "info", "notice", "log", "warning", "error", "critical", "fault",
  ]

  /// Whether it is a call like `print(error)` or `logger.error("…")`.
  fileprivate var isPrinting: Bool {
    if let function = calledExpression.as(DeclReferenceExprSyntax.self) {
      return Self.functions.contains(function.baseName.text)
    }
    guard let member = calledExpression.as(MemberAccessExprSyntax.self), let base = member.base else { return false }
    return Self.methods.contains(member.declName.baseName.text)
      && base.trimmedDescription.prefix(200).lowercased().contains("log")
  }
}
