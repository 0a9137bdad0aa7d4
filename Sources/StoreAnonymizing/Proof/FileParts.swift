import StoreSQLite
import StoreSystem

/// The bytes of a file in parts, as they lie on disk, for those who look for runs in them.
enum FileParts {
  /// How many bytes a part has; the last one has fewer.
  static let length = 1 << 15

  /// Calls `body` with one part after the other.
  ///
  /// - Parameters:
  ///   - ends: the places of the file where runs end.
  ///   - body: is given a part with as many bytes before it as runs that end in it may begin with (`lead`), and the place in the
  ///     file where these bytes begin; it says whether there is to be another part.
  static func forEach(
    of path: PosixPath, endingIn ends: Range<Int64>,
    _ body: (_ part: [UInt8], _ lead: Int, _ start: Int64) throws -> Bool
  ) throws {
    let file = try EvidenceFile(path)
    var offset = ends.lowerBound
    while offset < ends.upperBound {
      let lead = Int(min(offset, Int64(2 * Runs.length - 1)))
      let start = offset - Int64(lead)
      let part = try file.read(at: start, count: lead + Int(min(Int64(length), ends.upperBound - offset)))
      guard part.count > lead else { break }
      guard try body(part, lead, start) else { break }
      offset = start + Int64(part.count)
    }
  }
}
