import Foundation
import StoreSQLite
import TestSupport
import Testing

/// A diagnosis of a store with damaged pages says what lies there, and how much `salvage` would save: what it then saves.
@Suite struct SavableTests {
  /// The notes with many tags, of whose pages one in the middle is zeroed.
  private func damaged(in folder: TemporaryFolder) throws -> String {
    let path = try folder.notesWithManyTags()
    let connection = try Connection(writing: path, create: false)
    let leaves = try connection.prepare("SELECT pageno FROM dbstat WHERE name = 'ZTAG' AND pagetype = 'leaf'")
    var pages: [Int] = []
    while try leaves.step() { pages.append(Int(leaves.int64(0))) }
    leaves.reset()
    connection.close()
    var bytes = try contents(of: path)
    let start = (try #require(pages.dropFirst(3).first) - 1) * 4096
    bytes.replaceSubrange(start..<start + 4096, with: Data(count: 4096))
    return try folder.write(bytes, to: "Notes.sqlite")
  }

  private func json(_ arguments: [String]) throws -> JSONTree {
    try JSONTree(Program.run(arguments + ["--format", "json"]).output)
  }

  @Test func theCountsAreThoseOfSalvage() throws {
    let folder = try TemporaryFolder()
    let store = try damaged(in: folder)
    func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    let before = try (files(), contents(of: store))
    let diagnosis = try json(["diagnose", store])
    #expect(try (files(), contents(of: store)) == before)
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/diagnosis.json"), encoding: .utf8))
    #expect(schema.violations(in: diagnosis).isEmpty)
    let saved = try json(["salvage", store, "--output", folder("Saved.sqlite")])
    let savable = try #require(diagnosis["savable"])
    #expect(savable["tables"] == saved["tables"] && savable["saved"] == saved["saved"])
    let tags = try #require(savable["tables"]?.list?.first { $0["name"]?.string == "ZTAG" })
    let (count, first, last) = (
      try #require(tags["entities"]?.list?.first?["saved"]?.wholeNumber),
      try #require(tags["lost"]?.list?.first?["first"]?.wholeNumber),
      try #require(tags["lost"]?.list?.first?["last"]?.wholeNumber)
    )
    #expect(count == 400 - (last - first + 1) && first > 7 && last < 400)
    let finding = try #require(diagnosis["findings"]?.list?.first { $0["id"]?.string == "SD102" })
    let message = try #require(finding["message"]?.string)
    #expect(message.hasSuffix("'storedoctor salvage' saves \(count) rows of Tag; lost are keys \(first) to \(last)"))
    let text = try Program.run(["diagnose", store], environment: ["COLUMNS": "120"]).output
    #expect(text.contains("What 'storedoctor salvage' would save\n"), "\(text)")
    #expect(text.contains("lost: keys \(first) to \(last)"))
  }

  @Test func ofASoundStoreNothingIsSaid() throws {
    let sound = Project.path("corpus/Notes.sqlite")
    #expect(try json(["diagnose", sound])["savable"] == nil)
    #expect(try !Program.run(["diagnose", sound]).output.contains("would save"))
  }

  /// A line of an audit has the same counts, also of a store that cannot be opened, and a summary adds them up.
  @Test func anAuditSaysIt() throws {
    let (folder, made) = try (TemporaryFolder(), TemporaryFolder())
    let bytes = try contents(of: Project.path("corpus/Notes.sqlite"))
    let stores = [
      try folder.write(contents(of: damaged(in: made)), to: "Damaged.sqlite"),
      try folder.write([UInt8](repeating: 0, count: 4096) + bytes[4096...], to: "Lost.sqlite"),
      try folder.write(bytes, to: "Sound.sqlite"),
    ]
    let lines = try Program.run(["audit"] + stores).output.split(separator: "\n").map { try JSONTree(String($0)) }
      .sorted { ($0["path"]?.string ?? "") < ($1["path"]?.string ?? "") }
    #expect(lines.map { $0["status"]?.string } == ["audited", "unreadable", "audited"])
    let schema = try JSONSchema.of("audit")
    for (line, store) in zip(lines, stores.dropLast()) {
      #expect(schema.violations(in: line).isEmpty)
      let saved = try json(["salvage", store, "--output", made("Saved.sqlite"), "--force"])
      #expect(line["savable"]?["tables"] == saved["tables"] && line["savable"]?["saved"] == saved["saved"], "\(store)")
    }
    #expect(lines[2]["savable"] == nil)
    let summary = try json(["audit", "--summary"] + stores)
    // 32 objects of the one, and of the other those besides its tags and 400 tags without those of the lost page.
    let lost = try #require(summary["savable"]?["lostKeys"]?.wholeNumber)
    #expect(summary["savable"]?["stores"]?.wholeNumber == 2 && lost > 0)
    #expect(summary["savable"]?["objects"]?.wholeNumber == 32 + 32 - 6 + 400 - lost, "\(summary)")
    let text = try Program.run(["audit", "--summary"] + stores, environment: ["COLUMNS": "300"]).output
    #expect(text.contains("of 2 damaged stores 'storedoctor salvage' would save"), "\(text)")
  }

  /// A store that cannot be opened.
  @Test(arguments: ["diagnose", "repair"]) func theErrorSaysWhatCouldBeSaved(command: String) throws {
    let folder = try TemporaryFolder()
    let bytes = try contents(of: Project.path("corpus/Notes.sqlite"))
    let store = try folder.write([UInt8](repeating: 0, count: 100) + bytes[100...], to: "Notes.sqlite")
    let outcome = try Program.run([command, store] + (command == "repair" ? ["--safe"] : []))
    #expect(outcome.status == 2)
    let saved = try json(["salvage", store, "--output", folder("Saved.sqlite")])
    let notes = saved["tables"]?.list?.first { $0["name"]?.string == "ZNOTE" }?["entities"]?.list ?? []
    let words = notes.compactMap { entity in
      (entity["saved"]?.wholeNumber).map { "\($0) of \(entity["name"]?.string ?? "")" }
    }
    #expect(words.count == 2)
    for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
    #expect(outcome.errors.contains("'storedoctor salvage' would save "))
  }
}
