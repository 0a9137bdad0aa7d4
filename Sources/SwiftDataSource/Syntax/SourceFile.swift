import StoreSwiftDataSchemas
import SwiftParser
import SwiftSyntax

/// One parsed file: declarations with their places, and what of its code has to do with containers and predicates.
///
/// The tree they came from takes a hundred times the text's memory, so it is gone; code is parsed again where a check
/// looks into it (``NameTable/code(_:as:in:)``).
package struct SourceFile: Sendable {
  /// The path as it is shown.
  package let path: String
  /// The bytes that were parsed.
  package let bytes: [UInt8]
  /// Whether something in it is no Swift.
  package let hasError: Bool
  package let lines: LineTable
  /// What is declared at top level, with everything inside.
  package let declarations: SourceMembers
  /// Calls of `ModelContainer`, `.modelContainer` and `Schema`, wherever they stand, in order.
  package let calls: [ContainerCall]
  /// What names mean within functions and types, in order.
  package let localValues: [String: [LocalValue]]
  /// `#Predicate`s, wherever they stand, in order.
  package let predicates: [PredicateUse]

  /// The deepest nesting of brackets that is read; deeper code is left out. A parser without a limit overflows its stack.
  static let maximumNesting = 200

  /// Parses a file. Any bytes give a tree, so this cannot fail; what is no Swift has no declarations.
  ///
  /// - Parameter defines: what `#if` names are taken to be.
  package init(path: String, bytes: [UInt8], defines: BuildDefines = BuildDefines()) {
    self.path = path
    self.bytes = bytes
    lines = LineTable(bytes)
    let tree = bytes.withUnsafeBufferPointer { buffer in
      var parser = Parser(buffer, maximumNestingLevel: Self.maximumNesting)
      return SourceFileSyntax.parse(from: &parser)
    }
    hasError = tree.hasError
    declarations = DeclarationReader(defines: defines).members(of: tree.statements)
    guard SourceWords.mentionsContainer(bytes) || SourceWords.mentionsPredicate(bytes) else {
      calls = []
      localValues = [:]
      predicates = []
      return
    }
    var reader = CodeReader()
    reader.read(tree)
    calls = reader.calls
    localValues = reader.locals.values
    predicates = reader.predicates
  }

  /// A span of this file as a place.
  package func place(_ span: SourceSpan) -> SourcePlace {
    let (line, column) = lines.position(of: span.start)
    return SourcePlace(
      file: path, line: line, column: column, offset: span.start, length: span.end - span.start)
  }
}
