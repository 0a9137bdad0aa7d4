import StoreCoreData
import TestSupport
import Testing

/// Small stores and models on which a migration once said, wrote or handed out something wrong: the built program on each.
@Suite(.needsSharedData) struct MigrationAnswerTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String) -> String { SharedData.path("field-cases/migrations/\(name)") }

  /// The history's bits go by the position of a property, and V2 has one more in front.
  @Test func historyNamesTheSamePropertyAfterwards() throws {
    let place = "history-columns-not-rewritten"
    let before = try Program.run(["timeline", file("\(place)/log.sqlite")])
    #expect(before.output.contains("Note 1 updated: zed"))
    try migrated("\(place)/log.sqlite", model: "\(place)/Log.xcdatamodeld")
    let after = try Program.run(["timeline", folder("new.sqlite")])
    #expect(after.output.contains("Note 1 updated: zed"))
  }

  /// Keys are numbers that the store gave; a migration with a mapping model gives them anew.
  @Test func objectsUnderNewKeysAreTheSame() throws {
    let place = "compare-after-renumbering"
    let result = try Program.run(["compare", file("\(place)/before.sqlite"), file("\(place)/after.sqlite")])
    #expect(result.status == 1)
    #expect(result.output.hasPrefix("different: 5 objects under another key\n"))
    #expect(result.output.contains("keys were given anew"))
  }

  @Test func aRecipeThatDeletesNeedsLeaveAndIsCounted() throws {
    let place = "nothing-lost-with-a-deleting-recipe"
    let arguments = [
      file("\(place)/t.sqlite"), "--model", file("\(place)/Trips.xcdatamodeld"), "--perform",
      "V1>V2=\(file("\(place)/delete.yaml"))", "--allow-assumed",
    ]
    let refused = try Program.run(["migrate"] + arguments + ["--output", folder("new.sqlite")])
    #expect(refused.status == 2)
    #expect(refused.errors.contains("delete 3 Trip objects"))
    #expect(refused.errors.contains("--allow-lossy"))
    let done = try Program.run(["migrate"] + arguments + ["--output", folder("new.sqlite"), "--allow-lossy"])
    #expect(done.status == 0)
    #expect(done.output.contains("6 objects kept, 6 removed by the recipe: 3 Leg, 3 Trip; opens"))
    #expect(try Program.run(["rehearse"] + arguments).status == 0)
    #expect(try Program.run(["rehearse"] + arguments + ["--fail-on-loss"]).status == 1)
  }

  /// The step itself writes the default of a new attribute into every row; for didMigrate that is no value.
  @Test func aBackfillFillsWhatTheStepGaveADefault() throws {
    let place = "backfill-of-a-defaulted-attribute"
    try migrated(
      "\(place)/p.sqlite", model: "\(place)/People.xcdatamodeld",
      ["--perform", "V1>V2=\(file("\(place)/split.yaml"))", "--allow-assumed", "--stage-swift", folder("Stage.swift")])
    let rows = try Program.run(["rows", folder("new.sqlite"), "Person", "--format", "csv"])
    #expect(rows.output.contains("Ada,Ada Lovelace,Lovelace"))
    let swift = try String(decoding: contents(of: folder("Stage.swift")), as: UTF8.self)
    #expect(swift.contains(#"object.value(forKey: "firstName") as? String == """#))
  }

  /// What a recipe asks for the objects that it makes comes after them, in the Swift as in what is performed.
  @Test func theSwiftMakesObjectsBeforeItFillsThem() throws {
    let place = "swift-order-of-junctions"
    try migrated(
      "\(place)/b.sqlite", model: "\(place)/Notes.xcdatamodeld",
      [
        "--stages", "light:B1,B2", "--stages", "custom:B2>B3", "--perform", "B2>B3=\(file("\(place)/b.yaml"))",
        "--allow-assumed", "--stage-swift", folder("Stage.swift"),
      ])
    let steps = try String(decoding: contents(of: folder("Stage.swift")), as: UTF8.self).split(separator: "\n").filter {
      $0.contains("// ") && $0.contains("(line")
    }
    #expect(steps.map { $0.contains("junctions") } == [true, false, false])
  }

  /// The verdict and what is performed have one grade.
  @Test func bothSayThatOneToOneToOneToManyIsAssumed() throws {
    let place = "one-to-one-becomes-one-to-many"
    let arguments = [file("\(place)/x.sqlite"), "--model", file("\(place)/Port.xcdatamodeld")]
    let verdict = try Program.run(["diagnose"] + arguments)
    #expect(verdict.output.contains("assumed"))
    #expect(verdict.output.contains("Boat.berth"))
    #expect(try Program.run(["migrate"] + arguments + ["--dry-run"]).status == 2)
  }

  /// Xcode's compiler of models adds an index by the attribute's name.
  @Test func aFetchIndexOfOneAttributeMakesTwo() throws {
    let model = file("single-element-fetch-index/Notes.xcdatamodeld") + "#V1"
    #expect(try Program.run(["model", "sample", model, "--output", folder("new.sqlite"), "--rows", "4"]).status == 0)
    let names = try Store(path: folder("new.sqlite")).connection.schema().map(\.name)
    #expect(names.contains("Z_Note_number"))
    #expect(names.contains("Z_Note_byNumber"))
  }

  private func migrated(_ store: String, model: String, _ options: [String] = []) throws {
    let result = try Program.run(
      ["migrate", file(store), "--model", file(model), "--output", folder("new.sqlite")] + options)
    try #require(result.status == 0, "\(result.errors)")
  }
}
