import StoreSQLite
import StoreSwiftDataSchemas

extension SourceLint {
  /// Bytes of a file of source; larger ones were not read either.
  private static let largestFile: Int64 = 4 << 20
  /// Bytes of a line; generated code has longer ones, which nobody reads.
  private static let longestLine = 400

  /// Gives findings that were made of stores and releases the line of source they stand on, as the others have.
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
    // A file that is gone by now has no lines to show.
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
