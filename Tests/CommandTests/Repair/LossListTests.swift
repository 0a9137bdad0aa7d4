import Foundation
import TestSupport
import Testing

/// Repairs that take something from a person: what the plan lists, and what has to be said for it.
@Suite(.needs("sqlite3")) struct LossListTests {
  /// A store of the corpus, changed by SQL.
  private struct Subject {
    let folder: TemporaryFolder
    let store: String

    init(_ name: String, _ sql: String) throws {
      folder = try TemporaryFolder()
      store = try folder.copyStore(Project.path("corpus/\(name)"), as: name)
      let changed = try Program.launch(["sqlite3", store, sql])
      #expect(changed.status == 0, "\(changed.errors)")
    }

    func repair(_ options: String...) throws -> Program.Outcome {
      try Program.run(["repair", store] + options, environment: ["COLUMNS": "200"])
    }

    func rows(_ store: String, _ sql: String) throws -> String {
      try Program.launch(["sqlite3", store, sql]).output
    }
  }

  private func expectLoss(_ subject: Subject, _ options: [String], _ loss: String, _ query: String, _ row: String)
    throws
  {
    let output = subject.folder("Repaired.sqlite")
    let plan = try Program.run(["repair", subject.store] + options, environment: ["COLUMNS": "200"])
    #expect(plan.output.hasPrefix("plan: 1 operation, 1 change; needs --allow-lossy\n"), "\(plan.output)")
    #expect(plan.output.contains(loss), "\(plan.output)")
    let refused = try Program.run(["repair", subject.store] + options + ["--output", output])
    #expect(refused.status == 2 && refused.errors.contains("without --allow-lossy"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: output))
    let done = try Program.run(["repair", subject.store] + options + ["--allow-lossy", "--output", output])
    #expect(done.status == 0, "\(done.errors)")
    #expect(try subject.rows(output, query) == row)
  }

  /// Passport 1 says that it has no holder, and person 1 that it is theirs; the passport is believed.
  @Test func inversesThatEmptyAKey() throws {
    let subject = try Subject("Club.sqlite", "UPDATE ZPASSPORT SET ZHOLDER = NULL, Z4_HOLDER = NULL WHERE Z_PK = 1")
    try expectLoss(
      subject, ["--inverses", "Person.passport=other"],
      "loss in 'Person.passport': 1 object no longer leads to an object that exists (1)",
      "SELECT ifnull(ZPASSPORT, 'none') FROM ZPERSON WHERE Z_PK = 1", "none\n")
  }

  /// The other way round nothing is lost: the passport gets its holder.
  @Test func inversesThatFillAKey() throws {
    let subject = try Subject("Club.sqlite", "UPDATE ZPASSPORT SET ZHOLDER = NULL, Z4_HOLDER = NULL WHERE Z_PK = 1")
    let plan = try subject.repair("--inverses", "Person.passport=this")
    #expect(plan.output.hasPrefix("plan: 1 operation, 1 change\n"), "\(plan.output)")
    #expect(plan.output.contains("(1 change, named)"), "\(plan.output)")
  }

  /// The star of the zoo is a dog, and has to be a cat.
  @Test func keysToObjectsOfAnotherEntity() throws {
    let story = try Story()
    let store = try story.store(
      "Zoo.sqlite",
      ["Animal abstract: name String?", "Cat<Animal: lives I16?", "Dog<Animal: tail I16?", "Zoo: star ->Cat?"]
    ) { store in
      let cat = try store.insert("Cat", ["name": "Tom"])
      try store.insert("Dog", ["name": "Rex"])
      try store.link(try store.insert("Zoo"), "star", to: cat)
      try store.database.execute("UPDATE ZZOO SET ZSTAR = (SELECT Z_PK FROM ZANIMAL WHERE ZNAME = 'Rex')")
    }
    let plan = try Program.run(["repair", store, "--wrong-entity", "nullify"], environment: ["COLUMNS": "200"])
    #expect(plan.output.hasPrefix("plan: 1 operation, 1 change; needs --allow-lossy\n"), "\(plan.output)")
    #expect(
      plan.output.contains("loss in 'Zoo.star': 1 object no longer leads to an object that exists (1)"),
      "\(plan.output)")
    let refused = try Program.run(
      ["repair", store, "--wrong-entity", "nullify", "--output", story.folder("Repaired.sqlite")])
    #expect(refused.status == 2 && refused.errors.contains("without --allow-lossy"), "\(refused.errors)")
  }

  /// A book has at most 9,000 pages.
  @Test func valuesThatTheModelForbids() throws {
    let subject = try Subject("Shop.sqlite", "UPDATE ZITEM SET ZPAGES = NULL WHERE Z_PK = 1")
    let output = subject.folder("Repaired.sqlite")
    let plan = try subject.repair("--backfill", "Book.pages=9001")
    #expect(plan.output.hasPrefix("plan: 1 operation, 1 change; needs --allow-invalid\n"), "\(plan.output)")
    #expect(plan.output.contains("SD507  0 -> 1  validation-violated at Book.pages"), "\(plan.output)")
    let refused = try subject.repair("--backfill", "Book.pages=9001", "--output", output)
    #expect(refused.status == 2 && refused.errors.contains("without --allow-invalid"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: output))
    let lossy = try subject.repair("--backfill", "Book.pages=9001", "--allow-lossy", "--output", output)
    #expect(lossy.status == 2)
    let done = try subject.repair("--backfill", "Book.pages=9001", "--allow-invalid", "--output", output)
    #expect(done.status == 0, "\(done.errors)")
    #expect(try subject.rows(output, "SELECT ZPAGES FROM ZITEM WHERE Z_PK = 1") == "9001\n")
    let allowed = try subject.repair("--backfill", "Book.pages=9000")
    #expect(allowed.output.hasPrefix("plan: 1 operation, 1 change\n"), "\(allowed.output)")
  }

  /// Planning and applying in one go writes the bytes that a saved plan gives.
  @Test(arguments: [["--dedupe", "Animal.name", "--allow-lossy"], ["--backfill", "Animal.name=none"], ["--safe"]])
  func oneGoWritesWhatASavedPlanWrites(_ options: [String]) throws {
    let subject = try Subject(
      "Shapes.sqlite",
      "UPDATE ZANIMAL SET ZNAME = NULL WHERE Z_PK = 5; UPDATE ZANIMAL SET ZNAME = 'Tom' WHERE Z_PK IN (1, 2); "
        + "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Animal'")
    let (one, two) = (subject.folder("one.sqlite"), subject.folder("two.sqlite"))
    let at = try Program.run(["repair", subject.store] + options + ["--output", one])
    #expect(at.status == 0, "\(at.errors)")
    let plan = subject.folder("plan.json")
    let saved = try Program.run(
      ["repair", subject.store] + options.filter { $0 != "--allow-lossy" } + ["--plan-out", plan])
    #expect(saved.status == 0, "\(saved.errors)")
    let then = try Program.run(
      ["apply", plan, "--store", subject.store, "--output", two] + options.filter { $0 == "--allow-lossy" })
    #expect(then.status == 0, "\(then.errors)")
    #expect(try Data(contentsOf: URL(filePath: one)) == Data(contentsOf: URL(filePath: two)))
    #expect(at.output.replacing("one.sqlite", with: "two.sqlite").hasPrefix(then.output.prefix { $0 != "\n" }))
  }

  /// What is refused in one go leaves nothing behind.
  @Test func aRefusalInOneGoLeavesNothing() throws {
    let subject = try Subject("Notes.sqlite", "UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK = 1")
    let before = try FolderBytes(of: subject.folder.path)
    let refused = try subject.repair(
      "--dangling", "delete-source", "--output", subject.folder("Repaired.sqlite"))
    #expect(refused.status == 2 && refused.errors.contains("--allow-lossy"), "\(refused.errors)")
    #expect(try FolderBytes(of: subject.folder.path) == before)
  }
}
