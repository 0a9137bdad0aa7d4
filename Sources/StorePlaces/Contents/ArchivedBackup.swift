import StoreSQLite
import StoreSystem

/// A backup in an archive. Its files have names that nothing is known by, so they are looked up in a second pass.
final class ArchivedBackup: BackupFiles {
  private let root: [UInt8]
  private let archive: OpenArchive
  private let limits: PlaceLimits
  private let spool: Spool
  /// The files beside the list.
  private var lists: [String: ArchiveMember] = [:]

  private static let names = [
    "Info.plist", "Manifest.plist", "Status.plist", "Manifest.mbdb", "Manifest.db", "Manifest.db-wal",
  ]

  init(root: [UInt8], archive: OpenArchive, limits: PlaceLimits, spool: Spool) throws {
    (self.root, self.archive, self.limits, self.spool) = (root, archive, limits, spool)
    var lists: [String: ArchiveMember] = [:]
    let wanted = Dictionary(uniqueKeysWithValues: Self.names.map { (root + Array($0.utf8), $0) })
    try archive.reader.forEachMember(headSize: { _ in 0 }) { member, _ in
      guard member.kind == .file, let name = wanted[member.name], lists[name] == nil else { return }
      lists[name] = member
    }
    self.lists = lists
  }

  func openManifest() throws -> Connection? {
    guard let main = try spooled("Manifest.db") else { return nil }
    return try Connection(reading: main, wal: spooled("Manifest.db-wal"), policy: FolderBackup.policy)
  }

  private func spooled(_ name: String) throws -> (any ByteSource)? {
    guard let member = lists[name] else { return nil }
    return try archive.reader.source(of: member, named: name) ?? spool.source(of: member, in: archive)
  }

  func manifestHead() throws -> [UInt8]? {
    guard let member = lists["Manifest.db"] else { return nil }
    var head: [UInt8] = []
    try archive.reader.read([(member, 16)]) { _, bytes in
      head += bytes
    } end: { _, _ in
    }
    return head
  }

  func contents(of name: String) throws -> [UInt8]? {
    guard let member = lists[name], member.size <= max(limits.listBytes, FolderBackup.longestTable) else { return nil }
    return try archive.reader.contents(of: [member]).first ?? nil
  }

  func files(_ fileIDs: Set<String>) throws -> [String: PlaceFile] {
    guard !fileIDs.isEmpty else { return [:] }
    var files: [String: PlaceFile] = [:]
    try archive.reader.forEachMember(headSize: { _ in 0 }) { member, _ in
      guard member.kind == .file, member.name.starts(with: root),
        let name = BackupFileName(member.name.dropFirst(root.count)), fileIDs.contains(name.fileID),
        files[name.fileID] == nil
      else { return }
      files[name.fileID] = PlaceFile(name: member.name, size: member.size, bytes: .member(member, in: archive))
    }
    return files
  }
}

extension Spool {
  /// A member's content in a private file.
  func source(of member: ArchiveMember, in archive: OpenArchive) throws -> any ByteSource {
    let (file, path) = try create()
    var writing = EntryFile(file, wanted: member.size, isSummed: false)
    var doubt: String?
    try archive.reader.read([(member, .max)]) { _, bytes in
      try take(Int64(bytes.count))
      try writing.append(Array(bytes)[...])
    } end: { _, reason in
      doubt = reason
    }
    try writing.finish()
    if let doubt, !archive.reader.keepsBeginnings { throw MemberDoubt(reason: doubt) }
    return try EvidenceFile(path)
  }
}
