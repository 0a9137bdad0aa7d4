import Foundation
import StoreDataModel
import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

/// `repair --model`: planted rows of every kind that stop a migration, what the plan says of them, and the way from a
/// blocked store to one that `diagnose` says migrates.
@Suite struct ModelRepairStoryTests {
  @Test func nullsGetTheModelsDefaultsExactly() throws {
    let story = try Story()
    let old = "a Decimal?; b I16?; c Bool?; d Date?; e UUID?; f URI?; g Double?; h String?; i String?; j String?"
    let known = try story.model("V1", ["Task: \(old)"])
    let store = try story.store("V1.sqlite", ["Task: \(old)"]) { store in
      try store.insert("Task", [:])
      try store.insert(
        "Task", ["a": 1, "b": 1, "c": 0, "d": .date(1), "e": .blob(Array(1...16)), "f": "x:y", "g": 0.5, "h": "h"])
    }
    var model = try ModelNotation.model(["Task: \(old.replacing("?", with: "")); k I32=9"])
    let defaults: [String: DefaultValue] = [
      "a": .decimal("-12.5"), "b": .integer(7), "c": .boolean(true), "d": .date(3.25), "e": .uuid(Array(17...32)),
      "f": .uri("a:b"), "g": .real(0.1), "h": .string("it's \"so\", = ü"), "i": .string(""),
    ]
    for index in model.entities[0].properties.indices {
      var property = model.entities[0].properties[index]
      guard var attribute = property.attribute, let value = defaults[property.name] else { continue }
      attribute.defaultValue = value
      property.kind = .attribute(attribute)
      model = try model.replacing(property, at: index)
    }
    let next = try story.model("V2", model)
    let plan = try story.plan(store, known, next)
    #expect(plan.before == "blocked-by-data 134110 observed" && plan.after == "blocked-by-data 134110 observed")
    #expect(plan.defaults == ["a", "b", "c", "d", "e", "f", "g", "h", "i"].map { "Task.\($0)" })
    #expect(plan.stopping == ["Task.j 2 [1, 2]: 2 rows: NULL in a newly required attribute"])
    #expect(plan.choices == [["--backfill", "Task.j="]])
    // With the first choice for each row in the way, to be pasted.
    let shown = try Program.run(["repair", store, "--model", next])
    #expect(
      shown.output.contains("\nNext\n  storedoctor repair \(store) --model \(next) --backfill Task.j="),
      "\(shown.output)")
    let outcome = try story.repair(store, ["--model", next, "--require", "migrates", "--backfill", "Task.j=none"])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(try story.diagnose(story.folder("Repaired.sqlite"), next).text.hasPrefix("migrates: automatic migration"))
    #expect(
      try story.rows(
        story.folder("Repaired.sqlite"),
        "SELECT ZA, ZB, ZC, ZD, hex(ZE), ZF, ZG, ZH, quote(ZI), ZJ FROM ZTASK ORDER BY Z_PK") == [
          "-12.5 7 1 3.25 1112131415161718191A1B1C1D1E1F20 a:b 0.1 it's \"so\", = ü '' none",
          "1 1 0 1 0102030405060708090A0B0C0D0E0F10 x:y 0.5 h '' none",
        ])
  }

  /// What the recipe says of an attribute comes before the model's default, and so does a twin's value.
  @Test func theRecipeComesBeforeTheModel() throws {
    let story = try Story()
    let store = try story.store("V1.sqlite", ["Note: uuid String?; body String?; kind String?"]) { store in
      try store.insert("Note", ["uuid": "a"])
      try store.insert("Note", ["uuid": "a", "body": "text"])
      try store.insert("Note", ["uuid": "b", "kind": "k"])
    }
    let next = try story.model("V2", ["Note unique(uuid): uuid String?; body String=empty; kind String=none"])
    let plan = try story.plan(store, next)
    #expect(plan.stopping == ["Note.uuid 2 [1, 2]: 2 rows in 1 group: duplicates under the new constraint"])
    #expect(
      plan.choices == [
        ["--dedupe", "Note.uuid", "--keep", "first", "--others", "merge"],
        ["--dedupe", "Note.uuid", "--others", "rename:{uuid} ({n})"],
      ])
    let merge = ["--model", next] + (plan.choices.first ?? [])
    let outcome = try story.repair(store, merge + ["--backfill", "Note.kind=own", "--require", "migrates"])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(
      try story.rows(story.folder("Repaired.sqlite"), "SELECT Z_PK, ZUUID, ZBODY, ZKIND FROM ZNOTE ORDER BY 1")
        == ["1 a text own", "3 b empty k"])
  }

  /// Renaming keeps both, and lets the store migrate as well.
  @Test func duplicatesMayBeRenamed() throws {
    let story = try Story()
    let store = try story.store("V1.sqlite", ["Tag: name String?"]) { store in
      for name in ["red", "red", "blue"] { try store.insert("Tag", ["name": .text(name)]) }
    }
    let next = try story.model("V2", ["Tag unique(name): name String?"])
    let required = try story.repair(store, ["--model", next, "--require", "migrates"])
    #expect(required.status == 2 && required.output == "")
    #expect(
      required.errors == """
        storedoctor: refusing: with 'V2' the store would be blocked-by-data afterwards, and --require asks for one that opens or migrates; 'storedoctor repair' without --output and --in-place prints what is left to decide

        """)
    #expect(!story.exists("Repaired.sqlite"))
    let choice = try #require(try story.plan(store, next).choices.last)
    #expect(try story.repair(store, ["--model", next, "--require", "migrates"] + choice).status == 0)
    #expect(
      try story.rows(story.folder("Repaired.sqlite"), "SELECT ZNAME FROM ZTAG ORDER BY Z_PK")
        == ["red", "red (2)", "blue"])
  }

  @Test func aRequiredRelationshipIsFoundByNamesThatFit() throws {
    let story = try Story()
    let store = try story.store(
      "V1.sqlite",
      ["League: name String?; teams ->>Team?~league", "Team: city String?; leagueName String?; league ->League?~teams"]
    ) { store in
      for name in ["North", "South"] { try store.insert("League", ["name": .text(name)]) }
      for name in ["South", "North", "South"] { try store.insert("Team", ["leagueName": .text(name)]) }
    }
    let next = try story.model(
      "V2",
      ["League: name String?; teams ->>Team?~league", "Team: city String?; leagueName String?; league ->League~teams"])
    let plan = try story.plan(store, next)
    #expect(plan.stopping == ["Team.league 3 [1, 2, 3]: 3 rows: no link in a newly required relationship"])
    #expect(plan.choices == [["--relink", "Team.league", "--match", "leagueName=name"]])
    #expect(try story.repair(store, ["--model", next, "--require", "migrates"] + plan.choices[0]).status == 0)
    #expect(try story.diagnose(story.folder("Repaired.sqlite"), next).verdict == "migrates")
    #expect(
      try story.rows(story.folder("Repaired.sqlite"), "SELECT ZLEAGUE FROM ZTEAM ORDER BY Z_PK") == ["2", "1", "2"])
  }

  /// Emptying a key that leads nowhere would stop a migration that passes now.
  @Test func aRepairThatWouldStopTheMigrationIsRefused() throws {
    let story = try Story()
    let models = ["", "?"].map {
      ["Folder: name String?; notes ->>Note?~folder", "Note: title String?; folder ->Folder\($0)~notes"]
    }
    let store = try story.store("V1.sqlite", models[1]) { store in
      let folder = try store.insert("Folder", ["name": "Work"])
      for _ in 0..<3 { try store.link(store.insert("Note", ["title": "t"]), "folder", to: folder) }
    }
    _ = try story.rows(store, "UPDATE ZNOTE SET ZFOLDER = 9 WHERE Z_PK > 1")
    let next = try story.model("V2", models[0])
    let plan = try story.plan(store, next)
    #expect(plan.before == "migrates assumed" && plan.after == "migrates assumed")
    #expect(plan.stopping == [])
    #expect(plan.passing == ["Note.folder 2 [2, 3]: 2 rows: a key that leads nowhere"])
    #expect(plan.choices == [["--dangling", "restore-from-history"], ["--dangling", "delete-source"]])
    // What is safe leaves them out, and says why.
    let safe = try Program.run(["repair", store, "--model", next, "--safe"], environment: ["COLUMNS": "200"])
    #expect(safe.status == 0 && safe.output.hasPrefix("nothing can be done of what was asked for\n"))
    #expect(
      safe.output.contains("'Note.folder' of 2 objects left alone, because 'V2' requires it"), "\(safe.output)")
    let refused = try story.repair(store, ["--model", next, "--dangling", "nullify"])
    #expect(refused.status == 2 && !story.exists("Repaired.sqlite"))
    #expect(
      refused.errors == """
        storedoctor: refusing to change anything: dangling of 'Note.folder': afterwards the store would be blocked-by-data with 'V2' at 'Note.folder', and now it is migrates: leave out the repair that does it (Z_PK 2, 3)

        """)
    let shown = try Program.run(["repair", store, "--model", next, "--dangling", "nullify"])
    #expect(shown.status == 2)
    #expect(shown.output.contains("\n  after   not known, since the plan is refused\n"), "\(shown.output)")
    let lossy = ["--model", next, "--require", "migrates", "--allow-lossy"]
    #expect(try story.repair(store, lossy + plan.choices[1]).status == 0)
    #expect(try story.rows(story.folder("Repaired.sqlite"), "SELECT Z_PK FROM ZNOTE") == ["1"])
    // Beside something that can be done they are left out just so where the plan is made on the copy itself.
    _ = try story.rows(store, "UPDATE ZNOTE SET ZTITLE = NULL WHERE Z_PK = 1")
    let left = try story.repair(store, ["--model", next, "--safe", "--backfill", "Note.title=x"], to: "Left.sqlite")
    #expect(left.status == 0, "\(left.errors)")
    #expect(try story.rows(story.folder("Left.sqlite"), "SELECT ZFOLDER FROM ZNOTE ORDER BY Z_PK") == ["1", "9", "9"])
    #expect(try story.rows(story.folder("Left.sqlite"), "SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK") == ["x", "t", "t"])
  }

  /// A minimum that rows do not reach stops nothing: such an object fails at its next save.
  @Test func aMinimumIsLeftToDecide() throws {
    let story = try Story()
    let store = try story.store(
      "V1.sqlite", ["Team: name String?; players ->>Player?~team", "Player: teamName String?; team ->Team?~players"]
    ) { store in
      try store.insert("Team", ["name": "A"])
      for _ in 0..<2 { try store.insert("Player", ["teamName": "A"]) }
    }
    let next = try story.model(
      "V2", ["Team: name String?; players ->>Player~team min(1)", "Player: teamName String?; team ->Team?~players"])
    let plan = try story.plan(store, next)
    #expect(plan.after == "migrates assumed")
    #expect(plan.passing == ["Team.players 1 [1]: 1 row: no links in a required relationship"])
    #expect(plan.choices == [["--relink", "Team.players", "--match", "OWN=OTHER"]])
    // The other side knows: the same links by the to-one.
    let outcome = try story.repair(
      store, ["--model", next, "--require", "migrates", "--relink", "Player.team", "--match", "teamName=name"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try Program.run(["diagnose", story.folder("Repaired.sqlite"), "--model", next]).output.hasPrefix(
        "migrates: automatic migration to 'V2' succeeds"))
  }

  @Test func linksThatLeadNowhereAreNamed() throws {
    let story = try Story()
    let models = ["", "; color String?"].map {
      ["Note: tags ->>Tag?~notes", "Tag: name String?; notes ->>Note?~tags\($0)"]
    }
    let store = try story.store("V1.sqlite", models[0]) { store in
      let tag = try store.insert("Tag", ["name": "x"])
      for _ in 0..<3 { try store.link(store.insert("Note", [:]), "tags", to: tag) }
    }
    _ = try story.rows(store, "DELETE FROM ZNOTE WHERE Z_PK = 2")
    let next = try story.model("V2", models[1])
    let plan = try story.plan(store, next)
    #expect(plan.choices.allSatisfy { $0 == ["--structure", "join-orphans"] }, "\(plan.choices)")
    #expect(try story.repair(store, ["--model", next, "--structure", "join-orphans"]).status == 0)
    #expect(try story.plan(story.folder("Repaired.sqlite"), next).passing == [])
  }

  /// No repair of rows helps where the store has no column, or where no mapping is inferred; the plan says so.
  @Test func whatNoRepairHelpsIsSaid() throws {
    let story = try Story()
    let store = try story.store("V1.sqlite", ["Note: title String?; size I16?"]) { store in
      for _ in 0..<2 { try store.insert("Note", ["title": "t"]) }
    }
    let added = try story.model("V2", ["Note: title String?; size I16?; author String"])
    let plan = try story.plan(store, added)
    #expect(plan.stopping == ["Note.author 2 [1, 2]: 2 rows: no value for a required property"])
    #expect(plan.choices == [])
    let changed = try story.model("V3", ["Note: title String?; size String?"])
    let text = try Program.run(["repair", store, "--model", changed])
    #expect(text.status == 0)
    #expect(
      text.output == """
        no repair of rows lets the model open it

        With 'V3' of '\(changed)'
          before  needs-custom-stage: automatic migration to 'V3' fails with 134140 (assumed)
          after   needs-custom-stage: automatic migration to 'V3' fails with 134140 (assumed)
          ? no mapping model found; if the app has one: --mapping

        """, "\(text.output)")
    #expect(try Program.run(["repair", store, "--model", changed, "--require", "migrates"]).status == 2)
    let unasked = try Program.run(["repair", store, "--safe", "--require", "migrates"])
    #expect(unasked.status == 64 && unasked.errors.contains("--require is about --model"))
  }

  /// A plan for a model is applied with the same model only; in place it is undone byte for byte.
  @Test func aPlanIsAppliedWithItsModel() throws {
    let story = try Story()
    let store = try story.store("V1.sqlite", ["Note: title String?"]) { store in
      for _ in 0..<2 { try store.insert("Note", [:]) }
    }
    let bytes = try story.bytes(store)
    // With the store's version among the models nothing else is assumed.
    let known = try story.model("V1", ["Note: title String?"])
    let next = try story.model("V2", ["Note: title String=Untitled"])
    let models = ["--model", known, "--model", next]
    let other = try story.model("V3", ["Note: title String=Untitled; body String?"])
    let saved = story.folder("plan.json")
    let planned = try Program.run(["repair", store] + models + ["--require", "migrates", "--plan-out", saved])
    #expect(planned.status == 0)
    #expect(
      planned.output.contains(" --model \(known) --model \(next) --require migrates --output "), "\(planned.output)")
    let apply = ["apply", saved, "--store", store, "--in-place", "--journal", story.folder("journal")]
    #expect(try Program.run(apply).errors.contains("give it with --model"))
    #expect(try Program.run(apply + ["--model", other]).errors.contains("was not made for the version 'V3'"))
    try expectSameBytes(story.bytes(store), as: bytes)
    let done = try Program.run(apply + models + ["--require", "migrates", "--format", "json"])
    #expect(done.status == 0, "\(done.errors)")
    let outcome = try JSONTree(done.output)
    #expect(outcome["after"]?["opening"]?["verdict"]?.string == "migrates")
    #expect(outcome["after"]?["opening"]?["basis"]?.string == "documented")
    #expect(outcome["before"]?["opening"]?["basis"]?.string == "assumed")
    #expect(try story.diagnose(store, next).line == "migrates: automatic migration to 'V2' succeeds")
    #expect(try Program.run(["undo", story.folder("journal")]).status == 0)
    try expectSameBytes(story.bytes(store), as: bytes)
  }
}

extension Model {
  /// The model with a property of its first entity replaced.
  fileprivate func replacing(_ property: Property, at index: Int) throws -> Model {
    var entities = entities
    entities[0].properties[index] = property
    return try Model(entities: entities)
  }
}

extension Story {
  /// Writes a model file for `--model`.
  fileprivate func model(_ name: String, _ model: Model) throws -> String {
    let document = try ModelDocument(versions: [.init(name: name, model: model)])
    return try folder.write(Array(document.json().text.utf8), to: "\(name).json")
  }

  fileprivate func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder(name))
  }

  fileprivate func bytes(_ path: String) throws -> [UInt8] {
    Array(try #require(FileManager.default.contents(atPath: path)))
  }

  /// What `repair --model` says in JSON.
  fileprivate struct Plan {
    /// "blocked-by-data 134110 observed".
    var before: String
    var after: String
    /// "Note.title 2 [1, 2]: 2 rows: NULL in a newly required attribute".
    var stopping: [String]
    var passing: [String]
    /// The options of all choices.
    var choices: [[String]]
    /// "Note.title".
    var defaults: [String]
  }

  fileprivate func plan(_ store: String, _ models: String...) throws -> Plan {
    let given = models.flatMap { ["--model", $0] }
    let outcome = try Program.run(["repair", store] + given + ["--format", "json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let json = try JSONTree(outcome.output)
    let decisions = json["after"]?["opening"]?["decisions"]?.list ?? []
    func decided(_ stops: Bool) -> [String] {
      decisions.filter { $0["stops"] == .bool(stops) }.map { decision in
        let keys = decision["keys"]?.list?.compactMap(\.wholeNumber) ?? []
        return "\(decision["entity"]?.string ?? "").\(decision["property"]?.string ?? "") "
          + "\(decision["count"]?.wholeNumber ?? 0) \(keys): \(decision["message"]?.string ?? "")"
      }
    }
    func verdict(_ condition: String) -> String {
      let opening = json[condition]?["opening"]
      return [
        opening?["verdict"]?.string, (opening?["code"]?.wholeNumber).map(String.init), opening?["basis"]?.string,
      ].compactMap(\.self).joined(separator: " ")
    }
    return Plan(
      before: verdict("before"), after: verdict("after"), stopping: decided(true), passing: decided(false),
      choices: decisions.flatMap { $0["choices"]?.list ?? [] }.map {
        $0["options"]?.list?.compactMap(\.string) ?? []
      },
      defaults: json["model"]?["defaults"]?.list?.map {
        "\($0["entity"]?.string ?? "").\($0["attribute"]?.string ?? "")"
      } ?? [])
  }
}
