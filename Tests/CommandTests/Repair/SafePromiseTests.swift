import Foundation
import TestSupport
import Testing

/// What "safe" promises: no object becomes its own ancestor, none becomes one of another entity, nothing is lost.
@Suite(.needs("sqlite3")) struct SafePromiseTests {
  /// Copies a store of the corpus, changes it by SQL, and plans a repair of it.
  private func plan(_ name: String, _ sql: String, _ options: String...) throws -> Program.Outcome {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/\(name)"), as: name)
    let changed = try Program.launch(["sqlite3", store, sql])
    #expect(changed.status == 0, "\(changed.errors)")
    let before = try FolderBytes(of: folder.path)
    let outcome = try Program.run(["repair", store] + options, environment: ["COLUMNS": "200"])
    #expect(try FolderBytes(of: folder.path) == before)
    return outcome
  }

  /// Work > Travel > Work.
  private let nested = """
    DROP INDEX Z_Folder_UNIQUE_name; DELETE FROM ZFOLDER WHERE Z_PK = 4; UPDATE ZNOTE SET ZFOLDER = 1 WHERE ZFOLDER = 4;
    UPDATE ZFOLDER SET ZNAME = 'Work', ZPARENT = NULL WHERE Z_PK = 1;
    UPDATE ZFOLDER SET ZNAME = 'Travel', ZPARENT = 1 WHERE Z_PK = 2;
    UPDATE ZFOLDER SET ZNAME = 'Work', ZPARENT = 2 WHERE Z_PK = 3;
    """

  @Test func noFolderComesToLieInItself() throws {
    let merged = try plan("Notes.sqlite", nested, "--dedupe", "Folder.name")
    #expect(merged.output.contains("they would be on a loop of 'Folder.parent', their own ancestors (1 > 2 > 1)"))
    #expect(merged.output.contains("(Z_PK 1, 3)"))
    let relinked = try plan("Notes.sqlite", "SELECT 1", "--relink", "Folder.parent", "--match", "name=name")
    #expect(relinked.output.contains("they would be on a loop of 'Folder.parent', their own ancestors (1 > 1)"))
  }

  /// What leads to the bird has a cat afterwards, also where the bird has no values of its own.
  @Test func anObjectOfAnotherEntityIsALoss() throws {
    let outcome = try plan(
      "Shapes.sqlite",
      """
      UPDATE ZANIMAL SET ZNAME = 'Tom' WHERE Z_PK IN (1, 5);
      UPDATE ZANIMAL SET ZWEIGHT = NULL, ZSPAN = NULL, ZHOME = NULL, Z_FOK_HOME = NULL WHERE Z_PK = 5
      """, "--dedupe", "Animal.name")
    #expect(outcome.output.hasPrefix("plan: 2 operations, 2 changes; needs --allow-lossy\n"))
    #expect(outcome.output.contains("1 object of 'Bird' becomes one of 'Cat', another entity: 5"))
  }

  @Test func emptyTextIsNoValue() throws {
    let outcome = try plan(
      "Notes.sqlite",
      """
      UPDATE ZNOTE SET ZTITLE = 'same', ZISPINNED = 0, ZFOLDER = 1 WHERE Z_PK IN (1, 2);
      UPDATE ZNOTE SET ZBODY = '' WHERE Z_PK = 1
      """, "--dedupe", "Note.title", "--keep", "most-complete")
    #expect(outcome.output.contains("keep Note 2; 1 becomes it"), "\(outcome.output)")
  }

  @Test(arguments: [("Straße", "STRASSE"), ("ﬁn", "FIN"), ("ΌΔΟΣ", "όδος"), ("a", "A")])
  func lettersFoldFully(one: String, other: String) throws {
    let outcome = try plan(
      "Notes.sqlite",
      "UPDATE ZTAG SET ZNAME = '\(one)' WHERE Z_PK = 1; UPDATE ZTAG SET ZNAME = '\(other)' WHERE Z_PK = 2",
      "--dedupe", "Tag.name", "--compare", "casefolded")
    #expect(outcome.output.contains("keep Tag 1; 2 becomes it"), "\(outcome.output)")
  }
}
