import Foundation
import StoreDataModel
import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

/// `migrate` and `rehearse` by mapping models, as a user runs them.
@Suite struct MappingMigrationTests {
  private let folder: TemporaryFolder
  private let old = [
    "Folder: name String?; notes ->>Note~folder", "Note: title String?; url URI?; folder ->Folder?~notes",
  ]
  private let new = [
    "Folder: name String?; notes ->>Note~folder",
    "Note: folderName String?; headline String; link String?; stars I64?; folder ->Folder?~notes",
  ]

  /// Two folders and three notes, of which the second has no title.
  init() throws {
    folder = try TemporaryFolder()
    try ModelBundle.write([("V1", old), ("V2", new)], to: folder("Notes.xcdatamodeld"))
    let writer = try StoreWriter(
      creating: folder("Notes.sqlite"), StoreDescription(model: ModelNotation.model(old), usesWAL: false))
    let folders = try ["Work", "Home"].map {
      try writer.insert("Folder", ["name": .text($0)], key: $0 == "Work" ? 7 : 3)
    }
    for (number, title) in ["Milk", "Rent", "Tax"].enumerated() {
      let note = try writer.insert(
        "Note", ["title": .text(title), "url": .text("https://example.org/\(number)")], key: Int64(10 * number + 5))
      try writer.link(note, "folder", to: folders[number % 2])
    }
    try writer.finish()
  }

  /// The mapping model, with `change` made to the entity mapping of notes.
  private func mapping(_ change: (inout XcodeMappingFile.EntityMapping) -> Void = { _ in }) throws -> String {
    let (source, target) = (try ModelNotation.model(old), try ModelNotation.model(new))
    var note = XcodeMappingFile.EntityMapping.generated("Note", to: "Note", in: target)
    note.attributes = [
      .init("folderName", .path(of: .variable("source"), "folder.name")),
      .init("headline", .path(of: .variable("source"), "title")),
      .init("link", .path(of: .variable("source"), "url.absoluteString")), .init("stars", .constant(.integer(3))),
    ]
    change(&note)
    var file = XcodeMappingFile(from: source, to: target)
    file.mappings = [note, .generated("Folder", to: "Folder", in: target)]
    return try file.write(to: folder("V1ToV2.xcmappingmodel"))
  }

  private func migrate(_ more: String...) throws -> Program.Outcome {
    try Program.run(
      [
        "migrate", folder("Notes.sqlite"), "--model", folder("Notes.xcdatamodeld"), "--mapping",
        folder("V1ToV2.xcmappingmodel"), "--output", folder("New.sqlite"),
      ] + more, environment: ["COLUMNS": "300"])
  }

  @Test func valuesAndLinksAreThoseOfTheMapping() throws {
    _ = try mapping()
    let before = try Data(contentsOf: URL(fileURLWithPath: folder("Notes.sqlite")))
    let outcome = try migrate()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("5 objects kept"), "\(outcome.output)")
    let rows = try Program.run([
      "rows", folder("New.sqlite"), "Note", "--format", "csv", "--columns", "headline,folderName,link,stars,folder",
    ]).output
    #expect(
      rows.split(whereSeparator: \.isNewline).dropFirst() == [
        "Milk,Work,https://example.org/0,3,2", "Rent,Home,https://example.org/1,3,1",
        "Tax,Work,https://example.org/2,3,2",
      ], "\(rows)")
    let diagnosis = try Program.run(["diagnose", folder("New.sqlite"), "--model", folder("Notes.xcdatamodeld")])
    #expect(diagnosis.status == 0 && diagnosis.output.hasPrefix("opens"), "\(diagnosis.output)")
    try FileManager.default.removeItem(atPath: folder("New.sqlite"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder("Notes.sqlite"))) == before)
    let document = try JSONTree(try migrate("--format", "json").output)
    #expect(try JSONSchema.of("migration").violations(in: document) == [])
    let hop = try #require(document["hops"]?.list?.first)
    #expect(hop["mapping"] == .string(folder("V1ToV2.xcmappingmodel")))
  }

  /// A condition leaves objects out, and that is counted.
  @Test func whatAConditionLeavesOutIsLost() throws {
    _ = try mapping { $0.filter = "title BEGINSWITH 'M' OR title == 'Tax'" }
    let outcome = try migrate()
    #expect(outcome.output.hasPrefix("migrated:") && outcome.output.contains("lost: 1 object"), "\(outcome)")
    let rows = try Program.run([
      "rows", folder("New.sqlite"), "Note", "--format", "csv", "--columns", "headline,folder",
    ])
    #expect(rows.output.split(whereSeparator: \.isNewline).dropFirst() == ["Milk,2", "Tax,2"], "\(rows.output)")
    // The verdict says what it does not take along, also where several conditions share one entity's objects.
    let diagnosis = try Program.run(
      ["diagnose", folder("Notes.sqlite"), "--model", folder("Notes.xcdatamodeld"), "--mapping", try mapping { _ in }],
      environment: ["COLUMNS": "400"])
    #expect(!diagnosis.output.contains("takes along"), "\(diagnosis.output)")
    let filtered = try Program.run(
      [
        "diagnose", folder("Notes.sqlite"), "--model", folder("Notes.xcdatamodeld"), "--mapping",
        try mapping { $0.filter = "title BEGINSWITH 'M'" },
      ], environment: ["COLUMNS": "400"])
    #expect(
      filtered.output.contains(
        "it takes along of Note only those with 'title BEGINSWITH 'M'': the other objects are lost"),
      "\(filtered.output)")
  }

  @Test func whatCannotBeDoneIsRefusedByName() throws {
    let cases: [(expected: String, change: (inout XcodeMappingFile.EntityMapping) -> Void)] = [
      ("Note: its objects are migrated by 'App.NotePolicy', code of the app", { $0.policy = "App.NotePolicy" }),
      (
        "Note.stars: its value is $source.title".replacing(
          "$source.title", with: "String, which Integer 64 does not take"),
        { $0.attributes[3] = .init("stars", .path(of: .variable("source"), "title")) }
      ),
      (
        "Note.link: its value is FUNCTION($entityPolicy , \"short:\" , $source.url), a function of the app's policy",
        {
          $0.attributes[2] = .init(
            "link",
            .function("short:", operand: .variable("entityPolicy"), [.path(of: .variable("source"), "url")]))
        }
      ),
      // Nothing fills it, and it has no default.
      ("Note.headline: 3 objects without a value, which is required", { $0.attributes.remove(at: 1) }),
      ("Note.subject: Note has no such attribute", { $0.attributes.append(.init("subject", .constant(.integer(1)))) }),
    ]
    for (expected, change) in cases {
      _ = try mapping(change)
      let outcome = try migrate()
      #expect(outcome.status == 2 && outcome.errors.contains(expected), "\(expected): \(outcome.errors)")
      let allowed = try migrate("--allow-assumed")
      #expect(allowed.status == 2 && allowed.errors.contains(expected), "\(expected): \(allowed.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder("New.sqlite")))
    }
    let rehearsal = try Program.run([
      "rehearse", folder("Notes.sqlite"), "--model", folder("Notes.xcdatamodeld"), "--mapping",
      folder("V1ToV2.xcmappingmodel"),
    ])
    #expect(rehearsal.status == 1 && rehearsal.output.contains("not rehearsed"), "\(rehearsal.output)")
  }

  /// A required value that is missing stops `diagnose` as it stops `migrate`, and a recipe in the entity mapping's place fills
  /// it.
  @Test func aMissingValueStopsTheStepWhereverItIsJudged() throws {
    try addNoteWithoutTitle()
    let mapping = try mapping()
    let diagnosis = try Program.run(
      ["diagnose", folder("Notes.sqlite"), "--model", folder("Notes.xcdatamodeld"), "--mapping", mapping],
      environment: ["COLUMNS": "300"])
    #expect(diagnosis.status == 1 && diagnosis.output.hasPrefix("blocked-by-data"), "\(diagnosis.output)")
    #expect(
      diagnosis.output.contains(
        "1 row: the mapping model gives Note.headline, which is required, the value of title, which is NULL"),
      "\(diagnosis.output)")
    let refused = try migrate("--allow-assumed")
    #expect(
      refused.status == 2
        && refused.errors.contains("Note.headline: 1 object without a value, which is required: by what is known"),
      "\(refused.errors)")
    #expect(refused.errors.contains("--perform 'FROM>TO/Note=recipe.yaml'"), "\(refused.errors)")
    let recipe = try folder.write(
      Array("version: 1\ndidMigrate:\n  backfill:\n    - {entity: Note, attribute: headline, value: none}\n".utf8),
      to: "headline.yaml")
    let outcome = try migrate("--perform", "V1>V2/Note=\(recipe)", "--allow-assumed", "--allow-lossy")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let other = try folder.write(
      Array("version: 1\ndidMigrate:\n  backfill:\n    - {entity: Note, attribute: stars, value: 5}\n".utf8),
      to: "stars.yaml")
    let unfilled = try migrate("--perform", "V1>V2/Note=\(other)", "--allow-assumed", "--allow-lossy", "--force")
    #expect(unfilled.status == 2 && unfilled.errors.contains("let the recipe fill it too"), "\(unfilled.errors)")
    // A mapping model that says nothing of it gives it no value at all.
    _ = try self.mapping { $0.attributes.remove(at: 1) }
    let silent = try Program.run(
      ["diagnose", folder("Notes.sqlite"), "--model", folder("Notes.xcdatamodeld"), "--mapping", mapping],
      environment: ["COLUMNS": "300"])
    #expect(
      silent.output.contains("4 rows: the mapping model gives Note.headline, which is required, no value"),
      "\(silent.output)")
  }

  /// A required link that is missing, and a value by a key path whose first link is: `diagnose` says what `migrate` refuses.
  @Test func aMissingLinkStopsTheStepWhereverItIsJudged() throws {
    try addNoteWithoutTitle()
    let last = ["Folder: name String?; notes ->>Note~folder", "Note: label String; folder ->Folder~notes"]
    try FileManager.default.removeItem(atPath: folder("Notes.xcdatamodeld"))
    try ModelBundle.write([("V1", old), ("V2", last)], to: folder("Notes.xcdatamodeld"))
    let (source, target) = (try ModelNotation.model(old), try ModelNotation.model(last))
    func outcomes(
      _ change: (inout XcodeMappingFile.EntityMapping, inout XcodeMappingFile.EntityMapping) -> Void
    ) throws -> (diagnosis: String, refusal: String) {
      var note = XcodeMappingFile.EntityMapping.generated("Note", to: "Note", in: target)
      note.attributes = [.init("label", .path(of: .variable("source"), "folder.name"))]
      var parent = XcodeMappingFile.EntityMapping.generated("Folder", to: "Folder", in: target)
      change(&note, &parent)
      var file = XcodeMappingFile(from: source, to: target)
      file.mappings = [note, parent]
      let path = try file.write(to: folder("V1ToV2.xcmappingmodel"))
      let diagnosis = try Program.run(
        ["diagnose", folder("Notes.sqlite"), "--model", folder("Notes.xcdatamodeld"), "--mapping", path],
        environment: ["COLUMNS": "300"])
      return (diagnosis.output, try migrate("--allow-assumed").errors)
    }
    let both = try outcomes { _, _ in }
    #expect(both.diagnosis.hasPrefix("blocked-by-data"), "\(both.diagnosis)")
    for line in [
      "1 row: the mapping model gives Note.label, which is required, the value of folder.name, and there is no folder",
      "1 row: the mapping model gives Note.folder, which is required, the link of folder, and there is none",
    ] { #expect(both.diagnosis.contains(line), "\(line): \(both.diagnosis)") }
    for line in ["Note.label: 1 object without a value", "Note.folder: 1 object without a value"] {
      #expect(both.refusal.contains(line), "\(line): \(both.refusal)")
    }
    // Nobody fills it.
    let none = try outcomes { note, parent in
      note.relationships = []
      parent.relationships = []
      note.attributes = [.init("label", .constant(.string("x")))]
    }
    #expect(
      none.diagnosis.contains("4 rows: the mapping model gives Note.folder, which is required, no link"),
      "\(none.diagnosis)")
    #expect(none.refusal.contains("Note.folder: 4 objects without a value"), "\(none.refusal)")
    // The other side fills it for three of the four, which its rows do not tell.
    let other = try outcomes { note, _ in
      note.relationships = []
      note.attributes = [.init("label", .constant(.string("x")))]
    }
    #expect(other.diagnosis.hasPrefix("migrates"), "\(other.diagnosis)")
    #expect(other.refusal.contains("Note.folder: 1 object without a value"), "\(other.refusal)")
  }

  private func addNoteWithoutTitle() throws {
    let connection = try Connection(writing: folder("Notes.sqlite"), create: false)
    try connection.execute("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) SELECT 40, Z_ENT, 1 FROM ZNOTE LIMIT 1")
    connection.close()
  }

  /// A recipe stands in for the code of a policy, for the entity that is named, and only for that.
  @Test func aRecipeStandsInForAPolicy() throws {
    _ = try mapping {
      $0.policy = "App.NotePolicy"
      $0.attributes.remove(at: 3)
    }
    let recipe = try folder.write(
      Array("version: 1\ndidMigrate:\n  backfill:\n    - {entity: Note, attribute: stars, value: 5}\n".utf8),
      to: "stars.yaml")
    let outcome = try migrate("--perform", "V1>V2/Note=\(recipe)", "--allow-assumed", "--allow-lossy")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("policy from 'V1' to 'V2' does what the recipe does"), "\(outcome.output)")
    let rows = try Program.run(["rows", folder("New.sqlite"), "Note", "--format", "csv", "--columns", "headline,stars"])
    #expect(
      rows.output.split(whereSeparator: \.isNewline).dropFirst() == ["Milk,5", "Rent,5", "Tax,5"], "\(rows.output)")
    try FileManager.default.removeItem(atPath: folder("New.sqlite"))
    let swift = try migrate(
      "--perform", "V1>V2/Note=\(recipe)", "--allow-assumed", "--allow-lossy", "--force", "--stage-swift",
      folder("S.swift"))
    #expect(
      swift.status == 2 && swift.errors.contains("it stands in for a policy of a mapping model"), "\(swift.errors)")
    try FileManager.default.removeItem(atPath: folder("New.sqlite"))
    let other = try migrate("--perform", "V1>V2/Nobody=\(recipe)", "--allow-assumed")
    #expect(
      other.status == 2
        && other.errors.contains("a recipe is for its entity mapping from 'V1' to 'V2', and there is none"),
      "\(other.errors)")
  }

  /// The recipe reads what was, under the keys of before, also through relationships and of properties that are gone; each of
  /// two recipes what its own objects were.
  @Test func aRecipeInAPolicysPlaceReadsWhatWas() throws {
    _ = try mapping {
      $0.policy = "App.NotePolicy"
      $0.attributes = []
    }
    func recipe(_ lines: String...) throws -> String {
      try folder.write(
        Array(("version: 1\ndidMigrate:\n  backfill:\n" + lines.map { "    - \($0)\n" }.joined()).utf8),
        to: "\(lines.count).yaml")
    }
    let notes = try recipe(
      "{entity: Note, attribute: headline, expression: \"was.title || ' in ' || was.folder.name\"}",
      "{entity: Note, attribute: link, expression: \"'was ' || folder.name\"}")
    let outcome = try migrate("--perform", "V1>V2/Note=\(notes)", "--allow-assumed", "--allow-lossy")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rows = try Program.run([
      "rows", folder("New.sqlite"), "Note", "--format", "csv", "--columns", "headline,link,folder",
    ])
    #expect(
      rows.output.split(whereSeparator: \.isNewline).dropFirst() == [
        "Milk in Work,was Work,2", "Rent in Home,was Home,1", "Tax in Work,was Work,2",
      ], "\(rows.output)")
    let left = try Connection(reading: DatabaseFiles(path: folder("New.sqlite"))).prepare(
      "SELECT count(*) FROM sqlite_master WHERE name LIKE 'was%' OR name LIKE '\\_T\\_%' ESCAPE '\\'")
    #expect(try left.step() && left.int64(0) == 0)
    let unknown = try recipe("{entity: Note, attribute: headline, expression: \"was.headline\"}")
    let refused = try migrate("--perform", "V1>V2/Note=\(unknown)", "--allow-assumed", "--allow-lossy", "--force")
    #expect(refused.status == 2 && refused.errors.contains("no attribute 'headline'"), "\(refused.errors)")
  }

  /// A chain of mapping models is what an app does that goes from version to version, and is assumed.
  @Test func aChainIsPerformedVersionByVersion() throws {
    _ = try mapping()
    let last = ["Folder: name String?; notes ->>Note~folder", "Note: title I64?; folder ->Folder?~notes"]
    try FileManager.default.removeItem(atPath: folder("Notes.xcdatamodeld"))
    try ModelBundle.write([("V1", old), ("V2", new), ("V3", last)], to: folder("Notes.xcdatamodeld"))
    let (source, target) = (try ModelNotation.model(new), try ModelNotation.model(last))
    var note = XcodeMappingFile.EntityMapping.generated("Note", to: "Note", in: target)
    note.attributes = [.init("title", .path(of: .variable("source"), "stars"))]
    var file = XcodeMappingFile(from: source, to: target)
    file.mappings = [.generated("Folder", to: "Folder", in: target), note]
    try file.write(to: folder("V2ToV3.xcmappingmodel"))
    let refused = try migrate("--mapping", folder("V2ToV3.xcmappingmodel"))
    #expect(refused.status == 2 && refused.errors.contains("the app goes from version to version"), "\(refused.errors)")
    let outcome = try migrate("--mapping", folder("V2ToV3.xcmappingmodel"), "--allow-assumed")
    #expect(outcome.status == 0 && outcome.output.hasPrefix("migrated: 2 steps"), "\(outcome)")
    let rows = try Program.run(["rows", folder("New.sqlite"), "Note", "--format", "csv", "--columns", "title,folder"])
    #expect(rows.output.split(whereSeparator: \.isNewline).dropFirst() == ["3,2", "3,1", "3,2"], "\(rows.output)")
  }

  @Test func modelShowReadsIt() throws {
    let path = try mapping {
      $0.filter = "title != nil"
      $0.policy = "App.NotePolicy"
    }
    let outcome = try Program.run(["model", "show", path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    for line in [
      "mapping model: 2 entity mappings", "Note become Note, where title != nil", "App.NotePolicy, code of the app",
      "$source.folder.name", "what $source.folder became", "what $source.notes became",
    ] { #expect(outcome.output.contains(line), "\(line): \(outcome.output)") }
  }
}
