import SwiftParser
import SwiftSyntax

/// A piece of a file, parsed by itself.
package struct SourceCode: Sendable {
  /// What a piece is.
  package enum Form: Sendable, Hashable {
    /// `{ context in … }`
    case closure
    /// `static func willMigrate(…) { … }`
    case function
    /// `{ … }` behind `catch`
    case block
    /// All of it.
    case file
  }

  package let syntax: Syntax
  /// The file's number in its ``NameTable``.
  package let file: Int
  /// Where the piece begins in its file.
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

  /// Where a node of it stands in the file, without the white space and comments around it.
  package func span(_ node: some SyntaxProtocol) -> SourceSpan {
    let span = SourceSpan(node)
    return SourceSpan(start: start + span.start, end: start + span.end)
  }
}
