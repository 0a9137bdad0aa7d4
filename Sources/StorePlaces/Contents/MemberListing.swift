import StoreSQLite
import StoreSystem

/// Goes through the members of one archive once, and keeps those that are of interest.
struct MemberListing {
  private let archive: OpenArchive
  private let limits: PlaceLimits
  private(set) var finder = SetFinder()
  private(set) var leftOut: LeftOutList
  private(set) var nested: [ArchiveMember] = []
  private(set) var filesSeen = 0
  /// Members of every kind.
  private(set) var count = 0
  /// Files that may be stores or belong to them.
  private var kept = 0
  private var notKept = 0
  private var backups = ListedBackups()
  private var metadata: [ArchiveMember] = []
  private var encrypted = 0
  private var unread: [String: Int] = [:]
  /// Where members begin that are of interest; nothing lies in the place of another.
  private var places: Set<Int64> = []
  private var inPlaceOfOthers = 0

  init(_ archive: OpenArchive, limits: PlaceLimits) {
    (self.archive, self.limits) = (archive, limits)
    leftOut = LeftOutList(most: limits.mostNamed)
  }

  /// Whether no file can be read without a password.
  var isWhollyEncrypted: Bool { encrypted > 0 && encrypted == filesSeen }

  /// What is to be said of the archive as a whole.
  var problems: [String] {
    var problems = unread.sorted { $0.key < $1.key }.map { reason, count in
      "\(count) \(count == 1 ? "member was" : "members were") not looked into: \(reason)"
    }
    problems += leftOut.words
    if inPlaceOfOthers > 0 {
      problems.append("\(inPlaceOfOthers) of its entries lie in the place of others, which is a trick")
    }
    if notKept > 0 {
      problems.append(
        "of its files \(limits.mostFiles) were looked at that may be stores, and \(notKept) more were not")
    }
    return problems
  }

  /// Lists the archive.
  mutating func list() throws {
    try archive.reader.forEachMember(headSize: Self.headSize) { member, head in take(member, head: head) }
  }

  private static func headSize(_ name: [UInt8]) -> Int {
    switch EntryRole(name: name) {
    case .archive: ArchiveKind.usefulBytes
    case .namedStore, .other, .database, .sideFile, .externalData: HeadlessDatabase.usefulBytes(named: name)
    }
  }

  private mutating func take(_ member: ArchiveMember, head: [UInt8]) {
    count += 1
    switch member.kind {
    case .folder, .other: return
    case .link:
      if EntryRole(name: member.name).isWanted {
        leftOut.add(archive.prefix + member.name, .link, "a link, which is not followed")
        finder.refuse(member.name, "it is a link, which is not followed")
      }
      return
    case .file: break
    }
    filesSeen += 1
    if member.isEncrypted {
      encrypted += 1
      return refuse(member, .encrypted, ArchiveError.encrypted.description)
    }
    let role = EntryRole(name: member.name, head: head)
    if let obstacle = member.obstacle {
      if role.isWanted || role == .archive {
        refuse(member, .refused, obstacle)
      } else {
        unread[obstacle, default: 0] += 1
      }
      return
    }
    takeReadable(member, role: role, head: head)
  }

  private mutating func refuse(_ member: ArchiveMember, _ kind: LeftOut.Kind, _ reason: String) {
    leftOut.add(archive.prefix + member.name, kind, reason)
    finder.refuse(member.name, reason)
  }

  private mutating func takeReadable(_ member: ArchiveMember, role: EntryRole, head: [UInt8]) {
    let isLog = FileSniff(Array(head.prefix(EntryRole.usefulBytes))) == .writeAheadLog
    backups.take(member)
    if Containers.isMetadata(member.name) {
      if metadata.count < limits.mostContainers, member.size <= limits.containerListBytes { metadata.append(member) }
      return
    }
    // Of what begins with zeros there is too much in archives; it needs a store's name to be looked into.
    let mayBeHeadless =
      (role == .namedStore || head.contains { $0 != 0 }) && HeadlessDatabase.mayBegin(head, named: member.name)
    guard role == .archive || mayBeHeadless || SetFinder.isWanted(member.name, role: role, isLog: isLog) else { return }
    if member.size > 0, !places.insert(member.order).inserted {
      inPlaceOfOthers += 1
      return
    }
    guard kept < limits.mostFiles else { return notKept += 1 }
    kept += 1
    if role == .archive { return nested.append(member) }
    let file = PlaceFile(name: member.name, size: member.size, bytes: .member(member, in: archive))
    if !finder.add(.init(file: file, role: role, isLog: isLog, mayBeHeadless: mayBeHeadless)) {
      leftOut.add(archive.prefix + member.name, .refused, "an entry before it has the same name")
    }
  }

  /// The backups in it, each with the folder, with its slash, and the lists that lie there.
  var listedBackups: [(root: [UInt8], lists: [String: ArchiveMember])] { backups.found }

  /// Which app the containers belong to in which stores lie.
  func containers(of sets: [EvidenceSet]) throws -> Containers {
    var containers = Containers()
    var folders: Set<[UInt8]> = []
    for set in sets {
      // From the innermost folder outwards, until one is known.
      var folder = SetFinder.folder(of: set.main.name)
      while !folder.isEmpty, folders.insert(folder).inserted { folder = SetFinder.folder(of: Array(folder.dropLast())) }
    }
    let wanted = metadata.filter { folders.contains(SetFinder.folder(of: $0.name)) }
    try archive.reader.forEachContent(of: wanted) { position, bytes in
      if let bytes { containers.add(bytes, folder: SetFinder.folder(of: wanted[position].name)) }
    }
    return containers
  }
}

/// The lists and hashed files of backups, as an archive's members come.
struct ListedBackups {
  private var lists: [[UInt8]: [String: ArchiveMember]] = [:]
  private var roots: Set<[UInt8]> = []

  /// The most folders that are noted.
  private static let mostRoots = 10_000

  mutating func take(_ member: ArchiveMember) {
    if let (root, list) = BackupFileName.list(member.name) {
      guard lists[root] != nil || lists.count < Self.mostRoots else { return }
      // The first of a name counts.
      if lists[root]?[list] == nil { lists[root, default: [:]][list] = member }
    } else if let root = BackupFileName.root(ofFile: member.name), roots.count < Self.mostRoots {
      roots.insert(root)
    }
  }

  /// Folders with a list and with files under hashes, in the order of their names.
  var found: [(root: [UInt8], lists: [String: ArchiveMember])] {
    lists.filter { root, lists in
      roots.contains(root) && isBackup(names: lists.keys.map { Array($0.utf8) } + [Array("00".utf8)])
    }.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
  }
}

extension ArchiveReader {
  /// Hands over the contents of small members, one after the other; nil for one that is not whole.
  func forEachContent(of members: [ArchiveMember], _ body: (_ position: Int, _ bytes: [UInt8]?) -> Void) throws {
    let order = members.indices.sorted { members[$0].order < members[$1].order }
    var bytes: [UInt8] = []
    try read(order.map { (members[$0], .max) }) { _, part in
      bytes += part
    } end: { position, doubt in
      body(order[position], doubt == nil ? bytes : nil)
      bytes = []
    }
  }

  /// The content of a small member, in memory; nil where it is not whole.
  func content(of member: ArchiveMember) throws -> [UInt8]? {
    var content: [UInt8]?
    try forEachContent(of: [member]) { content = $1 }
    return content
  }
}
