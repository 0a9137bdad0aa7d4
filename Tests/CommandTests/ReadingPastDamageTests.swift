import Foundation
import StoreSQLite
import TestSupport
import Testing

/// A store that is too damaged to be opened is shown as `salvage` would save it: both are made by one reader.
@Suite struct ReadingPastDamageTests {
  private static let damages: [DamageSentenceTests.Damage] = [.headerGone, .firstPageGone, .firstTreeGone]
  private static let sound = Project.path("corpus/Notes.sqlite")

  /// What commands say of it first, on standard error or in their answer.
  private static let clause = "it is too damaged to be read as it is: what is shown was found in its pages one by one"

  private func damaged(_ damage: DamageSentenceTests.Damage, in folder: TemporaryFolder) throws -> String {
    try folder.write(damage.applied(to: try contents(of: Self.sound)), to: "Damaged.sqlite")
  }

  @Test(arguments: damages) func rowsAreThoseThatSalvageSaves(_ damage: DamageSentenceTests.Damage) throws {
    let folder = try TemporaryFolder()
    let store = try damaged(damage, in: folder)
    let before = try contents(of: store)
    let saved = folder("Saved.sqlite")
    _ = try Program.run(["salvage", store, "--output", saved])
    for entity in ["Note", "Tag", "Folder", "Attachment", "Checklist"] {
      let shown = try Program.run(["rows", store, entity, "--format", "jsonl"])
      let expected = try Program.run(["rows", saved, entity, "--format", "jsonl"])
      #expect(shown.output == expected.output && !shown.output.isEmpty, "\(entity): \(shown.errors)")
      #expect(shown.status == 2 && shown.errors.contains(Self.clause), "\(shown.errors)")
    }
    #expect(try contents(of: store) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["Damaged.sqlite", "Saved.sqlite"])
  }

  /// All rows of this store are on other pages than the damaged one: nothing is lost, added or changed.
  @Test(arguments: damages) func comparedWithTheSoundOneNothingIsMissing(_ damage: DamageSentenceTests.Damage) throws {
    let folder = try TemporaryFolder()
    let store = try damaged(damage, in: folder)
    let outcome = try Program.run(["compare", Self.sound, store, "--format", "json"])
    let comparison = try JSONTree(outcome.output)
    #expect(comparison["changes"]?.list?.isEmpty == true, "\(outcome.output.prefix(600))")
    // That nothing is missing is known of what was found, and of no more.
    #expect(outcome.status == 2 && comparison["equal"] != .bool(true), "\(outcome.errors)")
  }

  /// The page of the links between notes and tags is lost: notes have fewer tags, and that they differ is not known.
  @Test func lostLinksAreNoDifference() throws {
    let folder = try TemporaryFolder()
    let connection = try Connection(writing: try folder.copyStore(Self.sound), create: false)
    let roots = try connection.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'Z_3TAGS'")
    let root = try roots.step() ? Int(roots.int64(0)) : 0
    var bytes = try contents(of: Self.sound)
    for page in [1, root] { bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(count: 4096)) }
    let store = try folder.write(bytes, to: "Damaged.sqlite")
    for stores in [[Self.sound, store], [store, Self.sound]] {
      let outcome = try Program.run(["compare"] + stores)
      #expect(outcome.status == 2 && outcome.output.contains("objects changed"), "\(outcome.output)")
      #expect(outcome.output.hasPrefix("not known whether equal"), "\(outcome.output)")
    }
  }

  @Test(arguments: damages, ["inspect", "timeline", "rows"])
  func everyAnswerSaysWhatItRestsOn(_ damage: DamageSentenceTests.Damage, command: String) throws {
    let folder = try TemporaryFolder()
    let store = try damaged(damage, in: folder)
    let outcome = try Program.run([command, store], environment: ["COLUMNS": "300"])
    #expect((outcome.output + outcome.errors).contains(Self.clause), "\(outcome.errors) \(outcome.output.prefix(400))")
    #expect(outcome.output.contains("Note"), "\(outcome.errors)")
    if command != "timeline" {
      let json = try JSONTree(Program.run([command, store, "--format", "json"]).output)
      #expect(json["store"]?["reading"]?["sound"]?.string == "no")
    }
  }

  /// A table whose root is lost, and with it the way to its rows, in a store that can be opened.
  @Test func rowsToWhichNothingLeadsAreShown() throws {
    let folder = try TemporaryFolder()
    let store = try folder.notesWithManyTags()
    let connection = try Connection(writing: store, create: false)
    let roots = try connection.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'ZTAG'")
    let root = try roots.step() ? Int(roots.int64(0)) : 0
    roots.reset()
    connection.close()
    var bytes = try contents(of: store)
    bytes.replaceSubrange((root - 1) * 4096..<root * 4096, with: Data(count: 4096))
    let damaged = try folder.write(bytes, to: "Damaged.sqlite")
    let tags = try Program.run(["rows", damaged, "Tag", "--format", "jsonl"])
    #expect(tags.output.split(separator: "\n").count == 400 && tags.status == 2, "\(tags.errors)")
    #expect(tags.errors.contains(Self.clause))
    let compared = try Program.run(["compare", store, damaged])
    #expect(compared.status == 2 && compared.output.hasPrefix("not known whether equal"), "\(compared.output)")
  }

  /// Of a table with pages that are lost the keys are named.
  @Test func whatIsLostIsNamed() throws {
    let folder = try TemporaryFolder()
    var bytes = try contents(of: Self.sound)
    bytes.replaceSubrange(0..<4096, with: Data(count: 4096))
    bytes.removeSubrange(bytes.count * 2 / 3..<bytes.count)
    let store = try folder.write(bytes, to: "Damaged.sqlite")
    let outcome = try Program.run(["rows", store])
    #expect(outcome.output.contains("lost are keys") || outcome.errors.contains("lost are keys"), "\(outcome.errors)")
  }

  /// Without a command: why it cannot be opened, what can be saved, and how many objects were found.
  @Test(arguments: damages) func theFrontDoorSaysWhatCanBeSaved(_ damage: DamageSentenceTests.Damage) throws {
    let folder = try TemporaryFolder()
    let store = try damaged(damage, in: folder)
    let outcome = try Program.run([store], environment: ["COLUMNS": "300"])
    #expect(outcome.status == 2 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("damaged: 1 error"), "\(outcome.output)")
    for words in [Self.clause, "5 entities, 32 objects", "What 'storedoctor salvage' would save\n", "Note  "] {
      #expect(outcome.output.contains(words), "\(words): \(outcome.output)")
    }
    let json = try JSONTree(Program.run([store, "--format", "json"]).output)
    let saved = try JSONTree(
      Program.run(["salvage", store, "--output", folder("S.sqlite"), "--format", "json"]).output)
    #expect(json["diagnosis"]?["savable"]?["tables"] == saved["tables"])
    #expect(json["diagnosis"]?["findings"]?.list?.compactMap { $0["id"]?.string } == ["SD101"])
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/triage.json"), encoding: .utf8))
    #expect(schema.violations(in: json).isEmpty)
  }

  /// A page says the same, and has the rows.
  @Test(arguments: damages) func aPageIsMadeOfIt(_ damage: DamageSentenceTests.Damage) throws {
    let folder = try TemporaryFolder()
    let store = try damaged(damage, in: folder)
    let outcome = try Program.run(["report", store, "--rows", "--recover", "--output", folder("Page.html")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let page = String(decoding: try contents(of: folder("Page.html")), as: UTF8.self)
    for words in [Self.clause, "This store is damaged", "would save", "Note 1"] {
      #expect(page.contains(words), "\(words)")
    }
  }

  /// Rows that were deleted are found without header and schema, and none of those that are there is called so. A report of them
  /// holds when it is verified.
  @Test(arguments: damages) func whatIsGoneIsLookedFor(_ damage: DamageSentenceTests.Damage) throws {
    let folder = try TemporaryFolder()
    let sound = try folder.notesWithManyTags()
    let connection = try Connection(writing: sound, create: false)
    try connection.execute("PRAGMA secure_delete = 0; DELETE FROM ZTAG WHERE Z_PK BETWEEN 100 AND 300")
    connection.close()
    let store = try folder.write(damage.applied(to: contents(of: sound)), to: "Damaged.sqlite")
    let text = try Program.run(["recover", store, "--format", "json"]).output
    let recovery = try JSONTree(text)
    #expect(recovery["reading"]?["sound"]?.string == "no")
    #expect(recovery["reading"]?["damage"]?.list?.first?.string?.hasPrefix(Self.clause) == true)
    let tags = recovery["rows"]?.list?.filter { $0["table"]?.string == "ZTAG" } ?? []
    let keys = Set(
      tags.filter { ["deleted", "unreachable"].contains($0["kind"]?.string) }.compactMap { $0["key"]?.wholeNumber })
    #expect(keys.intersection(100...300).count > 100, "\(keys.count)")
    #expect(tags.allSatisfy { $0["kind"]?.string != "deleted" || (100...300).contains($0["key"]?.wholeNumber ?? 0) })
    let report = try folder.write(Array(text.utf8), to: "Report.json")
    let verified = try Program.run(["recover", store, "--verify", report])
    #expect(verified.status == 0, "\(verified.output) \(verified.errors)")
  }

  @Test func withoutAnythingToFindTheErrorStays() throws {
    let folder = try TemporaryFolder()
    let store = try folder.write([UInt8](repeating: 0, count: 65_536), to: "Damaged.sqlite")
    let outcome = try Program.run(["rows", store])
    #expect(outcome.status == 2 && outcome.output.isEmpty && outcome.errors.contains("Damaged.sqlite'"))
  }
}
