import StoreSwiftDataSchemas
import SwiftParser
import SwiftSyntax

/// One parsed file: its declarations with their places, and code that concerns containers and predicates.
///
/// The syntax tree takes a hundred times the file's size and is not kept; code is parsed again where a check needs it
/// (``NameTable/code(_:as:in:)``).
package struct SourceFile: Sendable {
  /// The path to show.
  package private(set) var path: String
  /// The bytes that were parsed.
  package let bytes: [UInt8]
  /// Whether it contains syntax errors.
  package let hasError: Bool
  package let lines: LineTable
  /// The declarations at top level, with their members.
  package let declarations: SourceMembers
  /// Calls of `ModelContainer`, `.modelContainer` and `Schema` anywhere in the file, in order.
  package let calls: [ContainerCall]
  /// The values of names inside of functions and types, in order.
  package let localValues: [String: [LocalValue]]
  /// `#Predicate`s anywhere in the file, in order.
  package let predicates: [PredicateUse]

  /// The deepest nesting that is parsed; deeper code is skipped. A parser without a limit would overflow its stack.
  static let maximumNesting = 200

  /// Parses a file. Any bytes give a tree, so this cannot fail; invalid source has no declarations.
  ///
  /// - Parameter defines: values for `#if` names.
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

  /// The same file at another path.
  func at(_ path: String) -> SourceFile {
    var file = self
    file.path = path
    return file
  }

  /// The place of a span in this file.
  package func place(_ span: SourceSpan) -> SourcePlace {
    let (line, column) = lines.position(of: span.start)
    return SourcePlace(
      file: path, line: line, column: column, offset: span.start, length: span.end - span.start)
  }
}
