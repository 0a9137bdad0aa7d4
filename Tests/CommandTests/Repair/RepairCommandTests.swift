import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `storedoctor repair`, `apply` and `undo`, run as a user runs them.
@Suite struct RepairCommandTests {
  @Test func aDryRunShowsThePlanAndTheNextCommand() throws {
    let folder = try TemporaryFolder()
    _ = try sickStore(in: folder)
    let before = try FolderBytes(of: folder.path)
    let outcome = try run(
      ["repair", "Sick.sqlite", "--safe", "--dedupe", "Tag.name", "--compare", "casefolded"], in: folder, width: 80)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(
      outcome.output == """
        plan: 4 operations, 5 changes; needs --allow-lossy

        Operations
          join-orphans  delete 2 links of Note.tags to objects that do not exist (2
                        changes, safe)
            Note-Tag 1-99, 2-99
          high-water    set Z_MAX of Tag from 2 to 6 (1 change, safe)
          dangling      empty Note.folder of 1 object, whose object does not exist (1
                        change, safe)
            Note 3: folder 77 -> none
          dedupe        merge 1 of 2 Tag objects with equal name: delete the 1 Tag
                        object that has become another (1 change, lossy)
            keep Tag 2; 4 becomes it; differ in name

          rows of  before  after
          Tag           6      5
          Z_3TAGS      20     18

        Findings
          SD207  1 -> 0  high-water-too-low at Tag
          SD401  1 -> 0  dangling-reference at Note.folder
          SD404  2 -> 0  orphaned-join-row at Note.tags

        Mind
          conflict in 'Tag.name': 1 differing value (spelled in another way) is lost in
          favour of that of 2
          the store keeps persistent history, in which these changes will not be:
          widgets, extensions and Spotlight that follow it will not see them

        Next
          storedoctor repair Sick.sqlite --safe --dedupe Tag.name \\
            --compare casefolded --allow-lossy --output Sick-repaired.sqlite

        """)
    #expect(try FolderBytes(of: folder.path) == before)
  }

  @Test(arguments: [40, 80, 120]) func noLineIsWiderThanThePage(_ width: Int) throws {
    let folder = try TemporaryFolder()
    _ = try sickStore(in: folder)
    let outcome = try run(
      [
        "repair", "Sick.sqlite", "--safe", "--dedupe", "Tag.name", "--compare", "casefolded", "--backfill",
        "Note.title=x",
      ], in: folder, width: width)
    let lines = outcome.output.split(separator: "\n")
    let next = try #require(lines.firstIndex(of: "Next"))
    #expect(lines[..<next].filter { $0.count > width } == [])
  }

  @Test func aFreeNameInTheWorkingDirectoryIsProposed() throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let store = try sickStore(in: folder)
    #expect(try run(["repair", store, "--safe"], in: other).output.hasSuffix("--output Sick-repaired.sqlite\n"))
    try other.write([1], to: "Sick-repaired.sqlite")
    #expect(try run(["repair", store, "--safe"], in: other).output.hasSuffix("--output Sick-repaired-2.sqlite\n"))
    let plan = try run(
      ["repair", store, "--dedupe", "Note.folder", "--others", "delete", "--plan-out", "plan.json"], in: other)
    #expect(
      plan.output.hasSuffix(
        "  storedoctor apply plan.json --store \(store) --allow-lossy --output Sick-repaired-2.sqlite\n"),
      "\(plan.output)")
  }

  /// The proposed command can be run as printed, and after it there is nothing left to repair.
  @Test func theProposedCommandMendsTheStore() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    chmod(store, 0o444)
    let before = try FolderBytes(of: folder.path)
    let dry = try run(["repair", "Sick.sqlite", "--safe", "--quiet"], in: folder)
    let command = try #require(dry.output.split(separator: "\n").last).trimmingCharacters(in: .whitespaces)
    let outcome = try Program.launch([
      "sh", "-c", "cd \"$0\" && exec \"$1\" \(command.dropFirst("storedoctor ".count))", folder.path, Program.path,
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("repaired: "))
    #expect(outcome.output.contains("  store           Sick-repaired.sqlite\n  untouched       Sick.sqlite\n"))
    let after = try FolderBytes(of: folder.path)
    #expect(after.names == ["Sick-repaired.sqlite", "Sick.sqlite"])
    #expect(after["Sick.sqlite"] == before["Sick.sqlite"])
    // The copy is writable even if the original is not, and its owner's alone.
    #expect(mode(folder("Sick-repaired.sqlite")) == 0o600)
    let again = try run(["repair", "Sick-repaired.sqlite", "--safe"], in: folder)
    #expect(again.status == 0 && again.output == "nothing to do\n")
    let unchanged = try run(["repair", "Sick-repaired.sqlite", "--safe", "--output", "b.sqlite"], in: folder)
    #expect(unchanged.status == 0 && unchanged.output.hasPrefix("nothing to do: written as it was\n"))
  }

  @Test(arguments: [
    (["--junction", "A=C.d,e"], 64, "--junction A=C.d,e: a relationship, an entity and its two ends are expected"),
    (["--backfill-from", "Note"], 64, "--backfill-from Note: an entity, an attribute and where its value comes from"),
    (["--backfill-group", "A.b=c", "--backfill-group", "A.b=d"], 64, "--backfill-group A.b=d: 'A.b' is there already"),
    (["--backfill-expression", "A.b=1 +"], 64, "--backfill-expression A.b: column 4 of the expression"),
    (["--backfill-generate", "A.b=guid"], 64, "--backfill-generate A.b: one of now, uuid, sequence, default"),
    (["--wrong-entity", "drop"], 64, "--wrong-entity: 'nullify' is expected in place of 'drop'"),
    (["--inverses", "A.b=that"], 64, "--inverses A.b=that: one of this, other is expected"),
    (["--nulls", "equal"], 64, "--nulls is about --dedupe, which is not given"),
    (["--separator", ","], 64, "--separator is about --relink, which is not given"),
    (["--safe", "--output", "taken.sqlite"], 2, "it exists; name another file, or --force to replace it"),
    (["--safe", "--output", "Sick.sqlite"], 2, "it is the store itself; name another file, or use --in-place"),
    (["--safe", "--in-place", "--journal", "taken.sqlite"], 2, "it exists; name another folder with --journal"),
  ])
  func aMessageNamesTheOption(arguments: [String], status: Int32, message: String) throws {
    let folder = try TemporaryFolder()
    _ = try sickStore(in: folder)
    try folder.write([1], to: "taken.sqlite")
    let outcome = try run(["repair", "Sick.sqlite"] + arguments, in: folder)
    #expect(outcome.status == status && outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func aPlanIsSavedReviewedAndApplied() throws {
    let folder = try TemporaryFolder()
    _ = try sickStore(in: folder)
    let planned = try run(
      ["repair", "Sick.sqlite", "--safe", "--backfill-generate", "Note.title=uuid", "--plan-out", "plan.json"],
      in: folder)
    #expect(planned.status == 0)
    #expect(planned.errors == "storedoctor: 'plan.json' holds values of rows; only you can read it\n")
    #expect(mode(folder("plan.json")) == 0o600)
    let again = try run(["repair", "Sick.sqlite", "--safe", "--plan-out", "plan.json"], in: folder)
    #expect(again.status == 2 && again.output == "")
    #expect(again.errors == "storedoctor: cannot write 'plan.json': it exists; name another file, or remove it\n")
    for way in ["a.sqlite", "b.sqlite"] {
      let applied = try run(["apply", "plan.json", "--store", "Sick.sqlite", "--output", way], in: folder)
      #expect(applied.status == 0 && applied.output.hasPrefix("repaired: "), "\(applied.errors)")
    }
    // Generated values are part of the plan, so both outputs have the same.
    let titles = try ["a.sqlite", "b.sqlite"].map { try rows("SELECT ZTITLE FROM ZNOTE ORDER BY 1", in: folder($0)) }
    #expect(titles[0] == titles[1] && titles[0].contains { $0.count == 36 })
  }

  @Test func whatIsDoneInPlaceIsUndoneAndRedone() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let before = try FolderBytes(of: folder.path)
    let outcome = try run(["repair", "Sick.sqlite", "--safe", "--in-place", "--journal", "journal"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("Next\n  storedoctor diagnose Sick.sqlite\n  storedoctor undo journal\n"))
    #expect(mode(folder("journal")) == 0o700)
    #expect(try FolderBytes(of: folder.path)["Sick.sqlite"] != before["Sick.sqlite"])
    let mended = try rows("SELECT Z_MAX FROM Z_PRIMARYKEY ORDER BY 1", in: store)
    let undone = try run(["undo", "journal"], in: folder)
    #expect(undone.status == 0, "\(undone.errors)")
    #expect(undone.output.hasPrefix("taken back: the store's files are as they were, byte for byte\n"))
    #expect(try FolderBytes(of: folder.path)["Sick.sqlite"] == before["Sick.sqlite"])
    try expectRefusal(["undo", folder("journal")], in: folder, saying: ["undone already"])
    let redo = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.contains(".storedoctor-") })
    // The printed commands can be typed in the same folder: paths are relative where the given ones were.
    #expect(undone.output.hasSuffix("Next\n  storedoctor diagnose Sick.sqlite\n  storedoctor undo \(redo)\n"))
    #expect(try run(["undo", redo + "/"], in: folder).output.contains("\n  storedoctor diagnose Sick.sqlite\n"))
    #expect(try rows("SELECT Z_MAX FROM Z_PRIMARYKEY ORDER BY 1", in: store) == mended)
  }

  /// The only journal of a repair is taken; of several none, and that of an undo never.
  @Test func undoTakesAStore() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    func mend(_ recipe: [String]) throws {
      let outcome = try run(["repair", "Sick.sqlite", "--in-place"] + recipe, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    try mend(["--dangling", "nullify"])
    let undone = try run(["undo", "Sick.sqlite"], in: folder)
    #expect(undone.status == 0, "\(undone.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    let names = {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".storedoctor-") }
    }
    let first = Set(try names())
    try expectRefusal(["undo", store], in: folder, saying: ["no repair is left to undo", "   an undo\n"])

    try mend(["--dangling", "nullify"])
    let second = try #require(Set(try names()).subtracting(first).first)
    try mend(["--backfill", "Note.title=x"])
    let third = try #require(Set(try names()).subtracting(first).subtracting([second]).first)
    let several = try run(["undo", "Sick.sqlite"], in: folder)
    #expect(several.status == 2)
    let lines = several.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 4 && lines[0].contains("3 journals"), "\(several.errors)")
    #expect(lines.dropFirst().prefix(2) == ["  \(third)   a repair", "  \(second)   a repair"], "\(several.errors)")
    #expect(try run(["undo", third], in: folder).status == 0)
    #expect(try run(["undo", "Sick.sqlite"], in: folder).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
  }

  /// A store and its journal are copied to another folder, and undone there.
  @Test func undoChangesTheCopyBesideTheJournalAndNotTheOriginal() throws {
    let (folder, place) = (try TemporaryFolder(), try TemporaryFolder())
    let store = try sickStore(in: folder)
    let before = try contents(of: store)
    #expect(try run(["repair", "Sick.sqlite", "--safe", "--in-place"], in: folder).status == 0)
    let repaired = try contents(of: store)
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.contains(".storedoctor-") })
    try FileManager.default.copyItem(atPath: folder(name), toPath: place(name))
    _ = try place.copyStore(store)
    let undone = try run(["undo", place(name)], in: folder)
    #expect(undone.status == 0, "\(undone.errors)")
    try expectSameBytes(contents(of: place("Sick.sqlite")), as: before)
    try expectSameBytes(contents(of: store), as: repaired)
  }

  @Test func undoAsksWhichStoreWhereTwoMayBeMeant() throws {
    let (folder, place) = (try TemporaryFolder(), try TemporaryFolder())
    let store = try sickStore(in: folder)
    let before = try contents(of: store)
    #expect(
      try run(["repair", "Sick.sqlite", "--safe", "--in-place", "--journal", place("journal")], in: folder).status == 0)
    let copy = try place.copyStore(store)
    try Connection(writing: copy, create: false).execute("UPDATE ZTAG SET ZNAME = 'later' WHERE Z_PK = 1")
    let (changed, repaired) = (try contents(of: copy), try contents(of: store))
    let refused = try run(["undo", place("journal")], in: folder)
    #expect(refused.status == 2 && refused.errors.contains("name the one to change with --store"), "\(refused.errors)")
    try expectSameBytes(contents(of: copy), as: changed)
    try expectSameBytes(contents(of: store), as: repaired)
    // A file of the same name with another store UUID is not taken for the store.
    try Connection(writing: copy, create: false).execute("UPDATE Z_METADATA SET Z_UUID = 'another'")
    let undone = try run(["undo", place("journal")], in: folder)
    #expect(undone.status == 0, "\(undone.errors)")
    try expectSameBytes(contents(of: store), as: before)
  }

  @Test func whatChangedSinceIsKeptByUndo() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let before = try rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY", in: store)
    #expect(try run(["repair", "Sick.sqlite", "--safe", "--in-place", "--journal", "journal"], in: folder).status == 0)
    let connection = try Connection(writing: store, create: false)
    try connection.execute("UPDATE ZTAG SET ZNAME = 'later' WHERE Z_PK = 1")
    connection.close()
    let undone = try run(["undo", "journal", "--store", "./Sick.sqlite", "--format", "json"], in: folder)
    #expect(undone.status == 0 && undone.output.contains("\"way\": \"rows\""), "\(undone.output)\(undone.errors)")
    #expect(undone.output.contains("\"path\": \"./Sick.sqlite\""))
    #expect(undone.output.contains("\"journal\": \"./Sick.sqlite.storedoctor-"))
    #expect(try rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY", in: store) == before)
    #expect(try rows("SELECT ZNAME FROM ZTAG WHERE Z_PK = 1", in: store) == ["later"])
  }

  @Test(arguments: [
    (["--safe"], 0), (["--dangling", "nullify"], 0), (["--safe", "--format", "json"], 0), ([], 64),
    (["--safe", "--in-place", "--output", "x"], 64), (["--safe", "--force"], 64), (["--safe", "--journal", "j"], 64),
    (["--safe", "--in-place", "--without-wal"], 64), (["--keep", "first"], 64), (["--dedupe", "Tag"], 64),
    (["--dedupe", "Tag.name", "--keep", "best"], 64), (["--backfill", "Note.title"], 64), (["--match", "a=b"], 64),
    (["--relink", "Note.folder", "--match", "title"], 64), (["--structure", "everything"], 64),
    (["--dangling", "drop"], 64), (["--backfill-expression", "Note.title=(SELECT 1)"], 64), (["--format", "yaml"], 64),
    (["--dedupe", "Tga.name"], 2), (["--recipe", "none.yaml"], 2), (["--safe", "--store-model", "none.momd"], 2),
  ])
  func theExitStatusSaysWhetherItIsTheOptionsOrTheWork(_ options: [String], _ status: Int) throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    guard status != 0 else {
      #expect(try Program.run(["repair", store] + options).status == 0)
      return
    }
    try expectRefusal(["repair", store] + options, in: folder, saying: [], status: Int32(status))
  }

  @Test(arguments: ["apply", "undo", "repair"]) func helpTellsTheStatusesAndExamples(_ command: String) throws {
    let outcome = try Program.run([command, "--help"])
    #expect(outcome.status == 0)
    for word in ["EXIT STATUS", "EXAMPLES", "  64  wrong usage"] { #expect(outcome.output.contains(word)) }
  }
}

/// The bundled notes with dangling references, two equal tags, a `Z_MAX` that is too low, and NULL titles.
func sickStore(in folder: TemporaryFolder, as name: String = "Sick.sqlite") throws -> String {
  let path = try folder.copyStore(Project.path("corpus/Notes.sqlite"), as: name)
  let connection = try Connection(writing: path, create: false)
  try connection.execute(
    """
    INSERT INTO Z_3TAGS VALUES (1, 99), (2, 99);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Tag';
    UPDATE ZNOTE SET ZTITLE = NULL WHERE Z_PK <= 2;
    UPDATE ZTAG SET ZNAME = 'WORK' WHERE Z_PK = 4;
    UPDATE ZNOTE SET ZFOLDER = 77 WHERE Z_PK = 3;
    """)
  connection.close()
  return path
}

/// Runs the program in a folder.
func run(_ arguments: [String], in folder: TemporaryFolder, width: Int = 100) throws -> Program.Outcome {
  try Program.launch(
    ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path, Program.path] + arguments,
    environment: ["COLUMNS": "\(width)"])
}

/// The rows of a query, as text.
func rows(_ sql: String, in path: String) throws -> [String] {
  let connection = try Connection(reading: DatabaseFiles(path: path))
  let statement = try connection.prepare(sql)
  var rows: [String] = []
  while try statement.step() {
    rows.append((0..<statement.columnCount).map { statement.string($0) ?? "NULL" }.joined(separator: "|"))
  }
  return rows
}

private func mode(_ path: String) -> Int {
  (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int) ?? 0
}
