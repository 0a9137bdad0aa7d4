import StoreSQLite
import StoreSystem
import StoreWords

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
  /// What its property lists say.
  private(set) var facts: BackupFacts?

  /// The most names of stores and of files of external data that are taken from the list.
  private static let mostNames = 250_000

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
    self.facts = facts
    if let manifest = try manifest(facts, hashed) {
      try read(hashed, by: manifest)
    } else {
      readWithoutManifest(hashed)
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
      if !head.contains(where: { $0 != 0 }) {
        whole("its Manifest.db is empty; \(Self.byContent)")
      } else if hashed.isEmpty {
        sayEncrypted(facts)
        return nil
      } else {
        // Databases can be read, so at least the files are not encrypted.
        whole(
          "its Manifest.db is no database\(facts.saysEncrypted == true ? ", but encrypted" : ""); \(Self.byContent)")
      }
    }
    guard let bytes = try files.contents(of: "Manifest.mbdb") else { return nil }
    guard let table = ManifestTable(bytes) else {
      whole("its Manifest.mbdb is none; \(Self.byContent)")
      return nil
    }
    return table
  }

  private static let byContent = "stores were looked for by their content, and have no names"

  private mutating func sayEncrypted(_ facts: BackupFacts) {
    let list = facts.saysEncrypted == true ? "Manifest.plist: IsEncrypted" : "Manifest.db is no database"
    result.leftOut.append(
      .init(
        name: prefix.isEmpty ? [] : Array(prefix.dropLast()), kind: .encrypted,
        reason: "an encrypted backup (\(list)); its files cannot be read without its password: decrypt it with a "
          + "program that does, such as mvt-ios or iphone_backup_decrypt, and name the result"))
  }

  // MARK: By the list

  /// What the list says of the files that matter.
  private struct ListedNames {
    /// Of the files that begin as a database or a log.
    var hashed: [String: BackupName] = [:]
    /// Of files that have the name of a store, and may not begin as one.
    var stores: [(fileID: String, name: BackupName)] = []
    /// Of logs and journals.
    var sides: Set<BackupName> = []
    /// Of external data, by its folder's name.
    var external: [BackupName: [(fileID: String, name: BackupName)]] = [:]
    var count = 0
    /// The limit was reached.
    var isCut = false
  }

  /// Goes through the list once.
  private mutating func names(_ manifest: any BackupManifest, of hashed: [HashedFile]) -> ListedNames {
    var names = ListedNames()
    let wanted = Set(hashed.map(\.fileID))
    do {
      try manifest.forEachFile { fileID, name in
        if wanted.contains(fileID) { names.hashed[fileID] = name }
        let path = Array(name.path.utf8)
        let role = EntryRole(name: path)
        guard role == .namedStore && !EntryRole.isNamedAppleDouble(path) || role == .externalData || role == .sideFile
        else { return }
        guard names.count < Self.mostNames else {
          names.isCut = true
          return
        }
        names.count += 1
        if role == .namedStore { return names.stores.append((fileID, name)) }
        if role == .sideFile { return _ = names.sides.insert(name) }
        let folder = String(decoding: SetFinder.folder(of: path).dropLast(), as: UTF8.self)
        names.external[BackupName(domain: name.domain, path: folder), default: []].append((fileID, name))
      }
    } catch {
      whole("its list cannot be read to the end (\(error)); files that it names later have no name here")
    }
    if names.isCut {
      whole("its list names more than \(Self.mostNames) stores and files of external data; some are missing")
    }
    return names
  }

  private mutating func read(_ hashed: [HashedFile], by manifest: any BackupManifest) throws {
    let names = names(manifest, of: hashed)
    var mains: [(name: BackupName, file: HashedFile)] = []
    var logs: [(name: BackupName?, file: HashedFile)] = []
    var nameless: [HashedFile] = []
    for file in hashed {
      let name = names.hashed[file.fileID]
      result.filesSeen += 1
      if file.isLog { logs.append((name, file)) }
      guard file.isDatabase else { continue }
      if let name {
        mains.append((name, file))
      } else {
        nameless.append(file)
      }
    }
    add(nameless: nameless, logs: logs.filter { $0.name == nil }.map(\.file))
    try addNamedStores(names.stores, to: &mains)
    let sets = mains.map { joined($0.name, $0.file, names) }
    let found = try files.files(Set(sets.flatMap { $0.sides.map(\.name.fileID) + $0.external.map(\.fileID) }))
    for set in sets { add(set, found, names) }
    let sideIDs = Set(sets.flatMap { $0.sides.map(\.name.fileID) })
    addOrphans(logs.filter { !sideIDs.contains($0.file.fileID) }, mains: Set(mains.map(\.name)))
    result.sets.sort { SetFinder.precedes($0.main.name, $1.main.name) }
  }

  /// Databases that the list does not name; logs that it does not name either are held against them.
  private mutating func add(nameless files: [HashedFile], logs: [HashedFile]) {
    for file in files { result.sets.append(unnamed(file, logs: logs)) }
    guard let first = files.first else { return }
    whole(
      "\(files.count) \(files.count == 1 ? "database is" : "databases are") not in its list (\(first.fileID)), so that "
        + "no log could be looked for by name")
  }

  private func unnamed(_ file: HashedFile, logs: [HashedFile]) -> EvidenceSet {
    var main = file.file
    main.name = Array(file.fileID.utf8)
    var set = EvidenceSet(prefix: prefix, main: main, isDatabase: true)
    set.strayLogs = logs.prefix(16).map { log in
      PlaceFile(name: Array(log.fileID.utf8), size: log.file.size, bytes: log.file.bytes)
    }
    return set
  }

  /// Files that have the name of a store and do not begin as one, and those that are not there.
  private mutating func addNamedStores(
    _ stores: [(fileID: String, name: BackupName)], to mains: inout [(name: BackupName, file: HashedFile)]
  ) throws {
    let known = Set(mains.map(\.name))
    let named = stores.filter { !known.contains($0.name) }
    let found = try files.files(Set(named.map(\.fileID)))
    var missing = LeftOutList(most: 1000)
    for (fileID, name) in named {
      if let file = found[fileID] {
        mains.append((name, HashedFile(fileID: fileID, file: file, isDatabase: false, isLog: false)))
      } else {
        missing.add(prefix + name.shown, .refused, "the backup's list names it, and it is not there")
      }
    }
    result.leftOut += missing.named
    missing.words.forEach { whole($0) }
  }

  /// A store and the names of what belongs to it.
  private struct Joined {
    var name: BackupName
    var file: HashedFile
    var sides: [(ending: String, name: BackupName)]
    var external: [(fileID: String, name: BackupName)]
  }

  private func joined(_ name: BackupName, _ file: HashedFile, _ names: ListedNames) -> Joined {
    let folder = String(decoding: SetFinder.externalFolder(of: Array(name.path.utf8)), as: UTF8.self)
    // The names of side files follow from the main file's, whether the list has them or not.
    return Joined(
      name: name, file: file, sides: SetFinder.endings.map { ($0, name.appending($0)) },
      external: names.external[BackupName(domain: name.domain, path: folder)] ?? [])
  }

  private mutating func add(_ joined: Joined, _ found: [String: PlaceFile], _ names: ListedNames) {
    func file(_ fileID: String, _ name: BackupName) -> PlaceFile? {
      found[fileID].map { PlaceFile(name: name.shown, size: $0.size, bytes: $0.bytes) }
    }
    var main = joined.file.file
    main.name = joined.name.shown
    var set = EvidenceSet(prefix: prefix, main: main, isDatabase: joined.file.isDatabase)
    for (ending, name) in joined.sides {
      if let side = file(name.fileID, name) {
        set.sides.append((ending, side))
      } else if names.sides.contains(name) {
        set.unreadableSides.append((ending, "the backup's list names it, and it is not there"))
      }
    }
    set.external = joined.external.compactMap { fileID, name in
      file(fileID, name).map { (Array($0.name[SetFinder.folder(of: $0.name).count...]), $0) }
    }
    let domain = joined.name.domain
    set.container = domain.split(separator: "-", maxSplits: 1).dropFirst().first.map(String.init)
    result.sets.append(set)
    if set.external.count < joined.external.count {
      result.leftOut.append(
        .init(
          name: prefix + main.name, kind: .refused,
          reason:
            "\(joined.external.count - set.external.count) of its \(counted(joined.external.count, "file")) of external data "
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
    for file in hashed where file.isDatabase { result.sets.append(unnamed(file, logs: logs)) }
    result.sets.sort { SetFinder.precedes($0.main.name, $1.main.name) }
    for log in logs {
      var file = log.file
      file.name = Array(log.fileID.utf8)
      result.leftOut.append(.orphan(file, prefix: prefix))
    }
  }
}
