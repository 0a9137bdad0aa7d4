import SwiftParser
import SwiftSyntax

extension NameTable {
  /// Parses the code at a span of a file.
  package func code(_ span: SourceSpan, as form: SourceCode.Form, in file: Int) -> SourceCode? {
    let bytes = files[file].bytes
    guard span.start <= span.end, span.end <= bytes.count else { return nil }
    return onLargeStacks([bytes[span.start..<span.end]]) { SourceCode($0, form, file: file) }.first
  }
}
