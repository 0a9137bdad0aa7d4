import StoreGenerator
import TestSupport
import Testing

/// `diagnose` says what blocks a migration and prints a recipe; the recipe as it stands lets the store migrate.
@Suite struct BlockedMigrationStoryTests {
  @Test func duplicatesUnderANewConstraintAreMerged() throws {
    let story = try Story()
    let store = try story.store(
      "V1.sqlite", ["Tag: name String?; notes ->>Note?~tags", "Note: text String?; tags ->>Tag?~notes"]
    ) {
      store in
      let names: [StoredValue] = ["red", "Red", "red ", "blue", "red", nil, nil, "blue"]
      let tags = try names.map { try store.insert("Tag", ["name": $0]) }
      for tag in tags {
        let note = try store.insert("Note", ["text": "a"])
        try store.link(note, "tags", to: tag)
      }
    }
    let next = try story.model(
      "V2", ["Tag unique(name): name String?; notes ->>Note?~tags", "Note: text String?; tags ->>Tag?~notes"])
    let before = try story.diagnose(store, next)
    #expect(before.line == "blocked-by-data: automatic migration to 'V2' fails with 134110 or 134111")
    #expect(before.code == 134110)
    try expectMigration(story, store, next, before)
    // The constraint compares exactly, and NULL equals nothing: only "red" and "blue" are merged.
    #expect(
      try story.rows(story.folder("Repaired.sqlite"), "SELECT Z_PK, ZNAME FROM ZTAG ORDER BY 1") == [
        "1 red", "2 Red", "3 red ", "4 blue", "6 -", "7 -",
      ])
    #expect(try story.rows(story.folder("Repaired.sqlite"), "SELECT count(*) FROM Z_1TAGS") == ["8"])
  }

  @Test func nullsInWhatBecomesRequiredAreFilled() throws {
    let story = try Story()
    let optional =
      "amount Decimal?; count I16?; done Bool?; due Date?; id UUID?; page URI?; rate Double?; title String?"
    let store = try story.store("V1.sqlite", ["Task: \(optional)"]) { store in
      try store.insert("Task", [:])
      try store.insert(
        "Task",
        [
          "amount": 2, "count": 7, "done": 1, "due": .date(3), "id": .blob(Array(1...16)), "page": "a:b", "rate": 0.5,
          "title": "x",
        ])
      try store.insert("Task", ["title": "y"])
    }
    let next = try story.model("V2", ["Task: \(optional.replacing("?", with: ""))"])
    let before = try story.diagnose(store, next)
    #expect(before.line == "blocked-by-data: automatic migration to 'V2' fails with 134110")
    try expectMigration(story, store, next, before)
    #expect(
      try story.rows(
        story.folder("Repaired.sqlite"),
        "SELECT ZAMOUNT, ZCOUNT, ZDONE, ZDUE > 0, length(ZID), ZPAGE, ZRATE, quote(ZTITLE) FROM ZTASK ORDER BY Z_PK")
        == ["0 0 0 1 16 about:blank 0.0 ''", "2 7 1 1 16 a:b 0.5 'x'", "0 0 0 1 16 about:blank 0.0 'y'"])
    #expect(try story.rows(story.folder("Repaired.sqlite"), "SELECT count(DISTINCT ZID) FROM ZTASK") == ["3"])
  }

  /// `Game.label` and `Book.label` are two columns of the same table.
  @Test func aSubentitysOwnColumnIsFilled() throws {
    let story = try Story()
    let store = try story.store(
      "V1.sqlite",
      ["Item: name String?", "Book<Item: label String?", "Game<Item: label String?", "Puzzle<Game: pieces I32?"]
    ) { store in
      for entity in ["Item", "Book", "Game", "Puzzle"] { try store.insert(entity, ["name": "n"]) }
      try store.insert("Puzzle", ["name": "n", "label": "l", "pieces": 9])
    }
    let next = try story.model(
      "V2", ["Item: name String", "Book<Item: label String?", "Game<Item: label String", "Puzzle<Game: pieces I32"])
    let before = try story.diagnose(store, next)
    #expect(before.verdict == "blocked-by-data")
    try expectMigration(story, store, next, before)
    #expect(
      before.recipe == """
        version: 1
        backfill:
          - {entity: Game, attribute: label, value: ""}
          - {entity: Puzzle, attribute: pieces, value: 0}

        """)
    let columns = try story.rows(store, "SELECT name FROM pragma_table_info('ZITEM') WHERE name LIKE 'ZLABEL%'")
    #expect(columns == ["ZLABEL", "ZLABEL1"])
    #expect(
      try story.rows(
        story.folder("Repaired.sqlite"), "SELECT Z_PK, quote(ZLABEL), quote(ZLABEL1), ZPIECES FROM ZITEM ORDER BY Z_PK")
        == [
          "1 NULL NULL -", "2 NULL NULL -", "3 NULL '' -", "4 NULL '' 0", "5 NULL 'l' 9",
        ])
  }

  /// Equal generated values would violate the unique constraint.
  @Test func whatIsUniqueIsFilledWithWhatDiffers() throws {
    let story = try Story()
    let store = try story.store("V1.sqlite", ["User unique(email): email String?; login String?; number I64?"]) {
      store in
      for (login, number) in [("a", nil), (nil, nil), (nil, 7), ("a", nil)] as [(StoredValue?, StoredValue?)] {
        try store.insert("User", ["login": login ?? .null, "number": number ?? .null])
      }
    }
    let next = try story.model(
      "V2", ["User unique(email) unique(login) unique(number): email String; login String; number I64"])
    let before = try story.diagnose(store, next)
    #expect(
      before.recipe == """
        version: 1
        backfill:
          # made up: nothing in the store says what belongs there
          - {entity: User, attribute: email, generate: uuid}
          - {entity: User, attribute: login, generate: uuid}
          - {entity: User, attribute: number, generate: sequence}
        dedupe:
          # where twins differ the first keeps its value, and the others' is lost: that needs --allow-lossy
          - {entity: User, by: [login], keep: first, others: merge}

        """)
    let refused = try story.repair(store, recipe: before.recipe)
    #expect(refused.status == 2 && refused.errors.contains("--allow-lossy"), "\(refused.errors)")
    try expectMigration(story, store, next, before, ["--allow-lossy"])
    #expect(try story.rows(story.folder("Repaired.sqlite"), "SELECT count(*) FROM ZUSER") == ["3"])
  }

  /// The duplicate's own value is taken before one is generated; a generated value would conflict with it.
  @Test func aTwinsValueIsTakenBeforeOneIsMadeUp() throws {
    let story = try Story()
    let store = try story.store("V1.sqlite", ["Note: uuid String?; body String?"]) { store in
      for (uuid, body) in [("a", nil), ("a", "text"), ("b", nil), (nil, nil), ("a", nil)]
        as [(StoredValue?, StoredValue?)]
      {
        try store.insert("Note", ["uuid": uuid ?? .null, "body": body ?? .null])
      }
    }
    let next = try story.model("V2", ["Note unique(uuid): uuid String?; body String"])
    let before = try story.diagnose(store, next)
    try expectMigration(story, store, next, before)
    #expect(
      try story.rows(story.folder("Repaired.sqlite"), "SELECT Z_PK, ZUUID, quote(ZBODY) FROM ZNOTE ORDER BY 1") == [
        "1 a 'text'", "3 b ''", "4 - ''",
      ])
  }

  /// Which attributes match has to be decided by a person: the recipe says so, and repair refuses it unchanged.
  @Test func aRequiredRelationshipAsksForTheAttributesToGoBy() throws {
    let story = try Story()
    let store = try story.store(
      "V1.sqlite",
      ["League: name String?; teams ->>Team?~league", "Team: city String?; leagueName String?; league ->League?~teams"]
    ) {
      store in
      for name in ["North", "South"] { try store.insert("League", ["name": .text(name)]) }
      for name in ["South", "North", "South"] { try store.insert("Team", ["leagueName": .text(name)]) }
    }
    let next = try story.model(
      "V2",
      ["League: name String?; teams ->>Team?~league", "Team: city String?; leagueName String?; league ->League~teams"])
    let before = try story.diagnose(store, next)
    #expect(before.line == "blocked-by-data: automatic migration to 'V2' fails with 134110")
    let recipe = try #require(before.recipe)
    #expect(
      recipe == """
        version: 1
        relink:
          # to be filled in: an attribute of Team, and the one of League that is equal where they belong together
          - {entity: Team, relationship: league, match: {ownAttribute: itsAttribute}}

        """)
    let unchanged = try story.repair(store, recipe: recipe)
    #expect(unchanged.status == 2)
    #expect(
      unchanged.errors == """
        storedoctor: cannot follow the recipe, which has 2 mistakes:
          line 4: no attribute 'ownAttribute' in Team; it has 'city', 'league', 'leagueName'
          line 4: no attribute 'itsAttribute' in League; it has 'name', 'teams'

        """)
    let filled = recipe.replacing("ownAttribute", with: "leagueName").replacing("itsAttribute", with: "name")
    #expect(try story.repair(store, recipe: filled).status == 0)
    #expect(try story.diagnose(story.folder("Repaired.sqlite"), next).verdict == "migrates")
    #expect(
      try story.rows(story.folder("Repaired.sqlite"), "SELECT ZLEAGUE FROM ZTEAM ORDER BY Z_PK") == ["2", "1", "2"])
  }

  /// The recipe printed in the text is that of the JSON, and after applying it the store migrates.
  private func expectMigration(
    _ story: Story, _ store: String, _ next: String, _ before: Story.Answer, _ options: [String] = [],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(before.verdict == "blocked-by-data", "\(before.text)", sourceLocation: location)
    #expect(before.printedRecipe == before.recipe, "\(before.text)", sourceLocation: location)
    let recipe = try #require(before.recipe, "\(before.text)", sourceLocation: location)
    let outcome = try story.repair(store, options, recipe: recipe)
    #expect(outcome.status == 0, "\(recipe)\(outcome.output)\(outcome.errors)", sourceLocation: location)
    let after = try story.diagnose(story.folder("Repaired.sqlite"), next)
    #expect(after.line == "migrates: automatic migration to 'V2' succeeds", "\(after.text)", sourceLocation: location)
    let again = try Program.run(
      ["repair", story.folder("Repaired.sqlite"), "--recipe", story.folder("recipe.yaml")])
    #expect(again.output.hasPrefix("nothing to do\n"), "\(again.output)\(again.errors)", sourceLocation: location)
  }
}
