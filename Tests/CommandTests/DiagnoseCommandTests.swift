import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `storedoctor diagnose`, run as a user runs it.
@Suite struct DiagnoseCommandTests {
  @Test func saysWhatIsWrongWhereAndWhatNext() throws {
    let folder = try TemporaryFolder()
    let store = try sickNotes(in: folder)
    let outcome = try Program.launch([
      "sh", "-c", "cd \"$0\" && exec \"$1\" diagnose Notes.sqlite --check SD207 --check SD208 --check SD404",
      folder.path, Program.path,
    ])
    #expect(outcome.status == 1)
    #expect(outcome.errors == "")
    #expect(
      outcome.output == """
        findings: 1 error, 1 warning, 1 note

        Note
          E SD404 tags: 7 rows of Z_3TAGS name an object that does not exist
            keys 1, 2, 3, 4, 5, ...
            repair: structure: [join-orphans] (safe)

        Folder
          W SD207 Z_MAX is 2, and ZFOLDER has a row 4
            keys 4
            repair: structure: [high-water] (safe)

        Checklist
          N SD208 Z_MAX is 7, and only a root entity has one
            repair: structure: [high-water] (safe)

        Next
          storedoctor repair Notes.sqlite --safe   # what is safe to mend; shows a plan
          storedoctor explain SD404
          storedoctor rows Notes.sqlite Note --key 1,2,3,4,5   # the rows of SD404
          storedoctor diagnose Notes.sqlite --format json

        """)
    #expect(try Program.run(["diagnose", store, "--format", "json"]).output.contains("\"verdict\": \"findings\""))
  }

  @Test(arguments: [
    (["--fail-on", "never"], 0), ([], 1), (["--fail-on", "note"], 1), (["--skip", "SD404"], 0),
    (["--check", "high-water-too-low", "--fail-on", "warning"], 1), (["--check", "SD208", "--fail-on", "warning"], 0),
    (["--format", "json"], 1), (["--check", "SD999"], 64), (["--examples", "-1"], 64), (["--format", "html"], 64),
  ])
  func theExitStatusIsThatOfTheFindingsAtTheGate(_ options: [String], _ status: Int) throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.run(["diagnose", try sickNotes(in: folder)] + options)
    #expect(outcome.status == Int32(status), "\(outcome.output)\(outcome.errors)")
  }

  @Test func looksForDuplicatesWhereAConstraintIsPlanned() throws {
    let store = Project.path("corpus/Shop.sqlite")
    let outcome = try Program.run(["diagnose", store, "--unique", "Book.pages", "--unique", "Sale.price,rate"])
    #expect(outcome.status == 0 && outcome.errors == "")
    #expect(
      outcome.output.contains(
        "  W SD502 price,rate: 6 rows of ZSALE have 1 value of 'Sale.price,rate' in common\n    keys 1, 2, 3, 4, 5, ...\n"
          + "    repair: dedupe: [{entity: Sale, by: [price, rate]}]\n"), "\(outcome.output)")
    #expect(!outcome.output.contains("Book"))
    #expect(try Program.run(["diagnose", store, "--unique", "Book.paces"]).status == 2)
    #expect(try Program.run(["diagnose", store, "--unique", "Book"]).status == 64)
  }

  @Test func judgesByCloudKitsRulesWhenAsked() throws {
    let store = Project.path("corpus/Notes.sqlite")
    let arguments = ["diagnose", store, "--check", "cloudkit-model-rule", "--fail-on", "warning"]
    #expect(try Program.run(arguments).status == 0)
    let outcome = try Program.run(arguments + ["--cloudkit", "--format", "json"])
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains(
        "'Folder.name' is required and has no default and has to be unique, which CloudKit does not take"),
      "\(outcome.output)")
  }

  @Test func equalInputGivesEqualOutput() throws {
    let folder = try TemporaryFolder()
    let store = try sickNotes(in: folder)
    let outputs = try (1...3).map { _ in try Program.run(["diagnose", store, "--format", "json"]).output }
    #expect(Set(outputs).count == 1)
  }

  @Test func aFileThatIsNoStoreIsNotDiagnosed() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.run(["diagnose", try folder.write([1, 2, 3], to: "Notes.sqlite")])
    #expect(outcome.status == 2 && outcome.output == "")
  }

  /// For an unknown version the next steps are a search among the models, then in the repository's history.
  @Test func anUnknownVersionLeadsToModelMatch() throws {
    let folder = try TemporaryFolder()
    let edit = """
      cp -R "$2" . && rm -r 'Notes.xcdatamodeld/Notes 2.xcdatamodel' &&
      cp "$3" Notes.sqlite && exec "$1" diagnose Notes.sqlite --model Notes.xcdatamodeld --opening staged
      """
    let outcome = try Program.launch([
      "sh", "-c", "cd \"$0\" && " + edit, folder.path, Program.path, Project.path("corpus/Notes.xcdatamodeld"),
      Project.path("corpus/Notes.sqlite"),
    ])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("unknown-version: staged migration to 'Notes 3' fails with 134504\n"))
    #expect(outcome.output.contains("E SD808 the plan has no version with the store's checksum\n"))
    #expect(
      outcome.output.contains(
        """
        Next
          storedoctor model diff Notes.sqlite 'Notes.xcdatamodeld#Notes 3'
          storedoctor model match Notes.sqlite --git path/to/the/apps/repository
        """), "\(outcome.output)")
  }

  @Test func saysWhatAModelDoesToTheStore() throws {
    let outcome = try Program.launch([
      "sh", "-c", "cd \"$0\" && exec \"$1\" diagnose Notes.sqlite --model Notes.xcdatamodeld",
      Project.path("corpus"), Program.path,
    ])
    #expect(outcome.status == 1 && outcome.errors == "")
    #expect(
      outcome.output.hasPrefix(
        """
        blocked-by-data: automatic migration to 'Notes 3' fails with 134110
          the app prints "Cannot migrate store in-place: Validation error missing attribute values on
          mandatory destination attribute"
          ? no mapping model found; if the app has one: --mapping

        What stops it
          E SD806 Note.modifiedAt: 18 rows: no value for a required property; automatic migration to 'Notes
            3' stops with 134110
            keys 1, 2, 3, 4, 5, ...

        """))
    #expect(
      outcome.output.contains(
        """
        All versions
            Notes    0 of 5 equal  migrates, losing data
            Notes 2  all equal     opens
          * Notes 3  1 of 6 equal  blocked-by-data 134110

        """))
    #expect(outcome.output.contains("--model Notes.xcdatamodeld --stage-skeleton swiftdata"))
  }

  @Test(arguments: [
    (["--model", "Notes.xcdatamodeld#Notes 2"], 0), (["--model", "Notes.xcdatamodeld#Notes 3"], 1),
    (["--model", "Notes.xcdatamodeld#Notes 3", "--check", "SD401"], 1),
    (["--model", "Notes.xcdatamodeld#Notes 3", "--fail-on", "never"], 0),
    (["--model", "Notes.xcdatamodeld", "--plan-order", "Notes,Notes 3"], 1),
    (["--model", "Notes.xcdatamodeld", "--plan-order", "Notes,Notes 9"], 64),
    (["--model", "Notes.xcdatamodeld", "--stages", "custom:Notes 2>Notes 3", "--opening", "staged"], 1),
    (["--model", "Notes.xcdatamodeld", "--stages", "heavy:Notes 2"], 64), (["--opening", "staged"], 64),
    (["--stage-skeleton", "swiftdata"], 64), (["--model", "missing.momd"], 2),
  ])
  func modelsDecideTheExitStatus(_ options: [String], _ status: Int) throws {
    let outcome = try Program.launch(
      ["sh", "-c", "cd \"$0\" && exec \"$@\"", Project.path("corpus"), Program.path, "diagnose", "Notes.sqlite"]
        + options)
    #expect(outcome.status == Int32(status), "\(outcome.output)\(outcome.errors)")
  }

  /// What "Next" uses is written where it is asked for, and nothing where there is nothing to write.
  @Test func writesTheRecipeThatItAdvises() throws {
    let folder = try TemporaryFolder()
    let example = Project.path("examples/clean-up-before-a-migration")
    let recipe = folder("recipe.yaml")
    let advised = [
      "diagnose", example + "/Notes.sqlite", "--model", example + "/Notes.xcdatamodeld", "--recipe-out", recipe,
    ]
    let outcome = try Program.run(advised)
    #expect(outcome.status == 1 && outcome.output.contains(" --recipe-out recipe.yaml   # writes the recipe\n"))
    #expect(try String(contentsOfFile: recipe, encoding: .utf8).hasPrefix("version: 1\nbackfill:\n"))
    let plan = try Program.run(["repair", example + "/Notes.sqlite", "--recipe", recipe])
    #expect(plan.status == 0 && plan.output.hasPrefix("plan: "), "\(plan.errors)")
    let again = try Program.run(advised)
    #expect(again.status == 2 && again.errors.contains("it exists; name another file"))

    let notes = Project.path("corpus/Notes")
    let opens = try Program.run([
      "diagnose", notes + ".sqlite", "--model", notes + ".xcdatamodeld#Notes 2", "--recipe-out", folder("no.yaml"),
    ])
    #expect(opens.status == 0 && opens.errors.contains("no recipe is advised"), "\(opens.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder("no.yaml")))
    #expect(try Program.run(["diagnose", notes + ".sqlite", "--recipe-out", recipe]).status == 64)
  }

  @Test(arguments: ["swiftdata", "staged"]) func writesTheStageAlone(_ kind: String) throws {
    let arguments = ["diagnose", Project.path("corpus/Notes.sqlite"), "--stage-skeleton", kind, "--model"]
    let needed = try Program.run(arguments + [Project.path("corpus/Notes.xcdatamodeld")])
    #expect(needed.status == 1 && needed.output.hasPrefix("// Stages from 'Notes 2' to 'Notes 3'"))
    let opens = try Program.run(arguments + [Project.path("corpus/Notes.xcdatamodeld#Notes 2")])
    #expect(opens.status == 0 && opens.output == "" && opens.errors.contains("no stage is needed"))
  }

  /// A manager without the plan's other stages would migrate no store of an older version.
  @Test func theManagerHasAllStagesOfThePlan() throws {
    let arguments = [
      "diagnose", Project.path("corpus/Notes.sqlite"), "--stage-skeleton", "staged", "--model",
      Project.path("corpus/Notes.xcdatamodeld"), "--opening", "staged", "--stages", "light:Notes,Notes 2",
    ]
    let planned = try Program.run(arguments + ["--stages", "custom:Notes 2>Notes 3"])
    #expect(planned.output.contains("let light1 = NSLightweightMigrationStage([  // Notes, Notes 2"), "\(planned)")
    #expect(
      planned.output.contains("return NSStagedMigrationManager([light1, prepare")
        && !planned.output.contains("Needed: the app's other stages"), "\(planned)")
    #expect(planned.output.hasPrefix("// Stages from 'Notes 2' to 'Notes 3'"))
  }

  /// Seven links to a tag that is not there, and two numbers in `Z_PRIMARYKEY` that are wrong.
  private func sickNotes(in folder: TemporaryFolder) throws -> String {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(writing: store, create: false)
    try connection.execute(
      """
      INSERT INTO Z_3TAGS (Z_3NOTES, Z_5TAGS) VALUES (1, 99), (2, 99), (3, 99), (4, 99), (5, 99), (6, 99), (7, 99);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Folder';
      UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_NAME = 'Checklist';
      """)
    connection.close()
    return store
  }
}
