import StoreCoreData
import StorePlatform
import StoreSQLite
import StoreSystem
import StoreWords

/// Looks in the finished files for runs of values that were replaced.
struct RunSearch: Sendable {
  private let table: RunFilter.Table
  private let hasPairs: Bool
  /// Runs in the files that replaced values may have, and those of the second half of the store until they are joined.
  private var candidates: Set<UInt64> = []
  private var others: Set<UInt64> = []
  private(set) var bytes: Int64 = 0

  /// More than these are not held: where so many runs are in doubt, the copy is not published.
  private static let mostCandidates = 4 << 20
  /// Files are looked through in parts of this size.
  static let partLength = 1 << 15

  init(_ filter: RunFilter) { (table, hasPairs) = (filter.table, filter.hasPairs) }

  /// Looks through a copy, its halves beside each other, and its external files.
  mutating func search(store path: PosixPath) throws {
    let size = try EvidenceFile(path).size
    let nothing = self
    let (first, second) = try beside {
      var search = nothing
      try search.search(path, 0..<size / 2, most: Self.mostCandidates / 2)
      return search
    } meanwhile: {
      var search = nothing
      // From where a run begins that ends behind the middle.
      try search.search(path, max(0, size / 2 - 11)..<size, most: Self.mostCandidates / 2)
      return search
    }
    (candidates, others) = (first.candidates, second.candidates)
    bytes = size
    for (name, path) in Self.externalFiles(of: path) {
      let file = try EvidenceFile(path)
      try search(path, 0..<file.size, most: Self.mostCandidates)
      bytes += file.size
      look(at: name)
    }
  }

  /// Puts together what was found in both halves, which needs memory: when that of the filter was given back.
  mutating func join() {
    candidates.formUnion(others)
    others = []
  }

  /// Whether a run is in the files that replaced values may have.
  func hasFound(_ run: UInt64) -> Bool { candidates.contains(run) || others.contains(run) }

  private static func externalFiles(of path: PosixPath) -> [(name: [UInt8], path: PosixPath)] {
    let folder = Store.supportFolder(of: path).appending(component: StoreReader.folderName)
    return (FileSystem.names(in: folder) ?? []).map { ($0, folder.appending(component: $0)) }
  }

  /// Where some of the runs are: in a value (so is whatever stands in an external file or in its name), in a number, or across them.
  static func places(of runs: some Sequence<UInt64>, in copy: Store) throws -> [UInt64: PagePlaces.Place] {
    let (wanted, path) = (WantedRuns(runs), PosixPath(copy.path))
    let roots = try copy.connection.schema().compactMap { UInt32(exactly: $0.rootPage) }.filter { $0 > 0 }
    var places = try PagePlaces(FoundRuns(wanted, in: path), in: path, roots: roots).places
    for (name, file) in externalFiles(of: path) {
      for run in try FoundRuns.contained(wanted, in: file, name: name) { places[run] = .value }
    }
    return places
  }

  /// Looks through bytes of a file, as they lie on disk.
  private mutating func search(_ path: PosixPath, _ range: Range<Int64>, most: Int) throws {
    let file = try EvidenceFile(path)
    let (table, hasPairs) = (table, hasPairs)
    var offset = range.lowerBound
    var state = (window: RollingRun(), known: 0 as UInt32, count: 0 as Int64)
    while offset < range.upperBound {
      let part = try file.read(at: offset, count: Int(min(Int64(Self.partLength), range.upperBound - offset)))
      guard !part.isEmpty else { break }
      offset += Int64(part.count)
      // What the first level leaves is looked up together: then the memory does not wait for one after the other.
      let runs = [UInt64](unsafeUninitializedCapacity: 2 * part.count) { runs, end in
        part.withUnsafeBufferPointer { part in
          // Of each place, as a bit, whether values have the last four kinds of bytes.
          var (window, known, count) = state
          defer { state = (window, known, count) }
          for byte in part {
            window.append(byte)
            count &+= 1
            known = known << 1 | (table.hasQuad(window.kinds & 0xfffff) ? 1 : 0)
            if known & 7 == 7, window.mayTell, count >= 6 {
              runs.initializeElement(at: end, to: window.run)
              end &+= 1
            }
            guard count >= 12 else { continue }
            if Runs.areUnitsOfASCII(window.before, window.run) || hasPairs && table.hasHead(Runs.head(window.run)) {
              runs.initializeElement(at: end, to: Runs.pair(window.before, window.run))
              end &+= 1
            }
          }
        }
      }
      for run in runs where table.contains(run) { candidates.insert(run) }
      guard candidates.count <= most else {
        throw AnonymizingError(
          "more runs of bytes would have to be compared than memory is used for; drop large attributes")
      }
    }
  }

  /// Looks at the name of a file.
  private mutating func look(at name: [UInt8]) {
    Runs.forEach(in: name) { run, _ in if table.contains(run) { candidates.insert(run) } }
  }

  /// Of the candidates those that replaced values do have, with where the first of each was.
  func confirmed(by reader: StoreReader) throws -> [UInt64: String] {
    var found: [UInt64: String] = [:]
    guard !candidates.isEmpty || !others.isEmpty else { return found }
    let wanted = WantedRuns(candidates.union(others))
    try besideInOrder(threads: Platform.cores, most: ReplacedPieces.mostWeight, weight: \.weight) {
      { (pieces: ReplacedPieces) in pieces.found(wanted) }
    } items: {
      try reader.forEachReplaced($0)
    } take: {
      found.merge($0) { first, _ in first }
    }
    return found
  }
}
