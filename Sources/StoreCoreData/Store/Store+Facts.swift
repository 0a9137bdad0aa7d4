import StoreWords
import StoreDataModel
import StoreDigests
import StoreSQLite

/// One file of a store.
public struct StoreFileFacts: Sendable, Equatable {
  /// The role of a file.
  public enum Role: String, Sendable { case main, wal, shm, journal, support }

  /// The file's role.
  package var role: Role
  /// For a support folder, the sum over its files.
  package var bytes: Int64
  /// SHA-256, 32 bytes; nil if not asked for.
  package var sha256: [UInt8]?
}

/// One index of a table, as SQLite has it.
package struct IndexFacts: Sendable, Equatable {
  /// The index's name.
  package var name: String
  /// Indexed columns in order; an expression is shown as "expression".
  package var columns: [String]
  /// Whether it refuses duplicates.
  package var isUnique: Bool
  /// Whether it has a WHERE clause.
  package var isPartial: Bool
}

/// Bytes of a table.
package struct TableSize: Sendable, Equatable {
  /// Of its rows.
  package var table: Int64 = 0
  /// Of its indexes.
  package var indexes: Int64 = 0

  /// Both.
  package var whole: Int64 { table + indexes }
}

// Facts read from a store on request.
extension Store {
  /// Reads a root table once: rows by entity, highest key, external references, and NULLs of the given columns.
  package func rowCounts(of table: String, nullColumns: [String] = []) throws -> RowCounts {
    guard let shape = shape.tables[table] else { return RowCounts() }
    var external: Set<String> = []
    var home: Set<EntityID> = []
    for entity in layout.entities where entity.table == table {
      home.insert(entity.id)
      for attribute in entity.attributes where attribute.property.attribute?.allowsExternalStorage == true {
        external.formUnion(attribute.columns.compactMap(\.name))
      }
    }
    var seen: Set<String> = []
    let counts = try RowCounts(
      table: shape, externalColumns: external.sorted(), nullColumns: nullColumns.filter { seen.insert($0).inserted },
      reading: connection)
    if !counts.isInOrder { noteDisorder(of: table) }
    compareRows(counts.byEntity.values.reduce(0, +), of: table)
    if counts.byEntity.keys.contains(where: { $0.map { !home.contains($0) } ?? false }) {
      noteRowsOfOtherEntities(in: table)
    }
    return counts
  }

  /// The number of rows of a table.
  package func count(_ table: String) throws -> Int64 { try connection.count(table) }

  /// Persistent history; nil if the store keeps none.
  package func historyFacts() throws -> HistoryFacts? { try HistoryFacts(reading: connection, shape: shape) }

  /// The deletions that the history proves.
  package func provedDeletions() throws -> ProvedDeletions {
    try ProvedDeletions(reading: connection, shape: shape, layout: layout)
  }

  /// Whether the store has the tables of CloudKit mirroring.
  package var isMirrored: Bool { shape.tables.keys.contains { OwnTable($0) == .mirroring } }

  /// The indexes of a table by name.
  package func indexes(of table: String) throws -> [IndexFacts] {
    try connection.indexes(of: table).map { index in
      IndexFacts(
        name: index.name, columns: index.columns.map { $0.name ?? "expression" }, isUnique: index.isUnique,
        isPartial: index.isPartial)
    }.sorted { codeUnitsPrecede($0.name, $1.name) }
  }

  /// Bytes of each table and of its indexes, from SQLite's own page statistics.
  package func tableSizes() throws -> [String: TableSize] {
    let owners = Dictionary(try connection.schema().map { ($0.name, $0.tableName) }) { first, _ in first }
    // Page by page: an aggregate query over `dbstat` cannot be interrupted, and never ends on a tree that contains
    // itself.
    let statement = try connection.prepareTableSizes("SELECT name, pgsize FROM dbstat")
    var sizes: [String: TableSize] = [:]
    var room = [files.main, files.wal, files.journal].compactMap { $0?.size }.reduce(0, +)
    while try statement.step() {
      room -= statement.int64(1)
      guard room >= 0 else {
        throw StoreError(path: path, .damaged("it is damaged: a page is in the trees of its tables more than once"))
      }
      let name = statement.string(0) ?? ""
      let owner = owners[name] ?? name
      if owner == name {
        sizes[owner, default: TableSize()].table += statement.int64(1)
      } else {
        sizes[owner, default: TableSize()].indexes += statement.int64(1)
      }
    }
    return sizes
  }

  /// The support folder `.NAME_SUPPORT`, NAME without extension; its folder `_EXTERNAL_DATA` has the external data.
  package var supportFolder: PosixPath { Self.supportFolder(of: files.location) }

  /// The support folder of a store at `location`.
  package static func supportFolder(of location: PosixPath) -> PosixPath {
    location.sibling(named: Array(".".utf8) + stem(of: location.name) + Array("_SUPPORT".utf8))
  }

  /// The files in the folder with external data, as far as known.
  package enum ExternalFiles: Equatable {
    /// There is no such folder.
    case absent
    /// The folder may not be listed.
    case unlistable
    /// The names of the regular files in it.
    case names([[UInt8]])

    /// The names that are known.
    package var known: [[UInt8]] {
      switch self {
      case .absent, .unlistable: []
      case .names(let names): names
      }
    }
  }

  /// The files with external data.
  package func externalFiles() -> ExternalFiles {
    let folder = supportFolder.appending(component: Array("_EXTERNAL_DATA".utf8))
    guard FileSystem.kind(of: supportFolder, followingLinks: false) == .folder else { return .absent }
    guard let names = FileSystem.names(in: folder) else {
      return FileSystem.names(in: supportFolder)?.contains(folder.name) == false ? .absent : .unlistable
    }
    return .names(
      names.filter {
        !absentFiles.contains($0)
          && FileSystem.kind(of: folder.appending(component: $0), followingLinks: false) == .file
      })
  }

  /// The folders with external data of stores with other names beside this one, by their support folder's name: after a
  /// store was renamed, its files are in one of them. At most 20.
  package func otherExternalFiles() -> [(folder: String, names: [[UInt8]])] {
    let own = supportFolder.name
    let folder = files.location.sibling(named: [])
    guard let listing = FolderListing(folder.bytes.isEmpty ? PosixPath(".") : folder) else { return [] }
    let others = listing.names(beginningWith: Array(".".utf8)).filter { name in
      name != own && name.suffix(8) == Array("_SUPPORT".utf8)
    }
    return others.prefix(20).compactMap { name in
      let support = files.location.sibling(named: name)
      guard FileSystem.kind(of: support, followingLinks: false) == .folder,
        let names = FileSystem.names(in: support.appending(component: Array("_EXTERNAL_DATA".utf8)))
      else { return nil }
      return (String(decoding: name, as: UTF8.self), names)
    }
  }

  /// The name of the folder with external data, as text.
  package var externalFolderName: String {
    String(decoding: supportFolder.name, as: UTF8.self) + "/_EXTERNAL_DATA"
  }

  /// The names in the store's folder that begin with the store's name without extension, with or without a dot before
  /// it, except the store itself and its side files. Nil if the folder cannot be listed.
  package func namesLikeItsOwn() -> [[UInt8]]? {
    let own = files.location.name
    let folder = files.location.sibling(named: [])
    // A path without a folder refers to the working directory.
    guard let listing = FolderListing(folder.bytes.isEmpty ? PosixPath(".") : folder) else { return nil }
    let sideFiles = ["", "-wal", "-shm", "-journal"].map { own + Array($0.utf8) }
    return [stem, Array(".".utf8) + stem].flatMap(listing.names(beginningWith:)).filter { !sideFiles.contains($0) }
  }

  /// The store's file name without extension; its support folder and its copies have names that begin with it.
  package var stem: [UInt8] { Self.stem(of: files.location.name) }

  /// The names of other databases in the folder that would use the same support folder: `Notes.db` beside
  /// `Notes.sqlite`.
  package func databasesWithSameSupportFolder() -> [String] {
    (namesLikeItsOwn() ?? []).filter { name in
      guard Self.stem(of: name) == stem, let file = try? EvidenceFile(files.location.sibling(named: name)) else {
        return false
      }
      return (try? file.read(at: 0, count: 16)) == DatabaseHeader.magic
    }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// A file name without its extension.
  package static func stem(of name: [UInt8]) -> [UInt8] {
    let dot = name.lastIndex(of: UInt8(ascii: "."))
    return Array(dot.map { $0 == 0 ? name[...] : name[..<$0] } ?? name[...])
  }

  /// Whether the file of an external reference exists.
  package func hasExternalFile(_ uuid: String) -> Bool { externalPath(uuid) != nil }

  /// The external file of that name, opened for reading; nil where there is none, or it cannot be read.
  package func externalFile(_ uuid: String) -> EvidenceFile? {
    externalPath(uuid).flatMap { try? EvidenceFile($0) }
  }

  private func externalPath(_ uuid: String) -> PosixPath? {
    // A reference is 36 characters taken from the store; it must not point outside the folder.
    guard uuid.utf8.allSatisfy({ $0.isHexDigitOrHyphen }) else { return nil }
    let file = supportFolder.appending(component: Array("_EXTERNAL_DATA/\(uuid)".utf8))
    return FileSystem.kind(of: file, followingLinks: false) == .file ? file : nil
  }

  /// The files of the store with their sizes.
  package func fileFacts(hashing: Bool) throws -> [StoreFileFacts] {
    let readable: [(StoreFileFacts.Role, EvidenceFile?)] = [
      (.main, files.main), (.wal, files.wal), (.journal, files.journal),
    ]
    var facts = try readable.compactMap { role, file in
      try file.map { StoreFileFacts(role: role, bytes: $0.size, sha256: hashing ? try $0.sha256() : nil) }
    }
    if let bytes = files.sharedMemory?.size { facts.append(StoreFileFacts(role: .shm, bytes: bytes)) }
    if FileSystem.kind(of: supportFolder, followingLinks: false) == .folder {
      facts.append(StoreFileFacts(role: .support, bytes: FileSystem.size(ofFolder: supportFolder)))
    }
    return facts
  }

  /// Damage, gaps and contradictions found while opening; one sentence each, worst first.
  package var problems: [String] {
    var problems: [String] = []
    if let truncation {
      problems.append(
        "the main file has \(truncation.actual) of the \(truncation.expected) bytes its header asks for: truncated")
    }
    problems += metadata.problems + files.problems.map(\.description)
    if shape.tables["Z_PRIMARYKEY"] == nil { problems.append(EntityMap.lost) }
    if let wal, wal.belongsToStore == .no {
      problems.append("the WAL does not belong to this store: \(wal.reasons.first ?? "")")
    }
    switch modelCache {
    case .unreadable(let why): problems.append("the model cache cannot be decoded: \(why)")
    case .empty: problems.append("the model cache is there but empty")
    case .absent:
      // Absent up to framework 519, present from 637 on (`docs/format/store-layout.md` §8).
      if let version = metadata.frameworkVersion, version >= 637 { problems.append("the model cache is missing") }
    case .model: break
    }
    if let stored = metadata.hashes, let computed = computedHashes, stored != computed {
      problems.append(hashProblem(stored, computed: computed))
    }
    if metadata.digestIsConsistent == false { problems.append("the stored digest does not follow from the hashes") }
    if metadata.checksumIsConsistent == false {
      problems.append("the stored checksum does not follow from the hashes")
    }
    return problems + layout.problems
  }

  private func hashProblem(_ stored: VersionHashes, computed: VersionHashes) -> String {
    let names = Set(stored.byEntity.keys).union(computed.byEntity.keys).sorted(by: codeUnitsPrecede)
    let differing = names.filter { stored.byEntity[$0] != computed.byEntity[$0] }
    let shown = differing.prefix(5).map(quoted).joined(separator: ", ") + (differing.count > 5 ? ", ..." : "")
    let model = modelSource == .given ? "the given model" : "the model cache"
    return "the hashes in the metadata and those of \(model) differ for \(differing.count) of "
      + "\(names.count) entities: \(shown)"
  }
}

extension UInt8 {
  fileprivate var isHexDigitOrHyphen: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension EvidenceFile {
  /// SHA-256 of the whole file, read in pieces of 1 MiB.
  package func sha256() throws -> [UInt8] {
    var stream = SHA256Stream()
    var offset: Int64 = 0
    while offset < size {
      let piece = try read(at: offset, count: 1 << 20)
      guard !piece.isEmpty else { throw FileError(path: name, kind: .changed) }
      piece.withUnsafeBytes { stream.update($0) }
      offset += Int64(piece.count)
    }
    return stream.finalize()
  }
}

extension Store {
  /// The content of `Z_MODELCACHE`, as it is stored; nil where there is none.
  ///
  /// - Throws: `SQLiteError`.
  package func storedModelCache() throws -> [UInt8]? {
    guard shape.tables["Z_MODELCACHE"]?.has("Z_CONTENT") == true else { return nil }
    let read = try connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE ORDER BY rowid LIMIT 1")
    return try read.step() ? read.blob(0) : nil
  }
}
