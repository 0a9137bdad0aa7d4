import StoreCoreData
import StorePublishing
import StoreSQLite

extension Journal {
  /// The main file to restore, links resolved.
  ///
  /// A journal records its store's path, but people copy a store together with its journal; the path then leads to the
  /// original, which must not be changed. So, in this order:
  ///
  /// 1. the path the user gave
  /// 2. the store beside the journal with the recorded name, if it still is as the change left it
  /// 3. the store beside the journal or the one at the recorded path, if only one of them exists or is the same store
  ///   (`Z_UUID`)
  ///
  /// - Throws: `RepairError` where both qualify, or none exists.
  func locate(asGiven given: PosixPath?) throws -> PosixPath {
    if let given {
      guard let location = try? given.resolved() else { throw RepairError(given, .noStore) }
      return location
    }
    let recorded = try? store.resolved()
    guard let beside = try? folder.sibling(named: store.name).resolved() else {
      guard let recorded else { throw RepairError(store, .noStore) }
      return recorded
    }
    guard let recorded, FileKey(recorded) != FileKey(beside), !isAsLeft(beside) else { return beside }
    switch (isThisStore(beside), isThisStore(recorded)) {
    case (true, true):
      throw RepairError(folder, .ofTwoStores(beside: beside.description, recorded: recorded.description))
    case (true, false): return beside
    case (false, _): return recorded
    }
  }

  /// Whether a store is unchanged since the change, or an undo with this journal was interrupted there.
  private func isAsLeft(_ path: PosixPath) -> Bool {
    if UnfinishedUndo.marks(beside: path).contains(where: { FileKey($0.journal) == FileKey(folder) }) { return true }
    guard let after, let files = try? DatabaseFiles(path) else { return false }
    return (try? HashListFingerprint(main: files.main, wal: files.wal)) == after
  }

  /// Whether it has the journal's store UUID. A store with an interrupted undo cannot be read for it, and counts as
  /// this one.
  private func isThisStore(_ path: PosixPath) -> Bool {
    guard UnfinishedUndo.marks(beside: path).isEmpty else { return true }
    return (try? Store(path, options: Store.Options(readsModel: false)))?.metadata.uuid == uuid
  }
}
