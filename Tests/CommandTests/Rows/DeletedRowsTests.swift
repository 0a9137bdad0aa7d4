import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `rows --deleted` and `timeline --deleted`, by the built program. What is right is known from the store before anything was
/// deleted.
@Suite struct DeletedRowsTests {
  private typealias Object = [String: JSONTree]

  private func objects(_ arguments: [String]) throws -> [Object] {
    try Program.run(["rows"] + arguments + ["--format", "jsonl"]).output.split(separator: "\n").map {
      guard case .object(let members) = try JSONTree(String($0)) else { throw CocoaError(.coderReadCorrupt) }
      return members
    }
  }

  /// Deleted objects are looked for in the whole log, so a commit is refused, not passed over.
  @Test(arguments: [["recover"], ["rows", "Note", "--deleted"], ["timeline", "--deleted"]])
  func aStoreAsOfACommitIsRefused(words: [String]) throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let outcome = try Program.run([words[0], store + "@1"] + words.dropFirst())
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(
      outcome.errors == """
        storedoctor: cannot search '\(store)@1' (commit 1 of 4): deleted objects are looked for in the main file and in \
        all commits of its log; omit the @ and its number

        """)
  }

  @Test func goneObjectsHaveTheValuesThatTheyHadAndAState() throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let before = try objects([Project.path("corpus/Notes.sqlite"), "Note"])
    let rows = try objects([store, "Note", "--deleted"])
    let gone = rows.filter { $0["_state"] != .string("live") }
    #expect(rows.prefix(14).allSatisfy { $0["_state"] == .string("live") } && rows.count == 14 + gone.count)
    #expect(
      gone.map { "\($0["_key"]?.wholeNumber.map(String.init) ?? "?") \($0["_state"]?.string ?? "")" } == [
        "1 earlier-version proved", "2 deleted proved", "3 deleted shown", "4 deleted proved", "5 deleted proved",
      ])
    for var object in gone {
      let found = object.removeValue(forKey: "_key")
      let key = try #require(found)
      let original = try #require(before.first { $0["_key"] == key })
      object["_state"] = nil
      // What the test wrote into note 2 before it was deleted.
      if key == .integer(2) {
        #expect(object.removeValue(forKey: "body") == .string("two\nlines"))
        #expect(object.removeValue(forKey: "title")?.string?.hasPrefix("=1+1<") == true)
      }
      for (name, value) in object { #expect(original[name] == value, "\(key) \(name)") }
      #expect(object["uuid"] != nil && object["folder"] != nil && object["tags"] == nil)
    }
  }

  /// Of a key alone nothing else is claimed.
  @Test func aKeyThatOnlyAGapShowsHasNoValues() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    do {
      let writer = try Connection(writing: store, create: false)
      try writer.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'Note'")
    }
    let gone = try objects([store, "Note", "--deleted"]).filter { $0["_state"] != .string("live") }
    #expect(gone == [["_key": .integer(19), "_state": .string("deleted implied")]])
    let csv = try Program.run(["rows", store, "Note", "--deleted", "--format", "csv"])
    #expect(csv.errors.contains("values of objects that are gone are lost"))
    let undecided = try Program.run([
      "rows", store, "Note", "--deleted", "--where", "title == 'x'", "--format", "jsonl",
    ])
    #expect(undecided.status == 2 && undecided.errors.contains("of 1 object"), "\(undecided)")
    let target = folder("all")
    #expect(try Program.run(["rows", store, "--deleted", "--format", "csv", "--output", target]).status == 0)
    // Checklists share the table of notes: each entity has its own, and a key of an unknown entity stands with the root.
    let notes = try String(contentsOfFile: target + "/Note.csv", encoding: .utf8)
    let checklists = try String(contentsOfFile: target + "/Checklist.csv", encoding: .utf8)
    #expect(notes.contains("19,deleted implied") && !checklists.contains("deleted"))
  }

  /// What is known of a gone object decides; where its value is lost, or only today's links would tell, it is not known.
  @Test(arguments: [
    ("title == 'Note 4'", ["4 deleted proved"], 0), ("SELF == 3", ["3 deleted shown"], 0),
    ("title BEGINSWITH 'Note' AND createdAt < '2023-03-11'", ["1 earlier-version proved", "3 deleted shown"], 0),
    ("tags.@count == 0 AND title == 'Note 4'", [], 1), ("folder.name == 'No such folder'", [], 5),
  ])
  func aConditionHoldsForWhatIsLeft(_ condition: String, _ expected: [String], _ undecided: Int) throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let outcome = try Program.run(["rows", store, "Note", "--deleted", "--where", condition, "--format", "jsonl"])
    let gone = try outcome.output.split(separator: "\n").map { try JSONTree(String($0)) }
      .filter { $0["_state"] != .string("live") }
    #expect(
      gone.map { "\($0["_key"]?.wholeNumber.map(String.init) ?? "?") \($0["_state"]?.string ?? "")" } == expected)
    #expect(
      outcome.errors.contains("it is not known whether the condition holds") == (undecided > 0), "\(outcome.errors)")
    #expect(undecided == 0 || outcome.errors.contains("of \(undecided) object"), "\(outcome.errors)")
    #expect(outcome.status == (undecided > 0 ? 2 : 0))
  }

  @Test func otherFormatsHaveTheSameObjects() throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/rows.json"), encoding: .utf8))
    let document = try JSONTree(Program.run(["rows", store, "Note", "--deleted", "--format", "json"]).output)
    #expect(schema.violations(in: document).isEmpty)
    #expect(document["rows"]?.list?.count == 19 && document["count"] == .integer(19))
    let csv = try Program.run(
      ["rows", store, "Note", "--deleted", "--format", "csv", "--columns", "_key,_state,title", "--offset", "14"])
    #expect(
      csv.output.components(separatedBy: "\r\n") == [
        "_key,_state,title", "1,earlier-version proved,Note 1",
        "2,deleted proved,\"'=1+1</script><img src=x onerror=alert(1)>\"\"\"", "3,deleted shown,Note 3",
        "4,deleted proved,Note 4", "5,deleted proved,Note 5", "",
      ])
    let table = try Program.run(["rows", store, "Note", "--deleted", "--key", "4"])
    #expect(table.output.contains("1 object of Note, 1 of them gone or earlier versions"))
  }

  @Test(arguments: [
    ["--order-by", "title"], ["--without-wal"], ["--as-of", "1"],
    ["--format", "sqlite", "--output", "x"], ["--external", "x"],
  ])
  func whatNeedsWholeObjectsIsWrongUsage(_ options: [String]) throws {
    let entity = options.contains("sqlite") ? [] : ["Note"]
    #expect(
      try Program.run(["rows", Project.path("corpus/Notes.sqlite")] + entity + ["--deleted"] + options).status == 64)
  }

  @Test func theTimelineHasWhatTheLogProvesAndTheHistoryLacks() throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let lines = try Program.run(["timeline", store, "--deleted"]).output.split(separator: "\n")
    #expect(
      lines.filter { $0.contains("  deletion ") || $0.contains("  replaced ") } == [
        "≤ 2023-03-10T00:13:20.500Z  replaced     Note 1 changed; an earlier version is left: the main file has it, commit 1 has not",
        "≥ 2023-03-10T00:13:20.500Z  deletion     Note 4 deleted: commit 2 of the write-ahead log has it, commit 3 has not",
      ])
    #expect(lines.first?.contains("2 ends proved by the log") == true)
    let plain = try Program.run(["timeline", store]).output
    #expect(!plain.contains("proved") && plain.contains("Note 2 deleted") && plain.contains("Note 5 deleted"))
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/timeline.json"), encoding: .utf8))
    let line = try Program.run(["timeline", store, "--deleted", "--key", "4", "--format", "jsonl"]).output
      .split(separator: "\n").first { $0.contains("\"deletion\"") }
    let event = try JSONTree(String(try #require(line)))
    #expect(schema.violations(in: event).isEmpty)
    #expect(event["not_before"] == .string("2023-03-10T00:13:20.500000+00:00"))
    #expect(event["not_after"] == .string("2023-03-11T04:00:00.000000+00:00"))
    #expect(try Program.run(["timeline", store, "--deleted", "--without-wal"]).status == 64)
  }
}
