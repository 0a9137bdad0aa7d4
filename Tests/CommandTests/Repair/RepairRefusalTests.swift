import StoreDataModel
import Foundation
import StoreSQLite
import StoreGenerator
import TestSupport
import Testing

/// A repair that cannot or must not be done ends with status 2 and a message that says what to do; nothing is written.
@Suite struct RepairRefusalTests {
  @Test func plansThatDoNotFit() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let other = try folder.copyStore(Project.path("corpus/Club.sqlite"))
    let output = folder("out.sqlite")
    let plan = folder("plan.json")
    #expect(try Program.run(["repair", store, "--safe", "--plan-out", plan]).status == 0)
    let redacted = try Program.run(["repair", store, "--safe", "--format", "json"]).output
    try folder.write(Array(redacted.utf8), to: "redacted.json")
    let text = try String(contentsOfFile: plan, encoding: .utf8)
    let edits: [(name: String, old: String, new: String, words: String)] = [
      ("keys", #""keys": "3""#, #""keys": "3-4""#, "first at 'operations[2].edit.rows.keys'"),
      ("table", #""Z_3TAGS""#, #""ZNOTE""#, "first at 'after.rows.ZNOTE'"),
      ("sql", "DELETE FROM", "DROP TABLE", "first at 'operations[0].edit.rows.sql'"),
      ("mark", #""key": 6"#, #""key": 60"#, "first at 'operations[1].edit.highWater.key'"),
      ("count", #""expectedChanges": 2"#, #""expectedChanges": 3"#, "first at 'operations[0].expectedChanges'"),
      ("grade", #""safe""#, #""lossy""#, "first at 'operations[0].grade'"),
      ("recipe", "\n      \"join-orphans\",\n", "\n", "planning anew gives another plan"),
      ("asks", #""nullify-optional""#, #""drop""#, "'drop'"), ("schema", "plan/1", "plan/2", "its schema is not"),
      ("seed", #""seed": ""#, #""seed": "x"#, "a member is missing"),
    ]
    for edit in edits {
      let edited = text.replacingOccurrences(of: edit.old, with: edit.new)
      #expect(edited != text, "\(edit.name)")
      try folder.write(Array(edited.utf8), to: edit.name)
      for place in [["--output", output], ["--in-place"]] {
        try expectRefusal(["apply", folder(edit.name), "--store", store] + place, in: folder, saying: [edit.words])
      }
    }
    for garbage in ["\0\u{1}{[", "", "[]", String(text.prefix(text.count / 2)), String(repeating: "[", count: 100_000)]
    {
      let path = try folder.write(Array(garbage.utf8), to: "garbage")
      try expectRefusal(
        ["apply", path, "--store", store, "--output", output], in: folder,
        saying: ["cannot read the plan", "'storedoctor repair --plan-out FILE' writes one"])
    }
    for (arguments, words) in [
      ([folder("redacted.json"), "--store", store], "--plan-out FILE"), ([plan, "--store", other], "not the store"),
      ([folder("none.json"), "--store", store], "no such file"), ([folder.path, "--store", store], "a directory"),
      ([store, "--store", store], "cannot read the plan"), ([plan, "--store", plan], "it is a text file, not a store"),
    ] {
      try expectRefusal(["apply"] + arguments + ["--output", output], in: folder, saying: [words])
    }
    try expectRefusal(["apply", plan, "--store", store], in: folder, saying: ["--output"], status: 64)
    try expectRefusal(
      ["apply", plan, "--store", store, "--output", plan, "--force"], in: folder, saying: ["given to this command"])
    let connection = try Connection(writing: store, create: false)
    try connection.execute("UPDATE ZNOTE SET ZBODY = 'changed' WHERE Z_PK = 5")
    connection.close()
    try expectRefusal(
      ["apply", plan, "--store", store, "--output", output], in: folder, saying: ["changed since", "make a new plan"])
  }

  @Test func journalsThatDoNotFit() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let other = try folder.copyStore(Project.path("corpus/Club.sqlite"))
    #expect(try Program.run(["repair", store, "--safe", "--in-place", "--journal", folder("j")]).status == 0)
    try expectRefusal(["undo", folder("j"), "--store", other], in: folder, saying: ["another store"])
    let text = try String(contentsOfFile: folder("j/journal.json"), encoding: .utf8)
    let edits: [(name: String, old: String, new: String)] = [
      ("state", #""applied""#, #""lost""#), ("role", #""main""#, #""../main""#),
      ("sum", #""sha256": ""#, #""sha256": "0"#), ("more", #""state""#, #""run": "rm", "state""#),
    ]
    let broken = edits.map { ($0.name, text.replacingOccurrences(of: $0.old, with: $0.new)) }
    let garbage = [("garbage", "\0"), ("empty", ""), ("list", "[]"), ("short", String(text.prefix(100)))]
    for (name, edited) in broken + garbage {
      #expect(edited != text, "\(name)")
      try FileManager.default.copyItem(atPath: folder("j"), toPath: folder(name))
      try folder.write(Array(edited.utf8), to: "\(name)/journal.json")
      try expectRefusal(["undo", folder(name)], in: folder, saying: ["cannot read the journal", name])
    }
    try expectRefusal(["undo", folder("none")], in: folder, saying: ["no journal.json"])
    try expectRefusal(["undo", store], in: folder, saying: ["no journal beside"])
  }

  @Test func outputsThatLieInTheWay() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    _ = try folder.copyStore(Project.path("corpus/Club.sqlite"), as: "Club.db")
    let model = try folder.copyStore(store, as: "Model.sqlite")
    symlink(store, folder("link.sqlite"))
    link(store, folder("hard.sqlite"))
    try folder.write([1], to: "old.sqlite")
    try folder.write([1], to: "log.sqlite-wal")
    for name in [".support_SUPPORT", "folder.sqlite"] {
      try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: false)
    }
    for (name, words) in [
      ("old.sqlite", "--force to replace it"), ("log.sqlite", "log.sqlite-wal"), ("support.sqlite", ".support_SUPPORT"),
    ] {
      try expectRefusal(["repair", store, "--safe", "--output", folder(name)], in: folder, saying: [words])
    }
    for (name, words) in [
      ("Sick.sqlite", "the store itself"), ("link.sqlite", "the store itself"), ("hard.sqlite", "the store itself"),
      ("./Sick.sqlite", "the store itself"), ("Sick.db", "Sick-repaired.db"), ("Sick", "Sick-repaired"),
      ("Club.sqlite", "Club-repaired.sqlite"), ("Sick.sqlite-wal", "side file"),
      ("folder.sqlite", "not a regular file"),
      ("none/a.sqlite", "folder does not exist"),
    ] {
      try expectRefusal(
        ["repair", store, "--safe", "--output", folder(name), "--force"], in: folder, saying: [words])
    }
    try expectRefusal(
      ["repair", store, "--safe", "--store-model", model, "--output", model, "--force"], in: folder,
      saying: ["given to this command"])
    try expectRefusal(
      ["repair", store, "--safe", "--in-place", "--journal", folder.path], in: folder, saying: ["exists"])
    try expectRefusal(
      ["repair", store, "--safe", "--plan-out", folder("old.sqlite")], in: folder, saying: ["it exists"])
    try expectRefusal(
      ["repair", store, "--safe", "--plan-out", store + "-wal"], in: folder, saying: ["a side file"])
  }

  /// The output may not replace the plan that the same command has just written.
  @Test func aPlanIsNoOutput() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let plan = folder("both.json")
    let outcome = try Program.run(["repair", store, "--safe", "--plan-out", plan, "--output", plan, "--force"])
    #expect(outcome.status == 2 && outcome.errors.contains("given to this command"))
    #expect(try String(contentsOfFile: plan, encoding: .utf8).contains("storedoctor.plan/1"))
  }

  @Test func forceReplacesAnOldOutputWithAllThatBelongsToIt() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let output = folder("out.sqlite")
    try folder.write([1], to: "out.sqlite")
    for suffix in ["-wal", "-shm", "-journal"] { try folder.write([2], to: "out.sqlite" + suffix) }
    let outcome = try Program.run(["repair", store, "--safe", "--output", output, "--force"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try FolderBytes(of: folder.path).names == ["Sick.sqlite", "out.sqlite"])
    #expect(try rows("SELECT count(*) FROM Z_3TAGS WHERE Z_5TAGS = 99", in: output) == ["0"])
  }

  @Test func aWALOfAnotherStore() throws {
    let (folder, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
    let store = try LivingStore(in: folder).mainPath
    let other = try LivingStore(in: elsewhere, uuid: "11111111-7C1D-4E55-9A53-2D1F0C8E7B01", label: "Other")
    // A WAL that contains the metadata page with the other UUID.
    try other.outsideTransaction("UPDATE Z_METADATA SET Z_VERSION = 2; UPDATE Z_METADATA SET Z_VERSION = 1")
    try other.copy()
    try FileManager.default.removeItem(atPath: store + "-wal")
    try FileManager.default.copyItem(atPath: other.mainPath + "-wal", toPath: store + "-wal")
    let repair = ["repair", store, "--backfill", "Folder.name=x", "--backfill", "Note.created=2026-01-01T00:00:00Z"]
    for place in [["--output", folder("a.sqlite")], ["--in-place"], ["--in-place", "--accept-wal"]] {
      try expectRefusal(repair + place, in: folder, saying: ["--without-wal", "--accept-wal"])
    }
    try expectRefusal(repair + ["--in-place", "--without-wal"], in: folder, saying: ["--output"], status: 64)
    let left = try Program.run(repair + ["--output", folder("a.sqlite"), "--without-wal"])
    #expect(left.status == 0, "\(left.errors)")
    #expect(try rows("SELECT count(*) FROM ZNOTE", in: folder("a.sqlite")) == ["4"])
    let taken = try Program.run(repair + ["--output", folder("b.sqlite"), "--accept-wal"])
    #expect(taken.status == 0, "\(taken.errors)")
    #expect(
      try FolderBytes(of: folder.path).names.filter { $0.hasPrefix("a.") || $0.hasPrefix("b.") } == [
        "a.sqlite", "b.sqlite",
      ])
  }

  @Test(arguments: [
    "CREATE TRIGGER audit AFTER UPDATE ON ZNOTE BEGIN DELETE FROM ZTAG; END",
    "CREATE VIEW recent AS SELECT * FROM ZNOTE",
    "CREATE TRIGGER Z_DA_ZTAG_Tag_x AFTER DELETE ON Z_3TAGS BEGIN SELECT load_extension('x'); END",
    "CREATE VIRTUAL TABLE search USING fts4(body)",
  ])
  func storesWithForeignObjects(_ sql: String) throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let connection = try Connection(writing: store, create: false)
    try connection.execute(sql)
    connection.close()
    for place in [[], ["--output", folder("a.sqlite")], ["--in-place"], ["--plan-out", folder("plan.json")]] {
      try expectRefusal(
        ["repair", store, "--safe"] + place, in: folder, saying: ["SD307", "storedoctor diagnose --check SD307"])
    }
  }

  /// The session extension of SQLite cannot record changes of a table with generated columns, so only a copy is
  /// repaired.
  @Test func aStoreWithGeneratedColumnsIsMendedInACopyOnly() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let connection = try Connection(writing: store, create: false)
    try connection.execute("ALTER TABLE ZNOTE ADD COLUMN ZDOUBLE INTEGER GENERATED ALWAYS AS (ZFOLDER * 2) VIRTUAL")
    connection.close()
    let repair = ["repair", store, "--safe", "--dedupe", "Note.folder", "--others", "delete", "--allow-lossy"]
    try expectRefusal(repair + ["--in-place"], in: folder, saying: ["'ZNOTE' has generated columns", "use --output"])
    let output = folder("a.sqlite")
    let written = try Program.run(repair + ["--output", output])
    #expect(written.status == 0, "\(written.errors)")
    #expect(try rows("SELECT sum(ZDOUBLE = ZFOLDER * 2), count(ZFOLDER) FROM ZNOTE", in: output) == ["4|4"])
  }

  @Test func aMirroredStoreLosesNoRows() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let connection = try Connection(writing: store, create: false)
    try connection.execute("CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYPK INTEGER)")
    connection.close()
    let deletion = ["repair", store, "--dedupe", "Note.folder", "--others", "delete", "--allow-lossy"]
    for place in [["--output", folder("a.sqlite")], ["--in-place"]] {
      try expectRefusal(deletion + place, in: folder, saying: ["--allow-mirrored"])
    }
    let dry = try Program.run(deletion)
    #expect(dry.status == 0 && dry.output.contains("needs --allow-lossy and --allow-mirrored"))
    #expect(dry.output.contains("the store is mirrored with CloudKit"))
    let marks = try Program.run(["repair", store, "--structure", "high-water", "--output", folder("b.sqlite")])
    #expect(marks.status == 0, "\(marks.errors)")
    let allowed = try Program.run(deletion + ["--allow-mirrored", "--output", folder("c.sqlite")])
    #expect(allowed.status == 0, "\(allowed.errors)")
  }

  @Test func whatLosesSomethingHasToBeAllowed() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let plan = folder("plan.json")
    let deletion = ["--dedupe", "Note.folder", "--others", "delete"]
    #expect(try Program.run(["repair", store, "--plan-out", plan] + deletion).status == 0)
    for place in [["--output", folder("a.sqlite")], ["--in-place"], ["--in-place", "--allow-metadata"]] {
      try expectRefusal(["repair", store] + deletion + place, in: folder, saying: ["--allow-lossy"])
      try expectRefusal(["apply", plan, "--store", store] + place, in: folder, saying: ["--allow-lossy"])
    }
    let allowed = try Program.run(
      ["apply", plan, "--store", store, "--output", folder("a.sqlite"), "--allow-lossy"])
    #expect(allowed.status == 0, "\(allowed.errors)")
  }

  /// An object cannot be deleted if a required relationship leads to it, unless a delete rule deletes the other object
  /// too.
  @Test func aRequiredRelationshipIsNotBroken() throws {
    let folder = try TemporaryFolder()
    let store = try requiringStore(in: folder)
    let recipe = ["--dedupe", "Owner.name", "--others", "delete", "--allow-lossy"]
    for place in [["--output", folder("a.sqlite")], ["--in-place"]] {
      try expectRefusal(
        ["repair", store] + recipe + place, in: folder, saying: ["refusing to change anything", "Pet.owner"])
    }
    let before = try FolderBytes(of: folder.path)
    let dry = try Program.run(["repair", store, "--plan-out", folder("plan.json")] + recipe)
    #expect(dry.status == 2 && dry.errors.hasPrefix("storedoctor: refused: "))
    #expect(
      dry.output.hasPrefix("refused: ") && dry.output.contains("In the way\n") && dry.output.contains("Pet.owner"))
    #expect(try FolderBytes(of: folder.path) == before)
  }

  @Test(.needsOrdinaryUser) func foldersAndStoresThatAreNotOnesOwn() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    chmod(store, 0o444)
    chmod(folder.path, 0o555)
    for (place, words) in [
      (["--in-place"], "use --output"), (["--output", folder("a.sqlite")], "permission denied"),
      (["--plan-out", folder("plan.json")], "Permission denied"),
    ] {
      try expectRefusal(["repair", store, "--safe"] + place, in: folder, saying: [words], as: .ordinary)
    }
    let elsewhere = try TemporaryFolder()
    chmod(elsewhere.path, 0o777)
    let before = try FolderBytes(of: folder.path)
    let outcome = try Program.run(["repair", store, "--safe", "--output", elsewhere("a.sqlite")], as: .ordinary)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try FolderBytes(of: folder.path) == before)
    // A journal in a writable folder does not make the store writable.
    try expectRefusal(
      ["repair", store, "--safe", "--in-place", "--journal", elsewhere("j")], in: elsewhere,
      saying: ["permission denied"],
      as: .ordinary)
  }
}

/// Pets that need an owner, two of whom have one name.
private func requiringStore(in folder: TemporaryFolder) throws -> String {
  let model = try Model(entities: [
    Entity(name: "Owner", properties: [.text("name"), .toMany("pets", "Pet", inverse: "owner")]),
    Entity(
      name: "Pet",
      properties: [
        .text("name"),
        Property(
          name: "owner", isOptional: false,
          kind: .relationship(Relationship(destination: "Owner", inverse: "pets", maximumCount: 1))),
      ]),
  ])
  let path = folder("Pets.sqlite")
  let writer = try StoreWriter(creating: path, StoreDescription(model: model, usesWAL: false))
  for pet in ["Rex", "Tom"] {
    try writer.link(writer.insert("Pet", ["name": .text(pet)]), "owner", to: writer.insert("Owner", ["name": "Ann"]))
  }
  try writer.finish()
  return path
}
