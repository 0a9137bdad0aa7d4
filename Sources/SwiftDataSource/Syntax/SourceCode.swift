import SwiftParser
import SwiftSyntax

/// A piece of a file, parsed separately.
package struct SourceCode: Sendable {
  /// The kind of a piece.
  package enum Form: Sendable, Hashable {
    /// `{ context in … }`
    case closure
    /// `static func willMigrate(…) { … }`
    case function
    /// `{ … }` behind `catch`
    case block
    /// A whole file, or statements without braces.
    case file
  }

  package let syntax: Syntax
  /// The file's number in its ``NameTable``.
  package let file: Int
  /// The offset of the piece in its file.
  private let start: Int

  init(_ bytes: ArraySlice<UInt8>, _ form: Form, file: Int) {
    syntax = bytes.withUnsafeBufferPointer { buffer in
      var parser = Parser(buffer, maximumNestingLevel: SourceFile.maximumNesting)
      return switch form {
      case .closure: Syntax(ExprSyntax.parse(from: &parser))
      case .function: Syntax(DeclSyntax.parse(from: &parser))
      case .block: Syntax(CodeBlockSyntax.parse(from: &parser))
      case .file: Syntax(SourceFileSyntax.parse(from: &parser))
      }
    }
    self.file = file
    start = bytes.startIndex
  }

  /// The span of one of its nodes in the file, without surrounding white space and comments.
  package func span(_ node: some SyntaxProtocol) -> SourceSpan {
    let span = SourceSpan(node)
    return SourceSpan(start: start + span.start, end: start + span.end)
  }
}
