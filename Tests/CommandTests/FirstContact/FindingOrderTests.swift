import Foundation
import TestSupport
import Testing

/// `diagnose` of a store with many findings: the gravest first, what is alike in one line.
@Suite(.needs("sqlite3")) struct FindingOrderTests {
  /// Two equal notes and fifteen keys, a tag without name, and a missing folder.
  private func diagnose(_ options: String...) throws -> [String] {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"), as: "Notes.sqlite")
    let planted = try Program.launch([
      "sqlite3", store,
      """
      UPDATE ZNOTE SET ZTITLE = 't', ZBODY = 'b', ZCREATEDAT = 1, ZFOLDER = 1, ZISPINNED = 0 WHERE Z_PK < 3;
      UPDATE ZTAG SET ZNAME = NULL WHERE Z_PK = 1; DELETE FROM ZFOLDER WHERE Z_PK = 3;
      """,
    ])
    #expect(planted.status == 0, "\(planted.errors)")
    let names = ["isPinned", "folder", "createdAt", "title", "body"]
    let pairs = names.flatMap { one in names.filter { one < $0 }.map { "\(one),\($0)" } }
    let keys = (names + pairs).flatMap { ["--unique", "Note.\($0)"] }
    let outcome = try Program.run(
      ["diagnose", store, "--no-config", "--fail-on", "never"] + keys + options, environment: ["COLUMNS": "100"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.components(separatedBy: "\n")
  }

  /// The mark of the first finding of each section.
  private func marks(_ lines: [String]) -> [String] {
    zip(lines, lines.dropFirst()).compactMap { heading, line in
      guard !heading.isEmpty, !heading.hasPrefix(" "), line.hasPrefix("  "), line.dropFirst(3).hasPrefix(" SD") else {
        return nil
      }
      return String(line.dropFirst(2).prefix(1))
    }
  }

  @Test func theGravestComesFirst() throws {
    let found = marks(try diagnose("--unfold"))
    #expect(Set(found).count > 1)
    #expect(found == ["E", "W", "N"].flatMap { mark in found.filter { $0 == mark } })
  }

  @Test func manyOfOneCheckAreOneLineAnEntity() throws {
    let (folded, whole) = (try diagnose(), try diagnose("--unfold"))
    let alike = whole.filter { $0.contains(" SD502 ") }.count
    #expect(alike > 10)
    #expect(folded.filter { $0.contains(" SD502 ") }.count == 1)
    #expect(folded.contains { $0.contains("SD502 duplicate-key: \(alike) findings, ") }, "\(folded)")
    #expect(folded.contains { $0.contains("--unfold shows each") })
    #expect(!whole.contains { $0.contains("--unfold") })
  }

  @Test func statisticsAreALineACheck() throws {
    let lines = try diagnose("--statistics")
    let checks = lines.filter { $0.hasPrefix("  ") && $0.dropFirst(3).hasPrefix(" SD") }.map {
      $0.dropFirst(4).prefix(5)
    }
    #expect(checks.count == Set(checks).count && checks.contains("SD502") && checks.contains("SD401"))
  }

  @Test(arguments: [
    ["--unfold", "--format", "json"], ["--statistics", "--format", "sarif"], ["--unfold", "--statistics"],
  ])
  func theyAreAboutText(options: [String]) throws {
    #expect(try Program.run(["diagnose", Project.path("corpus/Notes.sqlite")] + options).status == 64)
  }
}
