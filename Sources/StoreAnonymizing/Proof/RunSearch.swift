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
  /// Of each part that was looked through before the file was finished what it was.
  private var known: [UInt64] = []
  /// With a key, so that no two parts have one hash but by chance.
  private let key = MappingKey.random()

  /// More than these are not held: where so many runs are in doubt, the copy is not published.
  private static let mostCandidates = 4 << 20

  init(_ filter: RunFilter) { (table, hasPairs) = (filter.table, filter.hasPairs) }

  /// Looks through what is in a copy that is not finished yet: of this only what changed is looked through once more. Where so much
  /// is in doubt that it would leave too little room for the rest, all is looked through when the copy is finished.
  ///
  /// - Parameter isFinished: asked between parts; true where the copy is.
  mutating func begin(_ path: PosixPath, until isFinished: () -> Bool = { false }) throws {
    do {
      known = try search(path, 0..<EvidenceFile(path).size, most: Self.mostCandidates / 2, until: isFinished)
    } catch is AnonymizingError {
      (candidates, known) = ([], [])
    }
  }

  /// Looks through a finished copy, its halves beside each other, and its external files.
  mutating func search(store path: PosixPath) throws {
    let size = try EvidenceFile(path).size
    // Of what is left to be looked through.
    let middle = (Int64(known.count) + size / Int64(FileParts.length)) / 2 * Int64(FileParts.length)
    let room = (Self.mostCandidates - candidates.count) / 2
    var nothing = self
    nothing.candidates = []
    let (first, second) = try beside { [nothing] in
      var search = nothing
      _ = try search.search(path, 0..<min(middle, size), most: room)
      return search
    } meanwhile: {
      var search = nothing
      _ = try search.search(path, min(middle, size)..<size, most: room)
      return search
    }
    if candidates.isEmpty { candidates = first.candidates } else { candidates.formUnion(first.candidates) }
    (others, known) = (second.candidates, [])
    bytes = size
    for (name, path) in Self.externalFiles(of: path) {
      let file = try EvidenceFile(path)
      _ = try search(path, 0..<file.size, most: Self.mostCandidates)
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

  /// Looks through bytes of a file, as they lie on disk, but for parts that are known.
  ///
  /// - Parameters:
  ///   - ends: the places where runs end; they begin with a part.
  ///   - isEnding: asked behind each part.
  /// - Returns: the hash of each part.
  private mutating func search(
    _ path: PosixPath, _ ends: Range<Int64>, most: Int, until isEnding: () -> Bool = { false }
  ) throws -> [UInt64] {
    var hashes: [UInt64] = []
    // Runs that end in a part begin in the one before it.
    var isKnown = ends.lowerBound == 0
    let possible = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * (FileParts.length + 2 * Runs.length))
    defer { possible.deallocate() }
    try FileParts.forEach(of: path, endingIn: ends) { part, lead, start in
      let (hash, index) = (self.hash(part[lead...]), Int((start + Int64(lead)) / Int64(FileParts.length)))
      hashes.append(hash)
      let wasKnown = isKnown
      isKnown = known.indices.contains(index) && known[index] == hash
      if isKnown, wasKnown { return true }
      // What the first level leaves is looked up together: then the memory does not wait for one after the other.
      let count = part.withUnsafeBufferPointer { possibleRuns(in: $0, from: lead, to: possible) }
      for index in 0..<count where table.contains(possible[index]) { candidates.insert(possible[index]) }
      guard candidates.count <= most else {
        throw AnonymizingError(
          "more runs of bytes would have to be compared than memory is used for; drop large attributes")
      }
      return !isEnding()
    }
    return hashes
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
    in part: UnsafeBufferPointer<UInt8>, from lead: Int, to runs: UnsafeMutablePointer<UInt64>
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
    from lead: Int, to runs: UnsafeMutablePointer<UInt64>, _ count: Int
  ) -> Int {
    var (run, count) = (first >> 8, count)
    for end in ends {
      run = (run << 8 | UInt64(ByteFacts.all[Int(part[end])] & 0xff)) & Runs.mask
      if isKnown, Runs.mayTell(run), table.hasQuads(of: run) {
        runs[count] = run
        count &+= 1
      }
      guard isPair || Runs.mayBeUnitsOfASCII(run), end >= max(lead, 2 * Runs.length - 1) else { continue }
      let before = Runs.run(part[(end - 2 * Runs.length + 1)...(end - Runs.length)])
      guard isPair || Runs.areUnitsOfASCII(before, run) else { continue }
      runs[count] = Runs.pair(before, run)
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
