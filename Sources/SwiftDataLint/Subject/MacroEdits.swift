import StoreSwiftDataSchemas
import SwiftDataSource

extension StoredMember {
  /// The edit that removes an argument from the property's macro, which stays even without arguments.
  func edit(taking label: String, from macro: String) -> SourceFinding.Edit? {
    guard let use = variable.attribute(macro), let position = use.arguments.firstIndex(where: { $0.label == label })
    else { return nil }
    let arguments = use.arguments
    if arguments.count == 1 {
      return .init(
        file: place.file, offset: use.span.start, length: use.span.end - use.span.start, replacement: "@\(macro)")
    }
    let start = position > 0 ? arguments[position - 1].value.span.end : arguments[position].span.start
    let end = position > 0 ? arguments[position].value.span.end : arguments[position + 1].span.start
    return .init(file: place.file, offset: start, length: end - start, replacement: "")
  }
}

extension SourceFile {
  /// A span extended to whole lines, if they contain nothing else.
  func wholeLines(_ span: SourceSpan) -> SourceSpan {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
    guard span.start <= span.end, span.end <= bytes.count else { return span }
    let start = span.start - bytes[..<span.start].reversed().prefix(while: isBlank).count
    let end = span.end + bytes[span.end...].prefix(while: isBlank).count
    guard start == 0 || bytes[start - 1] == 0x0A, end < bytes.count, bytes[end] == 0x0A else { return span }
    return SourceSpan(start: start, end: end + 1)
  }
}
