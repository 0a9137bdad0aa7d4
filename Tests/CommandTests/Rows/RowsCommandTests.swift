import Foundation
import StorePropertyLists
import StoreSQLite
import TestSupport
import Testing

/// `rows`, as a user runs it.
@Suite struct RowsCommandTests {
  private static let notes = Project.path("corpus/Notes.sqlite")

  private func rows(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["rows"] + arguments, work: Program.patience)
  }

  /// A table is replaced on request, and stays its owner's; a database never.
  @Test func forceReplacesTheFileOfOneEntity() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    try folder.write(Array("old".utf8), to: "tags.csv")
    let arguments = ["rows", store, "Tag", "--format", "csv", "--output"]
    let refused = try Program.run(arguments + [folder("tags.csv")])
    #expect(refused.status == 2 && refused.errors.contains("it exists; --force replaces it"), "\(refused.errors)")
    let replaced = try Program.run(arguments + [folder("tags.csv"), "--force"])
    #expect(replaced.status == 0, "\(replaced.errors)")
    #expect(try String(contentsOfFile: folder("tags.csv"), encoding: .utf8).contains("urgent"))
    let mode = try FileManager.default.attributesOfItem(atPath: folder("tags.csv"))[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try Program.run(arguments + [store, "--force"]).errors.contains("it is a database, which is not replaced"))
    #expect(try Program.run(["rows", store, "--format", "csv", "--output", folder("all"), "--force"]).status == 64)
  }

  @Test func listsEntitiesWithCountsAndTitles() throws {
    let outcome = try rows(Self.notes)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Note             15  title"))
    #expect(outcome.output.contains("Checklist         3  title     Note"))
    #expect(outcome.output.contains("storedoctor rows \(Self.notes) Note\n"))
  }

  @Test func listsWhatAnEntityHasAsJSON() throws {
    let tree = try JSONTree(try rows(Self.notes, "--format", "json").output)
    #expect(try JSONSchema(named: "row-entities").violations(in: tree).isEmpty)
  }

  @Test func showsObjectsOfSubentitiesToo() throws {
    let all = try rows(Self.notes, "Note", "--format", "jsonl").output.split(separator: "\n")
    let own = try rows(Self.notes, "Note", "--format", "jsonl", "--without-subentities").output.split(separator: "\n")
    let checklists = try rows(Self.notes, "Checklist", "--format", "jsonl").output.split(separator: "\n")
    #expect(all.count == 18 && own.count == 15 && checklists.count == 3)
    #expect(all.contains { $0.contains("\"_entity\": \"Checklist\"") && $0.contains("\"done\": 1") })
    #expect(!own.contains { $0.contains("\"done\"") })
  }

  @Test func documentsHaveTheShapeOfTheirSchema() throws {
    for entity in ["Note", "Tag", "Folder"] {
      let tree = try JSONTree(try rows(Self.notes, entity, "--format", "json", "--binary").output)
      #expect(try JSONSchema(named: "rows").violations(in: tree).isEmpty, "\(entity)")
    }
  }

  @Test func pathsLeadThroughToOnes() throws {
    let outcome = try rows(
      Self.notes, "Note", "--columns", "_key,folder.name,folder.parent.name", "--expand", "folder.parent", "--key",
      "3,1", "--format", "csv")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\r\n")
    #expect(lines.count == 3 && lines[0] == "_key,folder.name,folder.parent.name,folder.parent")
    // In the order they were asked for.
    #expect(lines[1].hasPrefix("3,Travel,") && lines[2].hasPrefix("1,Personal,"), "\(lines)")
  }

  @Test(arguments: [
    (["title:desc"], ["Note 9", "Note 8"]), (["createdAt:desc"], ["Note 18", "Note 17"]),
    (["isPinned:desc,title"], ["Note 1", "Note 15"]), (["folder.name,createdAt:desc"], ["Note 16", "Note 12"]),
  ])
  func ordersByValuesAndPaths(order: [String], titles: [String]) throws {
    let outcome = try rows(
      Self.notes, "Note", "--columns", "title", "--order-by", order[0], "--limit", "2", "--format", "csv")
    #expect(outcome.output.split(separator: "\r\n").dropFirst().map(String.init) == titles, "\(outcome.errors)")
  }

  /// Each against the same question in SQL.
  @Test(arguments: [
    ("folder.name == 'Work'", "ZFOLDER IN (SELECT Z_PK FROM ZFOLDER WHERE ZNAME = 'Work')"),
    ("folder.parent.name == 'Personal'", "ZFOLDER IN (SELECT Z_PK FROM ZFOLDER WHERE ZPARENT = 1)"),
    ("isPinned == YES OR title ENDSWITH '3'", "ZISPINNED = 1 OR ZTITLE LIKE '%3'"),
    (
      "createdAt >= '2023-03-12' AND createdAt < '2023-03-15T00:00:00Z'",
      "ZCREATEDAT >= 700272000 AND ZCREATEDAT < 700531200"
    ),
    ("tags.@count == 0", "NOT EXISTS (SELECT 1 FROM Z_3TAGS WHERE Z_3NOTES = ZNOTE.Z_PK)"),
    (
      "ANY tags.name IN {'urgent', 'idea'}",
      "Z_PK IN (SELECT Z_3NOTES FROM Z_3TAGS JOIN ZTAG ON ZTAG.Z_PK = Z_5TAGS WHERE ZNAME IN ('urgent', 'idea'))"
    ),
    ("folder.notes.@count > 4", "ZFOLDER IN (SELECT ZFOLDER FROM ZNOTE GROUP BY 1 HAVING count(*) > 4)"),
    ("NOT (body CONTAINS 'words words words')", "ZBODY NOT LIKE '%words words words%'"),
    ("TRUEPREDICATE", "1"), ("attachments.@count > 0", "Z_PK IN (SELECT ZNOTE FROM ZATTACHMENT)"),
  ])
  func conditionsSelectWhatSQLSelects(condition: String, sql: String) throws {
    let outcome = try rows(Self.notes, "Note", "--where", condition, "--columns", "_key", "--format", "csv")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let expected = try Program.launch([
      "sqlite3", "-readonly", Self.notes, "SELECT Z_PK FROM ZNOTE WHERE \(sql) ORDER BY Z_PK",
    ])
    #expect(
      outcome.output.split(separator: "\r\n").dropFirst() == expected.output.split(separator: "\n")[...], "\(expected)")
    let ordered = try rows(
      Self.notes, "Note", "--where", condition, "--columns", "_key", "--format", "csv", "--order-by", "_key:desc")
    #expect(ordered.output.split(separator: "\r\n").dropFirst().reversed() == expected.output.split(separator: "\n"))
  }

  @Test func mistakesOfConditionsHaveAPlaceAndAGuess() throws {
    let outcome = try rows(Self.notes, "Note", "--where", "isPinned == YES AND titel == 'x'")
    #expect(outcome.status == 2)
    #expect(
      outcome.errors == """
        storedoctor: column 21 of the predicate: no property 'titel' of Note; did you mean 'title'?
          isPinned == YES AND titel == 'x'
                              ^

        """, "\(outcome.errors)")
  }

  /// A value that cannot be read is not taken for one that differs.
  @Test func whatCannotBeDecidedIsSaid() throws {
    let store = try changedStore("UPDATE ZNOTE SET ZTITLE = CAST(x'41ff' AS TEXT) WHERE Z_PK = 3")
    let outcome = try rows(
      store.path, "Note", "--where", "title BEGINSWITH 'Note'", "--columns", "_key", "--format", "csv")
    #expect(outcome.status == 2 && outcome.errors.contains("of 1 object it is not known"), "\(outcome.errors)")
    #expect(outcome.output.split(separator: "\r\n").count == 18)
  }

  @Test func limitAndOffsetCutTheResultAndSaySo() throws {
    let table = try rows(Self.notes, "Note", "--limit", "3", "--offset", "2").output
    #expect(table.contains("Note 3 ") && table.contains("Note 5 ") && !table.contains("Note 6 "))
    #expect(table.contains("3 objects of Note; there are more"))
    let ordered = try rows(Self.notes, "Note", "--limit", "3", "--order-by", "title").output
    #expect(ordered.contains("3 objects of Note, of 18"))
  }

  @Test(arguments: [
    (["Note", "--columns", "titel"], "Note has no property 'titel'; did you mean 'title'?"),
    (["Nota"], "no entity 'Nota' in this store"),
    (["Note", "--columns", "tags.name"], "'tags' leads to many objects"),
    (["Note", "--columns", "folder.nome"], "Folder has no property 'nome'; did you mean 'name'?"),
    (["Note", "--expand", "tags"], "only a to-one can be expanded"),
    (["Note", "--order-by", "foo"], "Note has no property 'foo'"), (["Note", "--order-by", "tags"], "have no order"),
  ])
  func errorsNameThePropertyAndTheNearest(arguments: [String], message: String) throws {
    let outcome = try Program.run(["rows", Self.notes] + arguments)
    #expect(outcome.status == 2 && outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test(arguments: [
    (["--format", "csv"], "--output"), (["--limit", "3"], "--limit is about the objects of one entity"),
    (["Note", "--format", "sqlite", "--output", "/tmp/x"], "omit ENTITY"), (["Note", "--key", "x"], "'x' is none"),
    (["Note", "--limit", "-1"], "--limit"), (["Note", "--output", "/tmp/x"], "--format csv, jsonl, json or sqlite"),
  ])
  func wrongUsageIsSixtyFour(arguments: [String], message: String) throws {
    let outcome = try Program.run(["rows", Self.notes] + arguments)
    #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func theTableIsAsWideAsTheTerminal() throws {
    for width in [40, 60, 80, 120, 200] {
      let outcome = try Program.run(["rows", Self.notes, "Note"], environment: ["COLUMNS": "\(width)"])
      for line in outcome.output.split(separator: "\n") { #expect(line.count <= width, "\(width): \(line)") }
      #expect(outcome.output.hasPrefix("title"))
    }
  }

  /// NULL and an empty text are told apart in every format.
  @Test func nullIsNotEmpty() throws {
    let store = try changedStore(
      "UPDATE ZNOTE SET ZBODY = '' WHERE Z_PK = 1; UPDATE ZNOTE SET ZBODY = NULL WHERE Z_PK = 2")
    let arguments = ["rows", store.path, "Note", "--columns", "body", "--key", "1,2"]
    #expect(try Program.run(arguments + ["--format", "csv"]).output == "body\r\n\"\"\r\n\r\n")
    #expect(try Program.run(arguments + ["--format", "jsonl"]).output == "{\"body\": \"\"}\n{\"body\": null}\n")
    #expect(try Program.run(arguments).output.hasPrefix("body\n\"\"\nNULL\n"))
  }

  /// Values that act on readers: terminals, spreadsheets, programs that expect UTF-8.
  @Test func hostileValuesStayValues() throws {
    let store = try changedStore(
      """
      UPDATE ZNOTE SET ZBODY = '=cmd|'' /C calc''!A0' WHERE Z_PK = 1;
      UPDATE ZNOTE SET ZBODY = 'a' || char(27) || '[2J' || char(10) || char(0x202E) || 'b,"c"' WHERE Z_PK = 2;
      UPDATE ZNOTE SET ZBODY = CAST(x'41ff42' AS TEXT) WHERE Z_PK = 3;
      UPDATE ZNOTE SET ZBODY = hex(zeroblob(5000000)) WHERE Z_PK = 4;
      UPDATE ZNOTE SET ZBODY = 7 WHERE Z_PK = 5; UPDATE ZNOTE SET ZBODY = x'00ff' WHERE Z_PK = 6;
      UPDATE ZNOTE SET ZISPINNED = 5, ZCREATEDAT = 'soon', ZUUID = x'01' WHERE Z_PK = 7;
      UPDATE ZNOTE SET ZCREATEDAT = 9e999 WHERE Z_PK = 8; UPDATE ZNOTE SET ZFOLDER = 'x' WHERE Z_PK = 9
      """)
    let json = try Program.run(["rows", store.path, "Note", "--format", "jsonl"])
    #expect(json.status == 0 && !json.output.utf8.contains(27) && !json.output.unicodeScalars.contains("\u{202E}"))
    let lines = json.output.split(separator: "\n").map(String.init)
    for line in lines { #expect(throws: Never.self) { try JSONTree(line) } }
    #expect(lines[0].contains(#""body": "=cmd|' /C calc'!A0""#))
    #expect(lines[1].contains(#""body": "a\u001b[2J\n\u202eb,\"c\"""#))
    #expect(lines[2].contains(#""body": {"text": "A\#u{FFFD}B", "base64": "Qf9C"}"#))
    #expect(lines[3].utf8.count > 10_000_000)
    #expect(lines[4].contains(#""body": "7""#) || lines[4].contains(#""body": 7"#))
    #expect(lines[6].contains(#""isPinned": 5"#) && lines[6].contains(#""createdAt": "soon""#))
    #expect(lines[7].contains(#""createdAt": "inf""#), "\(lines[7].suffix(300))")
    #expect(json.errors.contains("is not of type") && json.errors.contains("not valid UTF-8"), "\(json.errors)")
    let csv = try Program.run(["rows", store.path, "Note", "--format", "csv", "--columns", "body"])
    #expect(csv.output.hasPrefix("body\r\n'=cmd|' /C calc'!A0\r\n") && csv.errors.contains("--keep-formulas"))
    let kept = try Program.run(["rows", store.path, "Note", "--format", "csv", "--columns", "body", "--keep-formulas"])
    #expect(kept.output.hasPrefix("body\r\n=cmd"))
    let table = try Program.run(["rows", store.path, "Note"])
    #expect(table.status == 0 && !table.output.utf8.contains(27) && table.output.utf8.count < 100_000)
    let long = try Program.run(["rows", store.path, "Note", "--long", "--key", "2"])
    #expect(long.output.contains(#"a\u{1b}[2J↵\u{202e}b,"c""#))
  }

  /// Archives in which an object contains itself, 2^60 others, or 5,000 levels of others.
  @Test func nestedArchivesEnd() throws {
    let store = try changedStore("SELECT 1")
    let connection = try Connection(writing: store.path, create: false)
    for (key, archive) in Self.nestedArchives.enumerated() {
      let statement = try connection.prepare("UPDATE ZATTACHMENT SET ZDATA = ? WHERE Z_PK = ?")
      // The first byte says that the value is in the row.
      try statement.bind([1] + archive, at: 1)
      try statement.bind(Int64(key + 1), at: 2)
      _ = try statement.step()
    }
    connection.close()
    for format in ["jsonl", "json", "csv", "table"] {
      let outcome = try rows(store.path, "Attachment", "--binary", "--format", format)
      #expect(outcome.status == 0, "\(format): \(outcome.errors.prefix(200))")
      #expect(outcome.memory < 256 << 20 && outcome.output.utf8.count < 8 << 20, "\(format)")
      guard format == "jsonl" else { continue }
      for line in outcome.output.split(separator: "\n") { #expect(throws: Never.self) { try JSONTree(String(line)) } }
      #expect(outcome.output.contains("$ref"), "\(outcome.output.prefix(600))")
    }
    let database = store.folder("readable.sqlite")
    #expect(try rows(store.path, "--format", "sqlite", "--output", database).status == 0)
  }

  private static let nestedArchives: [[UInt8]] = {
    var itself = KeyedArchiveBuilder()
    let id = itself.reserve()
    itself.fill(id, classes: ["Box", "NSObject"], fields: [("content", .reference(id))])
    var many = KeyedArchiveBuilder()
    var pair = many.string("x")
    for _ in 0..<60 { pair = many.array([pair, pair]) }
    var deep = KeyedArchiveBuilder()
    var box = deep.string("x")
    for _ in 0..<5_000 { box = deep.array([box]) }
    return [itself.binary(root: id), many.binary(root: pair), deep.binary(root: box)]
  }()

  /// A text of 100 MB is written without being held twice more.
  @Test func aLargeTextNeedsItsOwnRoomOnce() throws {
    let store = try changedStore("UPDATE ZNOTE SET ZBODY = hex(zeroblob(50000000)) WHERE Z_PK = 4")
    for format in ["jsonl", "csv"] {
      let outcome = try Program.launch([
        "sh", "-c", "exec \"$0\" rows \"$1\" Note --format \(format) --columns body | wc -c", Program.path, store.path,
      ])
      #expect(Int(outcome.output.filter(\.isNumber)) ?? 0 > 100_000_000)
    }
    let direct = try Program.run(["rows", store.path, "Note", "--format", "csv", "--columns", "body", "--key", "4"])
    // The value, and SQLite's pages of it.
    #expect(direct.memory < 300 << 20, "\(direct.memory >> 20) MiB")
  }

  @Test func outputIsPrivateAndNothingIsReplaced() throws {
    let folder = try TemporaryFolder()
    for (format, name) in [("csv", "notes.csv"), ("jsonl", "notes.jsonl"), ("json", "notes.json")] {
      let path = folder(name)
      #expect(try rows(Self.notes, "Note", "--format", format, "--output", path).status == 0)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(try rows(Self.notes, "Tag", "--format", format, "--output", path).status == 2)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
    let database = folder("readable.sqlite")
    #expect(try rows(Self.notes, "--format", "sqlite", "--output", database).status == 0)
    #expect(try rows(Self.notes, "--format", "sqlite", "--output", database).status == 2)
    #expect(try rows(Self.notes, "--format", "sqlite", "--output", Self.notes).status == 2)
    let listing = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(listing == ["notes.csv", "notes.json", "notes.jsonl", "readable.sqlite"])
  }

  /// Names of entities become names of files without leaving the folder.
  @Test func filesOfEntitiesStayInTheirFolder() throws {
    let store = try changedStore(
      "UPDATE Z_PRIMARYKEY SET Z_NAME = '../../Tag' WHERE Z_NAME = 'Tag'; ALTER TABLE ZTAG RENAME TO \"Z../../TAG\"")
    let folder = try TemporaryFolder()
    let outcome = try rows(store.path, "--format", "csv", "--output", folder("out"))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder("out"))
    #expect(
      names.allSatisfy { !$0.contains("/") && $0.hasSuffix(".csv") } && names.contains("______Tag.csv"), "\(names)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
  }

  /// Objects before and behind damage are shown in every format, and the status says that it is not all.
  @Test(arguments: ["table", "csv", "jsonl", "json"]) func whatLiesAroundDamageIsShown(format: String) throws {
    let store = try changedStore("UPDATE ZNOTE SET ZBODY = hex(randomblob(900)) WHERE Z_PK > 0")
    let connection = try Connection(writing: store.path, create: false)
    let pages = try connection.prepare(
      "SELECT pageno FROM dbstat WHERE name = 'ZNOTE' AND pagetype = 'leaf' ORDER BY path")
    var leaves: [Int] = []
    while try pages.step() { leaves.append(Int(pages.int64(0))) }
    connection.close()
    try #require(leaves.count > 3)
    var bytes = try contents(of: store.path)
    bytes.replaceSubrange((leaves[2] - 1) * 4096..<(leaves[2] - 1) * 4096 + 100, with: repeatElement(0xEE, count: 100))
    try store.folder.write(bytes, to: "Notes.sqlite")
    let outcome = try rows(store.path, "Note", "--columns", "title", "--format", format)
    #expect(outcome.status == 2 && outcome.errors.contains("because they cannot be read, are the keys"))
    #expect(outcome.output.contains("Note 1") && outcome.output.contains("Note 18"), "\(outcome.output)")
    if format == "json" { #expect(throws: Never.self) { try JSONTree(outcome.output) } }
  }

  @Test func valuesInFilesAreRead() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Self.notes)
    let support = folder(".Notes_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: support, withIntermediateDirectories: true)
    let name = "0308CA1C-D76C-4F97-8631-28E8EFF6F510"
    try folder.write(Array("outside".utf8), to: ".Notes_SUPPORT/_EXTERNAL_DATA/\(name)")
    let connection = try Connection(writing: store, create: false)
    let hex = name.utf8.map { String($0, radix: 16) }.joined()
    try connection.execute("UPDATE ZATTACHMENT SET ZDATA = x'02\(hex)00' WHERE Z_PK = 1")
    try connection.execute("UPDATE ZATTACHMENT SET ZDATA = x'01616263' WHERE Z_PK = 2")
    connection.close()
    let shown = try rows(store, "Attachment", "--format", "jsonl", "--binary", "--columns", "data", "--key", "1,2")
    #expect(
      shown.output
        == "{\"data\": {\"length\": 7, \"base64\": \"b3V0c2lkZQ==\"}}\n{\"data\": {\"length\": 3, \"base64\": \"YWJj\"}}\n",
      "\(shown.output) \(shown.errors)")
    let brief = try rows(store, "Attachment", "--format", "csv", "--columns", "data", "--key", "1,2")
    #expect(brief.output == "data\r\n7 bytes\r\n3 bytes\r\n")
    let kept = folder("kept")
    let exported = try rows(
      store, "Attachment", "--format", "csv", "--columns", "data", "--key", "1,2", "--external", kept)
    #expect(exported.output == "data\r\nAttachment-1-data\r\nAttachment-2-data\r\n", "\(exported.errors)")
    #expect(try contents(of: kept + "/Attachment-1-data") == Array("outside".utf8))
    #expect(try contents(of: kept + "/Attachment-2-data") == Array("abc".utf8))
    // Nothing is replaced.
    #expect(try rows(store, "Attachment", "--format", "csv", "--external", kept).status == 2)
    try FileManager.default.removeItem(atPath: support + "/" + name)
    let missing = try rows(store, "Attachment", "--format", "jsonl", "--columns", "data", "--key", "1")
    #expect(missing.output == "{\"data\": {\"missing file\": \"\(name)\"}}\n")
  }

  private struct ChangedStore {
    let folder: TemporaryFolder
    let path: String
  }

  private func changedStore(_ sql: String) throws -> ChangedStore {
    let folder = try TemporaryFolder()
    let path = try folder.copyStore(Self.notes)
    let connection = try Connection(writing: path, create: false)
    try connection.execute(sql)
    connection.close()
    return ChangedStore(folder: folder, path: path)
  }
}
