import StorePlatform
import StoreSystem
import StoreCoreData
import StoreSQLite

/// Writes a changed copy of a store under a new name. The store itself is only read.
///
/// The steps, and what is on disk when work is interrupted after each:
///
///     1  refuse            nothing
///     2  support folder    a copy beside the target under a temporary name     target absent
///     3  copy              of all bytes as they are, WAL included, mode 0600    target absent
///     4  change            in one transaction, without journal                 target absent
///     5  checkpoint        the copy's WAL is emptied into it and removed       target absent
///     6  fsync, verify     on the closed file                                  target absent
///     7  --force           old main file first, then its side files and        target absent
///                          support folder; fsync of the folder
///     8  rename            support folder, then main file; fsync               target absent, or whole
///
/// Only its owner may read the copy and its support folder, whoever may read the store.
///
/// Every page that no change touches stays as it is. SQLite's backup would set the schema cookie to 1, which is a sign
/// that a store was migrated.
///
/// Of two such writers of one target one fails: steps 7 and 8 are done under a lock of the folder (`FolderLock`), and
/// what has been put there since step 1 is not replaced. The last step fails where the name is taken, whoever took it.
///
/// When a step fails, or a signal ends the process, SIGKILL among them, everything made is removed. What ends all processes
/// at once, such as a power cut, may leave files whose names begin with `.storedoctor-`; they are never read again, and
/// removed by the next run that writes there.
///
/// - Parameters:
///   - store: the store as it was opened; one opened without its WAL is copied without it.
///   - compacts: whether the changed copy is written anew, without its free pages.
///   - change: changes the copy, inside a transaction, and returns the names of files in the store's `_EXTERNAL_DATA`
///     that the copy goes without.
///   - verify: checks the finished, closed file. A store opened there finds its copied support folder. An error keeps
///     the target from being published.
/// - Throws: `PublishingError`, and what `change` and `verify` throw.
package func publish(
  _ store: Store, to target: OutputTarget, files: FileActions = FileActions(),
  compacts: Bool = false, change: (Connection) throws -> [[UInt8]], verify: (PosixPath) throws -> Void
) throws {
  try refuseDoubtfulWAL(store, accepted: target.acceptsWAL || target.leavesOutWAL && store.wal?.isRead == false)
  var hold: DraftHold?
  defer { withExtendedLifetime(hold) {} }
  try publish(store, to: target, files: files) { draft in
    try DiskSpace.require([(draft.neededBytes(of: store), draft.place.parent)])
    try draft.copySupportFolder(of: store)
    hold = try draft.copyDatabase(of: store)
    try draft.change(change, compacts: compacts)
    try draft.finish(.ofRows)
  } verify: { main in
    try verify(main)
    try store.checkUnchanged()
  }
}

/// Writes a new store under a name, as `publish` writes a copy: a run that is stopped leaves nothing of that name.
///
/// - Parameters:
///   - mode: who may read it; nil for the file as it was created.
///   - support: a folder of external files that go with it; nil for none. Only its owner may read the copy.
///   - write: creates the file at a temporary path beside the target, and closes it.
///   - verify: checks the finished, closed file. An error keeps it from being published.
/// - Throws: `PublishingError`, and what `write` and `verify` throw.
package func publishNew(
  to target: OutputTarget, files: FileActions = FileActions(), mode: FileMode? = nil, support: PosixPath? = nil,
  write: (PosixPath) throws -> Void, verify: (PosixPath) throws -> Void
) throws {
  try publish(nil, to: target, files: files) { draft in
    if let support { try draft.copySupportFolder(support) }
    try write(draft.main)
    try draft.finish(mode)
  } verify: {
    try verify($0)
  }
}

/// Makes a draft, verifies it, and gives it the target's name.
private func publish(
  _ store: Store?, to target: OutputTarget, files: FileActions, make: (Draft) throws -> Void,
  verify: (PosixPath) throws -> Void
) throws {
  let place = try target.place(for: store)
  let old = FileKey(place)
  Leftovers.sweep(place.parent, files: files)
  let draft = Draft(for: place, files: files)
  let removal = Leftovers.guardDraft(draft.main)
  defer {
    withExtendedLifetime(removal) {}
    Leftovers.release(draft.main)
  }
  // Where a lock of the draft itself would hinder SQLite.
  let hold = Platform.hasLocksApart ? nil : DraftHold(beside: draft.main)
  defer { withExtendedLifetime(hold) {} }
  do {
    try make(draft)
    try verify(draft.main)
    let lock = FolderLock(place.parent)
    defer { withExtendedLifetime(lock) {} }
    // Something may have been put there meanwhile.
    _ = try target.place(for: store)
    guard FileKey(place) == old else { throw PublishingError(target.path, .targetReplaced) }
    try draft.publish(replacing: target.replaces)
  } catch {
    draft.discard()
    throw PublishingError.explaining(draft.named(error), writing: target.path)
  }
}

/// Throws when the WAL beside a store may belong to another one.
package func refuseDoubtfulWAL(_ store: Store, accepted: Bool) throws(PublishingError) {
  guard let reason = doubtAboutWAL(store), !accepted else { return }
  throw PublishingError(store.location, .foreignWAL(reason: reason))
}

/// Why the WAL beside a store may belong to another one; nil where nothing says so.
package func doubtAboutWAL(_ store: Store) -> String? {
  guard let wal = store.wal, wal.belongsToStore == .no || wal.hasDoubt else { return nil }
  return wal.reasons.first ?? "it is not known why"
}

/// The output while it still has a temporary name.
private struct Draft {
  let place: PosixPath
  let files: FileActions
  /// Beside the target, so that it can be renamed. The name is short, because the target's may be as long as names can
  /// be.
  let main: PosixPath

  init(for place: PosixPath, files: FileActions) {
    self.place = place
    self.files = files
    main = Leftovers.name(beside: place)
  }

  /// The support folder that goes with the temporary name.
  var support: PosixPath { Store.supportFolder(of: main) }

  /// The copy, with what the WAL adds to the main file, its external files, and a quarter of the copy for the WAL or
  /// journal of the change.
  func neededBytes(of store: Store) throws -> Int64 {
    let copy = try store.connection.image().size
    return copy + copy / 4 + FileSystem.size(ofFolder: store.supportFolder)
  }

  func copySupportFolder(of store: Store) throws { try copySupportFolder(store.supportFolder) }

  func copySupportFolder(_ folder: PosixPath) throws {
    guard FileSystem.kind(of: folder, followingLinks: false) == .folder else { return }
    try files.copyFolder(folder, to: support)
  }

  /// - Returns: the hold on the copy, to be kept until it has its name.
  func copyDatabase(of store: Store) throws -> DraftHold? {
    let file = try files.create(main)
    let hold = Platform.hasLocksApart ? DraftHold(main) : nil
    try files.copyBytes(of: store.connection.image(), into: file)
    return hold
  }

  func change(_ change: (Connection) throws -> [[UInt8]], compacts: Bool) throws {
    let connection = try open()
    let dropped = try connection.withoutJournal {
      let dropped = try connection.transaction { try change(connection) }
      if compacts { try connection.compact() }
      return dropped
    }
    try close(connection)
    for name in dropped {
      try files.unlink(support.appending(component: Array("_EXTERNAL_DATA".utf8)).appending(component: name))
    }
  }

  /// Without syncing: the finished copy is synced as a whole, and nothing depends on it before.
  private func open() throws -> Connection {
    let connection = try Connection(changing: main, locking: .exclusive, vfs: files.vfs)
    try connection.runOwn("PRAGMA synchronous=OFF")
    return connection
  }

  private func close(_ connection: Connection) throws {
    try connection.checkpoint()
    try connection.removesWALOnClose()
    connection.close()
    // Opening begins a transaction, in which SQLite corrects the size in the header of files that old versions of it
    // wrote (bytes 28-31). Journals are switched off after that, and the ended one is left.
    try files.unlink(main.appending("-journal"))
    try requireNoSideFiles()
  }

  private func requireNoSideFiles() throws {
    let isAlone = sideFileSuffixes.allSatisfy { FileSystem.kind(of: main.appending($0), followingLinks: false) == nil }
    guard isAlone else { throw PublishingError(place, .leftOpen) }
  }

  /// - Parameter mode: the file's permissions; nil for those it has.
  func finish(_ mode: FileMode?) throws {
    let file = try files.change(main)
    if let mode { try files.setMode(mode.bits, of: file) }
    try files.sync(file)
  }

  func publish(replacing isReplacing: Bool) throws {
    try requireNoSideFiles()
    let oldSupport = Store.supportFolder(of: place)
    if isReplacing {
      // The main file goes first: without it the rest is no store.
      for path in [place] + sideFileSuffixes.map({ place.appending($0) }) { try files.unlink(path) }
      try files.removeTree(oldSupport)
    }
    try files.sync(folder: place.parent)
    let hasSupport = FileSystem.kind(of: support, followingLinks: false) == .folder
    // A folder with something in it is never replaced by a renamed one.
    if hasSupport { try files.rename(support, to: oldSupport) }
    do {
      if hasSupport { try files.sync(folder: place.parent) }
      try files.renameNew(main, to: place)
    } catch {
      if hasSupport { try? files.removeTree(oldSupport) }
      if error.code == EEXIST { throw PublishingError(place, .targetExists) }
      throw error
    }
    do {
      try files.sync(folder: place.parent)
    } catch {
      try? files.unlink(place)
      if hasSupport { try? files.removeTree(oldSupport) }
      throw error
    }
  }

  /// An error with the name of the output in place of the temporary one.
  func named(_ error: any Error) -> any Error {
    func named(_ path: String) -> String {
      path.replacing(Store.supportFolder(of: main).description, with: Store.supportFolder(of: place).description)
        .replacing(main.description, with: place.description)
    }
    switch error {
    case var error as FileActionError:
      error.path = named(error.path)
      return error
    case var error as FileError:
      error.path = named(error.path)
      return error
    case var error as SQLiteError:
      (error.path, error.message) = (named(error.path), named(error.message))
      return error
    case var error as StoreError:
      error.path = named(error.path)
      if case .unreadable(let why) = error.problem { error.problem = .unreadable(named(why)) }
      return error
    default: return error
    }
  }

  func discard() {
    for path in [main] + sideFileSuffixes.map({ main.appending($0) }) { try? files.unlink(path) }
    try? files.removeTree(support)
  }
}
