import StoreCoreData
import StoreSQLite

/// Undo when the store has changed since: only the rows that the repair touched are changed back.
extension Undoing {
  mutating func takeBackRows() throws -> UndoOutcome {
    try rollBack()
    let store = try Store(location)
    guard store.metadata.uuid == journal.uuid else {
      throw RepairError(journal.folder, .journalOfAnotherStore(location.description))
    }
    if try wasNeverCommitted(store) {
      if let outcome = try putBackSideFiles(store) { return outcome }
      try journal.proceed(to: .undone, files)
      return UndoOutcome(way: .nothing, journal: nil)
    }
    if let why = journal.onlyWhole {
      if journal.isOnlyWholeByCompaction, let outcome = try putBackIfCommittedAlone(store) { return outcome }
      throw RepairError(location, .onlyWhole(why))
    }
    if let outcome = try putBackIfCommittedAlone(store) { return outcome }
    let own = try changeInPlace(store, journal: ofThisUndo, files: files) { [journal] connection, recorder in
      try journal.takeBack(connection, recorder: recorder, counting: [.highestKey])
    } verify: { _ in
    }
    try journal.proceed(to: .undone, files)
    try requireMoved(own)
    return UndoOutcome(way: .rows, journal: own)
  }

  /// A journal that is known as one of an undo of this one, also where it is left of a trial that was ended.
  private var ofThisUndo: JournalTarget {
    var target = JournalTarget()
    target.undoes = journal
    return target
  }

  /// Whether the repair stopped before its commit.
  ///
  /// The fingerprint alone does not show it: an app that opened the store since may have checkpointed its WAL, with
  /// every row as before. Then the changes can be applied, and cannot be reverted.
  private func wasNeverCommitted(_ store: Store) throws -> Bool {
    guard journal.state == .prepared else { return false }
    if try Fingerprint(store.files) == journal.before { return true }
    // The journal tells of the changes before the commit, so there was none.
    if journal.changes.isEmpty, journal.entries.isEmpty { return true }
    guard journal.onlyWhole == nil else { return false }
    return try fits(store) { try journal.repeatChange($0, recorder: $1) }
      && !fits(store) { try journal.takeBack($0, recorder: $1) }
  }

  /// Restores the files byte for byte where the repair stopped before its commit and has left frames in the log, or a journal,
  /// that belong to no transaction; nil where nothing of the kind is there.
  ///
  /// What lies in a log behind its last commit is evidence, too: older frames, which those of the repair were written over.
  private mutating func putBackSideFiles(_ store: Store) throws -> UndoOutcome? {
    guard try Fingerprint(store.files) == journal.before,
      try !isAsSaved(store.files.wal, .wal) || !isAsSaved(store.files.journal, .journal)
    else { return nil }
    let lock = try LockedFile(location, files)
    let evidence = try DatabaseFiles(location)
    defer { withExtendedLifetime((lock, evidence)) {} }
    guard try Fingerprint(main: lock, wal: evidence.wal) == journal.before else { return nil }
    return try putBack(lock, evidence: evidence)
  }

  /// Whether a side file is the one that was saved; an empty one counts as none.
  private func isAsSaved(_ file: EvidenceFile?, _ role: Journal.Role) throws -> Bool {
    guard let backup = journal.backups[role] else { return file?.size ?? 0 == 0 }
    return try file?.size == backup.size && file?.sha256() == backup.sha256
  }

  /// Restores the files byte for byte where the repair stopped between its commit and its end, and nothing else has changed
  /// the store since: without the repair's changes it holds exactly what the backup holds. Nil where it does not.
  private mutating func putBackIfCommittedAlone(_ store: Store) throws -> UndoOutcome? {
    guard journal.state == .prepared else { return nil }
    let now = try Fingerprint(store.files)
    guard try isBackup(store, besideItsRepair: now) else { return nil }
    // The files of a connection that was closed since: an unfinished log is as it was, or emptied.
    let lock = try LockedFile(location, files)
    let evidence = try DatabaseFiles(location)
    defer { withExtendedLifetime((lock, evidence)) {} }
    guard try Fingerprint(main: lock, wal: evidence.wal) == now else { return nil }
    return try putBack(lock, evidence: evidence)
  }

  /// Has SQLite roll back an unfinished transaction, which may be the repair's own.
  func rollBack() throws {
    guard FileSystem.kind(of: location.appending("-journal")) != nil else { return }
    try Connection(changing: location, locking: .exclusive, vfs: files.vfs).close()
  }

  /// Whether this change was committed, and nothing else has changed the store since.
  func wasCommittedAlone() throws -> Bool {
    guard journal.state == .prepared, journal.onlyWhole == nil else { return false }
    let store = try Store(location)
    if try wasNeverCommitted(store) { return false }
    return try isBackup(store, besideItsRepair: Fingerprint(store.files))
  }

  /// Whether taking back the repair's changes leaves what the backup holds. It is tried in a transaction that is rolled back.
  private func isBackup(_ store: Store, besideItsRepair now: Fingerprint) throws -> Bool {
    struct Compared: Error, CustomStringConvertible {
      var isEqual: Bool
      var description: String { isEqual ? "it is the backup" : "it is not the backup" }
    }
    try journal.checkBackup()
    if journal.isOnlyWholeByCompaction,
      try ContentDigest(store.connection) == ContentDigest(journal.backupConnection())
    {
      return true
    }
    do {
      _ = try changeInPlace(store, journal: ofThisUndo, expecting: now, files: files) {
        [journal] connection, recorder in
        try journal.takeBack(connection, recorder: recorder)
      } verify: { [journal] connection in
        let backup = try journal.backupConnection()
        throw Compared(isEqual: try ContentDigest(connection) == ContentDigest(backup))
      }
    } catch let compared as Compared {
      return compared.isEqual
    } catch let error as RepairError {
      guard case .changedSinceRepair = error.problem else { throw error }
    }
    return false
  }

  /// Whether a change can be applied; it is rolled back in any case.
  private func fits(_ store: Store, change: (Connection, ChangeRecorder) throws -> Void) throws -> Bool {
    struct Fits: Error, CustomStringConvertible { var description: String { "the change can be applied" } }
    do {
      _ = try changeInPlace(store, journal: ofThisUndo, files: files, change: change) { _ in throw Fits() }
    } catch is Fits {
      return true
    } catch let error as RepairError {
      guard case .changedSinceRepair = error.problem else { throw error }
    }
    return false
  }

  func requireMoved(_ own: Journal) throws {
    guard !own.unmoved.isEmpty else { return }
    throw RepairError(journal.movedFiles, .filesNotMovedBack(own.unmoved.joined(separator: "; ")))
  }
}

extension Journal {
  /// The store as its files were before the change.
  fileprivate func backupConnection() throws -> Connection {
    func file(_ role: Role) throws -> EvidenceFile? { backups[role] == nil ? nil : try EvidenceFile(path(of: role)) }
    return try Connection(reading: EvidenceFile(path(of: .main)), wal: file(.wal), journal: file(.journal))
  }

  /// Reverts all changes, last one first.
  ///
  /// - Parameter counting: columns that may have counted on since.
  fileprivate func takeBack(
    _ connection: Connection, recorder: ChangeRecorder, counting: [CountingColumn] = []
  ) throws {
    let changesets = try changes.indices.reversed().map { try changeset($0).inverted() }
    try apply(
      changesets, entries: entries.reversed().map(\.inverted), to: connection, recorder: recorder, counting: counting)
  }

  /// Applies all changes again.
  fileprivate func repeatChange(_ connection: Connection, recorder: ChangeRecorder) throws {
    try apply(
      changes.indices.map { try changeset($0) }, entries: entries, to: connection, recorder: recorder, counting: [])
  }

  /// Unique indexes are dropped before rows change, and created afterwards.
  private func apply(
    _ changesets: [Changeset], entries: [JournalEntry], to connection: Connection, recorder: ChangeRecorder,
    counting: [CountingColumn]
  ) throws {
    do {
      for entry in entries where entry.dropsIndex { try entry.apply(to: connection) }
      for changeset in changesets {
        try connection.apply(changeset, counting: counting)
        try recorder.step()
      }
      for entry in entries where entry != .compacted {
        if !entry.dropsIndex { try entry.apply(to: connection) }
        recorder.note(entry)
      }
    } catch let error as ChangesetError {
      throw RepairError(store, .changedSinceRepair(table: error.table))
    }
  }
}

extension CountingColumn {
  /// The highest key that an entity has used. An app that has made objects since needs the higher one.
  fileprivate static let highestKey = CountingColumn(table: "Z_PRIMARYKEY", column: "Z_MAX")
}

extension JournalEntry {
  /// Whether an index is dropped without a new one in its place.
  fileprivate var dropsIndex: Bool {
    switch self {
    case .index(_, _, let after): after == nil
    case .rows, .externalFile, .compacted: false
    }
  }
}

extension ChangesetError {
  fileprivate var table: String {
    switch self {
    case .conflict(let table), .otherTable(let table): table
    }
  }
}
