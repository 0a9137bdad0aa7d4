import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `recover`, by the built program, named after NIST's CFTT assertions for SQLite tools where one asks for it.
@Suite struct RecoverCommandTests {
  /// Two deleted notes: one in the main file, one in the log.
  private func store(in folder: TemporaryFolder) throws -> String {
    let workshop = try TemporaryFolder()
    let origin = try workshop.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: origin, create: false)
    try writer.execute(
      """
      PRAGMA journal_mode=WAL; PRAGMA secure_delete=0; PRAGMA wal_autocheckpoint=0;
      DELETE FROM ZNOTE WHERE Z_PK = 2;
      PRAGMA wal_checkpoint(TRUNCATE);
      DELETE FROM ZNOTE WHERE Z_PK = 3;
      """)
    let store = folder("Notes.sqlite")
    for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: origin + suffix, toPath: store + suffix) }
    return store
  }

  private func rows(_ store: String) throws -> [[String: Any]] {
    let lines = try Program.run(["recover", store, "--grade", "shown", "--format", "jsonl"]).output.split(
      separator: "\n")
    return try lines.compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
  }

  /// A gap of 150,000 keys: 100,000 of them are listed.
  @Test func keysThatAreCountedAloneStandInTheFirstLine() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    try Connection(writing: store, create: false).execute(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 150000 WHERE Z_NAME = 'Note'")
    let text = try Program.run(["recover", store]).output
    let implied =
      try JSONSerialization.jsonObject(
        with: Data(Program.run(["recover", store, "--format", "json"]).output.utf8)) as? [String: Any]
    let summary = implied?["summary"] as? [[String: Any]] ?? []
    let note = try #require(summary.first { $0["name"] as? String == "Note" }?["implied"] as? Int)
    #expect(note > 149_000)
    let others = summary.compactMap { $0["implied"] as? Int }.reduce(0, +) - note
    #expect(text.contains("\(grouped(note + others)) keys not in use (implied)"))
    let refused = try Program.run(["recover", store, "--format", "case"])
    #expect(refused.status == 64 && refused.errors.contains("choose some with --entity"))
    #expect(try Program.run(["recover", store, "--format", "case", "--grade", "shown"]).status == 0)
  }

  private func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    return digits.indices.map { (digits.count - $0) % 3 == 0 && $0 > 0 ? "," + String(digits[$0]) : String(digits[$0]) }
      .joined()
  }

  @Test func ca01ca02TheInputIsThereAndUnchanged() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let before = try ["", "-wal"].map { try contents(of: store + $0) }
    #expect(try Program.run(["recover", store]).status == 0)
    for (suffix, bytes) in zip(["", "-wal"], before) { try expectSameBytes(contents(of: store + suffix), as: bytes) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["Notes.sqlite", "Notes.sqlite-wal"])
  }

  @Test func ca12ca13RecoveredRowsHaveTheirValuesAndTheirSourceFile() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let original = try Connection(reading: DatabaseFiles(path: Project.path("corpus/Notes.sqlite")))
    for key in [2, 3] {
      let row = try #require(try rows(store).first { $0["entity"] as? String == "Note" && titled($0, original, key) })
      let files = (row["places"] as? [[String: Any]] ?? []).compactMap { $0["file"] as? String }
      #expect(!files.isEmpty && files.allSatisfy { ["main", "wal"].contains($0) })
    }
  }

  private func titled(_ row: [String: Any], _ original: Connection, _ key: Int) -> Bool {
    guard let statement = try? original.prepare("SELECT ZTITLE FROM ZNOTE WHERE Z_PK = \(key)"),
      (try? statement.step()) == true
    else { return false }
    let values = row["values"] as? [[String: Any]] ?? []
    return values.contains { $0["name"] as? String == "title" && $0["value"] as? String == statement.string(0) }
  }

  @Test func ao05ao06ao07EachSaysWhyWhereAndInWhichTable() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    for row in try rows(store) {
      #expect(["deleted", "earlier-version"].contains(row["kind"] as? String))
      #expect((row["table"] as? String)?.isEmpty == false)
      for place in row["places"] as? [[String: Any]] ?? [] {
        let (start, end) = (place["start"] as? Int ?? -1, place["end"] as? Int ?? -1)
        #expect(start >= 0 && end > start)
      }
    }
  }

  @Test func twoRunsAreEqualByteByByte() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    for format in ["text", "json", "jsonl"] {
      let arguments = ["recover", store, "--format", format]
      #expect(try Program.run(arguments).output == Program.run(arguments).output)
    }
  }

  @Test func verifyFailsOnOneChangedByte() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let report = try folder.write(
      Array(Program.run(["recover", store, "--format", "json"]).output.utf8), to: "report.json")
    #expect(try Program.run(["recover", store, "--verify", report]).status == 0)
    let place = try #require(try rows(store).compactMap { ($0["places"] as? [[String: Any]])?.first }.first)
    let path = store + (place["file"] as? String == "wal" ? "-wal" : "")
    var bytes = try contents(of: path)
    let position = try #require(place["end"] as? Int) - 1
    bytes[position] ^= 0x01
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let changed = try Program.run(["recover", store, "--verify", report])
    #expect(changed.status == 1)
  }

  /// A report is written for its owner alone, and what is in the way stays.
  @Test func aReportIsWrittenToANewPrivateFile() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let arguments = ["recover", store, "--format", "json", "--output", folder("report.json")]
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
    #expect(try contents(of: folder("report.json")) == Array(Program.run(Array(arguments.dropLast(2))).output.utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: folder("report.json"))[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try Program.run(arguments).status == 2)
    #expect(try Program.run(["recover", store, "--verify", folder("report.json")]).status == 0)
  }

  /// The case of the field, with every one of its changes.
  @Test func verifyFailsWhereOneThingWasChanged() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let report = try Program.run(["recover", store, "--format", "json"]).output
    for (old, new) in [
      ("\"grade\": \"proved\"", "\"grade\": \"shown\""), ("\"entity\": \"Note\"", "\"entity\": \"Folder\""),
    ] {
      let altered = try folder.write(Array(report.replacingOccurrences(of: old, with: new).utf8), to: "altered.json")
      let outcome = try Program.run(["recover", store, "--verify", altered])
      #expect(outcome.status == 1 && outcome.output.contains("not as in the report"), "\(outcome)")
      #expect(outcome.errors.contains("the report was changed after it was written"))
    }
  }

  /// A document without byte ranges is no report that was read again.
  @Test(arguments: [["case"], ["csv"], ["html"], ["json", "--summary"], ["json", "--entity", "Tag"]])
  func verifyRefusesWhatIsNoReport(_ format: [String]) throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let report = try folder.write(
      Array(Program.run(["recover", store, "--format"] + format).output.utf8), to: "report")
    let outcome = try Program.run(["recover", store, "--verify", report])
    #expect(outcome.status == 2 && outcome.output.isEmpty && !outcome.errors.isEmpty)
  }

  /// A migration gives every entity the next number: what was deleted before it has the old ones, a Checklist's is a Note's
  /// today.
  @Test func rowsFromBeforeAMigrationAreReadByTheirOwnVersion() throws {
    let folder = try TemporaryFolder()
    let before = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: before, create: false)
    try writer.execute(
      "PRAGMA secure_delete=0; DELETE FROM ZNOTE WHERE Z_PK IN (2, 12); DELETE FROM Z_3TAGS WHERE Z_3NOTES IN (2, 12)")
    writer.close()
    let bundle = Project.path("corpus/Notes.xcdatamodeld")
    let old = bundle + "/Notes 2.xcdatamodel"
    let text = String(decoding: try contents(of: old + "/contents"), as: UTF8.self)
    let entity = "<entity name=\"Alpha\"><attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/></entity>"
    let end = try #require(text.range(of: "</model>"))
    try FileManager.default.createDirectory(atPath: folder("New.xcdatamodel"), withIntermediateDirectories: true)
    _ = try folder.write(
      Array(text.replacingCharacters(in: end, with: entity + "</model>").utf8), to: "New.xcdatamodel/contents")
    let after = folder("After.sqlite")
    let migrated = try Program.run(
      ["migrate", before, "--model", folder("New.xcdatamodel"), "--allow-assumed", "--output", after])
    #expect(migrated.status == 0, "\(migrated.errors)")
    func gone(_ more: [String]) throws -> [String] {
      let lines = try Program.run(["recover", after, "--grade", "shown", "--format", "jsonl"] + more).output
        .split(separator: "\n")
      return try lines.compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        .filter { $0["table"] as? String == "ZNOTE" && $0["kind"] as? String == "deleted" && $0["readWith"] != nil }
        .map { "\($0["entity"] ?? "?") \($0["key"] ?? "?")" }.sorted()
    }
    #expect(try gone([]) == ["Checklist 12", "Note 2"])
    #expect(try gone(["--model", old]) == ["Checklist 12", "Note 2"])
    // A report is verified with the models that it was made with.
    let report = folder("report.json")
    #expect(
      try Program.run(["recover", after, "--model", old, "--format", "json", "--output", report]).status == 0)
    #expect(try Program.run(["recover", after, "--model", old, "--verify", report]).status == 0)
    let without = try Program.run(["recover", after, "--verify", report])
    #expect(without.status == 1 && without.output.contains("give the same"), "\(without)")
    #expect(try Program.run(["recover", after, "--any-sqlite", "--model", old]).status == 64)
  }
}
