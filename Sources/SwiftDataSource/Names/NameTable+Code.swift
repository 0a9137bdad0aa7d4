import SwiftParser
import SwiftSyntax

extension NameTable {
  /// Code of a file by its span, which is one that was read of it.
  package func code(_ span: SourceSpan, as form: SourceCode.Form, in file: Int) -> SourceCode? {
    let bytes = files[file].bytes
    guard span.start <= span.end, span.end <= bytes.count else { return nil }
    return onLargeStacks([bytes[span.start..<span.end]]) { SourceCode($0, form, file: file) }.first
  }
}
