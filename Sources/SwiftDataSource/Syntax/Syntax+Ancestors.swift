import SwiftSyntax

extension SyntaxProtocol {
  /// The nodes around this one, from the inside out, each with its child that leads here. At most 256, for trees can be
  /// deep and this is asked of every call.
  var ancestors: some Sequence<(node: Syntax, child: Syntax)> {
    sequence(state: Syntax(self)) { child -> (node: Syntax, child: Syntax)? in
      guard let parent = child.parent else { return nil }
      defer { child = parent }
      return (parent, child)
    }.prefix(256)
  }
}
