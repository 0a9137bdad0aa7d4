import StoreSQLite
import StoreSystem

/// A backup in an archive. Its files have names that nothing is known by, so they are looked up in a second pass.
final class ArchivedBackup: BackupFiles {
  private let root: [UInt8]
  private let archive: OpenArchive
  private let limits: PlaceLimits
  private let spool: Spool
  /// The files beside those under hashes.
  private let lists: [String: ArchiveMember]

  init(root: [UInt8], lists: [String: ArchiveMember], archive: OpenArchive, limits: PlaceLimits, spool: Spool) {
    (self.root, self.lists, self.archive, self.limits, self.spool) = (root, lists, archive, limits, spool)
  }

  func openManifest() throws -> Connection? {
    guard let main = try spooled("Manifest.db") else { return nil }
    return try Connection(
      reading: main, wal: spooled("Manifest.db-wal"), policy: ManifestDatabase.policy(size: main.size))
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
    guard let member = lists[name], member.size <= limits.bytes(ofList: name) else { return nil }
    return try archive.reader.content(of: member)
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
    if let refusal = refusal(of: member.size) { throw refusal }
    let (file, path) = try create()
    var writing = EntryFile(file, wanted: member.size)
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
