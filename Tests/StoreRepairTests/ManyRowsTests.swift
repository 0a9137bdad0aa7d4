import StorePublishing
@testable import StoreRepair
import StoreCoreData
import StoreSQLite
import TestSupport
import Testing

/// Many rows are changed by one statement, and few by one statement each, with the same result.
@Suite struct ManyRowsTests {
  /// Once with consecutive keys, and once with every other one.
  @Test(arguments: [1, 2]) func manyRowsGetWhatIsPlanned(_ step: Int) throws {
    let folder = try TemporaryFolder()
    let path = try store(in: folder, step: step)
    let recipe = """
      version: 1
      backfill:
        - {entity: Note, attribute: title, value: same}
        - {entity: Note, attribute: uuid, generate: uuid}
        - {entity: Note, attribute: body, expression: "'note ' || text(integer(reference(createdAt)))"}
      """
    let output = folder("Mended.sqlite")
    let plan = try planRepair(Recipe(reading: Array(recipe.utf8)), of: Store(path: path))
    #expect(plan.operations.map(\.expectedChanges) == [3000, 3000, 3000])
    _ = try apply(plan, to: Store(path: path), destination: .output(OutputTarget(PosixPath(output))))
    let new = "FROM ZNOTE WHERE Z_PK > 1000"
    #expect(
      try values(
        "SELECT count(*), count(DISTINCT ZUUID), sum(ZTITLE = 'same'), sum(Z_OPT = 4), min(length(ZUUID)) \(new)",
        output)
        == ["3000|3000|3000|3000|16"])
    #expect(try values("SELECT count(*) \(new) AND ZBODY IS NOT 'note ' || Z_PK", output) == ["0"])
    let others =
      "SELECT Z_PK, Z_OPT, ZTITLE, ZBODY, hex(ZUUID) FROM ZNOTE WHERE Z_PK <= 1000 OR (Z_PK - 1001) % \(step) > 0"
    #expect(try values(others, output) == values(others, path))
    #expect(
      try cellChanges(from: path, to: output) == [
        "ZNOTE.ZBODY 3000", "ZNOTE.ZTITLE 3000", "ZNOTE.ZUUID 3000", "ZNOTE.Z_OPT 3000",
      ])

    let outcome = try apply(plan, to: Store(path: path), destination: .inPlace())
    #expect(try cellChanges(from: output, to: path) == [])
    let connection = try Connection(writing: path, create: false)
    try connection.execute("UPDATE ZTAG SET ZNAME = 'later' WHERE Z_PK = 1")
    connection.close()
    #expect(try undo(PosixPath(try #require(outcome.journal))).way == .rows)
    #expect(try values("SELECT count(*) \(new) AND ZTITLE IS NULL AND ZUUID IS NULL AND Z_OPT = 1", path) == ["3000"])
  }

  @Test func manyRowsAreDeleted() throws {
    let folder = try TemporaryFolder()
    let path = try store(in: folder, step: 1)
    let recipe = try Recipe(
      reading: Array("version: 1\ndedupe: [{entity: Note, by: [title], nulls: equal, others: delete}]".utf8))
    let output = folder("Mended.sqlite")
    let plan = try planRepair(recipe, of: Store(path: path))
    #expect(plan.operations.map(\.expectedChanges).max() == 2999)
    _ = try apply(
      plan, to: Store(path: path), destination: .output(OutputTarget(PosixPath(output))),
      allowance: RepairAllowance(lossy: true))
    #expect(try cellChanges(from: path, to: output) == ["ZNOTE -2999"])
  }

  /// Three thousand notes without title, body and UUID; with a step of 2, there are other notes between them.
  private func store(in folder: TemporaryFolder, step: Int) throws -> String {
    let path = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(writing: path, create: false)
    try connection.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZISPINNED, ZFOLDER, ZCREATEDAT) SELECT 1001 + i * \(step), 3, 1, 0, 1, 1001 + i * \(step) FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 100000 WHERE Z_NAME = 'Note';
      """)
    connection.close()
    return path
  }

  private func values(_ sql: String, _ path: String) throws -> [String] {
    let connection = try Connection(reading: DatabaseFiles(path: path))
    let statement = try connection.prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.string($0) ?? "NULL" }.joined(separator: "|"))
    }
    return rows
  }
}
