import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `repair --restore REPORT`: what `recover` has the values of comes back as it was, and nothing else changes.
@Suite struct RestoreReportTests {
  private static let seeds = LongRuns.seeds(8, whole: 200)
  private static let tables = ["ZNOTE", "ZATTACHMENT", "ZFOLDER", "ZTAG", "Z_3TAGS"]
  private static let original = Project.path("corpus/Notes.sqlite")

  /// The rows of a table by key; of links by both keys.
  private static func rows(_ table: String, of path: String) throws -> [String: [String: SQLiteValue]] {
    let connection = try Connection(writing: path, create: false)
    defer { connection.close() }
    let names = try connection.prepare("SELECT name FROM pragma_table_info('\(table)')")
    var columns: [String] = []
    while try names.step() { columns.append(names.string(0) ?? "") }
    let statement = try connection.prepare("SELECT * FROM \(table)")
    var rows: [String: [String: SQLiteValue]] = [:]
    while try statement.step() {
      let values = columns.indices.map { statement.value($0) }
      let key = table.hasPrefix("Z_") ? "\(values)" : "\(values[0])"
      rows[key] = Dictionary(uniqueKeysWithValues: zip(columns, values))
    }
    return rows
  }

  /// Deletes notes as their app does: attachments and links with them.
  private static func delete(_ notes: [Int64], from path: String) throws {
    let connection = try Connection(writing: path, create: false)
    defer { connection.close() }
    let keys = notes.map(String.init).joined(separator: ", ")
    try connection.execute(
      """
      PRAGMA secure_delete = 0;
      BEGIN;
      DELETE FROM Z_3TAGS WHERE Z_3NOTES IN (\(keys)); DELETE FROM ZATTACHMENT WHERE ZNOTE IN (\(keys));
      DELETE FROM ZNOTE WHERE Z_PK IN (\(keys));
      COMMIT;
      """)
  }

  /// Keys by table of deleted objects of which a report has all values.
  private static func whole(in report: String) throws -> Set<String> {
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(contents(of: report))) as? [String: Any])
    let rows = try #require(document["rows"] as? [[String: Any]])
    return Set(
      rows.filter { $0["kind"] as? String == "deleted" && $0["missing"] == nil }.compactMap { row in
        guard let key = row["key"] as? Int, let values = row["values"] as? [Any], !values.isEmpty else { return nil }
        return "\(row["table"] ?? "") \(SQLiteValue.integer(Int64(key)))"
      })
  }

  @Test func whatWasFoundComesBackAndNothingElseChanges() throws {
    var (deleted, back) = (0, 0)
    for seed in Self.seeds {
      let folder = try TemporaryFolder()
      var random = SeededGenerator(seed: seed)
      let store = try folder.copyStore(Self.original, as: "Now.sqlite")
      try Self.delete(
        (1...18).filter { _ in Int.random(in: 0..<5, using: &random) == 0 } + [
          Int64.random(in: 1...18, using: &random)
        ],
        from: store)
      let report = folder("report.json")
      let recovered = try Program.run(["recover", store, "--format", "json"])
      try Data(recovered.output.utf8).write(to: URL(fileURLWithPath: report))
      let outcome = try Program.run(["repair", store, "--restore", report, "--output", folder("Back.sqlite")])
      #expect(outcome.status == 0, "seed \(seed): \(outcome.errors)")
      let found = try Self.whole(in: report)
      for table in Self.tables {
        let old = try Self.rows(table, of: Self.original)
        let (now, result) = try (Self.rows(table, of: store), Self.rows(table, of: folder("Back.sqlite")))
        for (key, row) in old {
          let label = "seed \(seed), \(table) \(key)"
          if let live = now[key] {
            #expect(result[key] == live, "\(label)")
          } else if table == "Z_3TAGS" {
            #expect(result[key] == nil || result[key] == row, "\(label)")
          } else {
            deleted += 1
            guard found.contains("\(table) \(key)") else {
              #expect(result[key] == nil, "\(label)")
              continue
            }
            back += 1
            var wanted = row
            // What it led to may not have been found.
            if result[key]?["ZNOTE"] == .null {
              for name in ["ZNOTE", "Z3_NOTE", "Z_FOK_NOTE"] { wanted[name] = .null }
            }
            #expect(result[key] == wanted, "\(label)")
          }
        }
        #expect(Set(result.keys).subtracting(old.keys) == [], "seed \(seed), \(table)")
      }
      #expect(try Program.run(["diagnose", folder("Back.sqlite"), "--no-config"]).status == 0, "seed \(seed)")
      try expectUndone(store, report, folder, "seed \(seed)")
    }
    // SQLite writes into the space of the first row that was deleted.
    #expect(back * 10 >= deleted * 7, "\(back) of \(deleted)")
    print("\(back) of \(deleted) deleted objects came back")
  }

  private func expectUndone(_ store: String, _ report: String, _ folder: TemporaryFolder, _ label: String) throws {
    let before = try contents(of: store)
    let journal = folder("journal")
    let place = ["repair", store, "--restore", report, "--in-place", "--journal", journal]
    #expect(try Program.run(place).status == 0, "\(label)")
    #expect(try Program.run(["undo", journal]).status == 0, "\(label)")
    #expect(try contents(of: store) == before, "\(label)")
  }

  /// A predicate is held against the values that the report has.
  @Test func whatIsPutBackIsChosenByItsValues() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Self.original, as: "Now.sqlite")
    try Self.delete([2, 5, 9, 12], from: store)
    let report = try Program.run(["recover", store, "--format", "json"]).output
    try Data(report.utf8).write(to: URL(fileURLWithPath: folder("report.json")))
    let titles = try Self.rows("ZNOTE", of: Self.original).mapValues { $0["ZTITLE"] }
    func back(_ condition: String, _ more: [String] = []) throws -> (outcome: Program.Outcome, keys: [String]) {
      let output = folder("Back.sqlite")
      let outcome = try Program.run(
        [
          "repair", store, "--restore", folder("report.json"), "--entity", "Note", "--where", condition, "--output",
          output,
        ]
          + ["--force"] + more)
      guard outcome.status == 0 else { return (outcome, []) }
      let now = try Self.rows("ZNOTE", of: store)
      return (outcome, try Self.rows("ZNOTE", of: output).keys.filter { now[$0] == nil }.sorted())
    }
    let all = try back("TRUEPREDICATE").keys
    try #require(all.count >= 3, "\(all)")
    let key = try #require(all.last)
    guard case .text(let title)?? = titles[key] else {
      Issue.record("note \(key) has no title")
      return
    }
    let words = "title == \"\(String(decoding: title, as: UTF8.self))\""
    #expect(try back(words).keys == [key])
    #expect(try back("NOT (\(words))").keys == all.filter { $0 != key })
    let none = try back("title == \"none of them\"")
    #expect(none.outcome.status == 2)
    #expect(none.outcome.errors.contains("fulfils the predicate of --where"))
    #expect(try back("tittle == 1").outcome.status != 0)
  }

  @Test func aReportThatIsAlteredOrOfAnotherStoreIsRefused() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Self.original, as: "Now.sqlite")
    try Self.delete([2, 5], from: store)
    let text = try Program.run(["recover", store, "--format", "json"]).output
    try #require(text.contains("Note 2"))
    func refusal(_ report: String, of path: String) throws -> String {
      try Data(report.utf8).write(to: URL(fileURLWithPath: folder("report.json")))
      let outcome = try Program.run(["repair", path, "--restore", folder("report.json")])
      #expect(outcome.status == 2)
      return outcome.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    #expect(
      try refusal(text.replacingOccurrences(of: "Note 2", with: "Note 3"), of: store).contains("it was changed after"))
    #expect(try refusal("{}", of: store).contains("make one with 'storedoctor recover STORE --format json'"))
    let other = try folder.copyStore(Self.original, as: "Other.sqlite")
    let connection = try Connection(writing: other, create: false)
    try connection.execute("UPDATE Z_METADATA SET Z_UUID = '6C0FFEE0-0000-4000-8000-00000000CAFE'")
    connection.close()
    #expect(try refusal(text, of: other).contains("is of another store: its UUID differs"))
    let both = try Program.run(["repair", store, "--restore", "a.json", "--restore-from", store])
    #expect(both.status == 64)
  }
}
