import StoreCoreData
import StoreSQLite

extension Journal {
  /// The main file that is to be put back, links resolved.
  ///
  /// A journal knows its store by a path, and people copy a store with the journal beside it: then the path leads to the
  /// original, which nobody asked to have changed. In this order:
  ///
  ///     the path that was given
  ///     the store beside the journal, by the name in the journal, where it is as the change left it
  ///     that one or the one at the path in the journal, where only one of them is there, or is the same store (`Z_UUID`)
  ///
  /// - Throws: `RepairError` where both may be meant, or none is there.
  func locate(asGiven given: PosixPath?) throws -> PosixPath {
    if let given {
      guard let location = try? given.resolved() else { throw RepairError(given, .failed(Self.noStore)) }
      return location
    }
    let recorded = try? store.resolved()
    guard let beside = try? folder.sibling(named: store.name).resolved() else {
      guard let recorded else { throw RepairError(store, .failed(Self.noStore)) }
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

  private static let noStore = "there is no such store; name it with --store"

  /// Whether nothing has touched a store since the change, or an undo with this journal was interrupted in it.
  private func isAsLeft(_ path: PosixPath) -> Bool {
    if UnfinishedUndo.marks(beside: path).contains(where: { FileKey($0.journal) == FileKey(folder) }) { return true }
    guard let after, let files = try? DatabaseFiles(path) else { return false }
    return (try? HashListFingerprint(main: files.main, wal: files.wal)) == after
  }

  /// Whether it has the store's UUID. One in which an undo was interrupted may be anything, this store too.
  private func isThisStore(_ path: PosixPath) -> Bool {
    guard UnfinishedUndo.marks(beside: path).isEmpty else { return true }
    return (try? Store(path, options: Store.Options(readsModel: false)))?.metadata.uuid == uuid
  }
}
