import Foundation
import TestSupport
import Testing

/// A store as of a commit of its WAL, by the built program.
@Suite struct AsOfTests {
  @Test func readsTheStoreAsOfACommit() throws {
    let folder = try TemporaryFolder()
    let living = try LivingStore(in: folder, committed: 4, inWAL: 2)
    try living.insert(3)
    try living.writer.save(intoMain: false)
    try living.copy()
    let store = living.mainPath
    let last = try commits(store).count - 1
    #expect(try notes(store) == 9)
    #expect(try notes("\(store)@\(last)") == 9)
    #expect(try notes("\(store)@\(last - 1)") == 6)
    #expect(try notes(store, ["--as-of", "0"]) == 4)
    // The folder stands for its store, with the commit too.
    #expect(try notes("\(folder.path)@0") == 4)
    let beyond = try Program.run(["inspect", "\(store)@\(last + 1)"])
    #expect(beyond.status == 2 && beyond.errors.contains("its write-ahead log has"))
    #expect(try Program.run(["diagnose", "\(store)@0"]).output.hasPrefix("as of commit 0 of \(last): "))
    #expect(try Program.run(["model", "hash", "\(store)@0"]).status == 0)
    #expect(try Program.run(["repair", "\(store)@0", "--safe"]).errors.contains("a store is only read"))
    #expect(try Program.run(["inspect", store, "--as-of", "1", "--without-wal"]).status == 64)
  }

  /// A file whose own name ends so is that file.
  @Test func aFileOfThatNameComesFirst() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"), as: "Notes@1")
    #expect(try Program.run(["inspect", store]).output.hasPrefix("Core Data store, framework"))
    #expect(try !Program.run(["inspect", store]).output.contains("as of commit"))
  }

  /// 15 stores, 943 commits: each is offered and can be read, or refused with the reason.
  @Test(.needsSharedData)
  func everyCommitOfRealStoresIsOfferedOrRefused() throws {
    var (offered, refused) = (0, 0)
    for entry in Catalogue.real where FileManager.default.fileExists(atPath: entry.path + "-wal") {
      let commits = try commits(entry.path)
      for commit in commits.dropFirst() {
        let why = commit["why"] as? String
        #expect((commit["readable"] as? Bool) == (why == nil))
        if why == nil { offered += 1 } else { refused += 1 }
      }
      // Each of a few; all would take minutes.
      for commit in [commits.first, commits.dropFirst(commits.count / 2).first, commits.last].compactMap(\.self) {
        guard let number = commit["number"] as? Int else { continue }
        let outcome = try Program.run(["inspect", "\(entry.path)@\(number)"])
        // Before the first save there is no store yet.
        let isNoStore = number == 0 && outcome.errors.contains("not a Core Data store")
        #expect(
          outcome.status == (commit["why"] == nil && !isNoStore ? 0 : 2), "\(entry.slug)@\(number): \(outcome.errors)")
      }
    }
    // Two of them are in the log of one store, which may have been merged into its main file.
    let lost = Catalogue.real.filter { !$0.isWhole }.map(\.slug)
    #expect(lost.isEmpty || lost == ["browserserviceskit--bookmarks-v4-227965"])
    #expect(offered == (lost.isEmpty ? 941 : 939) && refused == 2)
  }

  private func commits(_ store: String) throws -> [[String: Any]] {
    let outcome = try Program.run(["inspect", store, "--commits", "--format", "json"])
    let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/inspection.json"), encoding: .utf8))
    #expect(try schema.violations(in: JSONTree(outcome.output)).isEmpty)
    return try #require(document?["commits"] as? [[String: Any]])
  }

  private func notes(_ store: String, _ options: [String] = []) throws -> Int? {
    let outcome = try Program.run(["inspect", store, "--format", "json"] + options)
    let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let entities = document?["entities"] as? [[String: Any]]
    return entities?.first { $0["name"] as? String == "Note" }?["rows"] as? Int
  }
}
