import StoreCoreData
import StoreSQLite

/// What undoing did.
package struct UndoOutcome: Sendable {
  /// How the store got back to what it was.
  package enum Way: String, Sendable {
    /// Its files are byte for byte those of before.
    case bytes
    /// It had changed since; the repaired rows have their old values, what else changed has stayed.
    case rows
    /// The repair had never been committed.
    case nothing
  }

  /// How.
  package var way: Way
  /// With which this undo can be undone; nil when nothing was changed.
  package var journal: Journal?
  /// The store's main file and the folder of `journal`, by the paths the user knows them by; nil when nothing was
  /// changed.
  package var paths: (store: PosixPath, journal: PosixPath)?
}

/// Takes back a change that `changeInPlace` made, or `undo` itself.
///
/// While the store is exactly as the change left it, its files are put back byte for byte:
///
///     1  lock, compare with what the journal says of the store after the change
///     2  check the backup's sizes and sums
///     3  a journal of this undo beside the store, with the store's files as they are now; in it the mark that keeps
///        other commands away (`UnfinishedUndo`); then the journal says `undoing`
///     4  side files away, the main file in place, then its WAL; `-shm` is removed, not restored: it is rebuilt
///     5  external files back, the journal says `undone`, this undo's journal `applied`; the mark is removed
///
/// Interrupted in 4 or 5 the store may be anything; a second `undo` finds the mark and begins 4 again, whatever the
/// store looks like. The main file is overwritten and not replaced: it keeps its inode, which the lock is on, owner and
/// mode.
///
/// When the store has changed since, or the journal never got to say with what fingerprint it was left, the changesets
/// are inverted and applied in one transaction, triggers off, by `changeInPlace`; any conflict ends it with nothing
/// changed.
///
/// - Parameters:
///   - folder: the journal.
///   - path: the store; else the one that the journal means (`Journal.locate`).
/// - Throws: `RepairError`.
package func undo(
  _ folder: PosixPath, store path: PosixPath? = nil, files: FileActions = FileActions()
) throws -> UndoOutcome {
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
    throw RepairError.explaining(error, writing: location)
  }
}

/// An undo at work.
struct Undoing {
  var journal: Journal
  let location: PosixPath
  let files: FileActions

  mutating func run() throws -> UndoOutcome {
    let mark = UnfinishedUndo.marks(beside: location).first { FileKey($0.journal) == FileKey(journal.folder) }
    let own = try mark.map { try Journal(reading: $0.folder) }
    switch (journal.state, own) {
    case (.undone, let own?):
      // Everything was done but the last steps.
      return try finish(own)
    case (.undone, nil): throw RepairError(journal.folder, .alreadyUndone)
    case (.undoing, let own?): return try resume(own)
    case (.undoing, nil): throw RepairError(journal.folder, .undoingElsewhere)
    case (.prepared, let stale), (.applied, let stale):
      // The mark was put up and nothing done yet.
      if let stale { try stale.removeMark(files) }
      return try begin()
    }
  }

  private mutating func begin() throws -> UndoOutcome {
    if let outcome = try putBackIfUnchanged() { return outcome }
    if journal.state == .undone { throw RepairError(journal.folder, .alreadyUndone) }
    return try takeBackRows()
  }

  /// Nil when the store is not as the change left it; the lock is gone then.
  private mutating func putBackIfUnchanged() throws -> UndoOutcome? {
    let lock = try LockedFile(location, files)
    let evidence = try DatabaseFiles(location)
    defer { withExtendedLifetime((lock, evidence)) {} }
    let now = try HashListFingerprint(main: lock, wal: evidence.wal)
    if hasBeenUndone(leaving: now) { try journal.proceed(to: .undone, files) }
    return now == journal.after && journal.state != .undone ? try putBack(lock, evidence) : nil
  }

  /// Whether an undo of rows was committed, and ended before this journal could say so.
  private func hasBeenUndone(leaving now: HashListFingerprint) -> Bool {
    let prefix = location.name + Array(".storedoctor-".utf8)
    let names = (FileSystem.names(in: location.parent) ?? []).filter { $0.starts(with: prefix) }
    return names.contains { name in
      guard let other = try? Journal(reading: location.sibling(named: name)) else { return false }
      return other.undoes == journal.id && other.state == .applied && other.after == now
    }
  }
}
