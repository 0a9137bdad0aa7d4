import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `model match --git` on a history of Swift source with parts that cannot be read.
@Suite(.needs("git")) struct SourceHistoryTests {
  private let shipped = SourceStory.version(1, #"var title: String = ""; var pinned = false"#)
  private let later = SourceStory.version(1, #"var title: String = ""; var stars: Int = 0"#)

  /// A file that is too large is named once, and its commits are read without it.
  @Test func aFileThatIsTooLargeIsNamedAndTheOthersAreRead() throws {
    let story = try SourceStory()
    let repository = try Repository(in: story.folder)
    let huge = String(repeating: "// @Model, as a generator writes it many thousand times\n", count: 80_000)
    let ids = try [
      ["App/Models.swift": shipped, "App/Huge.swift": huge], ["App/Models.swift": shipped + "enum Another {}\n"],
      ["App/Models.swift": later],
    ].map { try repository.commit($0, message: "A state") }
    let store = try story.store("SchemaV1", of: story.source(shipped))
    let outcome = try match(store, repository)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let object = try repository.git("rev-parse", "HEAD:App/Huge.swift").prefix(12)
    let words = "! App/Huge.swift (\(object)): \(huge.utf8.count) bytes, more than 4194304"
    #expect(outcome.output.components(separatedBy: words).count == 2, "\(outcome.output)")
    #expect(outcome.output.contains("made      \(ids[0].prefix(12)) 2001-01-01 A state\n"), "\(outcome.output)")
    #expect(outcome.output.contains("replaced  \(ids[2].prefix(12)) 2001-01-01 A state\n"), "\(outcome.output)")
  }

  /// A file with invalid UTF-8 is read all the same.
  @Test func aFileThatIsNotTextIsRead() throws {
    let story = try SourceStory()
    let repository = try Repository(in: story.folder)
    let path = repository.path + "/App/Models.swift"
    try XcodeFiles.write("", to: path)
    let bytes = Array("import SwiftData // ".utf8) + [0xFF, 0xFE] + Array("\n\(shipped)".utf8)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let id = try repository.commit([:], message: "Not text")
    let store = try story.store("SchemaV1", of: story.source(shipped))
    let outcome = try match(store, repository)
    #expect(outcome.status == 0 && outcome.output.contains(id.prefix(12)), "\(outcome.output)\(outcome.errors)")
  }

  /// An object that is gone, as in a partial clone, is named.
  @Test func aFileThatIsMissingIsNamed() throws {
    let story = try SourceStory()
    let repository = try Repository(in: story.folder)
    let id = try repository.commit(
      ["App/Models.swift": shipped, "App/Lost.swift": "enum Lost {}\n"], message: "A state")
    try repository.loseObject(of: "App/Lost.swift")
    let outcome = try match(try story.store("SchemaV1", of: story.source(shipped)), repository)
    #expect(outcome.output.contains("): not in the repository (a shallow or partial clone?)"), "\(outcome.output)")
    #expect(outcome.status == 0 && outcome.output.contains("made      \(id.prefix(12))"), "\(outcome.output)")
  }

  /// There are more states than one call of the reader takes.
  @Test func theCommitIsFoundAmongMany() throws {
    let story = try SourceStory()
    let repository = try Repository(in: story.folder)
    func state(_ number: Int) -> String { SourceStory.version(1, "var title: String = \"\"; var n\(number): Int = 0") }
    let ids = try (0..<19).map { try repository.commit(["App/Models.swift": state($0)], message: "State \($0)") }
    let outcome = try match(try story.store("SchemaV1", of: story.source(state(10))), repository)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("made      \(ids[10].prefix(12)) 2001-01-01 State 10\n"), "\(outcome.output)")
    #expect(outcome.output.contains("replaced  \(ids[11].prefix(12)) 2001-01-01 State 11\n"), "\(outcome.output)")
  }

  /// The version is that of the metadata in the log that is named, in the source of every commit too.
  @Test func theNamedLogIsHeldAgainstTheSource() throws {
    let story = try SourceStory()
    let repository = try Repository(in: story.folder)
    let ids = try [shipped, later].map { try repository.commit(["App/Models.swift": $0], message: "A state") }
    let old = try story.store("SchemaV1", of: story.source(shipped))
    let main = try story.store("SchemaV1", of: story.source(later), framework: 1527)
    let connection = try Connection(writing: main, create: false)
    try connection.execute(
      """
      ATTACH '\(old)' AS old; PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0;
      UPDATE Z_METADATA SET Z_PLIST = (SELECT Z_PLIST FROM old.Z_METADATA);
      """)
    let (store, log) = (story.folder("2c7c"), story.folder("8740"))
    try FileManager.default.copyItem(atPath: main, toPath: store)
    try FileManager.default.copyItem(atPath: main + "-wal", toPath: log)
    #expect(try match(store, repository).output.contains("made      \(ids[1].prefix(12))"))
    let outcome = try match(store, repository, "--wal", log)
    #expect(outcome.status == 0 && outcome.output.contains("made      \(ids[0].prefix(12))"), "\(outcome)")
  }

  private func match(_ store: String, _ repository: Repository, _ options: String...) throws -> Program.Outcome {
    try Program.run(["model", "match", store, "--git", repository.path] + options, environment: ["COLUMNS": "200"])
  }
}
