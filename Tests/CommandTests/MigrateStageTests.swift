import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `migrate` and `rehearse` with recipes in the place of custom stages, as a user runs them.
@Suite struct MigrateStageTests {
  private static let example = Project.path("examples/test-a-custom-stage")

  /// `School 2` to `School 3` with a recipe, and the path of the result.
  private func school(_ recipe: String, _ more: [String] = []) throws -> (
    outcome: Program.Outcome, store: String, TemporaryFolder
  ) {
    let folder = try TemporaryFolder()
    let stage = try folder.write(Array("version: 1\n\(recipe)\n".utf8), to: "stage.yaml")
    let outcome = try Program.run(
      [
        "migrate", "\(Self.example)/SchoolBridge.sqlite", "--model", "\(Self.example)/School.xcdatamodeld", "--opening",
        "staged", "--stages", "custom:School 2>School 3", "--perform", "School 2>School 3=\(stage)", "--output",
        folder("New.sqlite"),
      ] + more, environment: ["COLUMNS": "300"])
    return (outcome, folder("New.sqlite"), folder)
  }

  private static let stage = """
    willMigrate:
      junctions:
        - {from: Student.courses, entity: Enrollment, source: student, destination: course}
    didMigrate:
      backfill:
        - {entity: Student, attribute: enrolledAt, expression: "unix(was.enrolledAt) + 1"}
    """

  /// Links become objects before the step, and a date becomes a number after it, though its column is gone.
  @Test func valuesOfBeforeAreInReachAfterTheStep() throws {
    let (outcome, store, folder) = try school(Self.stage, ["--format", "json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let document = try JSONTree(outcome.output)
    #expect(try JSONSchema.of("migration").violations(in: document) == [])
    let hop = try #require(document["hops"]?.list?.first)
    #expect(
      hop["willMigrate"]?.list?.first == .string("make 9 objects of Enrollment from the links of Student.courses"))
    #expect(hop["didMigrate"]?.list?.first == .string("fill Student.enrolledAt of 5 objects"))
    let rows = try Program.run([
      "rows", store, "Student", "--format", "csv", "--columns", "name,enrolledAt,enrollments",
    ])
    #expect(rows.output.contains("Ada,1718307201,") && rows.output.contains("Eve,,"), "\(rows.output)")
    #expect(
      try Program.run(["rows", store, "Enrollment", "--format", "jsonl"]).output.split(separator: "\n").count == 9)
    let diagnosis = try Program.run(["diagnose", store, "--model", "\(Self.example)/School.xcdatamodeld"])
    #expect(diagnosis.status == 0 && diagnosis.output.hasPrefix("opens"), "\(diagnosis.output)")
    _ = folder
  }

  /// `School 2` has both properties, so its values can be read before the step as well.
  @Test func aPlainRecipeIsDoneBeforeTheStep() throws {
    let (outcome, store, folder) = try school(
      "backfill:\n  - {entity: Student, attribute: enrolledOn, expression: \"unix(enrolledAt)\"}")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rows = try Program.run(["rows", store, "Student", "--format", "csv", "--columns", "name,enrolledAt"])
    #expect(rows.output.contains("Ada,1718307200"), "\(rows.output)")
    _ = folder
  }

  @Test(arguments: [
    ("didMigrate:\n  backfill:\n    - {entity: Student, attribute: enrolledOn, value: 1}", "no attribute 'enrolledOn'"),
    (
      "didMigrate:\n  backfill:\n    - {entity: Student, attribute: enrolledAt, expression: \"was.enroled\"}",
      "'enroled'"
    ), ("didMigrate:\n  backfil: []", "'backfill'"),
    ("willMigrate:\n  backfill:\n    - {entity: Student, attribute: enrolledOn, from: was.enrolledAt}", "'was'"),
  ])
  func mistakesAreNamedAndNothingIsWritten(recipe: String, words: String) throws {
    let (outcome, store, folder) = try school(recipe)
    #expect(outcome.status == 2 && outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: store))
    _ = folder
  }

  /// Two recipes of one stage, of which one would be left out; a place for the Swift that cannot be, or is the model's own.
  @Test func mistakesAreFoundBeforeAnythingIsDone() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: "\(Self.example)/School.xcdatamodeld", toPath: folder("School.xcdatamodeld"))
    let contents = "School.xcdatamodeld/School 2.xcdatamodel/contents"
    let model = try Data(contentsOf: URL(fileURLWithPath: folder(contents)))
    let stage = "School 2>School 3=\(Self.example)/stage.yaml"
    let arguments = [
      "migrate", "\(Self.example)/SchoolBridge.sqlite", "--model", folder("School.xcdatamodeld"), "--stages",
      "custom:School 2>School 3", "--perform", stage, "--output", folder("New.sqlite"),
    ]
    for (more, status, words): ([String], Int32, String) in [
      (["--perform", stage], 64, "there are two recipes for 'School 2>School 3'"),
      (["--stage-swift", folder("no/Stage.swift")], 2, "its folder does not exist; make it first"),
      (["--stage-swift", folder(contents), "--force"], 2, "it is one of the files the result is made from"),
      (["--migration-plan", "Plan"], 64, "no Swift source is among --model"),
    ] {
      let outcome = try Program.run(arguments + more)
      #expect(outcome.status == status && outcome.errors.contains(words), "\(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder("New.sqlite")))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder(contents))) == model)
    // Stages that are given are taken, also where nothing says that the app opens the store with them.
    #expect(try Program.run(arguments).output.contains("didMigrate: fill Student.enrolledAt of 5 objects"))
  }

  /// A store without model cache is described by the models in both states, so nothing seems to be gone.
  @Test func aStoreWithoutModelCacheLosesNothing() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/School.sqlite"))
    let database = try Connection(writing: store, create: false)
    try database.execute("DROP TABLE Z_MODELCACHE")
    database.close()
    let model = Project.path("corpus/School.xcdatamodeld")
    let outcome = try Program.run([
      "migrate", store, "--model", model, "--to-version", "School 2", "--allow-assumed", "--output",
      folder("New.sqlite"),
    ])
    #expect(
      outcome.status == 0 && outcome.output.contains("9 objects kept, nothing lost"),
      "\(outcome.output)\(outcome.errors)")
    #expect(!outcome.output.contains("is gone"))
    #expect(try Program.run(["model", "match", folder("New.sqlite"), model]).output.contains("School 2"))
  }

  /// What is suggested asks the same question.
  @Test func nextCommandsKeepTheVersion() throws {
    let outcome = try Program.run([
      "diagnose", Project.path("corpus/School.sqlite"), "--model", Project.path("corpus/School.xcdatamodeld"),
      "--to-version",
      "School 2",
    ])
    #expect(outcome.output.contains("--to-version 'School 2' --format json"), "\(outcome.output)")
  }

  /// A row of no entity would be left behind where its table is made anew.
  @Test func aRowOfNoEntityIsNotLostSilently() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore("\(Self.example)/SchoolBridge.sqlite")
    let database = try Connection(writing: store, create: false)
    try database.execute("UPDATE ZSTUDENT SET Z_ENT = 99 WHERE Z_PK = 2")
    database.close()
    let outcome = try Program.run([
      "migrate", store, "--model", "\(Self.example)/School.xcdatamodeld", "--allow-assumed", "--dry-run",
    ])
    #expect(
      outcome.status == 2 && outcome.errors.contains("(SD209), and what becomes of such rows"), "\(outcome.errors)")
  }

  /// Duplicates go before a constraint comes; without that, and with a recipe that comes too late, the rows are shown.
  @Test func rowsInTheWayAreMendedBeforeTheStep() throws {
    let folder = try TemporaryFolder()
    let notes = Project.path("examples/mend-then-ship")
    let model = "\(notes)/Notes.xcdatamodeld"
    func run(_ side: String) throws -> Program.Outcome {
      let mended = """
          dedupe: [{entity: Note, by: [uuid], keep: first, others: merge}]
          backfill: [{entity: Note, attribute: body, value: (no text)}]
        """
      let stage = try folder.write(Array("version: 1\n\(side):\n\(mended)\n".utf8), to: "\(side).yaml")
      return try Program.run([
        "migrate", "\(notes)/Notes.sqlite", "--model", model, "--perform", "Notes 2>Notes 3=\(stage)", "--output",
        folder("\(side).sqlite"), "--allow-assumed", "--allow-lossy",
      ])
    }
    let late = try run("didMigrate")
    #expect(late.status == 1 && late.output.contains("SD806 Note.uuid"), "\(late.output)\(late.errors)")
    #expect(
      late.errors.contains("'Notes 2' to 'Notes 3': its structural step stops at rows as willMigrate leaves them"))
    let mended = try run("willMigrate")
    #expect(mended.status == 0, "\(mended.output)\(mended.errors)")
    #expect(try Program.run(["diagnose", folder("willMigrate.sqlite"), "--model", model]).output.hasPrefix("opens"))
    #expect(!FileManager.default.fileExists(atPath: folder("didMigrate.sqlite")))
  }

  /// A plan in Swift source with a custom stage: not rehearsed without a recipe, and then with what it is taken to do.
  @Test func aStageOfAPlanIsRehearsedWithARecipe() throws {
    let arguments = [
      "rehearse", "\(Self.example)/Trips", "--model", "\(Self.example)/Trips/Models", "--format", "json",
    ]
    #expect(try Program.run(arguments).status == 1)
    let outcome = try Program.run(arguments + ["--perform", "TripsV2>TripsV3=\(Self.example)/budget.yaml"])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let stores = try #require(JSONTree(outcome.output)["stores"]?.list)
    #expect(stores.map { $0["outcome"] } == [.string("performed"), .string("performed")])
    for store in stores {
      #expect(
        store["assumed"]?.list?.first?.string?.hasPrefix("that the app's stage from 'TripsV2' to 'TripsV3'") == true)
    }
  }

  /// A recipe that would do nothing because of its name is no rehearsal.
  @Test(arguments: [
    ("School 2>School 4", "'School 4', a version that the models do not have"),
    ("School>School 3", "no step of this store leads from 'School' to 'School 3'"),
  ])
  func aStageThatIsNotOnTheWayIsNamed(stage: String, words: String) throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.run(
      [
        "migrate", "\(Self.example)/SchoolBridge.sqlite", "--model", "\(Self.example)/School.xcdatamodeld", "--opening",
        "staged", "--stages", "light:School 2,School 3", "--perform", "\(stage)=\(Self.example)/stage.yaml", "--output",
        folder("New.sqlite"),
      ], environment: ["COLUMNS": "300"])
    #expect(outcome.status == 2 && outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder("New.sqlite")))
  }

  /// That the app's code was not run is said also where the recipe finds nothing to do.
  @Test func aRecipeWithNothingToDoIsAnAssumptionToo() throws {
    let (outcome, _, folder) = try school(
      "willMigrate:\n  dangling: nullify", ["--format", "json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let assumed = try #require(JSONTree(outcome.output)["assumed"]?.list)
    #expect(assumed.contains { $0.string?.hasPrefix("that the app's stage from 'School 2' to 'School 3'") == true })
    _ = folder
  }

  /// Two customers' stores get different identifiers.
  @Test func madeIdentifiersAreOfOneStoreOnly() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(changing: PosixPath(store), locking: .shared)
    try connection.allowingWrites(to: ["ZNOTE"]) {
      try connection.execute("UPDATE ZNOTE SET ZUUID = NULL WHERE Z_PK = 1")
    }
    let stage = try folder.write(
      Array("version: 1\nbackfill: [{entity: Note, attribute: uuid, generate: uuid}]\n".utf8), to: "stage.yaml")
    let made = try ["A", "B"].map { name in
      let outcome = try Program.run([
        "migrate", store, "--model", Project.path("examples/what-a-migration-loses/Notes.xcdatamodeld"), "--perform",
        "Notes 2>Notes 3=\(stage)", "--output", folder("\(name).sqlite"), "--allow-assumed",
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try Program.run(["rows", folder("\(name).sqlite"), "Note", "--key", "1", "--columns", "uuid"]).output
    }
    #expect(made[0] != made[1] && !made[0].contains("NULL"), "\(made)")
  }

  @Test(arguments: ["V2=a.yaml", "V2>V3", "V1>V2>V3=a.yaml"]) func theFormIsSaid(text: String) throws {
    let outcome = try Program.run(["migrate", "a", "--model", "b", "--dry-run", "--perform", text])
    #expect(outcome.status == 64 && outcome.errors.contains("--perform takes 'V2>V3=recipe.yaml'"), "\(outcome.errors)")
  }
}
