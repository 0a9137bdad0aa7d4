import Foundation
import StoreSQLite
import TestSupport
import Testing

/// What `compare` finds between a store and its repaired copy is what the plan said, by the built program. The laws of
/// repairs hold every remedy of every fixture against its plan in the same way.
@Suite struct PlanAndComparisonTests {
  @Test(arguments: [
    // Two links to a tag and a key to a folder that do not exist. Z_MAX is no property of an object.
    (["--safe"], "", ["changed Note 1 tags", "changed Note 2 tags", "changed Note 3 folder"]),
    (["--structure", "high-water"], "", []),
    (["--backfill", "Note.title=x"], "", ["changed Note 1 title", "changed Note 2 title"]),
    (["--dedupe", "Tag.name", "--compare", "casefolded", "--allow-lossy"], "", ["removed Tag 4"]),
    // Six notes go from one tag to its twin.
    (
      ["--dedupe", "Tag.name", "--compare", "casefolded", "--allow-lossy"],
      "UPDATE ZTAG SET ZNAME = 'Work' WHERE Z_PK = 5",
      [
        "changed Note 11 tags", "changed Note 15 tags", "changed Note 17 tags", "changed Note 3 tags",
        "changed Note 5 tags", "changed Note 9 tags", "changed Tag 2 notes", "removed Tag 4", "removed Tag 5",
      ]
    ),
    (
      ["--relink", "Note.folder", "--match", "body=name"],
      "UPDATE ZNOTE SET ZFOLDER = NULL, ZBODY = 'Travel' WHERE Z_PK = 3",
      ["changed Folder 3 notes", "changed Note 3 folder"]
    ),
    (
      ["--dangling", "delete-source", "--allow-lossy"], "",
      ["changed Tag 3 notes", "changed Tag 5 notes", "removed Note 3"]
    ),
  ])
  func findsWhatWasPlanned(recipe: [String], sql: String, expected: [String]) throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let connection = try Connection(writing: store, create: false)
    try connection.execute(sql)
    connection.close()
    let repaired = try run(["repair", "Sick.sqlite", "--output", "Mended.sqlite"] + recipe, in: folder)
    #expect(repaired.status == 0 && repaired.output.hasPrefix("repaired: "), "\(repaired.output) \(repaired.errors)")
    let compared = try run(["compare", "Sick.sqlite", "Mended.sqlite", "--format", "jsonl"], in: folder)
    #expect(compared.status == (expected.isEmpty ? 0 : 1))
    #expect(try changedObjects(compared.output) == expected, "\(compared.output)")
  }

  /// The steps with their times, then the summary that `compare` gives, and the command for the objects.
  @Test func verbosePrintsTheSummary() throws {
    let folder = try TemporaryFolder()
    _ = try sickStore(in: folder)
    for (command, output) in [
      (["repair", "Sick.sqlite", "--safe"], "a.sqlite"),
      (["repair", "Sick.sqlite", "--safe", "--model", Project.path("corpus/Notes.xcdatamodeld")], "b.sqlite"),
    ] {
      let outcome = try run(command + ["--verbose", "--output", output], in: folder)
      #expect(outcome.status == 0 && outcome.output.hasPrefix("repaired: "), "\(outcome.errors)")
      let summary = try run(["compare", "Sick.sqlite", output, "--summary"], in: folder, width: 80)
      #expect(summary.output.hasPrefix("different: 3 objects changed\n"))
      let (times, rest) = told(outcome.errors)
      #expect(times.contains("verifying") && times.last == "comparing objects", "\(times)")
      #expect(rest == summary.output + "\nNext\n  storedoctor compare Sick.sqlite \(output)\n", "\(rest)")
    }
  }

  @Test func verboseOfAnAppliedPlanAndInPlace() throws {
    let folder = try TemporaryFolder()
    _ = try sickStore(in: folder)
    #expect(try run(["repair", "Sick.sqlite", "--safe", "--plan-out", "plan.json"], in: folder).status == 0)
    let applied = try run(
      ["apply", "plan.json", "--store", "Sick.sqlite", "--output", "c.sqlite", "--verbose"], in: folder)
    #expect(told(applied.errors).rest.hasPrefix("different: 3 objects changed\n"), "\(applied.errors)")
    let inPlace = try run(["repair", "Sick.sqlite", "--safe", "--in-place", "--verbose"], in: folder)
    #expect(told(inPlace.errors).rest.hasPrefix("not compared: --in-place changed the store itself"))
    // Nothing is left to do, and nothing to compare.
    let again = try run(["repair", "Sick.sqlite", "--safe", "--in-place", "--verbose"], in: folder)
    #expect(again.status == 0 && told(again.errors).rest == "", "\(again.errors)")
  }

  /// The names of the steps, and what else was told.
  private func told(_ errors: String) -> (times: [String], rest: String) {
    let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
    let times = lines.filter { $0.hasSuffix(" ms") }
    return (
      times.compactMap { $0.split(separator: ":").first.map(String.init) },
      lines.filter { !$0.hasSuffix(" ms") }.joined(separator: "\n")
    )
  }
}

/// "changed Note 3 folder", for each line of `compare --format jsonl`, in order.
func changedObjects(_ lines: String) throws -> [String] {
  try lines.split(separator: "\n").dropLast().map { line in
    let tree = try JSONTree(String(line))
    let values = (tree["values"]?.list ?? []).compactMap { $0["property"]?.string }.sorted().joined(separator: ",")
    let kind = tree["kind"]?.string ?? ""
    let keys = [tree["keyBefore"]?.wholeNumber, tree["keyAfter"]?.wholeNumber].compactMap(\.self).map { String($0) }
    let shown = kind == "moved" ? keys.joined(separator: " ") : keys.first ?? ""
    return [kind, tree["entity"]?.string ?? "", shown, kind == "changed" ? values : ""].filter { !$0.isEmpty }
      .joined(separator: " ")
  }.sorted()
}
