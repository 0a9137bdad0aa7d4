import StoreSQLite

/// Where in a file some runs stand.
struct FoundRuns {
  /// A run at one place: six bytes, or the twelve of six units of UTF-16.
  struct Occurrence: Equatable {
    let run: UInt64
    let bytes: Range<Int64>
  }

  /// In the order in which they end.
  private(set) var occurrences: [Occurrence] = []

  /// More places than these are not held: chance makes a few.
  static let mostOccurrences = 1 << 17

  /// - Throws: `AnonymizingError` where they stand at more than `most` places.
  init(_ wanted: WantedRuns, in path: PosixPath, most: Int = mostOccurrences) throws {
    let file = try EvidenceFile(path)
    var offset: Int64 = 0
    var window = RollingRun()
    var end: Int64 = 0
    while offset < file.size {
      let part = try file.read(at: offset, count: StoreReader.partLength)
      guard !part.isEmpty else { break }
      offset += Int64(part.count)
      part.withUnsafeBufferPointer { part in
        for byte in part where occurrences.count <= most {
          window.append(byte)
          end &+= 1
          add(window.run, wanted, (end &- 6)..<end)
          if end >= 12 { add(Runs.pair(window.before, window.run), wanted, (end &- 12)..<end) }
        }
      }
      guard occurrences.count <= most else {
        throw AnonymizingError(
          "runs of six bytes of replaced values are at more than \(most) places of the copy; try again, for chance decides about "
            + "values, or drop large attributes")
      }
    }
  }

  @inline(__always) private mutating func add(_ run: UInt64, _ wanted: WantedRuns, _ bytes: Range<Int64>) {
    if bytes.lowerBound >= 0, wanted.contains(run) { occurrences.append(Occurrence(run: run, bytes: bytes)) }
  }

  /// Of some runs those that stand in a file or in its name.
  static func contained(_ wanted: WantedRuns, in path: PosixPath, name: [UInt8]) throws -> Set<UInt64> {
    var runs = Set(try FoundRuns(wanted, in: path).occurrences.map(\.run))
    Runs.forEach(in: name) { run, _ in if wanted.contains(run) { runs.insert(run) } }
    return runs
  }
}
