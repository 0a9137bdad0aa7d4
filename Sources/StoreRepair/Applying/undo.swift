import StoreCoreData
import StorePublishing
import StoreSQLite

/// The outcome of undoing.
package struct UndoOutcome: Sendable {
  /// How the store was restored.
  package enum Way: String, Sendable {
    /// The files are byte for byte those of before.
    case bytes
    /// The store had changed since; the repaired rows have their old values, other changes are kept.
    case rows
    /// The repair had never been committed.
    case nothing
  }

  /// How the store was restored.
  package var way: Way
  /// The journal by which this undo can itself be undone; nil when nothing was changed.
  package var journal: Journal?
  /// The paths of the store's main file and of `journal`'s folder as the user knows them; nil when nothing was changed.
  package var paths: (store: PosixPath, journal: PosixPath)?
}

/// Undoes a change that `changeInPlace` made, or an undo.
///
/// While the store is exactly as the change left it, its files are restored byte for byte:
///
///     1  lock, compare with the journal's fingerprint of the store after the change
///     2  check the backup's sizes and sums
///     3  make a journal of this undo beside the store, with its files as they are now, and in it the mark that keeps
///        other commands away (`UnfinishedUndo`); then the journal says `undoing`
///     4  remove side files, write the main file in place, then its WAL; `-shm` is not restored, SQLite rebuilds it
///     5  move external files back; the journal says `undone`, this undo's journal `applied`; remove the mark
///
/// Interrupted in 4 or 5, the store may hold anything; a second `undo` finds the mark and starts 4 again, whatever the
/// store looks like. The main file is overwritten and not replaced, so it keeps its inode, which the lock is on, its
/// owner and mode.
///
/// When the store has changed since, or its fingerprint after the change was never recorded, the changesets are
/// inverted and applied in one transaction by `changeInPlace`, with triggers off; any conflict rolls everything back.
///
/// - Parameters:
///   - folder: the journal.
///   - path: the store; nil for the one that the journal names (`Journal.locate`).
/// - Throws: `RepairError` and `PublishingError`.
package func undo(
  _ folder: PosixPath, store path: PosixPath? = nil, files: FileActions = FileActions()
) throws -> UndoOutcome {
  if UnfinishedRepair.isAbandoned(folder) { throw RepairError(folder, .neverBegun) }
  let journal = try Journal(reading: folder)
  let location = try journal.locate(asGiven: path)
  do {
    var undoing = Undoing(journal: journal, location: location, files: files)
    var outcome = try undoing.run()
    if let own = outcome.journal {
      let store = own.storePath(asGiven: path, beside: folder)
      outcome.paths = (store, own.path(asGiven: nil, beside: store))
    }
    return outcome
  } catch {
    throw PublishingError.explaining(error, writing: location)
  }
}

/// An undo in progress.
struct Undoing {
  var journal: Journal
  let location: PosixPath
  let files: FileActions

  mutating func run() throws -> UndoOutcome {
    let outcome = try goBack()
    journal.removeLinks(beside: location, files)
    return outcome
  }

  private mutating func goBack() throws -> UndoOutcome {
    let mark = UnfinishedUndo.marks(beside: location).first { FileKey($0.journal) == FileKey(journal.folder) }
    let own = try mark.map { try Journal(reading: $0.folder) }
    switch (journal.state, own) {
    case (.undone, let own?):
      // Only the last steps were missing.
      return try finish(own)
    case (.undone, nil):
      journal.removeLinks(beside: location, files)
      throw RepairError(journal.folder, .alreadyUndone)
    case (.undoing, let own?): return try resume(own)
    case (.undoing, nil): throw RepairError(journal.folder, .undoingElsewhere)
    case (.prepared, let stale), (.applied, let stale):
      // The mark was created, but nothing done yet.
      if let stale { try stale.removeMark(files) }
      return try begin()
    }
  }

  private mutating func begin() throws -> UndoOutcome {
    try settleEarlierUndos()
    if journal.state == .undone { throw RepairError(journal.folder, .alreadyUndone) }
    if let outcome = try putBackIfUnchanged() { return outcome }
    if journal.state == .undone { throw RepairError(journal.folder, .alreadyUndone) }
    return try takeBackRows()
  }

  /// Nil when the store is not as the change left it; the lock is released then.
  private mutating func putBackIfUnchanged() throws -> UndoOutcome? {
    let lock = try LockedFile(location, files)
    let evidence = try DatabaseFiles(location)
    defer { withExtendedLifetime((lock, evidence)) {} }
    let now = try HashListFingerprint(main: lock, wal: evidence.wal)
    if hasBeenUndone(leaving: now) { try journal.proceed(to: .undone, files) }
    return now == journal.after && journal.state != .undone ? try putBack(lock, evidence: evidence) : nil
  }

  /// Whether an undo by rows was committed but stopped before this journal recorded it.
  private func hasBeenUndone(leaving now: HashListFingerprint) -> Bool {
    earlierUndos.contains { $0.state == .applied && $0.after == now }
  }

  /// The journals of undos of this one that lie beside the store.
  private var earlierUndos: [Journal] {
    let prefix = location.name + Array(".storedoctor-".utf8)
    let names = (FileSystem.names(in: location.parent) ?? []).filter { $0.starts(with: prefix) }
    return names.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { name in
      let other = try? Journal(reading: location.sibling(named: name))
      return other?.undoes == journal.id ? other : nil
    }
  }

  /// Settles what earlier undos of this journal left that were ended: one that had done nothing is removed, with the copy of
  /// the store as it still is; one that was committed is completed, and this journal is undone then.
  private mutating func settleEarlierUndos() throws {
    for other in earlierUndos where other.state == .prepared {
      try rollBack()
      let now = try Fingerprint(DatabaseFiles(location))
      if now == other.before {
        other.remove(files)
      } else if try Undoing(journal: other, location: location, files: files).wasCommittedAlone() {
        var own = other
        own.moveFiles(files, movedBackFrom: journal)
        try requireMoved(own)
        own.after = try HashListFingerprint(location)
        try own.proceed(to: .applied, files)
        try journal.proceed(to: .undone, files)
        return
      }
    }
  }
}

extension HashListFingerprint {
  /// Of the store at a path, as it is now.
  fileprivate init(_ location: PosixPath) throws {
    let files = try DatabaseFiles(location)
    try self.init(main: files.main, wal: files.wal)
  }
}
