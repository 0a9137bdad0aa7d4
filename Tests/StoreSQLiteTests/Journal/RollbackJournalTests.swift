@testable import StoreSQLite
import TestSupport
import Testing

/// Changes every row and adds some, so that the database grows.
private let changeEverything = """
  UPDATE t SET b = -b, c = c || 'changed';
  WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
    INSERT INTO t SELECT i, 1, printf('%0500d', i) FROM n;
  """

@Suite struct RollbackJournalTests {
  @Test(arguments: ["FULL", "NORMAL", "OFF"])
  func restoresTheRowsFromBeforeTheTransaction(synchronous: String) throws {
    let sample = try HotJournalSample(synchronous: synchronous, transaction: changeEverything)
    let before = try sample.folder.state()

    let connection = try reading(sample.folder)
    #expect(try sums(connection) == sample.original)
    #expect(try column("PRAGMA integrity_check", on: connection) == ["ok"])
    #expect(connection.restoredJournal != nil)

    // Without the journal, changes of the unfinished transaction can be seen, if anything can be read.
    #expect((try? sums(reading(sample.folder, .init(applyHotJournal: false)))) != sample.original)
    #expect(try sample.folder.state() == before)
    if hasShell {
      #expect(
        shell(sample.folder, "SELECT count(*), sum(b), sum(length(c)) FROM t")
          == sample.original.map(String.init).joined(separator: "|"))
    }
  }

  @Test func restoresADatabaseThatBecameShorter() throws {
    let sample = try HotJournalSample(
      synchronous: "FULL", transaction: "DELETE FROM t WHERE a > 100; UPDATE t SET c = 'short'; ")
    let folder = sample.folder
    // As at the end of the transaction: the file was truncated already.
    try folder.write(Array(folder.bytes("a.sqlite").prefix(50 * 1024)), to: "a.sqlite")
    let connection = try reading(folder, .init())
    let journal = try #require(connection.restoredJournal)
    #expect(journal.originalPageCount > 50)
    #expect(try integers("PRAGMA page_count", on: connection) == [Int64(journal.originalPageCount)])
    #expect(try sums(connection) == sample.original)
  }

  @Test func followsEveryHeader() throws {
    let sample = try HotJournalSample(synchronous: "FULL", transaction: changeEverything)
    let journal = try RollbackJournal(scanning: MemoryBytes(sample.folder.bytes("a.sqlite-journal")))
    #expect(journal.status == .valid)
    #expect(journal.segments > 2)
    #expect(journal.pageSize == 1024)
    #expect(journal.records == journal.pages.count)
    #expect(journal.pages.pages.allSatisfy { $0 <= journal.originalPageCount })
    for page in journal.pages.pages {
      let start = (Int(page) - 1) * 1024
      try expectSameBytes(journal.page(page) ?? [], as: sample.originalMain[start..<start + 1024], "page \(page)")
    }
  }

  @Test func countsRecordsFromTheFileWhereTheHeaderDoesNot() throws {
    let sample = try HotJournalSample(synchronous: "OFF", transaction: changeEverything)
    let bytes = try sample.folder.bytes("a.sqlite-journal")
    let journal = try RollbackJournal(scanning: MemoryBytes(bytes))
    #expect(journal.header?.recordCount == .max)
    #expect(journal.segments == 1)
    #expect(journal.records == (bytes.count - 512) / (1024 + 8))
  }

  @Test func stopsAtARecordThatWasNotWrittenCompletely() throws {
    let sample = try HotJournalSample(synchronous: "OFF", transaction: changeEverything)
    var bytes = try sample.folder.bytes("a.sqlite-journal")
    // The third record's checksum covers the byte at 1024 - 200.
    bytes[512 + 2 * 1032 + 4 + 824] ^= 1
    let journal = try RollbackJournal(scanning: MemoryBytes(bytes))
    #expect(journal.records == 2)
    #expect(journal.end == .badChecksum)

    let torn = try RollbackJournal(scanning: MemoryBytes(Array(bytes.prefix(512 + 1032 + 500))))
    #expect(torn.records == 1)
  }

  @Test(arguments: [
    (512, 0, 0x00, RollbackJournal.Status.zeroed),
    (512, 0, 0x01, .badMagic),
    (511, 100, 0x00, .truncated),
    (0, 0, 0x00, .empty),
    (512, 26, 0x03, .badSizes),  // page size 0x0300
    (512, 22, 0x03, .badSizes),  // sector size 0x0300
    (512, 22, 0x00, .badSizes),  // sector size 0
  ])
  func saysWhyThereIsNothingToRollBack(length: Int, at offset: Int, byte: UInt8, status: RollbackJournal.Status) throws
  {
    let sample = try HotJournalSample(synchronous: "FULL", transaction: changeEverything)
    var bytes = try Array(sample.folder.bytes("a.sqlite-journal").prefix(length))
    if bytes.indices.contains(offset) { bytes[offset] = byte }
    let journal = try RollbackJournal(scanning: MemoryBytes(bytes))
    #expect(journal.status == status)
    #expect(!journal.isHot(databaseIsEmpty: false, superJournalExists: true))
    #expect(journal.pages.count == 0)
  }

  @Test func aJournalThatWasPersistedIsNotHot() throws {
    let folder = try TemporaryFolder()
    let writer = try Connection(writing: folder.file("a.sqlite"), create: true)
    try writer.execute("PRAGMA journal_mode=PERSIST; CREATE TABLE t(b); INSERT INTO t VALUES (1);")
    #expect(try RollbackJournal(scanning: MemoryBytes(folder.bytes("a.sqlite-journal"))).status == .zeroed)
    let connection = try reading(folder)
    #expect(connection.restoredJournal == nil)
    #expect(try column("SELECT b FROM t", on: connection) == ["1"])
  }

  @Test func isHotOnlyWhileItsSuperJournalExists() throws {
    let sample = try HotJournalSample(synchronous: "FULL", transaction: changeEverything)
    let name = Array("/private/var/mobile/a.sqlite-mj0123".utf8)
    var end = [UInt8](repeating: 0, count: 4) + name + [UInt8](repeating: 0, count: 8)
    put(UInt32(name.count), at: 4 + name.count, in: &end)
    put(name.reduce(0) { $0 + UInt32($1) }, at: 8 + name.count, in: &end)
    end += [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    try sample.folder.write(sample.folder.bytes("a.sqlite-journal") + end, to: "a.sqlite-journal")

    let journal = try RollbackJournal(scanning: MemoryBytes(sample.folder.bytes("a.sqlite-journal")))
    #expect(journal.superJournal?.bytes == name)
    #expect(try reading(sample.folder).restoredJournal == nil)

    // The super-journal is looked for in the database's own folder, whatever path the journal has for it.
    try sample.folder.write([], to: "a.sqlite-mj0123")
    #expect(try sums(reading(sample.folder)) == sample.original)
  }

  @Test func ignoresAJournalBesideAnEmptyDatabase() throws {
    let sample = try HotJournalSample(synchronous: "FULL", transaction: changeEverything)
    try sample.folder.write([], to: "a.sqlite")
    let connection = try reading(sample.folder)
    #expect(connection.restoredJournal == nil)
    #expect(try connection.schema().isEmpty)
  }
}

extension Connection {
  /// The hot journal that is rolled back in memory, nil when there is none.
  fileprivate var restoredJournal: RollbackJournal? { evidence?.session.image.journal }
}
