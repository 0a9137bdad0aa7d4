import StoreSQLite
import StoreSystem

/// Reads members of an archive, and of the archives in it, that are no stores: models, logs, texts. Each is read whole, into
/// memory; nothing is written but archives that lie in others packed.
package struct MemberSearch {
  /// The names, with `!` behind each archive on the way, and the bytes.
  package private(set) var found: [(name: [UInt8], bytes: [UInt8])] = []
  /// What could not be looked into, or was too much; sentences. Those of `unread` are among them.
  package private(set) var problems: [String] = []
  /// Members that are looked for and could not be read, the first thousand: their names, and why.
  package private(set) var unread: [(name: [UInt8], reason: String)] = []

  private let limits: PlaceLimits
  private let isWanted: ([UInt8]) -> Bool
  /// The only name that is looked for, or the folder of those; nil for all.
  private let within: [UInt8]?
  private let spool: Spool
  private var nestedCount = 0
  private var bytesLeft: Int64 = 256 << 20
  private var budget: Int64

  /// The most bytes of one member.
  private static let longest: Int64 = 64 << 20
  /// The most members that are read.
  private static let most = 20_000
  /// The most members whose names are noted since they could not be read.
  private static let mostUnread = 1_000

  /// Nil where the path is no archive.
  ///
  /// - Parameters:
  ///   - within: a name behind the archive's `!`: of one member, or of a folder or an archive in it.
  ///   - isWanted: whether a member of that name is looked for.
  /// - Throws: `ArchiveError` where nothing can be read.
  package init?(
    _ path: PosixPath, within: [UInt8]? = nil, spool makeSpool: (_ size: Int64) -> Spool,
    limits: PlaceLimits = .standard, isWanted: @escaping ([UInt8]) -> Bool
  ) throws {
    guard FileSystem.kind(of: path) == .file else { return nil }
    let file = try EvidenceFile(path)
    guard let reader = try archiveReader(file, name: path.name, limits: limits) else { return nil }
    (self.limits, self.isWanted, self.within) = (limits, isWanted, within.map(Self.plain))
    spool = makeSpool(file.size)
    budget = limits.archive.growthLimit(of: file.size)
    try add(OpenArchive(reader, prefix: []), depth: 1)
  }

  /// Without a slash at the front and the end.
  private static func plain(_ name: [UInt8]) -> [UInt8] {
    Array(name.drop { $0 == UInt8(ascii: "/") }.reversed().drop { $0 == UInt8(ascii: "/") }.reversed())
  }

  private mutating func add(_ archive: OpenArchive, depth: Int) throws {
    var (members, nested): ([ArchiveMember], [ArchiveMember]) = ([], [])
    var (count, places): (Int, Set<Int64>) = (0, [])
    try archive.reader.forEachMember(headSize: { _ in 0 }) { member, _ in
      guard member.kind == .file else { return }
      let name = archive.prefix + member.name
      if isWanted(name), isWithin(name) {
        guard count < Self.most else { return }
        count += 1
        members.append(member)
      } else if ArchiveKind.isNamedArchive(member.name), leadsWithin(name), places.insert(member.order).inserted {
        nested.append(member)
      }
    }
    budget -= archive.reader.bytesUnpacked
    if count == Self.most { problems.append("more than \(Self.most) members are of interest; not all were read") }
    problems += archive.reader.problems
    try read(members, in: archive)
    for member in nested { follow(member, in: archive, depth: depth) }
  }

  private mutating func read(_ members: [ArchiveMember], in archive: OpenArchive) throws {
    var admitted: [ArchiveMember] = []
    for member in members {
      if let obstacle = member.obstacleOrPassword {
        leave(member, of: archive, obstacle)
      } else if member.size > Self.longest || member.size > bytesLeft {
        leave(member, of: archive, "it is too large to be read here")
      } else {
        bytesLeft -= max(0, member.size)
        admitted.append(member)
      }
    }
    var (known, refused): (Set<[UInt8]>, [(Int, String)]) = ([], [])
    var contents: [(Int, [UInt8])] = []
    try archive.reader.forEachContent(of: admitted) { position, bytes in
      if let bytes { contents.append((position, bytes)) } else { refused.append((position, "it is damaged")) }
    }
    for (position, bytes) in contents where known.insert(admitted[position].name).inserted {
      found.append((archive.prefix + admitted[position].name, bytes))
    }
    for (position, reason) in refused { leave(admitted[position], of: archive, reason) }
  }

  /// Notes that a member is not read.
  private mutating func leave(_ member: ArchiveMember, of archive: OpenArchive, _ reason: String) {
    guard unread.count < Self.mostUnread else { return }
    let name = archive.prefix + member.name
    problems.append("'\(String(decoding: name, as: UTF8.self))': \(reason)")
    unread.append((name, reason))
  }

  private mutating func follow(_ member: ArchiveMember, in archive: OpenArchive, depth: Int) {
    let name = archive.prefix + member.name
    let text = String(decoding: name, as: UTF8.self)
    if let obstacle = member.obstacleOrPassword {
      return problems.append("'\(text)' was not looked into: \(obstacle)")
    }
    do {
      guard depth < limits.depth, nestedCount < 1000 else { throw ArchiveError.notAnArchive }
      nestedCount += 1
      let source = try archive.reader.source(of: member, named: text) ?? spool.source(of: member, in: archive)
      guard let reader = try archiveReader(source, name: member.name, limits: limits, budget: max(0, budget)) else {
        throw ArchiveError.notAnArchive
      }
      try add(OpenArchive(reader, prefix: name + [UInt8(ascii: "!")]), depth: depth + 1)
    } catch {
      problems.append("'\(text)' was not looked into: \(error)")
    }
  }

  /// Whether a name is the one that is looked for, or lies in the folder or archive of that name.
  private func isWithin(_ name: [UInt8]) -> Bool {
    guard let within, !within.isEmpty else { return true }
    let name = Self.plain(name)
    return name == within
      || name.count > within.count && name.starts(with: within)
        && [UInt8(ascii: "/"), UInt8(ascii: "!")].contains(name[within.count])
  }

  /// Whether what is looked for may lie in an archive of this name.
  private func leadsWithin(_ name: [UInt8]) -> Bool {
    guard let within, !within.isEmpty else { return true }
    return isWithin(name) || within.starts(with: Self.plain(name) + [UInt8(ascii: "!")])
  }
}
