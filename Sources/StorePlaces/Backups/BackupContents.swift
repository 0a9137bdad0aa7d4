import StoreSQLite
import StoreSystem

/// The files of a backup, in a folder or an archive.
protocol BackupFiles {
  /// Opens `Manifest.db` with its log; nil where there is none.
  ///
  /// - Throws: what SQLite says of one that cannot be read.
  func openManifest() throws -> Connection?
  /// The first bytes of `Manifest.db`; nil where there is none.
  func manifestHead() throws -> [UInt8]?
  /// A file beside the list, in memory; nil where there is none, or it is too large.
  func contents(of name: String) throws -> [UInt8]?
  /// The files with these names of 40 digits that are there.
  func files(_ fileIDs: Set<String>) throws -> [String: PlaceFile]
}

/// A file of a backup under its name of 40 digits.
struct HashedFile {
  var fileID: String
  var file: PlaceFile
  /// Whether it begins as a database does.
  var isDatabase: Bool
  /// Whether it begins as a write-ahead log does.
  var isLog: Bool
}

/// Finds the stores of a backup, each with the files that its list, or the way names are made, joins to it.
struct BackupContents {
  private let files: any BackupFiles
  private let prefix: [UInt8]
  var result = PlaceContents()

  /// The most files of external data of one store that are joined.
  private static let mostExternal = 100_000

  /// - Parameter prefix: what is before the names: the path to the backup with its `!`, or nothing.
  init(_ files: any BackupFiles, prefix: [UInt8]) {
    (self.files, self.prefix) = (files, prefix)
  }

  /// Reads it.
  ///
  /// - Parameter hashed: the files that begin as a database or a log.
  mutating func read(_ hashed: [HashedFile]) throws {
    let facts = BackupFacts(
      info: try files.contents(of: "Info.plist"), manifest: try files.contents(of: "Manifest.plist"),
      status: try files.contents(of: "Status.plist"))
    result.backup = facts
    guard let manifest = try manifest(facts, hashed) else { return readWithoutManifest(hashed) }
    do {
      try read(hashed, by: manifest)
    } catch let error as SQLiteError {
      whole("its list cannot be read to the end (\(error)); stores may be missing here")
    }
    if facts.isComplete == false {
      whole("the backup was not finished (Status.plist: \(facts.snapshotState ?? "")); files may be missing")
    }
  }

  private mutating func whole(_ reason: String) {
    result.leftOut.append(.init(name: prefix.isEmpty ? [] : Array(prefix.dropLast()), kind: .whole, reason: reason))
  }

  // MARK: The list

  private mutating func manifest(_ facts: BackupFacts, _ hashed: [HashedFile]) throws -> (any BackupManifest)? {
    if let head = try files.manifestHead() {
      if head.starts(with: DatabaseHeader.magic) {
        do {
          if let connection = try files.openManifest(), let manifest = ManifestDatabase(connection) { return manifest }
          whole("its Manifest.db has no table 'Files'; \(Self.byContent)")
        } catch {
          whole("its Manifest.db cannot be read (\(error)); \(Self.byContent)")
        }
        return nil
      }
      if !head.isEmpty, head.contains(where: { $0 != 0 }) {
        sayEncrypted(facts, hashed)
        return nil
      }
      whole("its Manifest.db is empty; \(Self.byContent)")
    }
    guard let bytes = try files.contents(of: "Manifest.mbdb") else { return nil }
    guard let table = ManifestTable(bytes) else {
      whole("its Manifest.mbdb is none; \(Self.byContent)")
      return nil
    }
    if table.isCut { whole("its Manifest.mbdb ends early; names may be missing") }
    return table
  }

  private static let byContent = "stores were looked for by their content, and have no names"

  private mutating func sayEncrypted(_ facts: BackupFacts, _ hashed: [HashedFile]) {
    let list = facts.saysEncrypted == true ? "Manifest.plist: IsEncrypted" : "Manifest.db is no database"
    result.leftOut.append(
      .init(
        name: prefix.isEmpty ? [] : Array(prefix.dropLast()), kind: hashed.isEmpty ? .encrypted : .whole,
        reason: "an encrypted backup (\(list)); its files cannot be read without its password: decrypt it with a "
          + "program that does, such as mvt-ios or iphone_backup_decrypt, and name the result"))
  }

  // MARK: By the list

  private mutating func read(_ hashed: [HashedFile], by manifest: any BackupManifest) throws {
    var mains: [(name: BackupName, file: HashedFile)] = []
    var logs: [(name: BackupName?, file: HashedFile)] = []
    var nameless: [HashedFile] = []
    for file in hashed {
      let name = try manifest.name(ofFile: file.fileID)
      result.filesSeen += 1
      if file.isLog { logs.append((name, file)) }
      guard file.isDatabase else { continue }
      if let name {
        mains.append((name, file))
      } else {
        nameless.append(file)
      }
    }
    add(nameless: nameless)
    try addNamedStores(to: &mains, manifest)
    let sets = try mains.map { try joined($0.name, $0.file, manifest) }
    let found = try files.files(Set(sets.flatMap { $0.sides.map(\.1.fileID) + $0.external.map(\.1.fileID) }))
    for set in sets { add(set, found) }
    let sideIDs = Set(sets.flatMap { $0.sides.map(\.1.fileID) })
    addOrphans(logs.filter { !sideIDs.contains($0.file.fileID) }, mains: Set(mains.map(\.name)))
    result.sets.sort { SetFinder.precedes($0.main.name, $1.main.name) }
  }

  /// Databases that the list does not name.
  private mutating func add(nameless files: [HashedFile]) {
    for file in files {
      var main = file.file
      main.name = Array(file.fileID.utf8)
      result.sets.append(EvidenceSet(prefix: prefix, main: main, isDatabase: true))
    }
    guard let first = files.first else { return }
    whole(
      "\(files.count) \(files.count == 1 ? "database is" : "databases are") not in its list (\(first.fileID)), so that "
        + "no log could be looked for")
  }

  /// Files that have the name of a store and do not begin as one, and those that are not there.
  private mutating func addNamedStores(
    to mains: inout [(name: BackupName, file: HashedFile)], _ manifest: any BackupManifest
  ) throws {
    var named: [BackupName] = []
    let known = Set(mains.map(\.name))
    try manifest.forEachName { name in
      let path = Array(name.path.utf8)
      if EntryRole(name: path) == .namedStore, !EntryRole.isNamedAppleDouble(path), !known.contains(name) {
        named.append(name)
      }
    }
    let found = try files.files(Set(named.map(\.fileID)))
    for name in named {
      if let file = found[name.fileID] {
        mains.append((name, HashedFile(fileID: name.fileID, file: file, isDatabase: false, isLog: false)))
      } else {
        result.leftOut.append(
          .init(name: prefix + name.shown, kind: .refused, reason: "the backup's list names it, and it is not there"))
      }
    }
  }

  /// A store and the names of what belongs to it.
  private struct Joined {
    var name: BackupName
    var file: HashedFile
    var sides: [(String, BackupName)]
    var external: [([UInt8], BackupName)]
  }

  private func joined(_ name: BackupName, _ file: HashedFile, _ manifest: any BackupManifest) throws -> Joined {
    // The names follow from the main file's, whether the list has them or not.
    let sides = SetFinder.endings.map { ($0, name.appending($0)) }
    let folder = String(decoding: SetFinder.externalFolder(of: Array(name.path.utf8)), as: UTF8.self) + "/"
    let external = try manifest.names(in: name.domain, beginningWith: folder, atMost: Self.mostExternal)
    return Joined(
      name: name, file: file, sides: sides,
      external: external.map { (Array($0.path.utf8.dropFirst(folder.utf8.count)), $0) })
  }

  private mutating func add(_ joined: Joined, _ found: [String: PlaceFile]) {
    func file(_ name: BackupName) -> PlaceFile? {
      found[name.fileID].map { PlaceFile(name: name.shown, size: $0.size, bytes: $0.bytes) }
    }
    var main = joined.file.file
    main.name = joined.name.shown
    var set = EvidenceSet(prefix: prefix, main: main, isDatabase: joined.file.isDatabase)
    set.sides = joined.sides.compactMap { ending, name in file(name).map { (ending, $0) } }
    set.external = joined.external.compactMap { last, name in file(name).map { (last, $0) } }
    let domain = joined.name.domain
    set.container = domain.split(separator: "-", maxSplits: 1).dropFirst().first.map(String.init)
    result.sets.append(set)
    if set.external.count < joined.external.count {
      result.leftOut.append(
        .init(
          name: prefix + main.name, kind: .refused,
          reason:
            "\(joined.external.count - set.external.count) of its \(joined.external.count) files of external data "
            + "are not in the backup"))
    }
  }

  private mutating func addOrphans(_ logs: [(name: BackupName?, file: HashedFile)], mains: Set<BackupName>) {
    for log in logs {
      guard let name = log.name else {
        result.leftOut.append(.orphan(log.file.file, prefix: prefix))
        continue
      }
      guard name.path.hasSuffix("-wal") else { continue }
      let main = BackupName(domain: name.domain, path: String(name.path.dropLast(4)))
      guard !mains.contains(main) else { continue }
      var file = log.file.file
      file.name = name.shown
      result.leftOut.append(.orphan(file, prefix: prefix))
    }
  }

  // MARK: Without a list

  private mutating func readWithoutManifest(_ hashed: [HashedFile]) {
    let logs = hashed.filter(\.isLog)
    result.filesSeen += hashed.count
    for file in hashed where file.isDatabase {
      var main = file.file
      main.name = Array(file.fileID.utf8)
      var set = EvidenceSet(prefix: prefix, main: main, isDatabase: true)
      set.strayLogs = logs.prefix(16).map { log in
        PlaceFile(name: Array(log.fileID.utf8), size: log.file.size, bytes: log.file.bytes)
      }
      result.sets.append(set)
    }
    result.sets.sort { SetFinder.precedes($0.main.name, $1.main.name) }
    for log in logs {
      var file = log.file
      file.name = Array(log.fileID.utf8)
      result.leftOut.append(.orphan(file, prefix: prefix))
    }
  }
}
