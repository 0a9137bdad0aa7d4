import StoreSQLite
import StoreSystem

/// A set whose files can all be opened: what lies in archives has been written to private files.
package struct PreparedSet {
  /// The path in the place, with the archives it lies in.
  package var shown: [UInt8]
  /// The store's files: the name of each, the path at which its bytes are, and whether that is a private copy, which nobody
  /// else writes to.
  package var files: [(name: [UInt8], path: PosixPath, isCopy: Bool)] = []
  /// Files that are there and cannot be read, with the reason.
  package var unreadable: [(name: [UInt8], reason: String)] = []
  /// The path of archives in the place, with their `!`.
  package var prefix: [UInt8]
  /// The length of the main file in the archive, of which not all may have been read.
  package var size: Int64
  package var isDatabase: Bool
  /// Whether it may be a database that lost its header, and all of it can be read.
  package var mayBeHeadless = false
  /// The app or group in whose container it lies.
  package var container: String?

  /// Takes back what `mount` did.
  package func unmount(from place: PosixPath) {
    let mark = place.bytes + [UInt8(ascii: "!")] + prefix
    for name in files.map(\.name) + unreadable.map(\.name) { MountedFiles.unmount(name, in: mark) }
  }

  /// Makes its files readable under their names in the place.
  ///
  /// - Parameter place: the path of the place.
  /// - Returns: the name of the main file.
  package func mount(in place: PosixPath) -> PosixPath {
    let mark = place.bytes + [UInt8(ascii: "!")] + prefix
    for file in files { MountedFiles.mount(file.name, in: mark, from: file.path, isCopy: file.isCopy) }
    for file in unreadable { MountedFiles.mount(file.name, in: mark, unreadable: file.reason) }
    return PosixPath(bytes: place.bytes + [UInt8(ascii: "!")] + shown)
  }
}

/// Writes those members to private files that a list of sets needs, in the order in which they lie in their archives.
///
/// - Returns: the sets, without those whose main file is not to be trusted, and what was left out therefore.
/// - Throws: `ArchiveError` at a limit.
package func prepare(
  _ sets: [EvidenceSet], spool: Spool, limits: PlaceLimits = .standard
) throws -> (sets: [PreparedSet], leftOut: [LeftOut]) {
  var preparation = Preparation(spool: spool)
  for (position, set) in sets.enumerated() {
    preparation.add(set.main, of: position, most: set.isDatabase || set.mayBeHeadless ? .max : limits.namedStoreBytes)
    for side in set.sides { preparation.add(side.file, of: position) }
    for file in set.strayLogs { preparation.add(file, of: position) }
    for file in set.external { preparation.add(file.file, of: position, isExternal: true) }
  }
  try preparation.run()
  var (prepared, leftOut): ([PreparedSet], [LeftOut]) = ([], [])
  for (position, set) in sets.enumerated() {
    let doubts = preparation.doubts[position] ?? [:]
    for (name, reason) in doubts.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      leftOut.append(.init(name: set.prefix + name, kind: .refused, reason: reason))
    }
    let paths = preparation.paths[position] ?? [:]
    guard paths[set.main.name] != nil else { continue }
    var result = PreparedSet(
      shown: set.shown, prefix: set.prefix, size: set.main.size, isDatabase: set.isDatabase,
      mayBeHeadless: set.mayBeHeadless,
      container: set.container)
    let files = names(of: set)
    result.files = files.compactMap { name, file in
      paths[file.name].map { (name, $0, preparation.copies.contains($0)) }
    }
    result.unreadable =
      set.unreadableSides.map { (set.main.name + Array($0.ending.utf8), $0.reason) }
      + files.compactMap { name, file in doubts[file.name].map { (name, $0) } }
    prepared.append(result)
  }
  return (prepared, leftOut)
}

/// The names under which a store looks for its files.
private func names(of set: EvidenceSet) -> [(name: [UInt8], file: PlaceFile)] {
  let folder = SetFinder.externalFolder(of: set.main.name) + [UInt8(ascii: "/")]
  return [(set.main.name, set.main)] + set.sides.map { (set.main.name + Array($0.ending.utf8), $0.file) }
    + set.external.map { (folder + $0.name, $0.file) } + set.strayLogs.map { ($0.name, $0) }
}

/// What is to be written for which set.
private struct Preparation {
  let spool: Spool
  /// By set and name: where the bytes are, or why they are not to be trusted.
  var paths: [Int: [[UInt8]: PosixPath]] = [:]
  var doubts: [Int: [[UInt8]: String]] = [:]
  /// The paths of private files.
  private(set) var copies: Set<PosixPath> = []
  private var jobs: [ObjectIdentifier: (archive: OpenArchive, jobs: [Job])] = [:]

  private struct Job {
    var member: ArchiveMember
    var most: Int64
    var set: Int
    var name: [UInt8]
    var isExternal: Bool

    var bytes: Int64 { min(member.size, most) }
  }

  init(spool: Spool) {
    self.spool = spool
  }

  mutating func add(_ file: PlaceFile, of set: Int, most: Int64 = .max, isExternal: Bool = false) {
    switch file.bytes {
    case .file(let path): paths[set, default: [:]][file.name] = path
    case .member(let member, let archive):
      jobs[ObjectIdentifier(archive), default: (archive, [])].jobs.append(
        Job(member: member, most: most, set: set, name: file.name, isExternal: isExternal))
    }
  }

  mutating func run() throws {
    for (archive, jobs) in jobs.values.sorted(by: { $0.archive.prefix.lexicographicallyPrecedes($1.archive.prefix) }) {
      // One member may be asked for several times, as a log that lies beside many stores.
      let sorted = jobs.sorted { ($0.member.order, $0.set) < ($1.member.order, $1.set) }
      try run(sorted, in: archive)
    }
  }

  private mutating func run(_ jobs: [Job], in archive: OpenArchive) throws {
    var groups: [[Job]] = []
    for job in jobs {
      if let last = groups.last?.first, last.member.order == job.member.order, last.name == job.name {
        groups[groups.count - 1].append(job)
      } else {
        groups.append([job])
      }
    }
    groups = admitted(groups)
    var file: EntryFile?
    var path = PosixPath("")
    try archive.reader.read(groups.map { ($0[0].member, $0.map(\.most).max() ?? .max) }) { position, bytes in
      if file == nil { (file, path) = try begin(groups[position][0]) }
      try spool.take(Int64(bytes.count))
      try file?.append(Array(bytes)[...])
    } end: { position, doubt in
      if file == nil { (file, path) = try begin(groups[position][0]) }
      try file?.finish()
      let isKept = archive.reader.keepsBeginnings && (file?.written ?? 0) > 0
      for job in groups[position] {
        if doubt == nil || isKept {
          paths[job.set, default: [:]][job.name] = path
        } else if let doubt {
          doubts[job.set, default: [:]][job.name] = doubt
        }
      }
      file = nil
    }
  }

  /// The groups that may be written; one that is too large, or a bomb, costs itself and no others.
  private mutating func admitted(_ groups: [[Job]]) -> [[Job]] {
    var planned: Int64 = 0
    // Stores and their logs come first where not all can be open.
    var open = spool.openable - groups.count { !$0.allSatisfy(\.isExternal) }
    return groups.filter { jobs in
      let bytes = max(0, jobs.map(\.bytes).max() ?? 0)
      let (sum, isBeyond) = planned.addingReportingOverflow(bytes)
      var reason = spool.refusal(of: isBeyond ? .max : sum)?.description
      if reason == nil, jobs.allSatisfy(\.isExternal) {
        open -= 1
        if open < 0 { reason = "not read, as more files would be open than may be" }
      }
      guard let reason else {
        planned = sum
        return true
      }
      for job in jobs { doubts[job.set, default: [:]][job.name] = reason }
      return false
    }
  }

  private mutating func begin(_ job: Job) throws -> (EntryFile, PosixPath) {
    let (file, path) = try spool.create()
    copies.insert(path)
    return (EntryFile(file, wanted: job.bytes), path)
  }
}
