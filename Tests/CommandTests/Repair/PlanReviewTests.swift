import Foundation
import StoreSQLite
import TestSupport
import Testing

/// The rows that a plan shows to a person.
@Suite struct PlanReviewTests {
  /// 100 pairs of notes with equal titles and different dates; nine copies are in another folder. The pair "Dentist" is
  /// two appointments.
  private func synced(in folder: TemporaryFolder) throws -> String {
    let path = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(writing: path, create: false)
    try connection.execute("DELETE FROM ZNOTE; DELETE FROM Z_3TAGS")
    for number in 1...100 {
      let title = number == 58 ? "Dentist" : "Thing \(number)"
      let folders = (1, number % 11 == 6 ? 2 : 1)
      for (key, place, body) in [
        (number, folders.0, "about"), (number + 200, folders.1, number == 58 ? "Anna" : "about"),
      ] {
        try connection.execute(
          "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZFOLDER, ZCREATEDAT, ZBODY, ZTITLE) "
            + "VALUES (\(key), 3, 1, \(place), \(key), '\(body)', '\(title)')")
      }
      try connection.execute("INSERT INTO Z_3TAGS VALUES (\(number + 200), 1)")
    }
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 300 WHERE Z_NAME = 'Note'")
    connection.close()
    return path
  }

  @Test func theWrongMergeAmongAHundredStandsFirst() throws {
    let folder = try TemporaryFolder()
    _ = try synced(in: folder)
    let outcome = try run(
      ["repair", "Notes.sqlite", "--dedupe", "Note.title", "--show-values"], in: folder, width: 80)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    let groups = lines.filter { $0.hasPrefix("    keep ") }
    #expect(groups.count == 10)
    #expect(
      groups.first == "    keep Note 58 'Dentist'; 258 'Dentist' becomes it; 1 link of Note.tags moves")
    #expect(lines.contains { $0.hasPrefix("        body: 58 'about', 258 'Anna'") })
    #expect(outcome.output.contains("and 90 more"))
    #expect(lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("  storedoctor ") })
  }

  @Test func withoutValuesThePlanShowsKeysAndNames() throws {
    let folder = try TemporaryFolder()
    _ = try synced(in: folder)
    for format in ["text", "html"] {
      let outcome = try run(
        ["repair", "Notes.sqlite", "--dedupe", "Note.title", "--format", format, "--examples", "100"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      for value in ["Dentist", "Anna", "Thing", "about"] { #expect(!outcome.output.contains(value), "\(value)") }
      #expect(outcome.output.contains("Note 58") && outcome.output.contains("body"))
    }
    let json = try run(["repair", "Notes.sqlite", "--dedupe", "Note.title", "--format", "json"], in: folder)
    #expect(json.output.components(separatedBy: "\"others\": [").count == 101)
  }

  @Test func thePageIsInertAndEscaped() throws {
    let folder = try TemporaryFolder()
    let store = try synced(in: folder)
    let connection = try Connection(writing: store, create: false)
    try connection.execute("UPDATE ZNOTE SET ZBODY = '<script>alert(1)</script>\"&' WHERE Z_PK = 258")
    connection.close()
    let outcome = try run(
      ["repair", "Notes.sqlite", "--dedupe", "Note.title", "--format", "html", "--show-values"], in: folder)
    #expect(outcome.output.hasPrefix("<!DOCTYPE html>"))
    #expect(outcome.output.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;"))
    #expect(!outcome.output.contains("<script"))
    let refused = try run(
      ["repair", "Notes.sqlite", "--safe", "--format", "html", "--output", "a.sqlite"], in: folder)
    #expect(refused.status == 64)
  }

  @Test func keepSaysItsFormAndTheDatesThereAre() throws {
    let folder = try TemporaryFolder()
    _ = try synced(in: folder)
    let outcome = try run(["repair", "Notes.sqlite", "--dedupe", "Note.title", "--keep", "newest"], in: folder)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("write newest:createdAt; dates of 'Note' are createdAt"))
  }

  /// A copy lies elsewhere, and what lies around the file is no result of the repair (SD705).
  @Test func guessesAboutTheFilesPastDoNotRefuseAResult() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(writing: store, create: false)
    try connection.execute("UPDATE ZNOTE SET ZBODY = NULL WHERE Z_PK = 1")
    connection.close()
    try folder.write([1], to: "Notes.sqlite.corrupt-1")
    #expect(try run(["diagnose", "Notes.sqlite"], in: folder).output.contains("SD705"))
    try FileManager.default.createDirectory(atPath: folder("there"), withIntermediateDirectories: false)
    let outcome = try run(
      ["repair", "Notes.sqlite", "--backfill", "Note.body=x", "--output", "there/Other.sqlite"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}
