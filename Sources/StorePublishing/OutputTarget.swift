import StoreCoreData
import StoreSQLite

/// Where a changed copy of a store goes, or a new store.
package struct OutputTarget: Sendable {
  /// The path as the user named it.
  package var path: PosixPath
  /// Whether an existing output there is replaced.
  package var replaces: Bool
  /// Whether to copy the store with a WAL that may belong to another store.
  package var acceptsWAL: Bool
  /// Whether to leave out a WAL that may belong to another store; the store must have been opened without it, too.
  package var leavesOutWAL: Bool
  /// Files given to the command as models or stores, which are never replaced.
  package var protected: [PosixPath]

  /// A target; by default a file that does not exist yet.
  package init(
    _ path: PosixPath, replaces: Bool = false, acceptsWAL: Bool = false, leavesOutWAL: Bool = false,
    protected: [PosixPath] = []
  ) {
    self.path = path
    self.replaces = replaces
    self.acceptsWAL = acceptsWAL
    self.leavesOutWAL = leavesOutWAL
    self.protected = protected
  }

  /// Checks that the store may be written there, before anything is touched.
  ///
  /// A target that exists is refused unless it is to be replaced, and so is one with a side file or support folder
  /// beside it: a new file renamed over an old output whose `-wal` is left behind reads back as the old data. The store
  /// itself, the files in `protected`, and side files of either are never replaced; they are compared by device and
  /// inode.
  /// - Parameter store: the store that is copied; nil for a new one.
  /// - Returns: the target with its folder resolved.
  /// - Throws: `PublishingError`.
  package func place(for store: Store?) throws -> PosixPath {
    let main = try resolved()
    let old = try leftovers(at: main)
    try refuseSource(store, paths: [main])
    try refuseSideFileName(main)
    try refuseSharedSupportFolder(main, of: store)
    try refuseSource(store, paths: old)
    if !replaces, let first = old.first {
      throw PublishingError(path, first == main ? .targetExists : .targetHasSideFile(first.description))
    }
    return main
  }

  private func resolved() throws -> PosixPath {
    guard !path.name.isEmpty, let folder = try? path.parent.resolved(), FileSystem.kind(of: folder) == .folder else {
      throw PublishingError(path, .noFolder)
    }
    return folder.appending(component: path.name)
  }

  /// Existing files at the places of the store, its side files and its support folder.
  private func leftovers(at main: PosixPath) throws -> [PosixPath] {
    let sideFiles = sideFileSuffixes.map { main.appending($0) }
    let support = Store.supportFolder(of: main)
    for path in [main] + sideFiles {
      let kind = FileSystem.kind(of: path, followingLinks: false)
      if kind == .file || kind == nil { continue }
      // A link to the store gets a clearer error later.
      if kind != .link || FileSystem.kind(of: path) == nil { throw PublishingError(path, .targetIsNoFile) }
    }
    return ([main] + sideFiles + [support]).filter { FileSystem.kind(of: $0, followingLinks: false) != nil }
  }

  private func refuseSource(_ store: Store?, paths: [PosixPath]) throws {
    let own = store.map { identities(of: $0.files.location) } ?? []
    let given = protected.flatMap { identities(of: (try? $0.resolved()) ?? $0) }
    for path in paths {
      guard let identity = FileKey(path) else { continue }
      if own.contains(identity) { throw PublishingError(path, .targetIsSource) }
      if given.contains(identity) { throw PublishingError(path, .targetIsProtected) }
    }
    for path in paths where FileSystem.kind(of: path, followingLinks: false) == .link {
      throw PublishingError(path, .targetIsNoFile)
    }
  }

  private func identities(of main: PosixPath) -> Set<FileKey> {
    let files = [main] + sideFileSuffixes.map { main.appending($0) } + [Store.supportFolder(of: main)]
    return Set(files.compactMap(FileKey.init))
  }

  /// SQLite would take a new file with the name of another database's WAL for that WAL.
  private func refuseSideFileName(_ main: PosixPath) throws {
    for suffix in sideFileSuffixes where main.name.suffix(suffix.utf8.count) == Array(suffix.utf8)[...] {
      let other = main.sibling(named: Array(main.name.dropLast(suffix.utf8.count)))
      if FileSystem.kind(of: other) != nil { throw PublishingError(path, .targetIsSideFile(of: other.description)) }
    }
  }

  /// `Notes.sqlite`, `Notes.db` and `Notes.store` share one folder of external files, `.Notes_SUPPORT`.
  private func refuseSharedSupportFolder(_ main: PosixPath, of store: Store?) throws {
    let stem = Store.stem(of: main.name)
    let neighbours = (FileSystem.names(in: main.parent) ?? []).filter { name in
      name != main.name && Store.stem(of: name) == stem && isDatabase(main.sibling(named: name))
    }
    let source = store?.files.location
    let isSources =
      source.map { FileKey(main.parent) == FileKey($0.parent) && Store.stem(of: $0.name) == stem } ?? false
    guard let other = isSources ? source : neighbours.min(by: codeUnitsPrecede).map(main.sibling(named:)) else {
      return
    }
    throw PublishingError(path, .sharesSupportFolder(with: other.description, free: freeName(beside: path).description))
  }

  private func isDatabase(_ path: PosixPath) -> Bool {
    guard FileSystem.kind(of: path) == .file, let file = try? EvidenceFile(path) else { return false }
    return (try? file.read(at: 0, count: 16)) == DatabaseHeader.magic
  }

  /// `Notes-repaired.sqlite`, `Notes-repaired-2.sqlite`, ...: the first whose stem no other file in the folder has.
  private func freeName(beside path: PosixPath) -> PosixPath {
    let stem = Store.stem(of: path.name)
    let taken = Set((FileSystem.names(in: path.parent) ?? []).map(Store.stem(of:)))
    let candidates = (1...10_000).lazy.map { stem + Array(($0 == 1 ? "-repaired" : "-repaired-\($0)").utf8) }
    let free = candidates.first { name in
      !taken.contains(name) && FileSystem.kind(of: Store.supportFolder(of: path.sibling(named: name))) == nil
    }
    return path.sibling(named: (free ?? stem) + path.name.dropFirst(stem.count))
  }
}

private func codeUnitsPrecede(_ first: [UInt8], _ second: [UInt8]) -> Bool { first.lexicographicallyPrecedes(second) }
