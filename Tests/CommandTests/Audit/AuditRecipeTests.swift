import Foundation
import StoreSQLite
import TestSupport
import Testing

@Suite struct AuditRecipeTests {
  /// Three stores of students, two of whom share a name in two of them.
  private func fleet() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["one", "two", "three"] {
      _ = try folder.copyStore(Project.path("corpus/School.sqlite"), as: name + ".sqlite")
    }
    for name in ["one", "three"] {
      let store = try Connection(writing: folder(name + ".sqlite"), create: false)
      try store.execute("UPDATE ZSTUDENT SET ZNAME = 'Same' WHERE Z_PK <= 2")
    }
    try folder.write(Array("version: 1\ndedupe:\n  - entity: Student\n    by: [name]\n".utf8), to: "recipe.yaml")
    return folder
  }

  @Test func countsWhatWouldBeDone() throws {
    let folder = try fleet()
    let before = FolderState(of: folder.path)
    let lines = try AuditRun([folder.path, "--recipe", folder("recipe.yaml")]).lines
    #expect(lines.map { $0.plan?.operations.contains { $0.repair == "dedupe" } } == [true, true, false])
    #expect(lines.map { ($0.path as NSString).lastPathComponent } == ["one.sqlite", "three.sqlite", "two.sqlite"])
    #expect(FolderState(of: folder.path) == before)
  }

  @Test func writesRepairedCopiesWithALedger() throws {
    let folder = try fleet()
    let before = FolderState(of: folder.path)
    let place = try TemporaryFolder()
    let run = try AuditRun([
      folder.path, "--recipe", folder("recipe.yaml"), "--apply", "--output-dir", place("Repaired"), "--allow-lossy",
    ])
    #expect(run.status == 0)
    let outputs = try run.lines.compactMap(\.output?.path)
    #expect(outputs == ["one", "three"].map { place("Repaired") + folder("\($0).sqlite") })
    for output in outputs {
      let names = try Connection(writing: output, create: false).prepare(
        "SELECT count(*), count(DISTINCT ZNAME) FROM ZSTUDENT")
      #expect(try names.step())
      #expect(names.int64(0) == names.int64(1))
    }
    let ledger = try String(decoding: contents(of: place("Repaired/ledger.jsonl")), as: UTF8.self)
    #expect(ledger == run.outcome.output)
    #expect(FolderState(of: folder.path) == before)
  }

  @Test func aLedgerIsNotTouchedByARunThatIsAnother() throws {
    let folder = try fleet()
    let place = try TemporaryFolder()
    let applying = [
      folder.path, "--recipe", folder("recipe.yaml"), "--apply", "--output-dir", place("Repaired"), "--allow-lossy",
      "--resume", place("lines"),
    ]
    #expect(try AuditRun(applying).status == 0)
    let ledger = try contents(of: place("Repaired/ledger.jsonl"))
    #expect(try AuditRun(applying + ["--examples", "1"]).status == 2)
    #expect(try contents(of: place("Repaired/ledger.jsonl")) == ledger)
    // Running it again changes nothing; after the last line is cut off, only that store is done again.
    let lines = try contents(of: place("lines"))
    try place.write(Array(lines.dropLast(9)), to: "lines")
    #expect(try AuditRun(applying).status == 0)
    #expect(try contents(of: place("lines")) == lines)
    #expect(try contents(of: place("Repaired/ledger.jsonl")) == ledger)
  }

  @Test func copiesDoNotGoWhereTheyWouldBeAudited() throws {
    let folder = try fleet()
    let run = try AuditRun([
      folder.path, "--recipe", folder("recipe.yaml"), "--apply", "--output-dir", folder("Repaired"),
    ])
    #expect(run.status == 64)
    #expect(!FileManager.default.fileExists(atPath: folder("Repaired")))
  }

  @Test func whatCannotBeRepairedIsSaid() throws {
    let folder = try fleet()
    let place = try TemporaryFolder()
    let run = try AuditRun([
      folder.path, "--recipe", folder("recipe.yaml"), "--apply", "--output-dir", place("Repaired"),
    ])
    #expect(run.status == 1)
    #expect(try run.lines.map(\.output?.outcome) == ["failed", "failed", "nothing-to-do"])
    #expect(try run.lines.map { $0.output?.message?.contains("--allow-lossy") } == [true, true, nil])
  }
}
