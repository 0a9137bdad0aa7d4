import SwiftSyntax

extension SyntaxProtocol {
  /// The enclosing nodes, from the inside out, each with its child that leads here. At most 256, since trees can be
  /// deep and this is used for every call.
  package var ancestors: some Sequence<(node: Syntax, child: Syntax)> {
    sequence(state: Syntax(self)) { child -> (node: Syntax, child: Syntax)? in
      guard let parent = child.parent else { return nil }
      defer { child = parent }
      return (parent, child)
    }.prefix(256)
  }
}
