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
    if let bundle = modelBundle(path.description) { throw StoreError(path: path.description, .otherKind(bundle)) }
    var search = FolderSearch(limit: maximumFiles, depth: maximumDepth)
    search.visit(path)
    var stores: [(path: PosixPath, summary: StoreSummary)] = []
    for candidate in search.candidates {
      do {
        stores.append((candidate, try StoreSummary(Store(candidate, options: Store.Options(readsModel: false)))))
      } catch let error as StoreError {
        if case .notCoreData = error.problem { continue }
        // A database that cannot be read may be the intended store.
        search.incomplete = error.description
      }
    }
    let found = stores.count
    for backup in search.backups { try add(backup, to: &stores, &search) }
    if stores.count == 1 {
      return found == 1 ? stores[0].path : try PlacedStores.locate(stores[0].path) ?? stores[0].path
    }
    throw StoreError(
      path: path.description,
      stores.isEmpty
        ? .folderWithoutStore(filesLookedAt: search.filesSeen, incomplete: search.incomplete)
        : .folderWithSeveralStores(stores.map(\.summary)))
  }

  /// Adds the stores of a backup that lies in the folder.
  private static func add(
    _ backup: PosixPath, to stores: inout [(path: PosixPath, summary: StoreSummary)], _ search: inout FolderSearch
  ) throws {
    guard let placed = try PlacedStores(backup) else { return }
    search.filesSeen += placed.contents.filesSeen
    if let gap = placed.gap { search.incomplete = gap }
    for set in placed.contents.sets where set.isDatabase {
      do {
        guard let summary = try placed.summary(of: set) else { continue }
        stores.append((backup.appending("!").appending(bytes: set.shown), summary))
      } catch let error as StoreError {
        search.incomplete = error.description
      }
    }
  }

  private static func modelBundle(_ path: String) -> FileKind? {
    let name = path.hasSuffix("/") ? String(path.dropLast()) : path
    if name.hasSuffix(".momd") { return .compiledModel }
    if name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel") { return .xcodeModel }
    return nil
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
    return head == DatabaseHeader.magic
  }
}
