import StoreSQLite
import StoreText
import TestSupport
import Testing

/// What other commands say of a copy that `anonymize` wrote.
@Suite struct AnonymousCopyTests {
  /// A store with faults and deleted notes, and its copy.
  private func pair(_ folder: TemporaryFolder) throws -> (store: String, copy: String) {
    let store = try folder.copyStore(Project.path("examples/repair-a-store/Notes.sqlite"))
    let connection = try Connection(writing: store, create: false)
    try connection.execute("PRAGMA secure_delete = off; DELETE FROM ZNOTE WHERE Z_PK IN (5, 6, 9)")
    connection.close()
    let outcome = try Program.run(["anonymize", store, "--output", folder("Copy.sqlite")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return (store, folder("Copy.sqlite"))
  }

  @Test func aRepairPlansTheSameOperations() throws {
    let folder = try TemporaryFolder()
    let (store, copy) = try pair(folder)
    let plans = try [store, copy].map { path in
      let plan = try JSONTree(Program.run(["repair", path, "--safe", "--format", "json"]).output)
      guard case .array(let operations)? = plan["operations"] else { return [String]() }
      return operations.map { "\($0["repair"] ?? .null) \($0["entity"] ?? .null) \($0["expectedChanges"] ?? .null)" }
    }
    #expect(plans[0] == plans[1] && plans[0].count == 4, "\(plans)")
  }

  @Test func aMigrationHasTheSameVerdict() throws {
    let folder = try TemporaryFolder()
    let (store, copy) = try pair(folder)
    for version in ["Notes", "Notes 2", "Notes 3"] {
      let answers = try [store, copy].map { path in
        let outcome = try Program.run([
          "migrate", path, "--model", Project.path("corpus/Notes.xcdatamodeld"), "--to-version", version, "--output",
          folder("Migrated.sqlite"), "--force",
        ])
        // The first line, without the names of the files.
        let first = outcome.output.split(separator: "\n").first.map(String.init) ?? outcome.errors
        return "\(outcome.status ?? -1) " + first.replacing("Copy", with: "Notes")
      }
      #expect(answers[0] == answers[1])
    }
  }

  /// Of the store three notes with their texts; of the copy that keys are not in use, and nothing else.
  @Test func nothingIsRecovered() throws {
    let folder = try TemporaryFolder()
    let (store, copy) = try pair(folder)
    let found = try [store, copy].map { path in
      try Program.run(["recover", path, "--format", "jsonl"]).output.split(separator: "\n").map {
        try JSONTree(String($0))
      }
    }
    #expect(found[0].contains { $0["entity"] == .string("Note") && $0["values"] != .array([]) })
    #expect(found[1].allSatisfy { $0["values"] == .array([]) && $0["places"] == .array([]) }, "\(found[1])")
  }
}
