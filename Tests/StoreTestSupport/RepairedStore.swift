import StoreRepair
import Foundation
import StoreSQLite
import TestSupport
import Testing

import StoreCoreData

/// The bundled notes in a folder of their own, with an external file, in WAL mode (with or without committed frames) or
/// not.
package struct RepairedStore {
  package enum Mode: String, CaseIterable { case rollback, wal, frames }

  package let folder: TemporaryFolder
  package let path: String

  /// - Parameter injury: SQL that is run first.
  package init(_ mode: Mode = .rollback, injury: String = "") throws {
    folder = try TemporaryFolder.inMemory()
    path = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    try FileManager.default.createDirectory(
      atPath: folder(".Notes_SUPPORT/_EXTERNAL_DATA"), withIntermediateDirectories: true)
    try folder.write(Array("kept outside".utf8), to: ".Notes_SUPPORT/_EXTERNAL_DATA/\(Self.externalFile)")
    guard mode != .rollback || !injury.isEmpty else { return }
    let connection = try Connection(writing: path, create: false)
    try connection.execute(injury)
    guard mode != .rollback else { return }
    try connection.execute("PRAGMA journal_mode=WAL")
    guard mode == .frames else {
      connection.close()
      return
    }
    try connection.execute("PRAGMA wal_autocheckpoint=0; UPDATE ZTAG SET ZNAME = 'in the WAL' WHERE Z_PK = 1")
    let files = try ["", "-wal"].map { ($0, try contents(of: path + $0)) }
    connection.close()
    for (suffix, bytes) in files { try folder.write(bytes, to: "Notes.sqlite" + suffix) }
  }

  package static let externalFile = "6A1B0E3C-4D5F-4A6B-8C7D-9E0F1A2B3C4D"

  package func open(ignoringWAL ignoresWAL: Bool = false) throws -> Store {
    try Store(path: path, options: Store.Options(ignoresWAL: ignoresWAL))
  }

  package var journals: [PosixPath] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".storedoctor-") }.sorted()
        .map { PosixPath(folder($0)) }
    }
  }

  /// The store's files, without those in journal folders.
  package var bytes: [String: Data] {
    get throws {
      try FolderContents(folder.path).files.filter { !$0.key.contains(".storedoctor-") && !$0.key.hasSuffix("-shm") }
    }
  }

  /// The bytes of the main file and the WAL, if that is not empty.
  package var storeBytes: [String: Data] {
    get throws {
      try bytes.filter { $0.key.hasPrefix("Notes.sqlite") && !($0.key != "Notes.sqlite" && $0.value.isEmpty) }
    }
  }
}

/// Every value of every table with its storage class.
package func everyValue(of path: String) throws -> [String: [String]] {
  let connection = try Connection(reading: DatabaseFiles(path: path))
  var result: [String: [String]] = [:]
  for table in try connection.schema() where table.isOrdinaryTable {
    let columns = try connection.columns(of: table.name).map { "quote(\(quotedIdentifier($0.name)))" }
    let rows = try connection.prepare("SELECT \(columns.joined(separator: ",")) FROM \(quotedIdentifier(table.name))")
    var values: [String] = []
    while try rows.step() { values.append(columns.indices.map { rows.string($0) ?? "" }.joined(separator: ",")) }
    result[table.name] = values.sorted()
  }
  result["indexes"] = try connection.schema().filter { $0.type == .index }.map(\.name).sorted()
  return result
}

/// Makes a change of each kind: rows changed, deleted and inserted, some in a table without a primary key, an index, a
/// file.
package func changeEverything(_ connection: Connection, _ recorder: ChangeRecorder) throws {
  try connection.allowingWrites(to: ["ZTAG", "ZFOLDER", "Z_3TAGS"]) {
    try connection.execute(
      """
      UPDATE ZTAG SET ZNAME = ZNAME || '!';
      DELETE FROM Z_3TAGS;
      WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 1800)
        INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 2, 1, printf('%0100d', i) FROM n;
      """)
  }
  try recorder.step()
  let cache = try connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE")
  guard try cache.step() else { return }
  let old = cache.value(0)
  cache.reset()
  try connection.allowingWrites(to: ["Z_MODELCACHE"]) {
    try connection.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = x'0102'")
  }
  recorder.note(.rows(table: "Z_MODELCACHE", columns: ["Z_CONTENT"], removed: [[old]], added: [[.blob([1, 2])]]))
  let index = "CREATE INDEX Z_Folder_test ON ZFOLDER (ZNAME)"
  try connection.allowingIndexChanges { try connection.execute(index) }
  recorder.note(.index(name: "Z_Folder_test", before: nil, after: index))
  recorder.moveAside(externalFile: Array(RepairedStore.externalFile.utf8))
}

/// Makes a change and expects it to be refused with a message that contains `words`, and all files to stay as they
/// were.
package func expectRefusal(
  _ words: String, in folder: TemporaryFolder, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) throws {
  let before = try FolderContents(folder.path)
  var found = "nothing was thrown"
  do { try body() } catch { found = "\(error)" }
  #expect(found.contains(words), sourceLocation: sourceLocation)
  #expect(try FolderContents(folder.path) == before, sourceLocation: sourceLocation)
}
