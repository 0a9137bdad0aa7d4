import StorePublishing
import StoreSQLite
import StoreSystem

/// Undo while the store is exactly as the change left it: its files are restored byte for byte.
extension Undoing {
  mutating func putBack(
    _ lock: LockedFile, evidence: DatabaseFiles
  ) throws -> UndoOutcome {
    try journal.checkBackup()
    var target = JournalTarget()
    target.undoes = journal
    try requireSpace(evidence)
    var own = try Journal.prepare(target, of: evidence, uuid: journal.uuid, expecting: nil, files: files)
    do {
      own.onlyWhole = journal.onlyWhole
      if journal.onlyWhole == nil {
        for index in journal.changes.indices.reversed() {
          try own.keep(journal.changeset(index).inverted(), files: files)
        }
      }
      own.entries = journal.entries.reversed().map(\.inverted)
      try own.write(files)
      try own.putMark(naming: journal, files)
      try journal.proceed(to: .undoing, files)
    } catch {
      // Nothing has been touched yet unless the journal already says `undoing`.
      if (try? Journal(reading: journal.folder).state) != .undoing { own.remove(files) }
      throw error
    }
    return try restore(lock, from: own)
  }

  /// Room for this undo's journal, and for what the backup has more than the store.
  private func requireSpace(_ evidence: DatabaseFiles) throws(PublishingError) {
    let now = evidence.main.size + (evidence.wal?.size ?? 0)
    let backup = journal.backups.values.map(\.size).reduce(0) { $0 &+ $1 }
    try DiskSpace.require([(now &+ max(0, backup &- now), location.parent)])
  }

  mutating func resume(_ own: Journal) throws -> UndoOutcome {
    try journal.checkBackup()
    return try restore(LockedFile(location, files), from: own)
  }

  private mutating func restore(_ lock: LockedFile, from own: Journal) throws -> UndoOutcome {
    for suffix in sideFileSuffixes { try files.unlink(location.appending(suffix)) }
    try files.sync(folder: location.parent)
    _ = try files.copy(EvidenceFile(journal.path(of: .main)), into: lock.file)
    for role in [Journal.Role.wal, .journal] where journal.backups[role] != nil {
      try restoreSideFile(role, like: lock.file)
    }
    try files.sync(folder: location.parent)
    let outcome = try finish(own)
    withExtendedLifetime(lock) {}
    return outcome
  }

  /// Written under another name and renamed, so that a WAL is never there half-written.
  private func restoreSideFile(_ role: Journal.Role, like main: WritableFile) throws {
    let path = location.appending(role.suffix)
    let temporary = own(path)
    do {
      try files.unlink(temporary)
      let file = try files.create(temporary)
      _ = try files.copy(EvidenceFile(journal.path(of: role)), into: file)
      try files.setMode(FileMode(of: location).copied, of: file)
      try files.rename(temporary, to: path)
    } catch var error as FileActionError {
      if error.path == temporary.description { error.path = path.description }
      throw error
    }
  }

  private func own(_ path: PosixPath) -> PosixPath { path.appending(".storedoctor") }

  mutating func finish(_ own: Journal) throws -> UndoOutcome {
    var own = own
    if journal.state != .undone {
      own.moveFiles(files, movedBackFrom: journal)
      try requireMoved(own)
      try journal.proceed(to: .undone, files)
    }
    own.after = try journal.hashListBefore()
    try own.proceed(to: .applied, files)
    try own.removeMark(files)
    return UndoOutcome(way: .bytes, journal: own)
  }
}
