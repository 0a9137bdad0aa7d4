import Foundation
import StoreSQLite
import TestSupport
import Testing

/// Values of rows are printed only when asked for, whatever is repaired and however it fails.
@Suite struct RepairPrivacyTests {
  private static let secret = "XYZZY"

  @Test(arguments: [
    ["--safe"], ["--dedupe", "Tag.name", "--compare", "casefolded"],
    ["--dedupe", "Tag.name", "--compare", "trimmed", "--others", "rename:{name} ({n})"],
    ["--dedupe", "Note.title", "--others", "delete"], ["--dedupe", "Note.title", "--keep", "newest:body"],
    ["--backfill-from", "Note.title=body"], ["--backfill-from", "Note.title=folder.name"],
    ["--backfill-group", "Note.title=folder"], ["--backfill-expression", "Note.title=upper(body) || '!'"],
    ["--backfill-expression", "Note.createdAt=date(body)"], ["--backfill-expression", "Note.createdAt=number(body)"],
    ["--relink", "Note.folder", "--match", "body=name"], ["--relink", "Note.tags", "--match", "body=name"],
    ["--relink", "Note.tags", "--match", "body=name", "--separator", " "],
    ["--backfill-from", "Folder.name=parent.name"], ["--backfill-expression", "Folder.name='same'"],
    ["--structure", "reindex,join-orphans,unique-indexes,external-files"], ["--dangling", "restore-from-history"],
  ])
  func valuesAreShownOnlyWhenAskedFor(_ recipe: [String]) throws {
    let folder = try TemporaryFolder()
    let store = try secretStore(in: folder)
    for options in [
      [], ["--format", "json"], ["--plan-out", folder("p")], ["--output", folder("a.sqlite"), "--allow-lossy"],
      ["--output", folder("b.sqlite"), "--format", "json", "--allow-lossy"], ["--in-place", "--allow-lossy"],
    ] {
      let outcome = try Program.run(["repair", store] + recipe + options)
      #expect([0, 2].contains(outcome.status), "\(outcome.errors)")
      #expect(
        !(outcome.output + outcome.errors).uppercased().contains(Self.secret), "\(outcome.output)\(outcome.errors)")
    }
  }

  @Test func valuesAreShownWhenAskedFor() throws {
    let folder = try TemporaryFolder()
    let store = try secretStore(in: folder)
    let arguments = ["repair", store, "--backfill-from", "Note.title=body", "--format", "json"]
    #expect(try Program.run(arguments + ["--show-values"]).output.contains(Self.secret))
    let redacted = try Program.run(arguments).output
    #expect(redacted.contains("\"isRedacted\": true") && redacted.contains("\"keys\": \"1-2\""))
  }

  /// Every text a user could have written is a secret; one is stored even where a foreign key belongs.
  private func secretStore(in folder: TemporaryFolder) throws -> String {
    let path = try sickStore(in: folder)
    let connection = try Connection(writing: path, create: false)
    try connection.execute(
      """
      UPDATE ZNOTE SET ZTITLE = 'Xyzzy' || (Z_PK % 4) WHERE ZTITLE IS NOT NULL;
      UPDATE ZNOTE SET ZBODY = 'XYZZY';
      UPDATE ZTAG SET ZNAME = substr('XYZZYxyzzyXyzzyxYZZYXYzzyXYZzy', Z_PK * 5 - 4, 5);
      UPDATE ZFOLDER SET ZNAME = 'XYZZY' || Z_PK;
      INSERT INTO Z_3TAGS VALUES ('XYZZY', 1);
      """)
    connection.close()
    return path
  }
}
