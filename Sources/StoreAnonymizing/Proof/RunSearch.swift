import StoreSQLite
import StoreWords

/// Looks in the finished files for runs of values that were replaced.
struct RunSearch {
  private let filter: RunFilter
  /// Runs in the files that replaced values may have.
  private(set) var candidates: Set<UInt64> = []
  private(set) var bytes: Int64 = 0

  /// More than these are not held: where so many runs are in doubt, the copy is not published.
  private static let mostCandidates = 4 << 20

  init(_ filter: RunFilter) { self.filter = filter }

  /// Looks through a whole file, as it lies on disk.
  mutating func search(_ path: PosixPath) throws {
    let file = try EvidenceFile(path)
    var offset: Int64 = 0
    let hasPairs = filter.hasPairs
    // The last runs, to pair each with that of six bytes before.
    var ring: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)
    var run: UInt64 = 0
    var count: Int64 = 0
    while offset < file.size {
      let part = try file.read(at: offset, count: StoreReader.partLength)
      guard !part.isEmpty else { break }
      offset += Int64(part.count)
      for byte in part {
        run = (run << 8 | UInt64(Runs.lowercased(byte))) & Runs.mask
        count &+= 1
        if count >= 6, filter.contains(run) { candidates.insert(run) }
        if count >= 12 {
          let pair = Runs.pair(ring.0, run)
          if pair >> 63 == 0 || hasPairs, filter.contains(pair) { candidates.insert(pair) }
        }
        ring = (ring.1, ring.2, ring.3, ring.4, ring.5, run)
      }
      guard candidates.count <= Self.mostCandidates else {
        throw AnonymizingError(
          "more runs of bytes would have to be compared than memory is used for; drop large attributes")
      }
    }
    bytes += count
  }

  /// Looks at the name of a file.
  mutating func look(at name: [UInt8]) {
    Runs.forEach(in: name) { run, _ in if filter.contains(run) { candidates.insert(run) } }
  }

  /// Of the candidates those that replaced values do have, with where the first of each was.
  func confirmed(by reader: StoreReader) throws -> [UInt64: String] {
    var found: [UInt64: String] = [:]
    guard !candidates.isEmpty else { return found }
    // Few are left: most runs are told from them without looking in the set.
    let quick = RunFilter()
    quick.insert(candidates)
    try reader.forEachReplaced { piece, place in
      piece.forEachRun { run in
        if quick.contains(run), candidates.contains(run), found[run] == nil { found[run] = place }
      }
    }
    return found
  }
}
