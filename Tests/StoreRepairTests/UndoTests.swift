import StorePublishing
@testable import StoreRepair
import Foundation
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite struct UndoTests {
  private func changed(_ sample: RepairedStore) throws -> Journal {
    try changeInPlace(sample.open(), change: changeEverything) { _ in }
  }

  private func run(_ sql: String, on sample: RepairedStore) throws {
    let app = try Connection(writing: sample.path, create: false)
    try app.execute(sql)
    app.close()
  }

  @Test(arguments: RepairedStore.Mode.allCases) func givesBackEveryByteAndTheWayForward(mode: RepairedStore.Mode) throws
  {
    let sample = try RepairedStore(mode)
    let before = try sample.bytes
    let journal = try changed(sample)
    let after = try sample.bytes
    let values = try everyValue(of: sample.path)
    // An app that only reads does not change the store.
    try run("SELECT count(*) FROM ZTAG", on: sample)

    let undone = try undo(journal.folder)
    #expect(undone.way == .bytes)
    try expectSameFiles(sample.bytes, as: before)
    #expect(throws: RepairError.self) { try undo(journal.folder) }

    let again = try undo(#require(undone.journal).folder)
    #expect(again.way == .bytes)
    try expectSameFiles(sample.bytes, as: after)
    #expect(try everyValue(of: sample.path) == values)
    #expect(try undo(#require(again.journal).folder).way == .bytes)
    try expectSameFiles(sample.bytes, as: before)
  }

  @Test(arguments: RepairedStore.Mode.allCases) func keepsWhatHasChangedSince(mode: RepairedStore.Mode) throws {
    let sample = try RepairedStore(mode)
    let before = try everyValue(of: sample.path)
    let journal = try changed(sample)
    let after = try everyValue(of: sample.path)
    try run("INSERT INTO ZTAG (Z_PK, Z_ENT, ZNAME) VALUES (900, 5, 'new')", on: sample)

    let undone = try undo(journal.folder)
    #expect(undone.way == .rows)
    var values = try everyValue(of: sample.path)
    values["ZTAG"]?.removeAll { $0.contains("'new'") }
    #expect(values == before)
    #expect(
      try FolderContents(sample.folder.path).files[".Notes_SUPPORT/_EXTERNAL_DATA/\(RepairedStore.externalFile)"] != nil
    )

    #expect(try undo(#require(undone.journal).folder).way == .bytes)
    values = try everyValue(of: sample.path)
    values["ZTAG"]?.removeAll { $0.contains("'new'") }
    #expect(values == after)
  }

  @Test func anUndoThatCouldNotSaySoIsRecognized() throws {
    let sample = try RepairedStore(.wal)
    let journal = try changed(sample)
    try run("INSERT INTO ZTAG (Z_PK, Z_ENT, ZNAME) VALUES (900, 5, 'new')", on: sample)
    #expect(try undo(journal.folder).way == .rows)
    let after = try sample.bytes
    try journal.write(FileActions())
    #expect { try undo(journal.folder) } throws: { "\($0)".contains("undone already") }
    #expect(try Journal(reading: journal.folder).state == .undone)
    try expectSameFiles(sample.bytes, as: after)
  }

  @Test func conflictsChangeNothing() throws {
    for sql in [
      "UPDATE ZTAG SET ZNAME = 'mine' WHERE Z_PK = 1", "DELETE FROM ZFOLDER WHERE Z_PK = 1000",
      "UPDATE Z_MODELCACHE SET Z_CONTENT = x'03'", "DROP INDEX Z_Folder_test", "ALTER TABLE ZTAG ADD COLUMN ZNEW",
    ] {
      let sample = try RepairedStore(.wal)
      let journal = try changed(sample)
      try run(sql, on: sample)
      try expectRefusal("has changed since the repair", in: sample.folder) { _ = try undo(journal.folder) }
    }
  }

  @Test func refusesHostileJournals() throws {
    let sample = try RepairedStore()
    let journal = try changed(sample)
    let document = journal.folder.description + "/journal.json"
    let text = String(decoding: try contents(of: document), as: UTF8.self)
    for (old, new) in [
      ("storedoctor.journal/1", "storedoctor.journal/9"), ("\"applied\"", "\"undoing\""), ("\"applied\"", "\"undone\""),
      ("\"bytes\"", "\"bites\""), (journal.before.text, "abc"), ("\"main\"", "\"../main\""),
      ("\"isMovedAside\"", "\"other\""), (Data(RepairedStore.externalFile.utf8).base64EncodedString(), "Li4vLi4veA=="),
    ] {
      try Data(text.replacingOccurrences(of: old, with: new).utf8).write(to: URL(fileURLWithPath: document))
      #expect(text.contains(old), "\(old)")
      try expectRefusal("journal", in: sample.folder) { _ = try undo(journal.folder) }
    }
    try Data(text.utf8).write(to: URL(fileURLWithPath: document))
    try Data([1]).write(to: URL(fileURLWithPath: journal.folder.description + "/main"))
    try expectRefusal("not what was saved", in: sample.folder) { _ = try undo(journal.folder) }
    let other = try RepairedStore(.wal)
    try run("UPDATE Z_METADATA SET Z_UUID = '6A1B0E3C-4D5F-4A6B-8C7D-9E0F1A2B3C4E'", on: other)
    #expect { try undo(journal.folder, store: PosixPath(other.path)) } throws: { "\($0)".contains("of another store") }
  }

  @Test func keepsOthersAwayUntilItIsFinished() throws {
    let sample = try RepairedStore(.frames)
    let before = try sample.bytes
    let elsewhere = try TemporaryFolder()
    let journal = try changeInPlace(
      sample.open(), journal: JournalTarget(PosixPath(elsewhere("j"))), change: changeEverything
    ) { _ in }
    // Undo fails while the main file is being written.
    let cut = Countdown(7)
    let files = FileActions(vfs: nil) { action in action == .write && cut.isOver() ? EIO : nil }
    #expect(throws: FileActionError.self) { try undo(journal.folder, files: files) }
    #expect { try sample.open() } throws: { "\($0)".contains("storedoctor undo '\(elsewhere("j"))'") }
    #expect(try undo(journal.folder).way == .bytes)
    try expectSameFiles(sample.bytes, as: before)
    _ = try sample.open()
  }

  @Test func anIdleAppIsNoticed() throws {
    let sample = try RepairedStore(.wal)
    let journal = try changed(sample)
    let idle = try Connection(writing: sample.path, create: false)
    try idle.execute("SELECT count(*) FROM ZTAG")
    #expect { try undo(journal.folder) } throws: { "\($0)".contains("another process") }
    idle.close()
    #expect(try undo(journal.folder).way == .bytes)
  }
}
