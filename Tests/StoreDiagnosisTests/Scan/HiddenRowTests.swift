import StoreCoreData
import StoreDiagnosis
import StoreFindings
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// A row that may be hidden by damage is not called missing, even if the checks of pages and indexes are not run.
@Suite struct HiddenRowTests {
  private let checks = Check.all.filter { !["SD102", "SD103"].contains($0.id) }

  /// After an ordinary deletion the notes of the folder have dangling keys.
  @Test func aRowThatWasDeletedIsMissing() throws {
    let folder = try TemporaryFolder()
    let store = try notes(in: folder, "DELETE FROM ZFOLDER WHERE Z_PK = 4")
    #expect(try dangling(store) == ["SD401 error Note.folder 4 [4, 8, 12, 16]"])
  }

  /// The row is deleted without updating the index, as if the page with the row were lost.
  @Test(arguments: [IntegrityReport.Depth.quick, .full])
  func aRowThatAnIndexStillListsIsNotCalledMissing(_ depth: IntegrityReport.Depth) throws {
    let folder = try TemporaryFolder()
    let store = try notes(in: folder, behind: "ZFOLDER_ZPARENT_INDEX", "DELETE FROM ZFOLDER WHERE Z_PK = 4")
    let diagnosis = try diagnose(path: store, options: DiagnosisOptions(integrity: depth), with: checks)
    #expect(diagnosis.findings.map(\.line) == ["SD108 warning Folder 1 []"])
    let reason = "table 'ZFOLDER' cannot be read whole: an index of it lists rows that the table does not have (SD103)"
    #expect(diagnosis.skipped.map(\.line).contains("SD401 \(reason)"))
    let whole = try diagnose(path: store, options: DiagnosisOptions(integrity: depth))
    #expect(whole.findings.map(\.id) == (depth == .full ? ["SD103", "SD108"] : ["SD108"]))
    #expect(whole.skipped.map(\.line).contains("SD401 \(reason)"))
  }

  /// The same for the ends of links.
  @Test func aTagThatAnIndexStillListsIsNotMissingFromALink() throws {
    let folder = try TemporaryFolder()
    let deleted = try notes(in: folder, "DELETE FROM ZTAG WHERE Z_PK = 2")
    #expect(try diagnose(path: deleted, with: checks).findings.map(\.id) == ["SD404"])
    let other = try TemporaryFolder()
    let hidden = try notes(in: other, behind: "Z_Tag_UNIQUE_name", "DELETE FROM ZTAG WHERE Z_PK = 2")
    #expect(try diagnose(path: hidden, with: checks).findings.map(\.line) == ["SD108 warning Tag 1 []"])
  }

  /// An index that lacks rows does not hide them from a read of the table.
  @Test func anIndexThatLacksARowHidesNone() throws {
    let folder = try TemporaryFolder()
    let store = try notes(
      in: folder, behind: "ZFOLDER_ZPARENT_INDEX",
      "INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (9, 2, 1, 'New'); UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK = 3",
      before: "UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'Folder'")
    #expect(try dangling(store) == ["SD401 error Note.folder 1 [3]"])
  }

  /// The folders' tree leads to a page of another table: the rows there are no folders, and the folders still exist.
  @Test func aPageOfAnotherTableHidesRows() throws {
    let folder = try TemporaryFolder()
    let store = try notes(
      in: folder,
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'ZTAG') WHERE name = 'ZFOLDER';
      """)
    let diagnosis = try diagnose(path: store, with: checks)
    #expect(
      !diagnosis.findings.contains { $0.id == "SD401" && $0.property == "folder" }, "\(diagnosis.findings.map(\.line))")
  }

  private func dangling(_ path: String) throws -> [String] {
    try diagnose(path: path, with: checks).findings.filter { $0.id == "SD401" }.map(\.line)
  }

  /// A copy of `Notes.sqlite` on which SQL was run while an index was hidden from SQLite.
  private func notes(
    in folder: TemporaryFolder, behind index: String? = nil, _ sql: String, before: String = ""
  ) throws -> String {
    let path = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(writing: path, create: false)
    defer { connection.close() }
    try connection.execute(before)
    guard let index else {
      try connection.execute(sql)
      return path
    }
    try connection.execute(
      """
      PRAGMA writable_schema = ON;
      CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name = '\(index)';
      DELETE FROM sqlite_schema WHERE name = '\(index)';
      PRAGMA writable_schema = RESET;
      \(sql);
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema SELECT * FROM kept;
      DROP TABLE kept;
      PRAGMA writable_schema = RESET;
      """)
    return path
  }
}
