import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `recover --models`, by the built program: what a store was before an app's update wrote other metadata over it.
@Suite struct RecoverModelsTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A store of version 1 in whose log metadata and model cache of version 2 were written, as a migration does.
  private func updatedStore(checkpointed: Bool = false) throws -> String {
    let bundle = Project.path("corpus/Notes.xcdatamodeld")
    let (old, new, store) = (folder("Old.sqlite"), folder("New.sqlite"), folder("Notes.sqlite"))
    for (version, path) in [("Notes", old), ("Notes 2", new)] {
      #expect(try Program.run(["model", "sample", "\(bundle)#\(version)", "--output", path]).status == 0)
    }
    let writer = try Connection(writing: old, create: false)
    try writer.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA secure_delete = 0; PRAGMA wal_autocheckpoint = 0; ATTACH '\(new)' AS new;
      BEGIN;
      UPDATE Z_METADATA SET Z_PLIST = (SELECT Z_PLIST FROM new.Z_METADATA);
      DELETE FROM main.Z_MODELCACHE; INSERT INTO main.Z_MODELCACHE SELECT * FROM new.Z_MODELCACHE;
      COMMIT;
      """)
    if checkpointed { try writer.execute("DETACH new; PRAGMA wal_checkpoint(TRUNCATE)") }
    for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: old + suffix, toPath: store + suffix) }
    return store
  }

  private func models(_ store: String) throws -> [JSONTree] {
    let outcome = try Program.run(["recover", store, "--models", "--format", "json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/recovery.json"), encoding: .utf8))
    let document = try JSONTree(outcome.output)
    #expect(schema.violations(in: document).isEmpty)
    #expect(document["rows"]?.list?.isEmpty == true)
    return try #require(document["models"]?.list)
  }

  @Test func findsHashesAndModelOfTheVersionBefore() throws {
    let models = try models(updatedStore())
    #expect(models.compactMap { $0["source"]?.string }.sorted() == ["cache", "metadata"])
    for model in models {
      #expect(model["grade"]?.string == "proved")
      #expect(model["isCurrent"] == .bool(false))
      #expect(model["changedEntities"]?.list?.compactMap(\.string).contains("Note") == true)
      #expect(model["witnesses"]?.list?.compactMap { $0["shows"]?.string } == ["present", "absent"])
    }
  }

  /// The model that was found is one to work with: it is the version that the bundle has.
  @Test func theModelThatWasFoundIsThatOfTheBundle() throws {
    let report = try Program.run(["recover", updatedStore(), "--models", "--format", "json"]).output
    let document = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any]
    let model = try #require((document?["models"] as? [[String: Any]])?.compactMap { $0["model"] }.first)
    let found = try folder.write(Array(JSONSerialization.data(withJSONObject: model)), to: "found.json")
    let difference = try Program.run(["model", "diff", found, Project.path("corpus/Notes.xcdatamodeld#Notes")])
    #expect(difference.status == 0, "\(difference.output)\(difference.errors)")
  }

  @Test func saysSoInWords() throws {
    let text = try Program.run(["recover", updatedStore(), "--models"]).output
    #expect(text.hasPrefix("2 earlier versions of the model\n"))
    #expect(text.contains("not as now: ") && text.contains("absent: commit 1 of the log"))
    #expect(try Program.run(["recover", folder("Notes.sqlite")]).output.contains("Earlier versions of the model"))
  }

  @Test func findsNothingWhereNothingIsLeft() throws {
    let text = try Program.run(["recover", Project.path("corpus/Club.sqlite"), "--models"]).output
    #expect(text.hasPrefix("0 earlier versions of the model\n"))
  }

  @Test(arguments: [["--summary"], ["--entity", "Note"], ["--any-sqlite"], ["--format", "csv"]])
  func refusesWhatDoesNotGoWithIt(_ options: [String]) throws {
    #expect(try Program.run(["recover", Project.path("corpus/Club.sqlite"), "--models"] + options).status == 64)
  }
}
