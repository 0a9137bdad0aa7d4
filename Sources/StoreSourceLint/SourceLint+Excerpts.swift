import StoreSQLite
import StoreSwiftDataSchemas

extension SourceLint {
  /// The largest file, in bytes; larger ones were not linted either.
  private static let largestFile: Int64 = 4 << 20
  /// The longest line, in bytes; only generated code has longer ones.
  private static let longestLine = 400

  /// Adds the line of source to findings that came from stores and releases; all others already have it.
  mutating func readExcerpts() {
    var files: [String: [UInt8]] = [:]
    for position in findings.indices where findings[position].excerpt == nil {
      let place = findings[position].place
      let bytes = files[place.file] ?? Self.bytes(of: place.file)
      files[place.file] = bytes
      findings[position].excerpt = Self.line(of: place, in: bytes)
    }
  }

  private static func bytes(of path: String) -> [UInt8] {
    // A file that was removed meanwhile has no lines to show.
    guard let file = try? EvidenceFile(PosixPath(path)), file.size <= largestFile else { return [] }
    return (try? file.read(at: 0, count: Int(file.size))) ?? []
  }

  private static func line(of place: SourcePlace, in bytes: [UInt8]) -> String? {
    let start = place.offset - (place.column - 1)
    guard place.column > 0, start >= 0, start < bytes.count else { return nil }
    let line = bytes[start...].prefix { $0 != 0x0A && $0 != 0x0D }
    return line.count <= longestLine ? String(decoding: line, as: UTF8.self) : nil
  }
}
