import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `compare`, as a user runs it.
@Suite struct CompareCommandTests {
  private static let notes = Project.path("corpus/Notes.sqlite")

  @Test(arguments: Catalogue.stores)
  func everyRealStoreEqualsItself(_ entry: Catalogue.Entry) throws {
    let outcome = try Program.run(["compare", entry.path, entry.path])
    #expect(outcome.status == 0 && outcome.output.hasPrefix("equal: "), "\(outcome.output) \(outcome.errors)")
  }

  /// Each edit, and nothing else, is found, from both sides.
  @Test func findsExactlyTheEdits() throws {
    let folder = try TemporaryFolder()
    let other = try edited(
      folder,
      """
      UPDATE ZNOTE SET ZTITLE = 'Other', ZBODY = NULL WHERE Z_PK = 3; DELETE FROM ZNOTE WHERE Z_PK = 7;
      UPDATE ZTAG SET Z_PK = 99 WHERE Z_PK = 1; UPDATE Z_PRIMARYKEY SET Z_MAX = 99 WHERE Z_NAME = 'Tag';
      INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (50, 2, 1, 'New');
      UPDATE ZNOTE SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 2; UPDATE ZNOTE SET ZFOLDER = 4 WHERE Z_PK = 1
      """)
    let forward = try Program.run(["compare", Self.notes, other, "--format", "jsonl"])
    #expect(forward.status == 1)
    #expect(
      try changedObjects(forward.output) == [
        "added Folder 50", "changed Folder 1 notes", "changed Folder 3 notes", "changed Folder 4 notes",
        "changed Note 1 folder", "changed Note 3 body,title", "moved Tag 1 99", "removed Note 7",
      ], "\(forward.output)")
    let back = try Program.run(["compare", other, Self.notes, "--format", "jsonl"])
    #expect(
      try changedObjects(back.output) == [
        "added Note 7", "changed Folder 1 notes", "changed Folder 3 notes", "changed Folder 4 notes",
        "changed Note 1 folder", "changed Note 3 body,title", "moved Tag 99 1", "removed Folder 50",
      ])
    let ignoring = try Program.run([
      "compare", Self.notes, other, "--entity", "Note", "--ignore", "Note.title", "--ignore", "Note.body",
      "--ignore", "Note.folder", "--format", "jsonl",
    ])
    #expect(try changedObjects(ignoring.output) == ["removed Note 7"])
  }

  /// Seeded edits of any kind: as many objects as were touched.
  @Test(arguments: 1...10) func findsAsManyAsWereEdited(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    var touched: [Int: String] = [:]
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      touched[Int.random(in: 1...18, using: &random)] =
        [
          "UPDATE ZNOTE SET ZTITLE = ZTITLE || '!'", "UPDATE ZNOTE SET ZCREATEDAT = ZCREATEDAT + 0.001",
          "UPDATE ZNOTE SET ZISPINNED = 1 - ZISPINNED", "UPDATE ZNOTE SET ZUUID = randomblob(16)",
        ].randomElement(using: &random)
    }
    let other = try edited(folder, touched.map { "\($1) WHERE Z_PK = \($0)" }.joined(separator: "; "))
    let outcome = try Program.run(["compare", Self.notes, other, "--format", "jsonl"])
    let keys = try changedObjects(outcome.output).compactMap {
      $0.split(separator: " ").dropFirst(2).first.flatMap { Int($0) }
    }
    #expect(keys.sorted() == touched.keys.sorted(), "seed \(seed): \(outcome.output)")
  }

  /// The ten steps of real migrations lose nothing that they do not name.
  @Test(
    .needsSharedData,
    arguments: [
      ("2.80", "2.82"), ("2.82", "2.83"), ("2.83", "2.85"), ("2.85", "2.86"), ("2.86", "2.87"), ("2.87", "2.88"),
      ("2.88", "2.89"), ("2.89", "2.90"), ("2.92", "2.93"), ("2.95", "2.96"),
    ])
  func realMigrationsKeepEverything(before: String, after: String) throws {
    let paths = [before, after].map { SharedData.path("migration-pairs/wire-\($0).sqlite") }
    let outcome = try Program.run(["compare", paths[0], paths[1], "--format", "json", "--summary"])
    let entities = try JSONTree(outcome.output)["entities"]?.list ?? []
    #expect(!entities.isEmpty)
    for entity in entities {
      for member in ["removed", "added", "changed", "moved"] { #expect(entity[member]?.wholeNumber == 0, "\(entity)") }
      for fate in entity["dropped"]?.list ?? [] { #expect(fate["values"]?.wholeNumber == 0, "\(fate)") }
    }
  }

  @Test func storesOfDifferentUUIDsArePairedByAttributes() throws {
    let folder = try TemporaryFolder()
    let other = try edited(
      folder,
      """
      UPDATE Z_METADATA SET Z_UUID = '11111111-2222-3333-4444-555555555555';
      UPDATE ZNOTE SET Z_PK = Z_PK + 1000; UPDATE ZNOTE SET ZBODY = 'x' WHERE Z_PK = 1003;
      UPDATE Z_3TAGS SET Z_3NOTES = Z_3NOTES + 1000; UPDATE ZATTACHMENT SET ZNOTE = ZNOTE + 1000
      """)
    let plain = try Program.run(["compare", Self.notes, other])
    #expect(plain.status == 1 && plain.output.contains("--by Attachment.ATTRIBUTE"), "\(plain.output)")
    #expect(plain.output.contains("'attachments' leads to objects that could not be paired"))
    #expect(!plain.output.contains("(order)"))
    let named = try Program.run([
      "compare", Self.notes, other, "--by", "Folder.name", "--by", "Tag.name", "--by", "Attachment.fileName", "--by",
      "Note.uuid", "--by", "Checklist.uuid", "--format", "jsonl",
    ])
    #expect(try changedObjects(named.output) == ["changed Note 3 body"], "\(named.output)")
  }

  /// Of stores with one UUID only the entity that is named is paired by an attribute, and the others by key.
  @Test func oneEntityIsPairedByAnAttributeAndTheOthersByKey() throws {
    let folder = try TemporaryFolder()
    let other = try edited(
      folder,
      """
      UPDATE ZNOTE SET Z_PK = Z_PK + 1000; UPDATE Z_3TAGS SET Z_3NOTES = Z_3NOTES + 1000;
      UPDATE ZATTACHMENT SET ZNOTE = ZNOTE + 1000; UPDATE ZTAG SET ZNAME = 'x' WHERE Z_PK = 2
      """)
    let outcome = try Program.run([
      "compare", Self.notes, other, "--by", "Note.uuid", "--by", "Checklist.uuid", "--format", "jsonl",
    ])
    #expect(try changedObjects(outcome.output) == ["changed Tag 2 name"], "\(outcome.output) \(outcome.errors)")
  }

  /// Numbers that are equal as floating-point numbers are not taken for one.
  @Test func largeNumbersAreNotRounded() throws {
    let folder = try TemporaryFolder()
    let first = try edited(folder, "UPDATE ZNOTE SET ZDONE = 9007199254740992 WHERE Z_PK = 6")
    let other = try TemporaryFolder()
    let second = try edited(
      other,
      """
      UPDATE ZNOTE SET ZDONE = 9007199254740993 WHERE Z_PK = 6;
      UPDATE Z_METADATA SET Z_UUID = '11111111-2222-3333-4444-555555555555'
      """)
    let outcome = try Program.run([
      "compare", first, second, "--entity", "Checklist", "--by", "Checklist.done", "--format", "jsonl",
    ])
    #expect(try changedObjects(outcome.output).contains("removed Checklist 6"), "\(outcome.output)")
  }

  @Test(arguments: [
    (["--ignore", "Note.titel"], "no property 'Note.titel' in these stores; did you mean 'Note.title'"),
    (["--ignore", "Nota.title"], "no entity 'Nota'"), (["--by", "Note.uuuid"], "is not an attribute in both stores"),
  ])
  func mistypedNamesAreErrors(options: [String], message: String) throws {
    let outcome = try Program.run(["compare", Self.notes, Self.notes] + options)
    #expect(outcome.status == 2 && outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func documentsHaveTheShapeOfTheirSchema() throws {
    let folder = try TemporaryFolder()
    let other = try edited(folder, "DELETE FROM ZNOTE WHERE Z_PK = 7; UPDATE ZTAG SET ZNAME = 'x' WHERE Z_PK = 1")
    for arguments in [[Self.notes, other], [Self.notes, Self.notes], [Self.notes, other, "--summary"]] {
      let outcome = try Program.run(["compare"] + arguments + ["--format", "json"])
      #expect(try JSONSchema(named: "comparison").violations(in: JSONTree(outcome.output)).isEmpty, "\(outcome.output)")
    }
  }

  private func edited(_ folder: TemporaryFolder, _ sql: String) throws -> String {
    let path = try folder.copyStore(Self.notes)
    let connection = try Connection(writing: path, create: false)
    try connection.execute(sql)
    connection.close()
    return path
  }
}
