import StoreDiagnosis
import StoreFindings
import StoreCoreData
import Foundation
import StoreSQLite
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

/// A scan reads each table once, and reports what it could not read.
@Suite struct ScanTests {
  /// The checks that do not make SQLite read all pages itself.
  private let checks = Check.all.filter { !["SD102", "SD103"].contains($0.id) }

  @Test func readsEachPageOnce() throws {
    let folder = try TemporaryFolder()
    let store = try ClubStore(at: folder("Club.sqlite"), teams: 1000)
    // A page for each person, so that the table is nearly all of the file.
    try Connection(writing: store.path, create: false).execute("UPDATE ZPERSON SET ZNAME = hex(zeroblob(1500))")
    let size = Int64(try contents(of: store.path).count)
    let most = Atomic<Int64>(0)
    let opening = Store.Options(onProgress: { most.store($0.bytesRead, ordering: .relaxed) })
    #expect(try diagnose(path: store.path, opening: opening, with: checks).verdict == .healthy)
    // The progress is reported after every MiB.
    #expect(most.load(ordering: .relaxed) < size, "of \(size) bytes")
    #expect(most.load(ordering: .relaxed) > size * 4 / 5, "of \(size) bytes")
  }

  /// For a dangling key, only the table it should lead to is checked for damage, not the whole file.
  @Test func aMissingRowHasItsTableLookedAtAlone() throws {
    let folder = try TemporaryFolder()
    let store = try ClubStore(at: folder("Club.sqlite"), teams: 1000)
    try Connection(writing: store.path, create: false).execute(
      """
      UPDATE ZPERSON SET ZNAME = hex(zeroblob(1500));
      UPDATE ZPERSON SET ZTEAM1 = 5000 WHERE Z_PK = 3000;
      """)
    let size = Int64(try contents(of: store.path).count)
    let most = Atomic<Int64>(0)
    let opening = Store.Options(onProgress: { most.store($0.bytesRead, ordering: .relaxed) })
    let findings = try diagnose(path: store.path, opening: opening, with: checks).findings
    #expect(findings.map(\.line) == ["SD401 error Player.team 1 [3000]"])
    #expect(most.load(ordering: .relaxed) < size * 6 / 5, "of \(size) bytes")
  }

  /// A page of zeros in the middle of a table: the rows before it are checked, and keys of rows after it are not
  /// reported as dangling.
  @Test func aTableThatBreaksOffIsSkippedForEveryCheckThatAskedForIt() throws {
    let folder = try TemporaryFolder()
    let store = try ClubStore(at: folder("Club.sqlite"), teams: 1000)
    try Connection(writing: store.path, create: false).execute(
      """
      UPDATE ZPERSON SET ZTEAM = 5000 WHERE Z_PK = 1;
      UPDATE ZPERSON SET ZTEAM1 = 5000 WHERE Z_PK IN (1001, 3000);
      UPDATE ZTROPHY SET Z7TROPHIES = 5000 WHERE Z_PK = 7;
      """)
    try zeroPage(middleLeaf(of: "ZPERSON", store.path), of: store.path)
    let diagnosis = try diagnose(path: store.path, with: checks)
    let dangling = diagnosis.findings.filter { $0.id == "SD401" }.map(\.line)
    #expect(
      dangling == [
        "SD401 error Coach.team 1 [1]", "SD401 error Player.team 1 [1001]", "SD401 error Team.trophies 1 [7]",
      ])
    #expect(Set(diagnosis.findings.map(\.id)) == ["SD401"])
    let reason = "table 'ZPERSON' cannot be read whole: database disk image is malformed"
    let skipped =
      ["SD209", "SD210", "SD211", "SD213"] + (1...9).map { "SD40\($0)" } + [
        "SD410", "SD411", "SD503", "SD508", "SD705",
      ]
    #expect(diagnosis.skipped.map(\.line) == skipped.map { "\($0) \(reason)" })
  }

  private func middleLeaf(of table: String, _ path: String) throws -> Int {
    let connection = try Connection(reading: DatabaseFiles(path: path))
    let rows = try connection.prepareTableSizes(
      "SELECT pageno FROM dbstat WHERE name = '\(table)' AND pagetype = 'leaf'")
    var pages: [Int] = []
    while try rows.step() { pages.append(Int(rows.int64(0))) }
    return pages[pages.count / 2]
  }

  private func zeroPage(_ page: Int, of path: String) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(page - 1) * 4096)
    try file.write(contentsOf: Data(count: 4096))
    try file.close()
  }
}
