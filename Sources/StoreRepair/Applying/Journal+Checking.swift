import StoreCoreData
import StoreSQLite

/// A journal's files are used only after their size and SHA-256 were checked.
extension Journal {
  /// Throws unless every backup and changeset has the recorded size and sum.
  func checkBackup() throws {
    for (role, file) in backups { try check(path(of: role), file: file) }
    for (index, file) in changes.enumerated() { try check(path(ofChanges: index), file: file) }
  }

  /// The fingerprint of the store before the change, computed from the backup; an undo's journal records it as its
  /// result.
  func hashListBefore() throws -> HashListFingerprint {
    let wal = backups[.wal] == nil ? nil : try EvidenceFile(path(of: .wal))
    return try HashListFingerprint(main: EvidenceFile(path(of: .main)), wal: wal)
  }

  private func check(_ path: PosixPath, file: File) throws {
    guard FileSystem.kind(of: path, followingLinks: false) == .file, let found = try? EvidenceFile(path),
      found.size == file.size, try found.sha256() == file.sha256
    else { throw RepairError(folder, .backupDamaged(path.description)) }
  }

  /// One of the changesets, checked and parsed completely.
  func changeset(_ index: Int) throws -> Changeset {
    let path = path(ofChanges: index)
    try check(path, file: changes[index])
    do {
      return try Changeset(EvidenceFile(path).read(at: 0, count: Int(clamping: changes[index].size)))
    } catch let error as Changeset.Invalid {
      throw RepairError(folder, .journalUnreadable("'\(path)': \(error.message)"))
    }
  }
}
