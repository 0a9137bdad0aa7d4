import SwiftSyntax

/// The known facts about the build, for `#if`.
///
/// SwiftData runs only on Apple's systems and needs Swift 5.9, so some conditions are certain; others are undecided
/// unless given.
package struct BuildDefines: Sendable {
  private var values: [String: Bool] = [:]

  /// - Parameter defines: `DEBUG`, or `DEBUG=false`; also conditions like `os(iOS)` and `canImport(UIKit)`.
  package init(_ defines: [String] = []) {
    for define in defines {
      let parts = define.split(separator: "=", maxSplits: 1)
      guard let name = parts.first else { continue }
      values[name.filter { !$0.isWhitespace }] = parts.count < 2 || !["false", "0", "no"].contains(parts[1])
    }
  }

  /// The value of a condition; nil where it is undecided.
  func decide(_ condition: ExprSyntax, depth: Int = 0) -> Bool? {
    guard depth < 64 else { return nil }
    if let name = condition.as(DeclReferenceExprSyntax.self) { return values[name.baseName.text] }
    if let literal = condition.as(BooleanLiteralExprSyntax.self) { return literal.literal.tokenKind == .keyword(.true) }
    if let negated = condition.as(PrefixOperatorExprSyntax.self) {
      return decide(negated.expression, depth: depth + 1).map { !$0 }
    }
    if let group = condition.as(TupleExprSyntax.self), group.elements.count == 1, let only = group.elements.first {
      return decide(only.expression, depth: depth + 1)
    }
    if let sequence = condition.as(SequenceExprSyntax.self) { return decide(sequence, depth: depth) }
    if let call = condition.as(FunctionCallExprSyntax.self) { return decide(call) }
    return nil
  }

  /// `a && b || c`: `&&` binds tighter.
  private func decide(_ sequence: SequenceExprSyntax, depth: Int) -> Bool? {
    var alternatives: [[Bool?]] = [[]]
    for element in sequence.elements {
      if let symbol = element.as(BinaryOperatorExprSyntax.self)?.operator.text {
        if symbol == "||" { alternatives.append([]) } else if symbol != "&&" { return nil }
      } else {
        alternatives[alternatives.count - 1].append(decide(element, depth: depth + 1))
      }
    }
    let decided = alternatives.map { all -> Bool? in
      if all.contains(false) { return false }
      return all.contains(nil) ? nil : true
    }
    if decided.contains(true) { return true }
    return decided.contains(nil) ? nil : false
  }

  private func decide(_ call: FunctionCallExprSyntax) -> Bool? {
    guard let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text,
      let argument = call.arguments.first?.expression.as(DeclReferenceExprSyntax.self)?.baseName.text
    else { return nil }
    if let value = values["\(name)(\(argument))"] { return value }
    switch name {
    case "canImport": return ["SwiftData", "Foundation", "CoreData"].contains(argument) ? true : nil
    case "os":
      if ["Linux", "Windows", "Android", "WASI", "FreeBSD"].contains(argument) { return false }
      // A build is for one system only.
      return values.contains { $0.value && $0.key.hasPrefix("os(") } ? false : nil
    default: return nil
    }
  }
}
