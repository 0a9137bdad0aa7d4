import StoreCoreData
import StorePlatform
import StoreSQLite
import StoreSystem
import StoreWords
import Synchronization

/// Looks in the finished files for runs of values that were replaced.
struct RunSearch: Sendable {
  private let table: RunFilter.Table
  private let hasPairs: Bool
  /// Runs in the files that replaced values may have, and those that the second thread found until they are joined.
  private var candidates: Set<UInt64> = []
  private var others: Set<UInt64> = []
  private(set) var bytes: Int64 = 0
  /// Where in the store's file candidates are; nil where they are at more places than are held.
  private var occurrences: [FoundRuns.Occurrence]? = []
  /// Of each part that was looked through before the file was finished what it was, and which of them the finished file has, too.
  private var known: [UInt64] = []
  private var unchanged: Set<Int> = []
  /// With a key, so that no two parts have one hash but by chance.
  private let key = MappingKey.random()

  /// More than these are not held: where so many runs are in doubt, the copy is not published.
  private static let mostCandidates = 4 << 20
  /// With more the search of what is not finished ends.
  static let mostBegun = 1 << 18
  /// On each thread no more places than these are held, in 400 KB.
  static let mostOccurrences = 1 << 14

  init(_ filter: RunFilter) { (table, hasPairs) = (filter.table, filter.hasPairs) }

  /// Looks through what is in a copy that is not finished yet: of this only what changed is looked through once more. Where much is
  /// in doubt it ends early, since memory is short then; the rest is looked through when the copy is finished.
  ///
  /// - Parameters:
  ///   - most: with more candidates it ends.
  ///   - isFinished: asked between parts; true where the copy is.
  mutating func begin(_ path: PosixPath, most: Int = mostBegun, until isFinished: () -> Bool = { false }) throws {
    known = try search(
      path, 0..<EvidenceFile(path).size, most: Self.mostCandidates, until: { isFinished() || $0 > most })
  }

  /// So many stretches of a file are looked through, on two threads: in some there is more to be looked up than in others.
  private static let stretches = 16

  /// Looks through a finished copy on two threads, and its external files.
  mutating func search(store path: PosixPath) throws {
    let size = try EvidenceFile(path).size
    let room = Self.mostCandidates - candidates.count
    let length = (size / Int64(FileParts.length) / Int64(Self.stretches) + 1) * Int64(FileParts.length)
    let shared = Shared()
    var own = self
    (own.candidates, own.occurrences) = ([], [])
    let searched = { @Sendable [own] in
      var search = own
      while true {
        let start = Int64(shared.stretch.add(1, ordering: .relaxed).oldValue) * length
        guard start < size else { return search }
        // Either thread may have half of what is left.
        let (count, left) = (search.candidates.count, room - shared.found.load(ordering: .relaxed))
        _ = try search.search(path, start..<min(start + length, size), most: count + max(left, 0) / 2)
        shared.found.add(search.candidates.count - count, ordering: .relaxed)
      }
    }
    let (first, second) = try beside(searched, meanwhile: searched)
    let same = first.unchanged.union(second.unchanged)
    let begun = occurrences.map { $0.filter { same.contains(Self.part(of: $0)) } }
    if let begun, let own = first.occurrences, let others = second.occurrences {
      // What SQLite wrote anew counts no more.
      occurrences = begun + own + others
      candidates = Set(begun.lazy.map(\.run))
    } else {
      occurrences = nil
    }
    if candidates.isEmpty { candidates = first.candidates } else { candidates.formUnion(first.candidates) }
    (others, known) = (second.candidates, [])
    bytes = size
    for (name, path) in Self.externalFiles(of: path) {
      let file = try EvidenceFile(path)
      let places = occurrences
      _ = try search(path, 0..<file.size, most: Self.mostCandidates)
      occurrences = places
      bytes += file.size
      look(at: name)
    }
  }

  /// What two threads know of each other: the next stretch, and how many candidates both found.
  private final class Shared: Sendable {
    let stretch = Atomic(0)
    let found = Atomic(0)
  }

  /// Puts together what was found on both threads, which needs memory: when that of the filter was given back.
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
  func places(
    of runs: some Sequence<UInt64>, in path: PosixPath, _ copy: Connection
  ) throws -> [UInt64: PagePlaces.Place] {
    let wanted = WantedRuns(runs)
    let found =
      try occurrences.map { FoundRuns($0.filter { wanted.runs.contains($0.run) }) } ?? FoundRuns(wanted, in: path)
    let roots = try copy.schema().compactMap { UInt32(exactly: $0.rootPage) }.filter { $0 > 0 }
    var places = try PagePlaces(found, in: path, roots: roots).places
    for (name, file) in Self.externalFiles(of: path) {
      for run in try FoundRuns.contained(wanted, in: file, name: name) { places[run] = .value }
    }
    return places
  }

  /// Looks through bytes of a file, as they lie on disk, but for parts that are known.
  ///
  /// - Parameters:
  ///   - ends: the places where runs end; they begin with a part.
  ///   - isEnding: asked behind each part, with the number of candidates.
  /// - Returns: the hash of each part.
  private mutating func search(
    _ path: PosixPath, _ ends: Range<Int64>, most: Int, until isEnding: (Int) -> Bool = { _ in false }
  ) throws -> [UInt64] {
    var hashes: [UInt64] = []
    // Runs that end in a part begin in the one before it.
    var isKnown = ends.lowerBound == 0
    let possible = UnsafeMutablePointer<Possible>.allocate(capacity: 2 * (FileParts.length + 2 * Runs.length))
    defer { possible.deallocate() }
    try FileParts.forEach(of: path, endingIn: ends) { part, lead, start in
      let (hash, index) = (self.hash(part[lead...]), Int((start + Int64(lead)) / Int64(FileParts.length)))
      hashes.append(hash)
      let wasKnown = isKnown
      isKnown = known.indices.contains(index) && known[index] == hash
      if isKnown, wasKnown {
        unchanged.insert(index)
        return true
      }
      // What the first level leaves is looked up together: then the memory does not wait for one after the other.
      let count = part.withUnsafeBufferPointer { possibleRuns(in: $0, from: lead, to: possible) }
      for index in 0..<count where table.contains(possible[index].run) { note(possible[index], start) }
      guard candidates.count <= most else {
        throw AnonymizingError(
          "more runs of bytes would have to be compared than memory is used for; drop large attributes")
      }
      return !isEnding(candidates.count)
    }
    return hashes
  }

  /// A run that the first level of the filter leaves, how many bytes it has, and the place of the last of them in a part.
  private struct Possible {
    var run: UInt64
    var length: Int32
    var end: Int32
  }

  /// Notes a run of a part that begins at a place of the file.
  private mutating func note(_ found: Possible, _ start: Int64) {
    candidates.insert(found.run)
    guard let count = occurrences?.count else { return }
    guard count < Self.mostOccurrences else { return occurrences = nil }
    let end = start + Int64(found.end) + 1
    occurrences?.append(FoundRuns.Occurrence(run: found.run, bytes: end - Int64(found.length)..<end))
  }

  /// The part of the file in which a run ends.
  private static func part(of occurrence: FoundRuns.Occurrence) -> Int {
    Int((occurrence.bytes.upperBound - 1) / Int64(FileParts.length))
  }

  private func hash(_ part: ArraySlice<UInt8>) -> UInt64 {
    var hash = KeyedHash(key, 0x7061_7274)
    part.withUnsafeBytes { hash.combine($0) }
    return hash.finish()
  }

  /// Runs that end from a place on and that the first level of the filter leaves.
  ///
  /// - Parameter runs: where they are written, two for each byte at most.
  /// - Returns: how many there are.
  private func possibleRuns(
    in part: UnsafeBufferPointer<UInt8>, from lead: Int, to runs: UnsafeMutablePointer<Possible>
  ) -> Int {
    let (table, hasPairs, facts) = (table, hasPairs, ByteFacts.all)
    // Of three places that follow each other the first is looked at: the last six bytes, the kinds of the last four, and whether
    // one of the last two is zero. A run that ends at one of the three has them, too.
    let first = max(lead, Runs.length - 1)
    guard first < part.count else { return 0 }
    var (run, kinds, count): (UInt64, UInt32, Int) = (0, 0, 0)
    for byte in part[(first - Runs.length + 1)..<first - 2] {
      let fact = facts[Int(byte)]
      (run, kinds) = (run << 8 | UInt64(fact & 0xff), kinds << 5 | fact >> 8 & 31)
    }
    var place = first
    while place < part.count {
      let (one, two, three) = (facts[Int(part[place - 2])], facts[Int(part[place - 1])], facts[Int(part[place])])
      run = run << 24 | UInt64((one & 0xff) << 16 | (two & 0xff) << 8 | three & 0xff)
      kinds = kinds << 15 | (one >> 8 & 31) << 10 | (two >> 8 & 31) << 5 | three >> 8 & 31
      let isKnown = table.hasQuad(kinds & 0xfffff)
      let isPair = hasPairs ? table.hasHead(Runs.head(run & Runs.mask)) : false
      if isKnown || isPair || (two ^ three) >> 20 & 1 == 1 {
        count = addPossible(
          run & Runs.mask, in: part, place..<min(place + 3, part.count), isKnown, isPair, from: lead, to: runs, count)
      }
      place &+= 3
    }
    return count
  }

  /// - Parameters:
  ///   - first: the run that ends at the first place.
  ///   - ends: the places of the last bytes of the runs that are looked at.
  ///   - isKnown: whether those of six bytes are.
  ///   - isPair: whether those of twelve are that are no units of ASCII.
  /// - Returns: how many there are then.
  @inline(never) private func addPossible(
    _ first: UInt64, in part: UnsafeBufferPointer<UInt8>, _ ends: Range<Int>, _ isKnown: Bool, _ isPair: Bool,
    from lead: Int, to runs: UnsafeMutablePointer<Possible>, _ count: Int
  ) -> Int {
    var (run, count) = (first >> 8, count)
    for end in ends {
      run = (run << 8 | UInt64(ByteFacts.all[Int(part[end])] & 0xff)) & Runs.mask
      if isKnown, Runs.mayTell(run), table.hasQuads(of: run) {
        runs[count] = Possible(run: run, length: Int32(Runs.length), end: Int32(truncatingIfNeeded: end))
        count &+= 1
      }
      guard isPair || Runs.mayBeUnitsOfASCII(run), end >= max(lead, 2 * Runs.length - 1) else { continue }
      let before = Runs.run(part[(end - 2 * Runs.length + 1)...(end - Runs.length)])
      guard isPair || Runs.areUnitsOfASCII(before, run) else { continue }
      runs[count] = Possible(
        run: Runs.pair(before, run), length: Int32(2 * Runs.length), end: Int32(truncatingIfNeeded: end))
      count &+= 1
    }
    return count
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
    let wanted = WantedRuns(candidates.union(others), asUnits: false)
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
