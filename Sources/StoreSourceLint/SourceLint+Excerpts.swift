import StoreSQLite
import StoreSwiftDataSchemas

extension SourceLint {
  /// The longest line, in bytes; only generated code has longer ones.
  private static let longestLine = 400

  /// Adds the line of source to findings that came from stores and releases; all others already have it.
  mutating func readExcerpts() {
    var files: [String: [UInt8]] = [:]
    for position in findings.indices where findings[position].excerpt == nil {
      let place = findings[position].place
      let bytes = files[place.file] ?? sourceBytes(of: place.file) ?? []
      files[place.file] = bytes
      findings[position].excerpt = Self.line(of: place, in: bytes)
    }
  }

  private static func line(of place: SourcePlace, in bytes: [UInt8]) -> String? {
    let start = place.offset - (place.column - 1)
    guard place.column > 0, start >= 0, start < bytes.count else { return nil }
    let line = bytes[start...].prefix { $0 != 0x0A && $0 != 0x0D }
    return line.count <= longestLine ? String(decoding: line, as: UTF8.self) : nil
  }
}

/// The largest file that is shown of, in bytes; larger ones were not linted either.
private let largestFile: Int64 = 4 << 20

/// The bytes of a file of source as it is now; nil where it was removed meanwhile, or is too large.
package func sourceBytes(of path: String) -> [UInt8]? {
  guard let file = try? EvidenceFile(PosixPath(path)), file.size <= largestFile else { return nil }
  return try? file.read(at: 0, count: Int(file.size))
}
