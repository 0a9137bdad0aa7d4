import StoreSQLite
import StoreSystem

/// Opens a source as an archive that is read here.
///
/// - Parameter budget: the most bytes that a packed one may unpack to, whatever its size.
/// - Returns: nil for anything else.
/// - Throws: `ArchiveError` for one that cannot be read.
func archiveReader(
  _ source: any ByteSource, name: [UInt8], limits: PlaceLimits, budget: Int64 = .max
) throws(ArchiveError) -> (any ArchiveReader)? {
  let limit = min(limits.archive.growthLimit(of: source.size), budget)
  do {
    let head = try source.read(at: 0, count: ArchiveKind.usefulBytes)
    switch ArchiveKind(head: head) {
    case .zip: return try ZipArchive(source, limit: limit)
    case .tar, .gzip: return try TarArchive(source, limit: limit)
    // Something may have been put before a zip, such as a program that unpacks it.
    case nil: return ArchiveKind.isNamedZip(name) ? try ZipArchive(source, limit: limit) : nil
    }
  } catch let error as FileError {
    throw .unreadable(error)
  } catch is InflatedBytes.TooMuch {
    throw .bomb(growth: limits.archive.growth)
  } catch {
    throw .damaged(message: "\(error)")
  }
}

/// Whether a file ends as a zip does, whatever was put before it.
package func hasZipDirectory(_ source: any ByteSource) -> Bool {
  ((try? ZipDirectoryPlace(in: source)) ?? nil) != nil
}

/// Lists what an archive holds, with the archives in it.
struct ArchiveContents {
  private let limits: PlaceLimits
  private let spool: Spool
  /// Which names behind the place's `!` are looked for; nil for all. It spares archives in which they cannot be.
  private let wanted: [UInt8]?
  /// How many bytes more may be unpacked to list archives.
  private var budget: Int64
  private var nestedCount = 0
  private var nestedMembers = 0
  /// The files so far that may be databases without their header, and the bytes of all of them.
  private var headless: (count: Int, bytes: Int64) = (0, 0)
  var result = PlaceContents()

  /// - Parameter size: that of the outermost archive, by which a bomb is told.
  init(limits: PlaceLimits, spool: Spool, size: Int64, wanted: [UInt8]? = nil) {
    (self.limits, self.spool, self.wanted) = (limits, spool, wanted)
    budget = limits.archive.growthLimit(of: size)
  }

  /// Adds what one archive holds.
  mutating func add(_ archive: OpenArchive, depth: Int = 1) throws {
    var listing = MemberListing(archive, limits: limits)
    do {
      try listing.list()
    } catch is InflatedBytes.TooMuch {
      throw ArchiveError.bomb(growth: limits.archive.growth)
    } catch let error as FileError {
      throw ArchiveError.unreadable(error)
    }
    budget -= archive.reader.bytesUnpacked
    if depth > 1 { nestedMembers += listing.count }
    guard !listing.isWhollyEncrypted else {
      guard depth > 1 else { throw ArchiveError.encrypted }
      result.leftOut.append(
        .init(name: named(archive.prefix), kind: .encrypted, reason: ArchiveError.encrypted.description))
      return
    }
    if listing.count == 0, let problem = archive.reader.problems.first { throw ArchiveError.damaged(message: problem) }
    result.filesSeen += listing.filesSeen
    var (sets, orphans) = listing.finder.sets(prefix: archive.prefix)
    try takeBackups(&sets, &orphans, listing, in: archive)
    limitHeadless(&sets, in: archive)
    let containers = try listing.containers(of: sets)
    for position in sets.indices where sets[position].container == nil {
      sets[position].container = containers.identifier(of: sets[position].main.name)
    }
    result.sets += sets
    result.leftOut += listing.leftOut.named
    result.leftOut += orphans.map { .orphan($0, prefix: archive.prefix) }
    var places: Set<Int64> = []
    for nested in listing.nested where places.insert(nested.order).inserted {
      try addNested(nested, in: archive, depth: depth)
    }
    addProblems(of: archive, listing)
  }

  /// Keeps as many files that may be databases without their header as are looked into, those with a store's name first. Of
  /// others with a store's name only the beginning is read.
  private mutating func limitHeadless(_ sets: inout [EvidenceSet], in archive: OpenArchive) {
    let candidates = sets.indices.filter { sets[$0].mayBeHeadless }
    func isNamed(_ position: Int) -> Bool { EntryRole(name: sets[position].main.name) == .namedStore }
    var left: Set<Int> = []
    for position in candidates.filter(isNamed) + candidates.filter({ !isNamed($0) }) {
      let (sum, isBeyond) = headless.bytes.addingReportingOverflow(max(0, sets[position].main.size))
      guard headless.count < limits.mostHeadless, !isBeyond, sum <= limits.headlessBytes else {
        left.insert(position)
        continue
      }
      headless = (headless.count + 1, sum)
    }
    guard !left.isEmpty else { return }
    let unnamed = left.filter { !isNamed($0) }
    for position in left { sets[position].mayBeHeadless = false }
    sets = sets.indices.filter { !unnamed.contains($0) }.map { sets[$0] }
    result.leftOut.append(
      .init(
        name: named(archive.prefix), kind: archive.prefix.isEmpty ? .whole : .refused,
        reason: "it holds more files than are looked into that may be stores without their beginning; "
          + "\(left.count) \(left.count == 1 ? "was" : "were") not"))
  }

  /// The name of an archive by the prefix of what is in it.
  private func named(_ prefix: [UInt8]) -> [UInt8] { Array(prefix.dropLast()) }

  private mutating func addProblems(of archive: OpenArchive, _ listing: MemberListing) {
    for problem in archive.reader.problems + listing.problems {
      result.leftOut.append(
        archive.prefix.isEmpty
          ? .init(name: [], kind: .whole, reason: problem)
          : .init(name: named(archive.prefix), kind: .refused, reason: problem))
    }
  }

  // MARK: Archives in it

  private static func withoutSlash(_ name: [UInt8]) -> ArraySlice<UInt8> { name.drop { $0 == UInt8(ascii: "/") } }

  private mutating func addNested(_ member: ArchiveMember, in archive: OpenArchive, depth: Int) throws {
    let name = archive.prefix + member.name
    let prefix = name + [UInt8(ascii: "!")]
    // The name may lead to a store in it, to it, or to a folder that it lies in.
    if let wanted {
      let (wanted, prefix) = (Self.withoutSlash(wanted), Self.withoutSlash(prefix))
      guard wanted.starts(with: prefix) || prefix.starts(with: wanted) else { return }
    }
    guard depth < limits.depth else {
      result.leftOut.append(
        .init(name: name, kind: .tooDeep, reason: "it lies in \(depth) archives, and no more are followed"))
      return
    }
    let text = String(decoding: name, as: UTF8.self)
    do {
      guard nestedCount < limits.mostNested, nestedMembers < limits.mostNestedMembers else {
        throw MemberDoubt(reason: "so many archives lie in it that no more were looked into")
      }
      nestedCount += 1
      let source = try archive.reader.source(of: member, named: text) ?? spool.source(of: member, in: archive)
      guard let reader = try archiveReader(source, name: member.name, limits: limits, budget: max(0, budget)) else {
        throw ArchiveError.notAnArchive
      }
      try add(OpenArchive(reader, prefix: prefix), depth: depth + 1)
    } catch let error as ArchiveError where !error.isOfThisRun {
      result.leftOut.append(.init(name: name, kind: .unreadableArchive, reason: error.description))
    } catch let doubt as MemberDoubt {
      result.leftOut.append(.init(name: name, kind: .refused, reason: doubt.reason))
    }
  }

  // MARK: Backups in it

  private mutating func takeBackups(
    _ sets: inout [EvidenceSet], _ orphans: inout [PlaceFile], _ listing: MemberListing, in archive: OpenArchive
  ) throws {
    let backups = listing.listedBackups
    for (root, lists) in backups.prefix(limits.mostBackups) {
      func hashed(_ name: [UInt8]) -> BackupFileName? {
        name.starts(with: root) ? BackupFileName(name.dropFirst(root.count)) : nil
      }
      let files = ArchivedBackup(root: root, lists: lists, archive: archive, limits: limits, spool: spool)
      let prefix = archive.prefix + (root.isEmpty ? [] : root.dropLast() + [UInt8(ascii: "!")])
      var backup = BackupContents(files, prefix: prefix)
      try backup.read(
        listing.finder.all.filter { $0.role != .other || $0.isLog }.compactMap { candidate in
          hashed(candidate.file.name).map {
            HashedFile(
              fileID: $0.fileID, file: candidate.file, isDatabase: candidate.role == .database, isLog: candidate.isLog)
          }
        })
      let manifest = root + Array("Manifest.db".utf8)
      sets.removeAll { hashed($0.main.name) != nil || $0.main.name == manifest }
      orphans.removeAll { hashed($0.name) != nil }
      sets += backup.result.sets
      result.leftOut += backup.result.leftOut
      if let facts = backup.facts { result.backups.append((prefix, facts)) }
    }
    if backups.count > limits.mostBackups {
      let kind: LeftOut.Kind = archive.prefix.isEmpty ? .whole : .refused
      result.leftOut.append(
        .init(
          name: named(archive.prefix), kind: kind,
          reason: "it holds \(backups.count) backups, of which \(limits.mostBackups) were read by their lists"))
    }
  }
}

/// Why a member is not to be trusted.
struct MemberDoubt: Error, CustomStringConvertible {
  var reason: String

  var description: String { reason }
}

extension ArchiveError {
  /// Whether it ends the work on the whole place, and not only on an archive in it.
  var isOfThisRun: Bool {
    switch self {
    case .noSpace, .folder: true
    case .tooManyBytes, .bomb, .unreadable, .notAnArchive, .unsupported, .cannotStart, .damaged, .encrypted,
      .tooManyEntries:
      false
    }
  }
}
