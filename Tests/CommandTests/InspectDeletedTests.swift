import Foundation
import StoreSQLite
import TestSupport
import Testing

/// What `inspect` says of deleted objects without searching the file.
@Suite struct InspectDeletedTests {
  private func deleted(_ store: String) throws -> [JSONTree]? {
    let document = try JSONTree(Program.run(["inspect", store, "--format", "json"]).output)
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/inspection.json"), encoding: .utf8))
    #expect(schema.violations(in: document).isEmpty)
    return document["deleted"]?.list
  }

  @Test func whatHistoryProvesIsToldFromUnusedKeys() throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let text = try Program.run(["inspect", store]).output
    #expect(
      text.contains(
        """

        Deleted
          2 deleted Note objects can be proved by the history
          4 keys of Note were handed out and are not in use, proved ones among them: deleted, or never saved
          What is left of them is not looked for here: recover reads the whole file

        """))
    #expect(text.contains("\n  storedoctor recover \(store)\n"))
    #expect(
      try deleted(store) == [
        .object(["entity": .string("Note"), "proved": .integer(2), "unusedKeys": .integer(4)])
      ])
    // As of a commit, recover would tell of another moment than the one that is shown.
    let before = try Program.run(["inspect", store, "--as-of", "1"]).output
    #expect(before.contains("1 key of Note was handed out and is not in use: deleted") && !before.contains("recover /"))
  }

  /// Which transactions and changes were trimmed from the history, by their numbers.
  @Test func whatWasTrimmedFromTheHistoryIsSaid() throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    func history() throws -> (text: String, json: JSONTree?) {
      let document = try JSONTree(Program.run(["inspect", store, "--format", "json"]).output)
      let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/inspection.json"), encoding: .utf8))
      #expect(schema.violations(in: document).isEmpty)
      return (try Program.run(["inspect", store]).output, document["history"])
    }
    let writer = try Connection(writing: store, create: false)
    try writer.execute(
      """
      DELETE FROM ACHANGE; DELETE FROM ATRANSACTION WHERE Z_PK > 1; UPDATE ATRANSACTION SET Z_PK = 4;
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (6, 16002, 1, 700000000.5);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_ENT = 16002; UPDATE Z_PRIMARYKEY SET Z_MAX = 905 WHERE Z_ENT = 16001;
      """)
    let some = try history()
    #expect(
      some.text.replacing(/\n +/, with: " ").contains(
        "7 transactions (1 to 3, 1 of 4 to 6, 7 to 9) and 905 changes (1 to 905) were handed out and are not there: trimmed, or "
          + "never saved"), "\(some.text)")
    #expect(some.json?["goneTransactions"]?.list?.compactMap { $0["count"]?.wholeNumber } == [3, 1, 3])
    #expect(some.json?["goneChanges"]?.list?.compactMap { $0["last"]?.wholeNumber } == [905])
    try writer.execute(
      "DELETE FROM ATRANSACTION WHERE Z_PK = 6; UPDATE ATRANSACTION SET Z_PK = 1;"
        + "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 16002; UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT = 16001"
    )
    let none = try history()
    #expect(!none.text.contains("handed out and are not there") && none.json?["goneTransactions"] == nil)
  }

  @Test func aStoreWithoutDeletionsSaysNothing() throws {
    let text = try Program.run(["inspect", Project.path("corpus/Notes.sqlite")]).output
    #expect(!text.contains("Deleted") && !text.contains("recover"))
    #expect(try deleted(Project.path("corpus/Notes.sqlite")) == nil)
  }

  @Test func aKeyAboveTheHighestHandedOutMakesTheRestUnknown() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    try Connection(writing: store, create: false).execute(
      """
      DELETE FROM ZNOTE WHERE Z_PK IN (2, 3);
      UPDATE ZNOTE SET Z_PK = 40 WHERE Z_PK = 5;
      UPDATE ACHANGE SET ZCHANGETYPE = 2, ZENTITY = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'), ZENTITYPK = 2;
      """)
    #expect(try deleted(store) == [.object(["entity": .string("Note"), "proved": .integer(1)])])
  }

  /// "3,029 vanished rows in 29 of the 65 stores (102 of 622 root tables)", counted before this program existed; and the
  /// delete changes by one statement of SQL for each entity.
  @Test(.needsSharedData) func realStoresHaveWhatWasCountedInThem() throws {
    var (unused, stores, tables) = (Int64(0), 0, 0)
    for entry in Catalogue.real {
      let found = try deleted(entry.path) ?? []
      let keys = found.compactMap { $0["unusedKeys"]?.wholeNumber }.filter { $0 > 0 }
      unused += keys.reduce(0, +)
      tables += keys.count
      stores += keys.isEmpty ? 0 : 1
      let connection = try Connection(reading: DatabaseFiles(path: entry.path))
      for entity in found {
        guard let proved = entity["proved"]?.wholeNumber, let name = entity["entity"]?.string else { continue }
        #expect(try proved == Self.proved(name, connection), "\(entry.slug) \(name)")
      }
    }
    print("\(unused) unused keys in \(tables) root tables of \(stores) stores")
    #expect(unused == 3029 && tables == 102 && stores == 29)
  }

  private static func proved(_ entity: String, _ connection: Connection) throws -> Int64 {
    let names = try connection.prepare(
      """
      SELECT m.name FROM sqlite_master m, Z_PRIMARYKEY p, Z_PRIMARYKEY q
      WHERE p.Z_NAME = ? AND m.type = 'table' AND m.name = 'Z' || upper(q.Z_NAME) AND
        q.Z_ENT = (WITH RECURSIVE up(e) AS (SELECT p.Z_ENT UNION SELECT Z_SUPER FROM Z_PRIMARYKEY, up WHERE Z_ENT = e)
          SELECT e FROM up JOIN Z_PRIMARYKEY r ON r.Z_ENT = e WHERE r.Z_SUPER = 0)
      """)
    try names.bind(entity, at: 1)
    guard try names.step() else { return 0 }
    let count = try connection.prepare(
      """
      SELECT count(DISTINCT ZENTITYPK) FROM ACHANGE WHERE ZCHANGETYPE = 2
        AND ZENTITY = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?)
        AND ZENTITYPK NOT IN (SELECT Z_PK FROM \(quotedIdentifier(names.string(0) ?? "")))
      """)
    try count.bind(entity, at: 1)
    return try count.step() ? count.int64(0) : 0
  }
}
