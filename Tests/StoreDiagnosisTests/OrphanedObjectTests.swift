import StoreCoreData
import StoreDiagnosis
import StoreFindings
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// The orphaned objects of a store are one finding, with counts by entity.
@Suite struct OrphanedObjectTests {
  @Test func ofAllEntitiesAreOneFinding() throws {
    let folder = try TemporaryFolder()
    let store = try notes(
      in: folder, "UPDATE ZNOTE SET ZFOLDER = NULL WHERE Z_PK IN (2, 3, 6)",
      "UPDATE ZATTACHMENT SET (ZNOTE, Z3_NOTE, Z_FOK_NOTE) = (NULL, NULL, NULL) WHERE Z_PK = 2")
    let found = try diagnose(path: store).findings
    #expect(found.map(\.line) == ["SD410 note Attachment 1, Note 3 4 [2, 2, 3, 6]"])
    let finding = try #require(found.first)
    #expect(finding.message == "4 rows have no owner: 3 of 'Note', 1 of 'Attachment'")
    #expect(finding.entities == ["Note": 3, "Attachment": 1])
    #expect(finding.entity == nil && finding.table == nil)
    #expect(
      finding.examples.map(\.facts) == [
        ["entity": "Attachment"], ["entity": "Note"], ["entity": "Note"], ["entity": "Checklist"],
      ])
  }

  /// Examples are taken from the entities in turn, so that each is represented.
  @Test(arguments: [(0, []), (1, [2]), (2, [2, 2]), (9, [2, 2, 3, 6])] as [(Int, [Int64])])
  func examplesAreOfAllEntities(_ limit: Int, _ keys: [Int64]) throws {
    let folder = try TemporaryFolder()
    let store = try notes(
      in: folder, "UPDATE ZNOTE SET ZFOLDER = NULL WHERE Z_PK IN (2, 3, 6)",
      "UPDATE ZATTACHMENT SET (ZNOTE, Z3_NOTE, Z_FOK_NOTE) = (NULL, NULL, NULL) WHERE Z_PK = 2")
    let found = try diagnose(path: store, options: DiagnosisOptions(examples: limit)).findings
    #expect(found.map { $0.examples.compactMap(\.primaryKey) } == [keys])
    #expect(found.map(\.count) == [4])
  }

  /// If most objects of an entity have no owner, that is intended and not reported. Of the 18 notes three are
  /// checklists, which are counted separately.
  @Test(
    arguments: [("Z_PK <= 8 AND Z_ENT = 3", 7), ("Z_ENT = 3", nil), ("Z_PK = 6", 1), ("1", nil)] as [(String, Int64?)])
  func notOfEntitiesThatMostlyHaveNone(_ rows: String, _ count: Int64?) throws {
    let folder = try TemporaryFolder()
    let store = try notes(in: folder, "UPDATE ZNOTE SET ZFOLDER = NULL WHERE \(rows)")
    let found = try diagnose(path: store).findings.filter { $0.id == "SD410" }
    #expect(found.map(\.count) == (count.map { [$0] } ?? []))
  }

  @Test func whatIsMutedOrNotAskedForIsNotInIt() throws {
    let folder = try TemporaryFolder()
    let store = try notes(
      in: folder, "UPDATE ZNOTE SET ZFOLDER = NULL WHERE Z_PK IN (2, 3, 6)",
      "UPDATE ZATTACHMENT SET (ZNOTE, Z3_NOTE, Z_FOK_NOTE) = (NULL, NULL, NULL) WHERE Z_PK = 2")
    let mute = Configuration.Mute(check: "SD410", entity: "Note", reason: "drafts")
    let configuration = Configuration(path: PosixPath("c.yaml"), mutes: [mute])
    let muted = try diagnose(path: store, options: DiagnosisOptions(configuration: configuration))
    #expect(muted.findings.map(\.line) == ["SD410 note Attachment 1 [2]"])
    #expect(muted.findings.map(\.message) == ["1 row of ZATTACHMENT has no owner"])
    #expect(muted.config?.muted.map { $0.findings.map(\.count) } == [[3]])
    let asked = try diagnose(path: store, options: DiagnosisOptions(entities: ["Note"]))
    #expect(asked.findings.map(\.line) == ["SD410 note Note 3 [2, 3, 6]"])
    #expect(asked.scope?.leftOut.map(\.entity) == ["Attachment"])
  }

  private func notes(in folder: TemporaryFolder, _ sql: String...) throws -> String {
    let path = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(writing: path, create: false)
    for statement in sql { try connection.execute(statement) }
    connection.close()
    return path
  }
}
