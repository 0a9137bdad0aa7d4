import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `recover` counts objects and never rows, and each has a number by which it is cited.
@Suite struct RecoverObjectTests {
  /// Note 2 with two earlier versions and then deleted, note 4 with two earlier versions and there, all in the log.
  private func store(in folder: TemporaryFolder) throws -> String {
    let workshop = try TemporaryFolder()
    let origin = try workshop.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: origin, create: false)
    try writer.execute("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA wal_checkpoint(TRUNCATE)")
    for (key, saves, title) in [(2, 2, "two"), (4, 2, "four"), (2, 3, "two, again"), (4, 3, "four, again")] {
      try writer.execute("UPDATE ZNOTE SET ZTITLE = '\(title)', Z_OPT = \(saves) WHERE Z_PK = \(key)")
    }
    try writer.execute("DELETE FROM ZNOTE WHERE Z_PK = 2")
    let store = folder("Notes.sqlite")
    for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: origin + suffix, toPath: store + suffix) }
    return store
  }

  private func recover(_ store: String, _ options: [String]) throws -> String {
    let outcome = try Program.run(["recover", store] + options, environment: ["SOURCE_DATE_EPOCH": "1700000000"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test func anObjectIsOneEntryWithItsVersionsInOrder() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let document = try JSONTree(recover(store, ["--entity", "Note", "--format", "json"]))
    let objects = try #require(document["objects"]?.list)
    #expect(objects.map { $0["fate"]?.string } == ["deleted", "there"])
    #expect(objects.map { $0["key"]?.wholeNumber } == [2, 4])
    let rows = try #require(document["rows"]?.list)
    for object in objects {
      let versions = object["versions"]?.list ?? []
      let saves = versions.compactMap { $0["saves"]?.wholeNumber }
      #expect(saves == saves.sorted() && saves.count == (object["key"]?.wholeNumber == 2 ? 3 : 2))
      for (position, version) in versions.enumerated() {
        let row = Int(try #require(version["row"]?.wholeNumber))
        #expect(rows[row]["object"]?.wholeNumber == object["object"]?.wholeNumber)
        #expect(rows[row]["version"]?.wholeNumber == Int64(position + 1))
        // Only the last version of what is gone has nothing to be compared with.
        let isLast = object["fate"]?.string == "deleted" && position == versions.count - 1
        #expect((version["changed"]?.list ?? []).compactMap(\.string) == (isLast ? [] : ["Z_OPT", "title"]))
      }
    }
    #expect(
      document["verdict"]?.string
        == "1 deleted: 1 proved by the log, 1 with content; 4 earlier versions of an object that is there")
  }

  /// A value that did not change is not shown again, and what it was changed to is.
  @Test func versionsShowWhatChanged() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let text = try recover(store, ["--entity", "Note"])
    #expect(text.contains("differs from the object as it is there today:\n        Z_OPT = 2, then 3\n"))
    #expect(text.contains("title = \"four\", then \"four, again\"\n"))
    #expect(text.contains("differs from version 1.2:\n"))
    // The deleted object's last state stands once, those of all versions in JSON.
    #expect(text.replacing(/\n +/, with: " ").components(separatedBy: "uuid = ").count == 2)
    let page = try recover(store, ["--entity", "Note", "--format", "html"])
    #expect(page.contains("<dt>title</dt><dd>four</dd><dd class=\"then\">four, again</dd>"))
    #expect(page.components(separatedBy: "<dt>uuid</dt>").count == 2)
  }

  @Test func numbersAreTheSameInEveryFormatAndChoice() throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    func numbers(_ options: [String]) throws -> [String: String] {
      let rows = try JSONTree(recover(store, ["--format", "json"] + options))["rows"]?.list ?? []
      return Dictionary(
        uniqueKeysWithValues: rows.map { row in
          let number = [row["object"], row["version"]].compactMap { $0?.wholeNumber.map { "\($0)" } }.joined(
            separator: ".")
          return (number, "\(row["table"]?.string ?? "") \(row["key"]?.wholeNumber ?? 0) \(row["kind"]?.string ?? "")")
        })
    }
    let all = try numbers([])
    #expect(Set(all.keys.compactMap(Int.init)) == Set(1...all.count))
    for choice in [["--grade", "proved"], ["--entity", "Note"], ["--limit", "2"], ["--since", "2023-03-11"]] {
      let chosen = try numbers(choice)
      #expect(!chosen.isEmpty && chosen.allSatisfy { all[$0.key] == $0.value }, "\(choice)")
    }
    let (text, page, csv) = (
      try recover(store, []), try recover(store, ["--format", "html"]),
      try recover(store, ["--format", "csv"]).replacing("\r\n", with: "\n")
    )
    for (number, words) in all where words.contains("ZNOTE") {
      let key = words.split(separator: " ")[1]
      #expect(text.contains(try Regex("\n  \(key): .* \\[\(number)\\]\n")), "\(number)")
      #expect(page.contains("<div class=\"row\" id=\"r\(number)\">"), "\(number)")
      #expect(csv.contains(try Regex("\nNote,ZNOTE,\(key),.*,\(number),[^,]*\n")), "\(number)")
    }
  }

  @Test func caseAndExaminerStandOnTheReport() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let options = ["--case", "12 <b>", "--examiner", "A. \u{1B}[31mSmith"]
    let page = try recover(store, ["--format", "html"] + options)
    #expect(page.contains("<dt>Case</dt><dd>12 &lt;b&gt;</dd>"))
    #expect(page.contains("<dt>Examiner</dt><dd>A. \\u{1b}[31mSmith</dd>"))
    for name in ["Evidence", "Search", "Program", "Clock", "Not examined"] {
      #expect(page.contains("<dt>\(name)</dt>"))
    }
    #expect(try recover(store, ["--format", "html"]).contains("<dt>Case</dt><dd>not given</dd>"))
    #expect(try recover(store, options).contains("case: 12 <b>\n"))
    let report = folder("report.json")
    _ = try recover(store, ["--format", "json", "--output", report] + options)
    #expect(try Program.run(["recover", store, "--verify", report]).status == 0)
    for format in ["csv", "jsonl"] {
      #expect(try Program.run(["recover", store, "--format", format] + options).status == 64)
    }
  }

  /// A report that was written to a file is in the record of the run, and a change of it is found.
  @Test func theRecordOfARunHoldsItsReport() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let (report, record) = (folder("report.json"), folder("record.json"))
    _ = try recover(store, ["--format", "json", "--output", report, "--custody", record])
    #expect(try contents(of: record).count > 0)
    let verified = try Program.run(["custody", "--verify", record])
    #expect(verified.status == 0 && verified.output.hasPrefix("as recorded: 3 files"), "\(verified)")
    var bytes = try contents(of: report)
    bytes[bytes.count / 2] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: report))
    #expect(try Program.run(["custody", "--verify", record]).status == 1)
  }
}
