import StorePlaces
import StorePlatform
import StoreWords
import StoreSQLite

/// Finds the stores in a folder or bundle by content, whatever their names; links are not followed.
package enum StoreLocator {
  /// The most files and folder levels searched; if there are more, the search says that it is incomplete.
  static let maximumFiles = 200_000
  static let maximumDepth = 32

  /// - Parameter path: a file of any name, a store in an archive or backup (`ARCHIVE!member/path`), or a folder, bundle,
  ///   archive or backup that holds exactly one store; each with "@3" for the store as of commit 3.
  /// - Returns: the path of the store's main file, with "@3" where that was given.
  /// - Throws: `StoreError` if there is none, or several; then with a summary of each.
  package static func locate(_ path: PosixPath) throws -> PosixPath {
    if let placed = try PlacedStores.locate(path) { return placed }
    let reference = StoreReference(path)
    if let commit = reference.commit { return try locate(reference.file).appending("@\(commit)") }
    guard FileSystem.kind(of: path) == .folder else { return path }
    let located = try stores(below: path)
    guard let only = located.only else { throw located.error(at: path) }
    if let gap = located.gap(besides: only) {
      PlacedStores.onNote?("\(quoted(path.description)) may hold more stores than the one that is read: \(gap)")
    }
    return try PlacedStores.locate(only.path) ?? only.path
  }

  /// The same for any SQLite database; in a folder only stores are looked for.
  package static func locateDatabase(_ path: PosixPath) throws -> PosixPath {
    if let placed = try PlacedStores.locate(path, takesAny: true) { return placed }
    return FileSystem.kind(of: path) == .folder ? try locate(path) : path
  }

  /// The stores that a path stands for: of a folder, a bundle, an archive, a backup, or a member of one. A file that is none of
  /// these stands for itself and is not looked into: then this is nil.
  ///
  /// - Parameter most: the search ends when there are more.
  /// - Throws: `StoreError` for what cannot be looked into, and for models.
  package static func stores(at path: PosixPath, most: Int = .max) throws -> LocatedStores? {
    if FileSystem.kind(of: path) == .folder { return try stores(below: path, most: most) }
    return try PlacedStores.stores(at: path, most: most)
  }

  private static func stores(below path: PosixPath, most: Int = .max) throws -> LocatedStores {
    if let bundle = modelBundle(path.description) { throw StoreError(path: path.description, .otherKind(bundle)) }
    var search = FolderSearch(limit: maximumFiles, depth: maximumDepth)
    search.visit(path)
    var located = LocatedStores()
    for candidate in search.candidates where located.all.count <= most {
      do {
        let store = try Store(candidate, options: Store.Options(readsModel: false))
        located.all.append(LocatedStore(path: candidate, summary: StoreSummary(store)))
      } catch  where isOfDamagedPages(error) {
        located.all.append(LocatedStore(path: candidate, summary: StoreSummary(damaged: candidate, error)))
      } catch let error as StoreError {
        if case .notCoreData = error.problem { continue }
        // A database that cannot be read may be the intended store.
        search.incomplete = error.description
        located.unreadable.append(error.description)
      }
    }
    for backup in search.backups where located.all.count <= most { try add(backup, to: &located, &search) }
    (located.filesLookedAt, located.incomplete) = (search.filesSeen, search.incomplete)
    return located
  }

  /// Adds the stores of a backup that lies in the folder.
  private static func add(
    _ backup: PosixPath, to located: inout LocatedStores, _ search: inout FolderSearch
  ) throws {
    guard let placed = try PlacedStores(backup) else { return }
    search.filesSeen += placed.contents.filesSeen
    if let gap = placed.gap { search.incomplete = gap }
    for set in placed.contents.sets {
      do {
        guard let store = try placed.located(set) else { continue }
        located.all.append(store)
      } catch let error as StoreError {
        search.incomplete = error.description
        located.unreadable.append(error.description)
      }
    }
  }

  private static func modelBundle(_ path: String) -> FileKind? {
    let name = path.hasSuffix("/") ? String(path.dropLast()) : path
    if name.hasSuffix(".momd") { return .compiledModel }
    if name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel") { return .xcodeModel }
    if name.hasSuffix(".sparsebundle") { return .diskImage("a sparse Apple disk image (.sparsebundle)", holding: nil) }
    return nil
  }
}

/// One of the stores that a path stands for.
package struct LocatedStore {
  /// Its path, `ARCHIVE!member/path` in an archive.
  package var path: PosixPath
  /// What it is.
  package var summary: StoreSummary
  /// The files of it, where it lies in an archive or a backup.
  var member: (set: EvidenceSet, place: PlacedStores)?

  /// Calls `body` with the path at which it is read; what lies in an archive can be read there only meanwhile.
  ///
  /// - Throws: `StoreError` where it cannot be read, and what `body` throws.
  package func reading<Value>(_ body: (PosixPath) throws -> Value) throws -> Value {
    guard let member else { return try body(path) }
    return try member.place.reading(member.set, body)
  }
}

/// The stores that a path stands for.
package struct LocatedStores {
  /// Those that were found, in the order in which they were come to, damaged ones among them.
  package var all: [LocatedStore] = []
  /// How many files were looked at.
  package var filesLookedAt = 0
  /// Why there may be more stores; nil where all was looked at.
  package var incomplete: String?
  /// Databases that could not be read, a sentence each; they may be stores.
  package var unreadable: [String] = []

  /// None so far.
  init(filesLookedAt: Int = 0, incomplete: String? = nil) {
    (self.filesLookedAt, self.incomplete) = (filesLookedAt, incomplete)
  }

  /// A file that stands for itself.
  ///
  /// - Throws: `StoreError` where it is no store.
  package init(of file: PosixPath) throws {
    do {
      let store = try Store(file, options: Store.Options(readsModel: false))
      all = [LocatedStore(path: file, summary: StoreSummary(store))]
    } catch  where isOfDamagedPages(error) {
      all = [LocatedStore(path: file, summary: StoreSummary(damaged: file, error))]
    }
  }

  /// The one that a path stands for: the only one that can be opened, or the only one at all; nil where there is none, or several.
  var only: LocatedStore? {
    let sound = all.filter { $0.summary.damage == nil }
    let candidates = sound.isEmpty ? all : sound
    return candidates.count == 1 ? candidates.first : nil
  }

  /// Why there may be more than the one that is read; nil where there are none.
  func gap(besides only: LocatedStore) -> String? {
    incomplete ?? all.lazy.filter { $0.path != only.path }.compactMap(\.summary.damage).first
  }

  /// What is wrong where there is not exactly one.
  package func error(at path: PosixPath) -> StoreError {
    StoreError(
      path: path.description,
      all.isEmpty
        ? .folderWithoutStore(filesLookedAt: filesLookedAt, incomplete: incomplete)
        : .folderWithSeveralStores(all.map(\.summary)))
  }
}

extension StoreSummary {
  init(_ store: Store) {
    let files = [store.files.main.identity] + (store.files.wal.map { [$0.identity] } ?? [])
    self.init(
      path: store.path, bytes: files.map(\.size).reduce(0, +),
      modified: (files.map(\.modified).max() ?? 0) / 1_000_000_000,
      frameworkVersion: store.metadata.frameworkVersion,
      entities: store.entityMap.rows.count { !$0.id.isInternal })
    if MountedFiles.target(of: store.location) == nil {
      container = Containers.identifier(around: store.files.location)
    }
    uuid = store.metadata.uuid
    age = StoreAge(store)
  }
}

extension StoreSummary {
  /// What is known of a store that is too damaged to be opened.
  init(damaged path: PosixPath, _ error: any Error) {
    let identity = (try? EvidenceFile(path))?.identity
    self.init(
      path: path.description, bytes: identity?.size ?? 0, modified: (identity?.modified ?? 0) / 1_000_000_000,
      frameworkVersion: nil, entities: 0)
    let sentence = "\(error)"
    damage =
      sentence.hasPrefix("cannot read ") ? sentence : "cannot read \(quoted(path.description)): \(sentence)"
  }
}

extension StoreAge {
  fileprivate init(_ store: Store) {
    let keys = store.entityMap.rows.compactMap(\.keysHandedOut)
    self.init(
      transactions: Self.transactions(of: store),
      keys: keys.isEmpty ? nil : keys.reduce(0) { $0.addingReportingOverflow($1).partialValue },
      changes: Int64(store.header.changeCounter))
  }

  private static func transactions(of store: Store) -> Int64? {
    let table = HistoryTable.transaction.rawValue
    guard store.shape.tables[table]?.has("Z_PK") == true,
      let statement = try? store.connection.prepare("SELECT max(Z_PK) FROM \(table)"), (try? statement.step()) == true,
      !statement.isNull(0)
    else { return nil }
    let highest = statement.int64(0)
    return (0...(1 << 40)).contains(highest) ? highest : nil
  }
}

/// Walks through a folder and collects files that may be SQLite databases.
private struct FolderSearch {
  var limit: Int
  var depth: Int
  var filesSeen = 0
  var candidates: [PosixPath] = []
  var backups: [PosixPath] = []
  var incomplete: String?

  /// - Parameter inBackup: the path from the folder of a backup, with its slash; nil outside of backups.
  mutating func visit(_ folder: PosixPath, level: Int = 0, inBackup: [UInt8]? = nil) {
    guard level <= depth else {
      incomplete = "folders deeper than \(depth) levels were not searched"
      return
    }
    guard let names = FileSystem.names(in: folder) else {
      incomplete =
        "\(quoted(folder.description)) could not be listed"
        + Platform.advice(onRefusalOf: folder.description)
      return
    }
    var inBackup = inBackup
    if isBackup(names: names) {
      backups.append(folder)
      inBackup = []
    }
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      // What is no part of the backup lies there under its own name.
      if let inBackup, isPartOfBackup(inBackup + name) { continue }
      guard filesSeen < limit else {
        incomplete = "the search stopped after \(limit) files"
        return
      }
      let path = folder.appending(component: name)
      switch FileSystem.kind(of: path, followingLinks: false) {
      case .folder:
        let isOfHashes = inBackup == [] && isFolderOfHashes(name)
        visit(path, level: level + 1, inBackup: isOfHashes ? name + [UInt8(ascii: "/")] : nil)
      case .file:
        filesSeen += 1
        if isDatabase(path) { candidates.append(path) }
      default: break
      }
    }
  }

  private func isDatabase(_ path: PosixPath) -> Bool {
    guard let file = try? EvidenceFile(path), let head = try? file.read(at: 0, count: 16) else { return false }
    return head == DatabaseHeader.magic || HeadlessDatabase.isOne(file, named: path.name)
  }
}
