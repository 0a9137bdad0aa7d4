import StoreSQLite
import StoreSystem

/// Goes through the members of one archive once, and keeps those that are of interest.
struct MemberListing {
  private let archive: OpenArchive
  private let limits: PlaceLimits
  private(set) var finder = SetFinder()
  private(set) var leftOut: [LeftOut] = []
  private(set) var nested: [ArchiveMember] = []
  private(set) var filesSeen = 0
  /// Members of every kind.
  private(set) var count = 0
  /// Folders, with their slash, that hold the list of a backup.
  private(set) var backupRoots: [[UInt8]] = []
  private var roots: Set<[UInt8]> = []
  private var hasHashedFiles = false
  private var metadata: [ArchiveMember] = []
  private var encrypted = 0
  private var unread: [String: Int] = [:]

  init(_ archive: OpenArchive, limits: PlaceLimits) {
    (self.archive, self.limits) = (archive, limits)
  }

  /// Whether no file can be read without a password.
  var isWhollyEncrypted: Bool { encrypted > 0 && encrypted == filesSeen }

  /// What is to be said of the archive as a whole.
  var problems: [String] {
    var problems = unread.sorted { $0.key < $1.key }.map { reason, count in
      "\(count) \(count == 1 ? "member was" : "members were") not looked into: \(reason)"
    }
    if encrypted > limits.mostNamed { problems.append("\(encrypted) members are encrypted") }
    return problems
  }

  /// Lists the archive.
  mutating func list() throws {
    var work = self
    try archive.reader.forEachMember(headSize: Self.headSize) { member, head in work.take(member, head: head) }
    self = work
    if hasHashedFiles { backupRoots = roots.sorted { $0.lexicographicallyPrecedes($1) } }
  }

  private static func headSize(_ name: [UInt8]) -> Int {
    EntryRole(name: name) == .archive ? ArchiveKind.usefulBytes : EntryRole.usefulBytes
  }

  private mutating func take(_ member: ArchiveMember, head: [UInt8]) {
    let name = archive.prefix + member.name
    count += 1
    switch member.kind {
    case .folder, .other: return
    case .link:
      if EntryRole(name: member.name).isWanted {
        leftOut.append(.init(name: name, kind: .link, reason: "a link, which is not followed"))
      }
      return
    case .file: break
    }
    filesSeen += 1
    if member.isEncrypted {
      encrypted += 1
      if encrypted <= limits.mostNamed {
        leftOut.append(.init(name: name, kind: .encrypted, reason: ArchiveError.encrypted.description))
      }
      return
    }
    let role = EntryRole(name: member.name, head: head)
    if let obstacle = member.obstacle {
      if role.isWanted || role == .archive {
        leftOut.append(.init(name: name, kind: .refused, reason: obstacle))
      } else {
        unread[obstacle, default: 0] += 1
      }
      return
    }
    takeReadable(member, role: role, head: head)
  }

  private mutating func takeReadable(_ member: ArchiveMember, role: EntryRole, head: [UInt8]) {
    let isLog = FileSniff(Array(head.prefix(EntryRole.usefulBytes))) == .writeAheadLog
    if role == .archive { return nested.append(member) }
    if Containers.isMetadata(member.name) { return metadata.append(member) }
    if let root = BackupFileName.root(ofList: member.name) { roots.insert(root) }
    if BackupFileName(member.name.suffix(40)) != nil { hasHashedFiles = true }
    guard SetFinder.isWanted(member.name, role: role, isLog: isLog) else { return }
    let file = PlaceFile(name: member.name, size: member.size, bytes: .member(member, in: archive))
    finder.add(.init(file: file, role: role, isLog: isLog))
  }

  /// Which app the containers belong to in which stores lie.
  func containers(of sets: [EvidenceSet]) throws -> Containers {
    var containers = Containers()
    let wanted = metadata.filter { member in
      let folder = SetFinder.folder(of: member.name)
      return member.size <= limits.listBytes && sets.contains { $0.main.name.starts(with: folder) }
    }
    for (position, bytes) in try archive.reader.contents(of: wanted).enumerated() {
      if let bytes { containers.add(bytes, folder: SetFinder.folder(of: wanted[position].name)) }
    }
    return containers
  }
}

extension ArchiveReader {
  /// The contents of small members, in memory; nil for one that is not whole.
  func contents(of members: [ArchiveMember]) throws -> [[UInt8]?] {
    var contents = [[UInt8]?](repeating: nil, count: members.count)
    let order = members.indices.sorted { members[$0].order < members[$1].order }
    var bytes: [UInt8] = []
    try read(order.map { (members[$0], .max) }) { _, part in
      bytes += part
    } end: { position, doubt in
      if doubt == nil { contents[order[position]] = bytes }
      bytes = []
    }
    return contents
  }
}
