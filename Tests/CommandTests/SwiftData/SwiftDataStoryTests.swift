import Foundation
import TestSupport
import Testing

/// What happens to developers whose models are Swift source, told from source and store to the answer.
@Suite struct SwiftDataStoryTests {
  private let v1 = SourceStory.version(1, #"var title: String = """#)
  private let v2 = SourceStory.version(2, #"var title: String = ""; var stars: Int = 0"#)

  @Test func aStoreOfAnOldVersionMigrates() throws {
    let story = try SourceStory()
    let source = try story.source(v1 + v2 + SourceStory.plan(1, 2))
    let outcome = try story.diagnose(try story.store("SchemaV1", of: source), source)
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("migrates: staged migration to 'SchemaV2' succeeds"), "\(outcome.output)")
  }

  @Test func aLiveClassListedByTwoVersionsMakesThemEqual() throws {
    let story = try SourceStory()
    let source = try story.source(
      SourceStory.version(1, "") + SourceStory.version(2, "") + SourceStory.plan(1, 2)
        + #"@Model final class Note { var title: String = ""; init() {} }"#)
    let outcome = try story.diagnose(try story.store("SchemaV1", of: source), source)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("Duplicate version checksums"), "\(outcome.output)")
    #expect(outcome.output.contains("SD807"))
    #expect(outcome.output.contains("SchemaV1") && outcome.output.contains("SchemaV2"))
    // The app stops before any stage runs, so no stage is proposed; `lint` shows which classes are equal.
    #expect(!outcome.output.contains("--stage-skeleton"))
    #expect(outcome.output.contains("\n  storedoctor lint \(source)   # which classes"), "\(outcome.output)")
    #expect(outcome.output.contains("\n  storedoctor explain SD807 "), "\(outcome.output)")
  }

  @Test func aVersionEditedAfterItsReleaseIsUnknownAndTheEditIsNamed() throws {
    let story = try SourceStory()
    let shipped = try story.source(v1)
    let store = try story.store("SchemaV1", of: shipped)
    let edited = SourceStory.version(1, #"var title: String = ""; var pinned = false"#)
    let source = try story.source(edited + v2 + SourceStory.plan(1, 2))
    let outcome = try story.diagnose(store, source)
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("unknown-version: staged migration to 'SchemaV2' fails with 134504"))
    #expect(outcome.output.contains("SD803"), "\(outcome.output)")
    let match = try Program.run(["model", "match", store, source + "#SchemaV1"], environment: ["COLUMNS": "200"])
    #expect(match.status == 1)
    #expect(match.output.contains("Note.pinned"), "\(match.output)")
    #expect(match.output.contains("'SchemaV1' has the store's version identifier '1.0.0' and another shape"))
  }

  @Test func anIdentifierUsedAgainForAnotherShapeIsSaid() throws {
    let story = try SourceStory()
    let shipped = try story.source(SourceStory.version(2, #"var title: String = ""; var colour: String = """#))
    let store = try story.store("SchemaV2", of: shipped)
    let source = try story.source(v1 + v2 + SourceStory.plan(1, 2))
    let match = try Program.run(["model", "match", store, source], environment: ["COLUMNS": "200"])
    #expect(match.status == 1)
    #expect(match.output.contains("'SchemaV2' has the store's version identifier '2.0.0' and another shape"))
    #expect(match.output.contains("Note.colour"), "\(match.output)")
  }

  @Test func aStoreOlderThanThePlanIsUnknownToIt() throws {
    let story = try SourceStory()
    let all = try story.source(v1 + v2 + SourceStory.version(3, #"var title: String = ""; var rank: Int = 0"#))
    let store = try story.store("SchemaV1", of: all)
    let source = try story.source(
      v2 + SourceStory.version(3, #"var title: String = ""; var rank: Int = 0"#) + SourceStory.plan(2, 3))
    let outcome = try story.diagnose(store, source)
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("unknown-version: staged migration to 'SchemaV3' fails with 134504"))
    #expect(outcome.output.contains("SD808"), "\(outcome.output)")
  }

  @Test func aVersionThatThePlanLostIsStillNamed() throws {
    let story = try SourceStory()
    let source = try story.source(
      v1 + v2 + SourceStory.version(3, #"var title: String = ""; var rank: Int = 0"#) + SourceStory.plan(1, 3))
    let store = try story.store("SchemaV2", of: source)
    let outcome = try story.diagnose(store, source)
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("unknown-version: staged migration to 'SchemaV3' fails with 134504"))
    let match = try Program.run(["model", "match", store, source])
    #expect(match.status == 0)
    // The line is broken where the name of the folder is long.
    #expect(match.output.replacing("\n", with: " ").contains("was made with 'SchemaV2'"))
  }

  @Test func anUnversionedFirstReleaseIsNotThePlansFirstVersion() throws {
    let story = try SourceStory()
    let first = try story.source(
      #"@Model final class Note { var text: String = ""; init() {} }"#
        + "\nlet container = try ModelContainer(for: Note.self)\n",
      "First/App.swift")
    let listing = try JSONTree(try Program.run(["model", "hash", first, "--format", "json"]).output)
    let name = try #require(listing["versions"]?.list?.first?["name"]?.string)
    let store = try story.store(name, of: first)
    let source = try story.source(v1 + v2 + SourceStory.plan(1, 2))
    let outcome = try story.diagnose(store, source)
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("unknown-version: staged migration to 'SchemaV2' fails with 134504"))
    let match = try Program.run(["model", "match", store, source], environment: ["COLUMNS": "200"])
    #expect(match.output.contains("SwiftData gives '1.0.0' to every schema without a version"), "\(match.output)")
  }

  /// Of several containers the one that lists the store's entities decides, and not the largest.
  @Test func theStoreDecidesWhichContainerIsMeant() throws {
    let story = try SourceStory()
    let note = "@Model final class Note { var title: String = \"\"; init() {} }\n"
    let container = "func make() throws { _ = try ModelContainer(for: Note.self) }\n"
    let first = try story.source(note + container, "First/App.swift")
    let store = try story.store("App.swift:3", of: first)
    let all = """
      @Model final class A { var x: Int = 0; init() {} }
      @Model final class B { var x: Int = 0; init() {} }
      func makeOthers() throws { _ = try ModelContainer(for: A.self, B.self) }
      """
    let source = try story.source(note + container + all)
    let alone = try Program.run(["model", "hash", source])
    #expect(alone.output.contains("of several containers the one with the most classes"), "\(alone.output)")
    let outcome = try story.diagnose(store, source)
    #expect(outcome.status == 0 && outcome.output.hasPrefix("opens: "), "\(outcome.output)\(outcome.errors)")
    // Also where the class has moved on since.
    let edited = try story.source(
      note.replacing("init() {} }", with: "init() {}; var stars: Int = 0 }") + container + all, "New/Models.swift")
    let migrated = try story.diagnose(store, edited)
    #expect(migrated.output.hasPrefix("migrates: "), "\(migrated.output)\(migrated.errors)")
  }

  @Test func whatCannotBeDerivedIsSaidAndNotGuessed() throws {
    let story = try SourceStory()
    let source = try story.source(SourceStory.version(1, #"var title: String = ""; var price: Money"#))
    let hash = try Program.run(["model", "hash", source])
    #expect(hash.status == 2)
    #expect(hash.output.contains("Note.price") && hash.output.contains("Money"), "\(hash.output)")
    #expect(!hash.output.contains("checksum"))
    let diagnosis = try story.diagnose(Project.path("corpus/Notes.sqlite"), source)
    #expect(diagnosis.status == 2)
    #expect(diagnosis.errors.contains("cannot be derived whole"))
  }

  @Test func aFolderWithoutModelsSaysSo() throws {
    let story = try SourceStory()
    _ = try story.source("struct Note { var title: String }")
    let outcome = try Program.run(["model", "show", story.folder("Sources")])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("no @Model class and no VersionedSchema"), "\(outcome.errors)")
  }

  @Test(.needs("git")) func theCommitWhoseModelsMadeTheStoreIsFound() throws {
    let story = try SourceStory()
    let repository = try Repository(in: story.folder)
    let shipped = SourceStory.version(1, #"var title: String = ""; var pinned = false"#)
    let states = [v1, shipped, v1 + v2 + SourceStory.plan(1, 2)]
    let ids = try states.enumerated().map { position, text in
      try repository.commit(["App/Models.swift": text], message: "State \(position)", tag: "r\(position)")
    }
    _ = try repository.commit(["App/View.swift": "struct NoteView {}"], message: "A view")
    let store = try story.store("SchemaV1", of: story.source(shipped))
    let outcome = try Program.run(["model", "match", store, "--git", repository.path])
    #expect(outcome.status == 0)
    #expect(
      outcome.output.contains(
        """
          App/Models.swift:1
            all 1 equal
            made      \(ids[1].prefix(12)) 2001-01-01 State 1
            replaced  \(ids[2].prefix(12)) 2001-01-01 State 2
            tags      r1

        """), "\(outcome.output)")
  }

  /// An app and its widget open one store, each with a container of its own.
  @Test func containersOverTheSameClassesAreOneSchema() throws {
    let story = try SourceStory()
    let source = try story.source(
      #"""
      @Model final class Note { var text: String = ""; @Relationship(inverse: \Tag.note) var tags: [Tag] = []; init() {} }
      @Model final class Tag { var note: Note?; init() {} }
      let app = try ModelContainer(for: Note.self, Tag.self)
      let widget = try ModelContainer(for: Note.self)
      """#)
    let hash = try Program.run(["model", "hash", source], environment: ["COLUMNS": "200"])
    #expect(hash.output.contains("'Models.swift:4' and 'Models.swift:5' are the same schema, used by 2 containers"))
    #expect(
      hash.output.contains("\n  current: of several containers the one with the most classes\n"), "\(hash.output)")
    #expect(!hash.output.contains("refused"))
    let store = try story.store("Models.swift:5", of: source)
    let match = try Program.run(["model", "match", store, source], environment: ["COLUMNS": "200"])
    #expect(match.status == 0)
    #expect(match.output.contains("are the same schema, used by 2 containers"), "\(match.output)")
    #expect(!match.output.contains("staged migration"))
    let diagnosis = try story.diagnose(store, source)
    #expect(diagnosis.status == 0)
    #expect(!diagnosis.output.contains("SD807"), "\(diagnosis.output)")
  }

  @Test func noChecksumIsGuessedOfAVersionThatIsNotKnownWhole() throws {
    let story = try SourceStory()
    let partly = SourceStory.version(2, "var link: URL?")
    let source = try story.source(v1 + partly + SourceStory.plan(1, 2))
    let store = try story.store("SchemaV1", of: source)
    let match = try Program.run(["model", "match", store, source, "--format", "json"])
    let found = try JSONDecoder().decode(Match.self, from: Data(match.output.utf8))
    #expect(found.candidates.map { $0.checksum != nil } == [true, false], "\(match.output)")
  }

  private struct Match: Decodable {
    struct Candidate: Decodable { var checksum: String? }
    var candidates: [Candidate]
  }

  @Test func theTableOfHashesSaysWhatItsSignsMean() throws {
    let story = try SourceStory()
    let tagged = SourceStory.version(2, "var link: URL?", models: "Note.self, Tag.self").replacing(
      "@Model", with: #"@Model final class Tag { var name: String = ""; init() {} }; @Model"#)
    let source = try story.source(v1 + tagged + SourceStory.plan(1, 2))
    let text = try Program.run(["model", "hash", source, "--color", "always"]).output
    #expect(text.contains("- the version has no such entity") && text.contains("? the hash is not known"), "\(text)")
    #expect(text.contains("current: the last version of 'Plan'"))
    #expect(!text.contains("\u{1B}[1;4m\u{1B}[0m"))
  }

  @Test(arguments: ["hash", "show", "pin", "convert --to json"]) func conditionsOfABuildAreDecided(command: String)
    throws
  {
    let story = try SourceStory()
    let source = try story.source(
      SourceStory.version(1, #"var title: String = """#).replacing(
        "\"\" }", with: "\"\"\n#if PAID\n  var price: Int = 0\n#endif\n}"))
    let words = command.split(separator: " ").map(String.init)
    let asked = try Program.run(["model", words[0], source] + words.dropFirst())
    #expect(asked.errors.contains("--define") || asked.output.contains("--define"), "\(asked.errors)")
    let decided = try Program.run(["model", words[0], source, "--define", "PAID"] + words.dropFirst())
    #expect(decided.status == 0, "\(decided.errors)")
    #expect(!decided.output.contains("--define"), "\(decided.output)")
    #expect(words[0] == "hash" || decided.output.contains("price"))
  }

  @Test(arguments: [
    "inspect STORE --store-model SOURCE#SchemaV1",
    "repair STORE --store-model SOURCE#SchemaV1 --safe",
    "diagnose STORE --store-model SOURCE#SchemaV1",
  ]) func conditionsOfABuildAreDecidedWhereSourceDescribesAStore(command: String) throws {
    let story = try SourceStory()
    let plain = SourceStory.version(1, #"var title: String = """#)
    let store = try story.store("SchemaV1", of: try story.source(plain, "Plain/Models.swift"))
    let source = try story.source(
      plain.replacing(#""" }"#, with: "\"\"\n#if PAID\n  var price: Int = 0\n#endif\n}"))
    let words = command.replacing("STORE", with: store, maxReplacements: 1).replacing("SOURCE", with: source)
      .split(separator: " ").map(String.init)
    let asked = try Program.run(words)
    #expect(asked.status == 2 && asked.errors.contains("--define"), "\(asked.errors)")
    let decided = try Program.run(words + ["--define", "PAID=false"])
    #expect(decided.status == 0, "\(decided.errors) \(decided.output)")
  }

  @Test func whatIsNotKnownIsCountedAndSaidOnce() throws {
    let story = try SourceStory()
    let classes = """
      @Model final class A { var n = 0; init() {} }
      @Model final class B { var money: Money }

      """
    let one = try Program.run(["model", "hash", try story.source(classes)]).output
    #expect(one.contains("Models.swift: 1 of 2 entities known\n"), "\(one)")
    #expect(one.contains("  B         ? not known, for the reason below\n"))
    let live = [1, 2].map { SourceStory.version($0, "", models: "A.self, B.self") }.joined()
    let both = try Program.run(["model", "hash", try story.source(classes + live)]).output
    #expect(both.contains("? 'SchemaV1', 'SchemaV2': B.money"), "\(both)")
  }

  /// A preview may have more classes than the app has so far.
  @Test func aContainerInMemoryIsNotTheCurrentOne() throws {
    let story = try SourceStory()
    let source = try story.source(
      """
      @Model final class A { var n = 0; init() {} }
      @Model final class B { var n = 0; init() {} }
      func live() throws -> ModelContainer { try ModelContainer(for: A.self) }
      func sample() throws -> ModelContainer {
        let memory = ModelConfiguration(isStoredInMemoryOnly: true)
        return try ModelContainer(for: A.self, B.self, configurations: memory)
      }
      """)
    let text = try Program.run(["model", "hash", source]).output
    #expect(text.contains("2 versions, current 'Models.swift:4'"), "\(text)")
    #expect(text.contains("current: the only container that is not in memory or a preview"))
  }

  /// `originalName:` works for properties, not for classes.
  @Test func aRenamedClassLosesItsRowsAndARenamedPropertyNeedsItsOldName() throws {
    let story = try SourceStory()
    let members = "var title: String = \"\"; var stars: Int = 0"
    let source = try story.source(
      SourceStory.version(1, members)
        + SourceStory.version(2, members, models: "Memo.self").replacing("class Note", with: "class Memo")
        + SourceStory.version(3, "var titles: String = \"\"; var stars: Int = 0"))
    func diff(_ old: Int, _ new: Int) throws -> String {
      try Program.run(
        ["model", "diff", "\(source)#SchemaV\(old)", "\(source)#SchemaV\(new)"], environment: ["COLUMNS": "400"]
      ).output
    }
    let renamed = try diff(1, 2)
    #expect(
      renamed.contains("SwiftData cannot rename a class, since originalName: is for properties only"), "\(renamed)")
    #expect(renamed.contains("keep the class name 'Note' in the schema and call it 'Memo' by a typealias (SD951)"))
    #expect(try diff(1, 3).contains("only 'originalName: \"title\"' in its @Attribute or @Relationship keeps what is"))
  }

  /// It is not known whether rows survive a change of an enum's raw type.
  @Test func anElementThatChangesItsTypeIsNotKnown() throws {
    let story = try SourceStory()
    let versions = [(1, "Int"), (2, "String")].map { number, raw in
      SourceStory.version(number, "var mood: Mood?; init() {}; enum Mood: \(raw), Codable { case good, bad }")
    }
    let source = try story.source(versions.joined())
    let diff = try Program.run(["model", "diff", "\(source)#SchemaV1", "\(source)#SchemaV2"])
    let words = diff.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains("an element changes its type, mood from Integer 64 to String") && !words.contains("hold NULL"),
      "\(diff.output)")
    let store = try story.store("SchemaV1", of: source) { _ = try $0.insert("Note", ["mood.mood": .integer(1)]) }
    let outcome = try story.diagnose(store, "\(source)#SchemaV2")
    #expect(outcome.status == 0)
    for line in [
      "migrates: automatic migration to 'SchemaV2' succeeds (assumed)",
      "Not known whether a mapping is inferred",
      "  ? Note.mood: elements ~mood; rows: not known: an element changes its type, mood from Integer 64 to String",
    ] {
      #expect(outcome.output.split(separator: "\n").contains(line[...]), "\(outcome.output) \(outcome.errors)")
    }
  }

  @Test func aFrozenCopyHasTheHashesOfItsSchema() throws {
    let story = try SourceStory()
    let source = try story.source(
      SourceStory.version(2, "", models: "Note.self, Tag.self")
        + #"""
        struct Place: Codable { var city: String?; var code: Int? }
        enum Mood: String, Codable { case good, bad = "b"; var title: String { rawValue.capitalized } }
        @Model final class Note {
          @Attribute(.unique) var title: String
          var place: Place?
          var mood: Mood = Mood.good
          @Relationship(deleteRule: .cascade, inverse: \Tag.note) var tags: [Tag] = []
          init(title: String) { self.title = title }
          func shout() -> String { title.uppercased() }
        }
        @Model final class Tag { var name: String?; var note: Note?; init() {} }
        """#)
    let frozen = try Program.run(["lint", source, "--freeze", "SchemaV2"])
    #expect(frozen.status == 0, "\(frozen.errors)")
    #expect(frozen.output.contains("enum SchemaV3: VersionedSchema"))
    #expect(!frozen.output.contains("shout"))
    #expect(frozen.output.contains("  enum Mood: String, Codable {\n    case good, bad = \"b\"\n  }\n"))
    #expect(frozen.output.contains("    var mood: Mood = Mood.good\n"))
    #expect(!frozen.errors.contains("Note.mood"), "\(frozen.errors)")
    let copy = try story.source(frozen.output, "Frozen.swift")
    let hashes = try [source, copy].map { path in
      try JSONTree(try Program.run(["model", "hash", path, "--format", "json"]).output)["versions"]?.list?.first
    }
    #expect(hashes[0]?["checksum"]?.string != nil)
    #expect(hashes[0]?["checksum"]?.string == hashes[1]?["checksum"]?.string)
    // Under its own name it takes the place of the version, with its identifier.
    let inPlace = try Program.run(["lint", source, "--freeze", "SchemaV2", "--as", "SchemaV2"])
    #expect(inPlace.output.contains("enum SchemaV2: ") && inPlace.output.contains("Schema.Version(2, 0, 0)"))
    #expect(inPlace.errors.contains("has the version hashes of the one whose place it takes"), "\(inPlace.errors)")
    let money = try story.source(
      SourceStory.version(2, "", models: "Bill.self") + "\n@Model final class Bill {\n  var sum: Money\n}",
      "Bill/Bill.swift")
    let refused = try Program.run(["lint", money, "--freeze", "SchemaV2"])
    #expect(refused.status == 2 && refused.output.isEmpty)
    #expect(refused.errors.contains("'Money' is declared in none of the files"), "\(refused.errors)")
    #expect(try Program.run(["lint", source, "--freeze", "SchemaV9"]).status == 2)
    // With `--as`, the new version replaces the old one, and keeps its identifier.
    let named = try Program.run(["lint", source, "--freeze", "SchemaV2", "--as", "SchemaV2Frozen"])
    #expect(named.output.contains("enum SchemaV2Frozen") && named.output.contains("Schema.Version(2, 0, 0)"))
    let folder = try TemporaryFolder()
    let empty = try Program.run(["lint", folder.path])
    #expect(empty.status == 2 && empty.errors.contains("found no Swift file in"))
  }

  @Test func aPlanThatIsNotReadWholeGivesNoVerdict() throws {
    let story = try SourceStory()
    let store = try story.store("SchemaV2", of: story.source(v2))
    let half = try story.source(v2 + SourceStory.plan(1, 2), "Half/Models.swift")
    let missing = try story.diagnose(store, half)
    #expect(missing.status == 2)
    #expect(missing.errors.contains("'Plan' is not known whole: SchemaV1 is not declared"), "\(missing.errors)")
    let list = try story.source(
      v2 + "enum Plan: SchemaMigrationPlan { static var schemas: [any VersionedSchema.Type] { load() } }",
      "List/Models.swift")
    let unread = try story.diagnose(store, list)
    #expect(unread.status == 2)
    #expect(unread.errors.contains("the plan 'Plan' is not known whole"), "\(unread.errors)")
  }

  @Test func aVersionOutsideThePlanIsLeftOutAndNamed() throws {
    let story = try SourceStory()
    let stray = SourceStory.version(3, #"var title: String = ""; var price: Money"#)
    let source = try story.source(v1 + v2 + stray + SourceStory.plan(1, 2))
    let outcome = try story.diagnose(try story.store("SchemaV1", of: source), source)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("  ? SchemaV3 is left out, since it is not known whole"), "\(outcome.output)")
    #expect(outcome.output.hasPrefix("migrates: staged migration to 'SchemaV2' succeeds"))
  }
}
