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
      try search.search(path, size / 2..<size, most: Self.mostCandidates / 2)
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
  ///
  /// - Parameter ends: the places where runs end.
  private mutating func search(_ path: PosixPath, _ ends: Range<Int64>, most: Int) throws {
    let file = try EvidenceFile(path)
    var offset = ends.lowerBound
    while offset < ends.upperBound {
      // With what runs that end in it begin with.
      let lead = Int(min(offset, Int64(2 * Runs.length - 1)))
      let part = try file.read(
        at: offset - Int64(lead), count: lead + Int(min(Int64(Self.partLength), ends.upperBound - offset)))
      guard part.count > lead else { break }
      offset += Int64(part.count - lead)
      // What the first level leaves is looked up together: then the memory does not wait for one after the other.
      for run in part.withUnsafeBufferPointer({ possibleRuns(in: $0, from: lead) }) where table.contains(run) {
        candidates.insert(run)
      }
      guard candidates.count <= most else {
        throw AnonymizingError(
          "more runs of bytes would have to be compared than memory is used for; drop large attributes")
      }
    }
  }

  /// Runs that end from a place on and that the first level of the filter leaves.
  private func possibleRuns(in part: UnsafeBufferPointer<UInt8>, from lead: Int) -> [UInt64] {
    [UInt64](unsafeUninitializedCapacity: 2 * part.count) { runs, end in
      let (table, hasPairs, facts) = (table, hasPairs, ByteFacts.all)
      // The last six bytes, the kinds of the last four, and of each place, as a bit, whether values have such four.
      var (run, kinds, known): (UInt64, UInt32, UInt32) = (0, 0, 0)
      func add(_ run: UInt64) {
        runs.initializeElement(at: end, to: run)
        end &+= 1
      }
      for place in part.indices {
        let fact = facts[Int(part[place])]
        run = (run << 8 | UInt64(fact & 0xff)) & Runs.mask
        kinds = (kinds << 5 | fact >> 8 & 31) & 0xfffff
        known = known << 1 | (table.hasQuad(kinds) ? 1 : 0)
        guard place >= lead else { continue }
        if known & 7 == 7, place >= Runs.length - 1, Runs.mayTell(run) { add(run) }
        guard place >= 2 * Runs.length - 1, Runs.mayBeUnitsOfASCII(run) || hasPairs && table.hasHead(Runs.head(run))
        else { continue }
        let before = Runs.run(part[(place - 2 * Runs.length + 1)...(place - Runs.length)])
        let isPair = Runs.areUnitsOfASCII(before, run) || hasPairs && table.hasHead(Runs.head(run))
        if isPair { add(Runs.pair(before, run)) }
      }
    }
  }

  /// Looks at the name of a file.
  private mutating func look(at name: [UInt8]) {
    Runs.forEach(in: name) { run, _ in if table.contains(run) { candidates.insert(run) } }
  }

  /// Of the candidates those that replaced values do have, with where the first of each was.
  ///
  /// - Parameter observer: sees all rows meanwhile.
  func confirmed(by reader: StoreReader, observer: any RowObserver) throws -> [UInt64: String] {
    var found: [UInt64: String] = [:]
    let wanted = WantedRuns(candidates.union(others))
    try besideInOrder(threads: Platform.cores, most: ReplacedPieces.mostWeight, weight: \.weight) {
      { (pieces: ReplacedPieces) in pieces.found(wanted) }
    } items: {
      try reader.forEachReplaced(observer: observer, $0)
    } take: {
      found.merge($0) { first, _ in first }
    }
    return found
  }
}
