import Foundation
import TestSupport
import Testing

/// `inspect` of stores in which many entities are empty.
struct InspectOrderTests {
  /// Folders have no rows here but are named before notes otherwise.
  private func store() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: Project.path("corpus/Notes.sqlite"), toPath: folder("Notes.sqlite"))
    let emptied = try Program.launch([
      "sqlite3", folder("Notes.sqlite"), "DELETE FROM ZATTACHMENT; DELETE FROM ZFOLDER;",
    ])
    #expect(emptied.status == 0)
    return folder
  }

  private func entities(_ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { !$0.hasPrefix("Entities") }.dropFirst().prefix { !$0.isEmpty }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  @Test(.needs("sqlite3")) func entitiesWithRowsComeFirst() throws {
    let folder = try store()
    let all = entities(try Program.run(["inspect", folder("Notes.sqlite")]).output)
    let some = try Program.run(["inspect", folder("Notes.sqlite"), "--no-empty"]).output
    let note = try #require(all.firstIndex(of: "Note"))
    #expect(try #require(all.firstIndex(of: "Folder")) > note && #require(all.firstIndex(of: "Attachment")) > note)
    #expect(entities(some).contains("Note") && !entities(some).contains("Folder"))
    #expect(some.contains("2 entities without rows"))
  }

  @Test(arguments: [["--entity", "Note"], ["--format", "json"]])
  func nothingIsLeftOutInSilence(options: [String]) throws {
    #expect(try Program.run(["inspect", Project.path("corpus/Notes.sqlite"), "--no-empty"] + options).status == 64)
  }
}
