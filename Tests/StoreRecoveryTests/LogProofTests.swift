import Foundation
import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

@testable import StoreRecovery

/// What commits of a write-ahead log prove.
@Suite struct LogProofTests {
  /// The second note was saved by commit 1 and is gone since commit 2.
  @Test func aCommitThatHadTheRowProvesIt() throws {
    let folder = try TemporaryFolder()
    let store = try StoreWriter(
      creating: folder("Origin.sqlite"),
      StoreDescription(model: ModelNotation.model(["Note: title String?"]), usesWAL: true))
    try store.database.execute("COMMIT; PRAGMA wal_autocheckpoint=0; BEGIN")
    try store.insert("Note", ["title": "stays here"])
    try store.save(intoMain: true)
    try store.insert("Note", ["title": "was here"])
    try store.save(intoMain: false)
    try store.database.execute("DELETE FROM ZNOTE WHERE Z_PK = 2")
    try store.save(intoMain: false)
    let copy = folder("Copy.sqlite")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: folder("Origin.sqlite") + suffix, toPath: copy + suffix)
    }
    let rows = try recover(PosixPath(copy)).rows.filter { $0.table == "ZNOTE" && $0.key == 2 }
    #expect(rows.map(\.kind) == [.deleted] && rows.map(\.grade) == [.proved])
    #expect(rows.first?.witnesses.filter { $0.shows == .present }.map(\.commit) == [1])
    #expect(rows.first?.witnesses.filter { $0.shows == .absent }.map(\.commit) == [2])
    #expect(rows.first?.values.contains { $0.value == .text(Array("was here".utf8)) } == true)
  }
}
