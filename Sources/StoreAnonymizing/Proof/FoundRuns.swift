import StoreSQLite
import StoreSystem

/// Where in a file some runs stand.
struct FoundRuns {
  /// A run at one place: six bytes, or the twelve of six units of UTF-16.
  struct Occurrence: Equatable {
    let run: UInt64
    let bytes: Range<Int64>
  }

  /// In the order in which they end.
  let occurrences: [Occurrence]

  /// More places than these are not held: chance makes a few.
  static let mostOccurrences = 1 << 17

  /// Places that are known, in any order.
  init(_ known: some Sequence<Occurrence>) {
    occurrences = known.sorted {
      ($0.bytes.upperBound, $0.bytes.lowerBound) < ($1.bytes.upperBound, $1.bytes.lowerBound)
    }
  }

  /// Looks through a file, its halves beside each other.
  ///
  /// - Throws: `AnonymizingError` where they stand at more than `most` places.
  init(_ wanted: WantedRuns, in path: PosixPath, most: Int = mostOccurrences) throws {
    let size = try EvidenceFile(path).size
    let (first, second) = try beside {
      try Self.occurrences(of: wanted, in: path, endingIn: 0..<size / 2, most: most)
    } meanwhile: {
      try Self.occurrences(of: wanted, in: path, endingIn: size / 2..<size, most: most)
    }
    occurrences = first + second
    guard occurrences.count <= most else { throw Self.tooMany(most) }
  }

  /// - Parameter ends: the places of their last bytes.
  private static func occurrences(
    of wanted: WantedRuns, in path: PosixPath, endingIn ends: Range<Int64>, most: Int
  ) throws -> [Occurrence] {
    var found: [Occurrence] = []
    try FileParts.forEach(of: path, endingIn: ends) { part, lead, start in
      part.withUnsafeBufferPointer { part in
        wanted.forEach(in: part, from: lead) { run, length, end in
          let end = start + Int64(end)
          found.append(Occurrence(run: run, bytes: end - Int64(length)..<end))
        }
      }
      guard found.count <= most else { throw tooMany(most) }
      return true
    }
    return found
  }

  private static func tooMany(_ most: Int) -> AnonymizingError {
    AnonymizingError(
      "runs of six bytes of replaced values are at more than \(most) places of the copy; try again, for chance decides about "
        + "values, or drop large attributes")
  }

  /// Of some runs those that stand in a file or in its name.
  static func contained(_ wanted: WantedRuns, in path: PosixPath, name: [UInt8]) throws -> Set<UInt64> {
    var runs = Set(try FoundRuns(wanted, in: path).occurrences.map(\.run))
    Runs.forEach(in: name) { run, _ in if wanted.contains(run) { runs.insert(run) } }
    return runs
  }
}
