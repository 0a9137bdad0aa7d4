import SwiftDataSchemas
import SwiftParser
import SwiftSyntax

/// One parsed file: declarations with their places, calls that make containers, and the tree they came from.
package struct SourceFile: Sendable {
  /// The path as it is shown.
  package let path: String
  /// The bytes that were parsed.
  package let bytes: [UInt8]
  package let tree: SourceFileSyntax
  package let lines: LineTable
  /// What is declared at top level, with everything inside.
  package let declarations: SourceMembers
  /// Calls of `ModelContainer`, `.modelContainer` and `Schema`, wherever they stand, in order.
  package let calls: [ContainerCall]
  /// Variables within functions that hold such a call or a list, in order.
  package let localValues: [LocalValue]

  /// The deepest nesting of brackets that is read; deeper code is left out. A parser without a limit overflows its stack.
  static let maximumNesting = 200

  /// Parses a file. Any bytes give a tree, so this cannot fail; what is no Swift has no declarations.
  ///
  /// - Parameter defines: what `#if` names are taken to be.
  package init(path: String, bytes: [UInt8], defines: BuildDefines = BuildDefines()) {
    self.path = path
    self.bytes = bytes
    lines = LineTable(bytes)
    tree = bytes.withUnsafeBufferPointer { buffer in
      var parser = Parser(buffer, maximumNestingLevel: Self.maximumNesting)
      return SourceFileSyntax.parse(from: &parser)
    }
    declarations = DeclarationReader(defines: defines).members(of: tree.statements)
    guard SourceWords.mentionsContainer(bytes) else {
      calls = []
      localValues = []
      return
    }
    var reader = ContainerCallReader()
    reader.read(tree)
    calls = reader.calls
    localValues = reader.localValues
  }

  /// A span of this file as a place.
  package func place(_ span: SourceSpan) -> SourcePlace {
    let (line, column) = lines.position(of: span.start)
    return SourcePlace(
      file: path, line: line, column: column, offset: span.start, length: span.end - span.start)
  }

  /// The place of a node of this file's tree, for what has no span.
  package func place(_ node: some SyntaxProtocol) -> SourcePlace { place(SourceSpan(node)) }
}
