import StorePublishing
import StoreSystem
import StoreWords
import StoreCoreData
import StorePlatform
import StoreSQLite

/// Changes a store where it is, in a way that can be undone.
///
/// The steps, and what undo finds when work is interrupted after each:
///
///     1  refuse            nothing to undo
///     2  lock              exclusive from the first access on: an idle app is noticed also in WAL mode
///     3  compare           sizes and times, under the lock
///     4  journal           copies of all files; their fingerprint is compared with the
///                          expected one; state `prepared`; synced; a link to it
///                          beside the store where it lies elsewhere                  store as before
///     5  change            in one transaction, recorded; `verify` checks the result  store as before
///     6  journal           changesets and entries; synced                            store as before
///     7  commit                                                                      as before, or changed
///     7a compaction        where asked for: the file is written anew, by a transaction
///                          of SQLite's own                                           changed, compacted or not
///     8  checkpoint        the WAL is copied into the main file and emptied          changed
///     9  external files    moved aside                                               changed
///     10 journal           state `applied` with the fingerprint now; synced          changed
///     11 unlock
///
/// The WAL is emptied before the fingerprint is taken, because the next app that merely opens and closes the store
/// would empty it and so change the fingerprint. Undo does not depend on it: the backup holds main file and WAL as they
/// were. Reading the whole store for the fingerprint takes as long as emptying the WAL, and runs at the same time
/// (`CheckpointedFile`).
///
/// The fingerprint is taken under the lock. If work stops between 7 and 10, the journal says `prepared`, and undo
/// compares the store with `before`. If they are equal nothing was committed. If not, undo cannot know whether the
/// store was changed by others since, and reverts rows by the changesets, which are on disk since 6.
///
/// Closing any descriptor of a file drops all locks that this process holds on it. So everything under the lock is read
/// through the descriptors of `store`, which stay open to the end, and `verify` gets the connection and need not open
/// anything.
///
/// - Parameters:
///   - expected: the fingerprint the change was planned for; nil for that of the store when it was opened.
///   - compacts: whether the change will ask for the file to be written anew, which needs more room.
///   - change: makes the changes, and reports to `ChangeRecorder` those it cannot record by itself.
///   - verify: checks the changed store before the commit; an error rolls everything back.
/// - Returns: the journal, in state `applied`.
/// - Throws: `RepairError`, `PublishingError`, and what `change` and `verify` throw. The store is then as before, unless the error says
///   otherwise.
package func changeInPlace(
  _ store: Store, journal target: JournalTarget = JournalTarget(), expecting expected: Fingerprint? = nil,
  files: FileActions = FileActions(), compacts: Bool = false,
  change: (Connection, ChangeRecorder) throws -> Void, verify: (Connection) throws -> Void
) throws -> Journal {
  defer { withExtendedLifetime(store) {} }
  try refuseInPlace(store)
  let writer = InPlaceWriter(store, undoing: target.undoes, files)
  do {
    try writer.lock()
    try writer.requireUnchanged()
    try writer.requireSpace(for: target, compacts: compacts)
    var journal = try Journal.prepare(
      target, of: store.files, uuid: store.metadata.uuid, expecting: expected, files: files)
    do {
      try journal.putLink(files)
      try writer.change(&journal, with: change, verify: verify)
    } catch {
      throw writer.takeBack(journal, after: error)
    }
    do {
      try writer.complete(&journal)
    } catch {
      throw RepairError(store.location, .commitFailed(journal: journal.folder.description, reason: "\(error)"))
    }
    return journal
  } catch {
    writer.closeUnchanged()
    throw writer.explaining(error)
  }
}

/// Throws for a store that cannot be changed in place. The caller refuses damaged ones (SD102).
private func refuseInPlace(_ store: Store) throws {
  if store.journal?.isHot == true { throw RepairError(store.location, .hotJournal) }
  if store.truncation != nil { throw RepairError(store.location, .truncated) }
  if let damage = store.wal?.damage { throw RepairError(store.location, .damagedWAL(reason: damage)) }
  // SQLite would read the WAL, whether or not `store` was opened with it.
  try refuseDoubtfulWAL(store, accepted: false)
}

/// The store while it is locked.
private final class InPlaceWriter {
  private let store: Store
  private let files: FileActions
  private let undone: Journal?
  private var connection: Connection?
  /// Whether there was a WAL; SQLite creates an empty one for a store in WAL mode.
  private let hadWAL: Bool

  init(_ store: Store, undoing undone: Journal?, _ files: FileActions) {
    self.store = store
    self.undone = undone
    self.files = files
    hadWAL = FileSystem.kind(of: store.files.location.appending("-wal"), followingLinks: false) != nil
  }

  func lock() throws {
    connection = try Connection(changing: store.files.location, locking: .exclusive, vfs: files.vfs)
    // Apple's `fsync`, which SQLite uses by default, leaves what was written in the drive's cache.
    if Platform.needsFullSync { try connection?.runOwn("PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON") }
    try OtherProcess.refuse(store.files.location)
  }

  /// The error for the user; a full disk may have left the WAL larger, with frames that belong to no transaction.
  func explaining(_ error: any Error) -> any Error {
    let explained = PublishingError.explaining(error, writing: store.location)
    let log = store.files.location.appending("-wal")
    guard (explained as? PublishingError)?.problem == .diskFull, let size = FileSystem.identity(of: log)?.size,
      size > store.files.wal?.size ?? 0
    else { return explained }
    return RepairError(
      store.location, .diskFullWithLog(log.description, grewBy: size - (store.files.wal?.size ?? 0)))
  }

  /// Throws where files have clearly changed since they were opened; the fingerprint is compared while they are copied.
  func requireUnchanged() throws {
    let evidence = store.files
    for file in [evidence.main, evidence.wal, evidence.journal].compactMap(\.self) {
      // When run by root, SQLite sets the owner of a WAL it opens, which changes the status-change time; so that is not
      // compared.
      let now = try file.currentIdentity()
      guard (now.size, now.modified) == (file.identity.size, file.identity.modified) else {
        throw RepairError(store.location, .changed(since: "it was opened"))
      }
    }
    let wal = evidence.location.appending("-wal")
    if evidence.wal == nil, let identity = FileSystem.identity(of: wal), identity.size > 0 {
      throw RepairError(store.location, .changed(since: "it was opened"))
    }
  }

  /// Room for the backup, and beside the store for the WAL or rollback journal of the change: a quarter of the content,
  /// and what the main file lacks of it, which the checkpoint adds. A file that is written anew is there twice for a while.
  func requireSpace(for target: JournalTarget, compacts: Bool) throws {
    let main = store.files.main.size
    let backup = main + (store.files.wal?.size ?? 0) + (store.files.journal?.size ?? 0)
    let content = max(main, (try? store.connection.image().size) ?? main)
    let folder = store.files.location.parent
    try DiskSpace.require([
      (backup, target.folder?.parent ?? folder), ((compacts ? content : content / 4) + content - main, folder),
    ])
  }

  /// Steps 5 to 7.
  func change(
    _ journal: inout Journal, with change: (Connection, ChangeRecorder) throws -> Void,
    verify: (Connection) throws -> Void
  ) throws {
    let connection = try open()
    try connection.runOwn("BEGIN IMMEDIATE")
    let schema = try connection.schemaVersion()
    var kept = journal
    var shapes = RecordedShapes()
    let recorder = try ChangeRecorder(connection) { [files] changeset in
      try kept.keep(changeset, files: files)
      shapes.note(changeset)
    }
    defer { journal = kept }
    try change(connection, recorder)
    try recorder.finish()
    kept.entries = recorder.entries
    kept.onlyWhole = try shapes.obstacle(kept.entries, in: connection)
    try requireRecorded(kept.entries, in: connection, schemaChanged: try connection.schemaVersion() != schema)
    try verify(connection)
    try kept.write(files)
    // One that cannot be read again would be no help: it may be too large.
    _ = try Journal(reading: kept.folder)
    try connection.runOwn("COMMIT")
  }

  /// Every change that no changeset contains must be among the entries.
  private func requireRecorded(_ entries: [JournalEntry], in connection: Connection, schemaChanged: Bool) throws {
    var tables: Set<String> = []
    var hasIndex = false
    for entry in entries {
      switch entry {
      case .rows(let table, _, _, _): tables.insert(table.lowercased())
      case .index: hasIndex = true
      case .externalFile, .compacted: break
      }
    }
    if schemaChanged, !hasIndex { throw RepairError(store.location, .unrecordedSchema) }
    let ordinary = Set(try connection.schema().filter(\.isOrdinaryTable).map { $0.name.lowercased() })
    for table in connection.writtenTables.intersection(ordinary).sorted() where !tables.contains(table) {
      guard try connection.columns(of: table).contains(where: { $0.primaryKeyPosition > 0 }) else {
        throw RepairError(store.location, .unrecorded(table: table))
      }
    }
  }

  /// After a failure up to the commit: rolls back, and removes the journal if the store is as it was.
  func takeBack(_ journal: Journal, after error: any Error) -> any Error {
    if let connection { try? connection.runOwn("ROLLBACK") }
    restoreLog(journal)
    closeUnchanged()
    let rollbackJournal = FileSystem.identity(of: store.files.location.appending("-journal"))
    guard let (main, wal) = try? filesNow(), (try? Fingerprint(main: main, wal: wal)) == journal.before,
      rollbackJournal == nil || journal.backups[.journal] != nil
    else {
      return RepairError(store.location, .commitFailed(journal: journal.folder.description, reason: "\(error)"))
    }
    journal.removeLinks(beside: journal.store, files)
    journal.remove(files)
    return error
  }

  /// Takes away frames of the change that reached the log without a commit, and gives back those that were there before, which
  /// they may have been written over. The store is still locked. What cannot be restored is said.
  private func restoreLog(_ journal: Journal) {
    let path = store.files.location.appending("-wal")
    guard connection != nil, let wal = try? EvidenceFile(path), !isAsSaved(wal, journal.backups[.wal]),
      (try? Fingerprint(main: store.files.main.asItIsNow(), wal: wal)) == journal.before,
      let file = try? files.change(path)
    else { return }
    guard journal.backups[.wal] != nil else { return (try? files.truncate(file, to: 0)) ?? () }
    if let kept = try? EvidenceFile(journal.path(of: .wal)) { _ = try? files.copy(kept, into: file) }
  }

  private func isAsSaved(_ wal: EvidenceFile, _ backup: Journal.File?) -> Bool {
    guard let backup else { return wal.size == 0 }
    return wal.size == backup.size && (try? wal.sha256()) == backup.sha256
  }

  /// Steps 7a to 11.
  func complete(_ journal: inout Journal) throws {
    let connection = try open()
    if journal.entries.contains(.compacted) { try connection.compact() }
    let coming = fingerprintToBe()
    let isWritten = (try? connection.checkpoint(keepingFrames: true)) != nil
    // The frames must stay in the WAL until they have been read.
    let fingerprint = coming.flatMap { try? $0.get() }
    // If the checkpoint fails for lack of space, the WAL stays and is part of the fingerprint.
    let isEmptied = isWritten && (try? connection.checkpoint()) != nil
    journal.moveFiles(files, movedBackFrom: undone)
    if isEmptied, let fingerprint {
      journal.after = fingerprint
    } else {
      let (main, wal) = try filesNow()
      journal.after = try HashListFingerprint(main: main, wal: wal)
    }
    try journal.proceed(to: .applied, files)
    journal.removeLinks(beside: journal.store, files)
    if isEmptied { try connection.removesWALOnClose() }
    connection.close()
    self.connection = nil
  }

  /// The fingerprint the main file will have once the WAL is copied into it, computed on another thread; nil where
  /// there is no WAL.
  private func fingerprintToBe() -> Deferred<HashListFingerprint?>? {
    guard let (main, wal) = try? filesNow(), let wal, wal.size > 0 else { return nil }
    return Deferred {
      guard let file = CheckpointedFile(main: main, wal: try WAL(scanning: wal)) else { return nil }
      return try HashListFingerprint(main: file, wal: nil)
    }
  }

  private func filesNow() throws -> (main: any ByteSource, wal: EvidenceFile?) {
    let wal = store.files.location.appending("-wal")
    // Closing a descriptor of the WAL drops no lock: SQLite's locks are all on the main file.
    return (try store.files.main.asItIsNow(), FileSystem.kind(of: wal) == nil ? nil : try EvidenceFile(wal))
  }

  private func open() throws -> Connection {
    guard let connection else { throw PublishingError(store.location, .inUse) }
    return connection
  }

  func closeUnchanged() {
    guard let connection else { return }
    // The WAL holds nothing that was not there before.
    if !hadWAL { try? connection.removesWALOnClose() }
    connection.close()
    self.connection = nil
  }
}

/// The tables of recorded changes, to find out before the commit whether these could be undone row by row.
private struct RecordedShapes {
  private var tables: [String: Changeset.Table] = [:]
  private var unreadable: String?

  mutating func note(_ changeset: Changeset) {
    do {
      for table in try changeset.tables() { tables[table.name] = table }
    } catch {
      unreadable = "the recorded changes cannot be read: \(error.message)"
    }
  }

  /// Why the changes could not be undone row by row; nil where they could.
  func obstacle(_ entries: [JournalEntry], in connection: Connection) throws -> String? {
    if let unreadable { return unreadable }
    for table in tables.values.sorted(by: { $0.name < $1.name }) {
      if let why = try connection.obstacle(toApplying: table) { return "\(quoted(table.name)): \(why)" }
    }
    for case .rows(let table, let columns, let removed, let added) in entries {
      let entry = JournalEntry.rows(table: table, columns: columns, removed: removed, added: added)
      if let why = entry.obstacle(on: connection) { return "\(quoted(table)): \(why)" }
    }
    return entries.contains(.compacted) ? Journal.compactedReason : nil
  }
}

extension Connection {
  /// A number that changes whenever the schema does.
  fileprivate func schemaVersion() throws -> Int64 {
    let statement = try prepare("PRAGMA schema_version")
    return try statement.step() ? statement.int64(0) : 0
  }
}
