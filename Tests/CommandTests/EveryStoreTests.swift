import Foundation
import TestSupport
import Testing

/// `--all`: one answer over every store of a place, in which nothing of one store is lost, and what could not be read is said.
@Suite(.needs("python3")) struct EveryStoreTests {
  private let folder: TemporaryFolder

  /// Three stores, with deletions in one of them, in a folder, a zip, and a folder with one that is damaged.
  init() throws {
    folder = try TemporaryFolder()
    let script = """
      import os, shutil, sqlite3, sys, zipfile
      store, out = sys.argv[1:]
      for place in "folder", "hurt":
        os.makedirs(out + "/" + place)
        for name in "a", "b", "c": shutil.copy(store, f"{out}/{place}/{name}.sqlite"); os.chmod(f"{out}/{place}/{name}.sqlite", 0o600)
      for place in "folder", "hurt":
        db = sqlite3.connect(f"{out}/{place}/b.sqlite"); db.execute("delete from ZNOTE where Z_PK in (4, 9)"); db.commit(); db.close()
      with open(out + "/hurt/c.sqlite", "r+b") as file: file.truncate(60000)
      with zipfile.ZipFile(out + "/all.zip", "w", zipfile.ZIP_DEFLATED) as z:
        for name in "a", "b", "c": z.write(f"{out}/folder/{name}.sqlite", name + ".sqlite")
      """
    let made = try Program.launch(["python3", "-c", script, Project.path("corpus/Notes.sqlite"), folder.path])
    #expect(made.status == 0, "\(made.errors)")
  }

  private func lines(_ outcome: Program.Outcome) throws -> [JSONTree] {
    try outcome.output.split(separator: "\n").map { try JSONTree(String($0)) }
  }

  @Test(arguments: ["folder", "all.zip"]) func oneTimelineHasTheEventsOfEachStoreInOrder(place: String) throws {
    let outcome = try Program.run(["timeline", folder(place), "--all", "--format", "jsonl"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let all = try lines(outcome)
    let times = all.compactMap { $0["timestamp"]?.wholeNumber }
    #expect(times.count == all.count && times == times.sorted())
    for name in ["a", "b", "c"] {
      let alone = try lines(Program.run(["timeline", folder("folder/\(name).sqlite"), "--format", "jsonl"]))
      let its = all.filter { $0["store"]?.string?.hasSuffix("\(name).sqlite") == true }
      #expect(its.map { $0["message"] } == alone.map { $0["message"] } && !alone.isEmpty)
    }
    #expect(try JSONSchema(named: "timeline").violations(in: all[0]) == [])
    let table = try Program.run(["timeline", folder(place), "--all", "--format", "csv"]).output
    #expect(table.split(whereSeparator: \.isNewline).count == all.count + 1)
    let text = try Program.run(["timeline", folder(place), "--all"]).output
    #expect(text.hasPrefix("\(all.count) events of 3 stores\n  [1] "))
  }

  @Test(arguments: ["folder", "all.zip"]) func eachStoreIsSearched(place: String) throws {
    let outcome = try Program.run(["recover", folder(place), "--all", "--format", "jsonl"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let all = try lines(outcome)
    let alone = try lines(Program.run(["recover", folder("folder/b.sqlite"), "--format", "jsonl"]))
    let its = all.filter { $0["store"]?.string?.hasSuffix("b.sqlite") == true }
    #expect(its.map { $0["key"] } == alone.map { $0["key"] } && alone.count >= 2)
    let rows = try Program.run(["recover", folder(place), "--all", "--format", "csv"]).output
    #expect(rows.hasPrefix("store,entity,") && rows.split(whereSeparator: \.isNewline).count == all.count + 1)
    #expect(try Program.run(["recover", folder(place), "--all", "--summary"]).output.contains("b.sqlite\n"))
  }

  @Test(arguments: ["timeline", "recover"]) func aStoreThatCannotBeReadIsSaidAndCostsNoOther(command: String) throws {
    let outcome = try Program.run([command, folder("hurt"), "--all", "--format", "jsonl"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("c.sqlite': truncated, 60000 bytes of 122880"), "\(outcome.errors)")
    let names = Set(try lines(outcome).compactMap { $0["store"]?.string?.suffix(8) })
    #expect(names.contains("b.sqlite") && !names.contains("c.sqlite"))
  }

  @Test func optionsForOneStoreAreRefused() throws {
    for options in [["--as-of", "1"], ["--entity", "Note"], ["--wal", "x"]] {
      #expect(try Program.run(["timeline", folder("folder"), "--all"] + options).status == 64)
    }
    for options in [["--format", "html"], ["--verify", "x"], ["--models"]] {
      #expect(try Program.run(["recover", folder("folder"), "--all"] + options).status == 64)
    }
  }
}
