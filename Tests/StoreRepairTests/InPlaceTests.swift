import StorePublishing
@testable import StoreRepair
import StoreDigests
import Foundation
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCoreData

@Suite struct InPlaceTests {
  @Test(arguments: RepairedStore.Mode.allCases) func changesAndKeepsAPrivateJournal(mode: RepairedStore.Mode) throws {
    let sample = try RepairedStore(mode)
    let before = try sample.storeBytes
    let fingerprint = try Fingerprint(sample.open().files)
    let journal = try changeInPlace(sample.open(), expecting: fingerprint, change: changeEverything) { connection in
      let rows = try connection.prepare("SELECT count(*) FROM ZFOLDER WHERE Z_PK >= 1000")
      #expect(try rows.step() && rows.int64(0) == 801)
    }
    #expect(journal.state == .applied && journal.before == fingerprint && journal.unmoved == [])
    #expect(journal.folder.description.hasPrefix(sample.path + ".storedoctor-"))
    // An app that opens the store reads what was written.
    let files = try sample.open().files
    #expect(try HashListFingerprint(main: files.main, wal: files.wal) == journal.after)
    #expect(try Array(sample.storeBytes.keys) == ["Notes.sqlite"])
    let read = try Journal(reading: journal.folder)
    #expect(read.entries == journal.entries && read.changes == journal.changes && read.after == journal.after)
    #expect(read.entries.count == 3)

    let kept = try FolderContents(journal.folder.description).files
    #expect(kept["main"] == before["Notes.sqlite"] && kept["wal"] ?? Data() == before["Notes.sqlite-wal"] ?? Data())
    #expect(kept["files/\(RepairedStore.externalFile)"] == Data("kept outside".utf8))
    for name in kept.keys {
      let bits = FileMode(of: journal.folder.appending(component: Array(name.utf8))).bits
      #expect(name == "files" || name.hasPrefix("files/") || bits == 0o600, "\(name)")
    }
    #expect(FileMode(of: journal.folder).bits == 0o700)
  }

  @Test(arguments: RepairedStore.Mode.allCases) func aFailureRollsBackEveryByte(mode: RepairedStore.Mode) throws {
    struct No: Error {}
    let sample = try RepairedStore(mode)
    try expectRefusal("No", in: sample.folder) {
      _ = try changeInPlace(sample.open(), change: changeEverything) { _ in throw No() }
    }
    let other = try #require(Fingerprint(String(repeating: "0", count: 64)))
    try expectRefusal("changed since the plan was made", in: sample.folder) {
      _ = try changeInPlace(sample.open(), expecting: other, change: changeEverything) { _ in }
    }
  }

  @Test func whatCannotBeTakenBackIsNotDone() throws {
    let sample = try RepairedStore(.wal)
    try expectRefusal("'z_modelcache' could not be taken back", in: sample.folder) {
      _ = try changeInPlace(sample.open()) { connection, _ in
        try connection.allowingWrites(to: ["Z_MODELCACHE"]) { try connection.execute("DELETE FROM Z_MODELCACHE") }
      } verify: { _ in
      }
    }
    try expectRefusal("schema changed unrecorded", in: sample.folder) {
      _ = try changeInPlace(sample.open()) { connection, _ in
        try connection.allowingIndexChanges { try connection.execute("CREATE INDEX i ON ZTAG (ZNAME)") }
      } verify: { _ in
      }
    }
  }

  @Test func refusesAStoreThatIsOpenElsewhereOrHasChanged() throws {
    let sample = try RepairedStore(.wal)
    let idle = try Connection(writing: sample.path, create: false)
    try idle.execute("SELECT count(*) FROM ZTAG")
    let store = try sample.open()
    #expect { try changeInPlace(store, change: changeEverything) { _ in } } throws: {
      "\($0)".contains("another process")
    }
    try idle.execute("UPDATE ZTAG SET ZNAME = 'mine' WHERE Z_PK = 1")
    #expect(try sample.journals == [])
    idle.close()
    #expect { try changeInPlace(store, change: changeEverything) { _ in } } throws: {
      "\($0)".contains("changed since")
    }
    #expect(try sample.journals == [])
  }

  @Test func aSecondWriterIsKeptOut() throws {
    let sample = try RepairedStore(.wal)
    var refusal: (any Error)?
    _ = try changeInPlace(sample.open(), change: changeEverything) { _ in
      do {
        let other = try Connection(writing: sample.path, create: false)
        try other.execute("UPDATE ZTAG SET ZNAME = 'mine' WHERE Z_PK = 1")
      } catch { refusal = error }
    }
    #expect((refusal as? SQLiteError)?.isBusy == true)
    #expect(try everyValue(of: sample.path)["ZTAG"]?.contains { $0.contains("'mine'") } == false)
  }

  @Test func journalsGoWhereTheyAreSent() throws {
    let sample = try RepairedStore()
    let elsewhere = try TemporaryFolder()
    let journal = try changeInPlace(
      sample.open(), journal: JournalTarget(PosixPath(elsewhere("j"))), change: changeEverything
    ) { _ in }
    #expect(try sample.journals == [])
    #expect {
      try changeInPlace(sample.open(), journal: JournalTarget(journal.folder), change: changeEverything) { _ in }
    } throws: { "\($0)".contains("it exists") }
  }

  @Test func fingerprintsFollowTheBytes() throws {
    let plain = try RepairedStore()
    let sum = try Fingerprint(plain.open().files)
    #expect(sum == (try Fingerprint(RepairedStore().open().files)))
    let main = try EvidenceFile(PosixPath(plain.path))
    #expect(try sum.bytes == main.sha256())
    let frames = try RepairedStore(.frames)
    let files = try frames.open().files
    #expect(try Fingerprint(files) != Fingerprint(files, usesWAL: false))
    let before = try Fingerprint(files)
    // Uncommitted frames do not count.
    let log = try contents(of: frames.path + "-wal")
    try frames.folder.write(log + log.dropFirst(32).prefix(5000), to: "Notes.sqlite-wal")
    #expect(try Fingerprint(frames.open().files) == before)
  }

  @Test func hashListsAreOfPiecesOfAMebibyte() throws {
    let bytes = (0..<(2 << 20) + 3).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let pieces = [bytes[0..<1 << 20], bytes[(1 << 20)..<2 << 20], bytes[(2 << 20)...]]
    let sizes: [UInt8] = [0, 0, 0, 0, 0, 0x20, 0, 3] + [UInt8](repeating: 0, count: 8)
    let expected = Digests.sha256(pieces.flatMap { Digests.sha512(Array($0)) } + sizes)
    #expect(try HashListFingerprint(main: MemoryBytes(bytes), wal: nil).bytes == expected)

    let frames = try RepairedStore(.frames).open().files
    let log = try #require(frames.wal)
    let whole = try HashListFingerprint(main: frames.main, wal: log)
    #expect(try whole != HashListFingerprint(main: frames.main, wal: nil))
    // Uncommitted frames do not count.
    let bytesOfLog = try log.read(at: 0, count: Int(log.size))
    let longer = MemoryBytes(bytesOfLog + bytesOfLog.dropFirst(32).prefix(5000))
    #expect(try HashListFingerprint(main: frames.main, wal: longer) == whole)
  }
}
