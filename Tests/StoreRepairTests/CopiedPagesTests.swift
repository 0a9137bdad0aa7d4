import StorePublishing
@testable import StoreRepair
import Foundation
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCoreData

/// A repaired copy has every page that no operation touched, byte for byte, and of two writers of one target one fails.
@Suite struct CopiedPagesTests {
  /// Bytes of page 1 that SQLite itself changes with any transaction: the change counter, and the version that wrote
  /// it.
  private static let counters = Array(24..<28) + Array(92..<100)

  @Test(arguments: RepairedStore.Mode.allCases) func untouchedPagesStay(mode: RepairedStore.Mode) throws {
    // The cookie counts changes of the schema; a page of nothing but free space is kept too.
    let sample = try RepairedStore(
      mode,
      injury: "PRAGMA schema_version = 27; CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(30000)); DROP TABLE t;")
    let expected = try pages(of: sample)
    try publish(sample.open(), to: OutputTarget(PosixPath(sample.folder("out.sqlite")))) { connection, _ in
      try connection.allowingWrites(to: ["ZTAG"]) {
        try connection.execute("UPDATE ZTAG SET ZNAME = 'other' WHERE Z_PK = 2")
      }
    } verify: { _ in
    }
    let output = try contents(of: sample.folder("out.sqlite"))
    #expect(output.count == expected.count * expected[0].count)
    let own = try pageNumbers(of: "ZTAG", in: sample.folder("out.sqlite"))
    #expect(!own.isEmpty)
    for (index, page) in expected.enumerated() where !own.contains(Int64(index + 1)) {
      var (old, new) = (page, Array(output[(index * page.count)..<(index + 1) * page.count]))
      if index == 0 {
        #expect(Array(new[40..<44]) == Array(old[40..<44]))
        for place in Self.counters { (old[place], new[place]) = (0, 0) }
      }
      #expect(old == new, "page \(index + 1)")
    }
  }

  /// The main file's pages with those of the log's frames over them, all of which are committed.
  private func pages(of sample: RepairedStore) throws -> [[UInt8]] {
    let main = Array(try contents(of: sample.path))
    let size = Int(main[16]) << 8 + Int(main[17])
    var pages = stride(from: 0, to: main.count, by: size).map { Array(main[$0..<$0 + size]) }
    guard let log = (try? contents(of: sample.path + "-wal")).map(Array.init), log.count > 32 else { return pages }
    for start in stride(from: 32, to: log.count, by: size + 24) {
      let number = log[start..<start + 4].reduce(0) { $0 << 8 + Int($1) }
      while pages.count < number { pages.append([]) }
      pages[number - 1] = Array(log[(start + 24)..<start + 24 + size])
    }
    return pages
  }

  private func pageNumbers(of table: String, in path: String) throws -> Set<Int64> {
    let rows = try Connection(writing: path, create: false).prepare(
      "SELECT pageno FROM dbstat WHERE name = '\(table)' OR name IN (SELECT name FROM sqlite_master WHERE tbl_name = "
        + "'\(table)')")
    var numbers: Set<Int64> = []
    while try rows.step() { numbers.insert(rows.int64(0)) }
    return numbers
  }

  /// The second one is done while the first one verifies.
  @Test(arguments: [false, true]) func ofTwoWritersOneFails(replacing: Bool) throws {
    let sample = try RepairedStore()
    let target = OutputTarget(PosixPath(sample.folder("out.sqlite")), replaces: replacing)
    if replacing { try publish(sample.open(), to: target, change: { _, _ in }, verify: { _ in }) }
    var second: [String: Data] = [:]
    #expect {
      try publish(sample.open(), to: target, change: { _, _ in }) { _ in
        try publish(sample.open(), to: target, change: changeEverything, verify: { _ in })
        second = try sample.bytes.filter { $0.key.contains("out") }
      }
    } throws: { error in
      "\(error)".contains(replacing ? "was put there meanwhile" : "it exists")
    }
    #expect(second.keys.contains(".out_SUPPORT/_EXTERNAL_DATA/\(RepairedStore.externalFile)") == false)
    #expect(second.keys.contains("out.sqlite"))
    try expectSameFiles(sample.bytes.filter { $0.key.contains("out") }, as: second)
    #expect(try sample.bytes.keys.contains { $0.contains("storedoctor") } == false)
  }

  /// Whatever comes between the last look and the renaming.
  @Test func theLastStepReplacesNothing() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "draft")
    try folder.write([2], to: "taken")
    let files = FileActions()
    let draft = PosixPath(folder("draft"))
    #expect { try files.renameNew(draft, to: PosixPath(folder("taken"))) } throws: {
      ($0 as? FileActionError)?.code == EEXIST
    }
    #expect(try contents(of: folder("taken")) == [2])
    try files.renameNew(draft, to: PosixPath(folder("free")))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["free", "taken"])
  }
}
