import Foundation
import TestSupport
import Testing

/// Versions that source does not describe completely: what does not depend on the missing part is answered, and nothing
/// is guessed.
@Suite struct DoubtfulSourceTests {
  /// A property that is open: it is not known whether SwiftData stores a `URL` as a URI or as text.
  private let link = "var link: URL?"

  private func version(_ number: Int, note: String, tag: String = #"var name: String = """#) -> String {
    SourceStory.version(number, note, models: "Note.self, Tag.self").replacing(
      "@Model", with: "@Model final class Tag { \(tag); init() {} }\n  @Model")
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["model"] + arguments, environment: ["COLUMNS": "300"])
  }

  /// Status 2, since the mistake is in the source; 64 is for mistakes on the command line.
  @Test func aStageOfAVersionThatIsNotThereIsNamedWithItsPlace() throws {
    let source = try SourceStory()
    let plan = """

      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV1.self] }
        static var stages: [MigrationStage] { [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV9.self)] }
      }
      """
    let path = try source.source(version(1, note: link) + plan)
    let outcome = try Program.run(["diagnose", Project.path("corpus/Trips/1.0.store"), "--model", path])
    #expect(outcome.status == 2 && outcome.output == "")
    #expect(outcome.errors.contains(/\.swift:\d+:\d+: a stage names 'SchemaV9'/), "\(outcome.errors)")
  }

  /// Which of two classes is the app's decides what the model is.
  @Test func twoClassesOfOneNameAreNoSoundModel() throws {
    let folder = try TemporaryFolder()
    for (name, property) in [("A", "name"), ("B", "title")] {
      let text = "import SwiftData\n@Model final class Item { var \(property): String = \"\"; init() {} }\n"
      try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
      try folder.write(Array(text.utf8), to: "\(name)/Item.swift")
    }
    let check = try run("check", folder.path)
    #expect(check.status == 1)
    #expect(
      check.output.contains("E Item can be read in 2 ways, between which a store would decide"), "\(check.output)")
  }

  /// The old hash of a store proves nothing of a version that gives the property another type, although one reading of
  /// that type would leave the hash as it was.
  @Test func aChangedTypeIsNotReadAsNoChange() throws {
    let story = try SourceStory()
    let old = version(1, note: #"var body: String = """#)
    let store = try story.store("SchemaV1", of: try story.source(old, "Old/Models.swift"))
    let path = try story.source(old + version(2, note: "var body: AttributedString = AttributedString()"))
    let diagnosis = try Program.run(["diagnose", store, "--model", path], environment: ["COLUMNS": "300"])
    #expect(!diagnosis.output.contains("Note: AttributedString: String"), "\(diagnosis.output)")
    #expect(
      !diagnosis.output.hasPrefix("migrates: ") || diagnosis.output.contains("succeeds (assumed)"),
      "\(diagnosis.output)")
    #expect(!diagnosis.output.hasPrefix("opens: "), "\(diagnosis.output)")
  }

  // MARK: diff

  @Test func whatIsOpenInBothVersionsHidesNoOtherChange() throws {
    let source = try SourceStory()
    let path = try source.source(
      version(1, note: link) + version(2, note: link, tag: #"var name: String = ""; var stars: Int = 0"#))
    let diff = try run("diff", path + "#SchemaV1", path + "#SchemaV2")
    #expect(diff.status == 0, "\(diff.errors)")
    #expect(diff.output.contains("lightweight migration: yes, as far as the source tells\n"), "\(diff.output)")
    #expect(
      diff.output.contains("Tag\n  # stars: attribute added, Integer 64, default 0, required\n"), "\(diff.output)")
    #expect(
      diff.output.contains("  ? Note is open and did not change, as far as the source tells: SchemaV1.Note can be"))
    #expect(!diff.output.contains("\nNote\n"))
    let json = try JSONTree(try run("diff", path + "#SchemaV1", path + "#SchemaV2", "--format", "json").output)
    #expect(json["doubtful"]?.list?.count == 1)
    #expect(json["doubtful"]?.list?.first?["entity"]?.string == "Note")
  }

  @Test func aChangeThatEveryReadingHasIsSaid() throws {
    let story = try SourceStory()
    let path = try story.source(version(1, note: link) + version(2, note: link + "; var stars: Int = 0"))
    let diff = try run("diff", path + "#SchemaV1", path + "#SchemaV2")
    #expect(diff.status == 0, "\(diff.errors)")
    #expect(diff.output.contains("Note is open and changed; what is said of it holds however it is read"))
    #expect(diff.output.contains("Note\n  # stars: attribute added"), "\(diff.output)")
    #expect(!diff.output.contains("# link:"))
  }

  @Test func aChangeThatDependsOnTheReadingIsNotGuessed() throws {
    let story = try SourceStory()
    let path = try story.source(version(1, note: "var link: String?") + version(2, note: link))
    let diff = try run("diff", path + "#SchemaV1", path + "#SchemaV2")
    #expect(diff.status == 2)
    #expect(
      diff.output.hasPrefix("what changed in Note depends on what the source does not tell; lightweight migration: "))
    #expect(!diff.output.contains("# link"), "\(diff.output)")
    #expect(diff.output.contains("settles it: SchemaV2.Note can be read in"), "\(diff.output)")
  }

  /// An entity that is open costs the others nothing.
  @Test func whatIsCertainIsSaidBesideAnUndecidedEntity() throws {
    let story = try SourceStory()
    let path = try story.source(
      version(1, note: "var body: String = \"\"")
        + version(
          2, note: "var body: AttributedString = AttributedString(); var isDone: Bool = false",
          tag: "var name: String = \"\"; var color: Int = 0"))
    let arguments = [path + "#SchemaV1", path + "#SchemaV2"]
    let diff = try run("diff", arguments[0], arguments[1])
    #expect(diff.status == 2)
    #expect(
      diff.output.contains("Tag\n  # color: attribute added, Integer 64, default 0, required\n"), "\(diff.output)")
    #expect(diff.output.contains("  # isDone: attribute added") && !diff.output.contains("# body"), "\(diff.output)")
    let json = try JSONTree(try run("diff", arguments[0], arguments[1], "--format", "json").output)
    #expect(try JSONSchema.of("model-diff").violations(in: json) == [])
    #expect(json["doubtful"]?.list?.first?["undecided"] == .bool(true))
    #expect(json["changesEnteringHash"] == .integer(2) && json["hashesEqual"] == .bool(false))
  }

  /// A class that was copied word for word is the same, even if a type in it is not known; an edited one is not taken
  /// for the same, even if only the unknown part was edited.
  @Test(arguments: [("var price: Money", 0), ("var price: [Money]", 2), ("var price: Price", 2)])
  func aTypeOfAnotherModuleIsComparedAsItIsWritten(price: String, status: Int32) throws {
    let story = try SourceStory()
    let path = try story.source(
      version(1, note: "var price: Money") + version(2, note: price, tag: "var name: String?"))
    let diff = try run("diff", path + "#SchemaV1", path + "#SchemaV2")
    #expect(diff.status == status, "\(diff.errors)")
    #expect(diff.output.contains("Note is open and did not change") == (status == 0), "\(diff.output)")
  }

  /// Two structs of the same name, each with an unknown member, may differ in that member.
  @Test func aStructThatIsNotKnownWholeIsNotTakenForTheSame() throws {
    let story = try SourceStory()
    func money(_ number: Int, _ members: String) -> String {
      "enum SchemaV\(number): VersionedSchema {\n  struct Money: Codable { var amount: Foreign; \(members) }"
    }
    let path = try story.source(
      version(1, note: "var price: Money").replacing("enum SchemaV1: VersionedSchema {", with: money(1, ""))
        + version(2, note: "var price: Money").replacing(
          "enum SchemaV2: VersionedSchema {", with: money(2, "var n: Int")))
    #expect(try run("diff", path + "#SchemaV1", path + "#SchemaV2").status == 2)
  }

  @Test func aStoreProvesAReading() throws {
    let story = try SourceStory()
    let text = try story.source(version(1, note: "var link: String?"), "Old/Models.swift")
    let store = try story.store("SchemaV1", of: text)
    let path = try story.source(version(1, note: link))
    let diff = try run("diff", store, path + "#SchemaV1")
    #expect(diff.status == 0, "\(diff.errors)")
    #expect(!diff.output.contains("is open"), "\(diff.output)")
    #expect(!diff.output.contains("enters the hash; lightweight"))
  }

  // MARK: pin and check

  /// One open entity costs itself alone: the others of its version are pinned, and the file says that it is a part.
  @Test func entitiesThatAreKnownArePinnedAndTheOthersNamed() throws {
    let story = try SourceStory()
    let path = try story.source(version(1, note: #"var title: String = """#) + version(2, note: link))
    let pins = story.folder("released.json")
    let pin = try run("pin", path, "--output", pins)
    #expect(pin.status == 2)
    #expect(pin.errors.contains("'SchemaV2' is pinned in part: 1 entity\n"), "\(pin.errors)")
    #expect(pin.errors.contains("not pinned: 'SchemaV2': Note: SchemaV2.Note can be read in 2 ways"), "\(pin.errors)")
    #expect(pin.errors.contains("Note.link: URL"), "\(pin.errors)")
    let file = try JSONTree(String(decoding: contents(of: pins), as: UTF8.self))
    #expect(file["schema"]?.string == "storedoctor.pins/3")
    #expect(file["versions"]?.list?.map { $0["checksum"] != nil } == [true, false])
    #expect(try JSONSchema.of("pins").violations(in: file).isEmpty)
    let check = try run("check", path, "--pins", pins)
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(check.output.contains("2 pinned versions as released, 1 of them only as far as pinned"), "\(check.output)")
    #expect(check.output.contains("'SchemaV2', what its pin leaves out"))
    // What is pinned is compared, also beside what is not.
    let tag = try story.source(
      version(1, note: #"var title: String = """#) + version(2, note: link, tag: "var other: Int = 0"), "B/Models.swift"
    )
    #expect(try run("check", tag, "--pins", pins).status == 1)
    let gone = try story.source(
      version(1, note: #"var title: String = """#)
        + version(2, note: link).replacing("Note.self, ", with: "").replacing("Note {", with: "Other {"),
      "C/Models.swift")
    let missing = try run("check", gone, "--pins", pins)
    #expect(missing.status == 1 && missing.output.contains("Note"), "\(missing.output)\(missing.errors)")
    #expect(try run("pin", path + "#SchemaV1").status == 0)
  }

  /// Where no project says which files belong together, two classes that fit are a doubt, and nothing passes.
  @Test(arguments: ["func make() throws { _ = try ModelContainer(for: Note.self, Tag.self) }", ""])
  func twoClassesThatFitAreADoubt(container: String) throws {
    let story = try SourceStory()
    _ = try story.source(
      "@Model final class Note { var title = \"\"; var tags: [Tag] = []; init() {} }\n" + container, "App/A/A.swift")
    _ = try story.source("@Model final class Tag { var name = \"\"; init() {} }", "App/B/Tag.swift")
    _ = try story.source("@Model final class Tag { var name = \"\"; var size = 0; init() {} }", "App/C/Tag.swift")
    let folder = story.folder("App")
    let lint = try Program.run(["lint", folder, "--no-config"], environment: ["COLUMNS": "1000"])
    #expect(lint.status == 2, "\(lint.output)")
    #expect(lint.output.contains("Tag is declared more than once") && lint.output.contains("B/Tag.swift:"))
    #expect(lint.output.contains("give the files that belong together [SD901]"))
    #expect(lint.output.contains("not all that was asked for is known"))
    let json = try JSONTree(try Program.run(["lint", folder, "--no-config", "--format", "json"]).output)
    #expect(try JSONSchema.of("lint").violations(in: json).isEmpty)
    let hash = try run("hash", folder)
    #expect(hash.status == 2 && hash.output.contains("Tag is declared more than once"), "\(hash.output)")
    #expect(try run("show", folder).status == 2)
    // Given the folders of one app, nothing is open.
    let one = [folder + "/A", folder + "/B"]
    #expect(try Program.run(["lint", "--no-config"] + one).status == 0)
  }

  /// A pin decides an open rule, and the condition is said; where no reading has the pinned hash, nothing passes.
  @Test func lintTakesAPinForADecision() throws {
    let story = try SourceStory()
    let pins = story.folder("released.json")
    func lint(_ source: String) throws -> Program.Outcome {
      try Program.run(
        ["lint", source, "--no-config", "--check", "SD909", "--pins", pins], environment: ["COLUMNS": "400"])
    }
    for (type, status) in [("String?", 0), ("Int?", 2)] as [(String, Int32)] {
      let old = try story.source(version(1, note: "var link: \(type)"), "\(type.first ?? "x")/Models.swift")
      #expect(try run("pin", old, "--output", pins, "--force").status == 0)
      let outcome = try lint(story.source(version(1, note: "var link: URL?"), "New/Models.swift"))
      #expect(outcome.status == status, "\(outcome.output)")
      #expect(outcome.output.contains("Note.link: URL"), "\(outcome.output)")
      #expect(outcome.output.contains("is as in its pin on one condition") == (status == 0), "\(outcome.output)")
    }
  }

  // MARK: match

  /// Models are "of something else" only where all of them is known; else it is said how many of the known ones are the
  /// store's.
  @Test(
    arguments: [
      ("A.self, B.self", "class A { var x: Int = 0 }", "class B { var y: Int = 0 }", "models of something else"),
      (
        "A.self, B.self", "class A { var x: Int = 0 }", "class B { var price: Money }",
        "0 of the 1 known entities of 'SchemaV1' are the store's; B is not known"
      ),
      (
        "A.self, B.self", "class A { var price: Money }", "class B { var price: Money }",
        "0 of the 0 known entities of 'SchemaV1' are the store's; A, B are not known"
      ),
      (
        "A.self, Elsewhere.self", "class A { var x: Int = 0 }", "class B { var y: Int = 0 }",
        "0 of the 1 known entities of 'SchemaV1' are the store's; it may have more (Stop, Trip)"
      ),
    ])
  func modelsThatAreNotKnownMayBeTheStores(list: String, a: String, b: String, words: String) throws {
    let story = try SourceStory()
    let version = """
      enum SchemaV1: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
        static var models: [any PersistentModel.Type] { [\(list)] }
        @Model final \(a)
        @Model final \(b)
      }
      """
    let store = Project.path("corpus/Trips/1.0.store")
    let outcome = try run("match", store, try story.source(version))
    #expect(outcome.output.contains(words), "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("models of something else") == (words == "models of something else"))
    // Where a second version is not known whole either, it is counted.
    guard words.contains("B is not known") else { return }
    let two = try run(
      "match", store, try story.source(version + "\n" + version.replacing("SchemaV1", with: "SchemaV2")))
    #expect(two.output.contains("B is not known, and another version is not known whole either"), "\(two.output)")
  }

  @Test func aStoreDecidesWhatIsOpen() throws {
    let story = try SourceStory()
    let store = try story.store("SchemaV1", of: story.source(version(1, note: "var link: String?"), "Old/Models.swift"))
    let path = try story.source(version(1, note: link) + version(2, note: link, tag: "var name: String?"))
    #expect(try run("pin", path).status == 2)
    let pin = try run("pin", path, "--store", store)
    #expect(pin.status == 0, "\(pin.errors)")
    let hash = try run("hash", path, "--store", store)
    #expect(!hash.output.contains("not known"), "\(hash.output)")
    let swift = try run("convert", path + "#SchemaV1", "--to", "swift", "--store", store)
    #expect(swift.status == 0 && swift.output.contains("var link: String?"), "\(swift.errors)")
  }

  /// The pinned hash is that of only one way to read the property, which is taken, and said: the property may have been a
  /// `String` when it was pinned, as here, and be stored in another way now.
  @Test func aPinDecidesHowAVersionIsRead() throws {
    let story = try SourceStory()
    let pins = try pinned("var link: String?", story)
    let same = try run("check", story.source(version(1, note: link)), "--pins", pins)
    #expect(same.status == 0, "\(same.output)\(same.errors)")
    #expect(same.output.contains("1 pinned version as released, 1 of them in one of several readings\n"))
    #expect(same.output.contains("'SchemaV1', as released only if it is read so\n  ? "))
    let document = try run("check", story.source(version(1, note: link)), "--pins", pins, "--format", "json").output
    #expect(try JSONTree(document)["conditions"]?.list?.first?["name"]?.string == "SchemaV1")
    #expect(try JSONSchema.of("pin-check").violations(in: JSONTree(document)).isEmpty)
    let lint = try Program.run(["lint", story.source(version(1, note: link)), "--pins", pins, "--no-config"])
    #expect(lint.output.contains("it is equal only if it is read in one"), "\(lint.output)")
    let edited = try run("check", story.source(version(1, note: link + "; var n: Int = 0")), "--pins", pins)
    #expect(edited.status == 1)
    #expect(edited.output.contains("Note.n\n"), "\(edited.output)")
    #expect(!edited.output.contains("Note.link\n"))
  }

  @Test func whatAPinDoesNotDecideIsNoPass() throws {
    let story = try SourceStory()
    let pins = try pinned("var link: Int?", story)
    let check = try run("check", story.source(version(1, note: link)), "--pins", pins)
    #expect(check.status == 2)
    #expect(check.output.contains("whether 'SchemaV1' is as released the source does not tell"), "\(check.output)")
    let foreign = try run(
      "check", story.source(version(1, note: "var link: Money")), "--pins", pins, "--format", "json")
    #expect(foreign.status == 2)
    let json = try JSONTree(foreign.output)
    #expect(json["undecided"]?.list?.first?["name"]?.string == "SchemaV1")
    #expect(json["kept"]?.list?.isEmpty ?? false)
  }

  /// The pins of a version whose `Note` had this property.
  private func pinned(_ property: String, _ story: SourceStory) throws -> String {
    let released = try story.source(version(1, note: property), "Released/Models.swift")
    let pins = story.folder("released.json")
    #expect(try run("pin", released, "--output", pins).status == 0)
    return pins
  }

  // MARK: convert and show

  @Test func versionsThatAreWholeAreConvertedAndTheOthersNamed() throws {
    let story = try SourceStory()
    let path = try story.source(version(1, note: #"var title: String = """#) + version(2, note: link))
    for command in [["convert", path, "--to", "json"], ["show", path, "--format", "json"]] {
      let outcome = try Program.run(["model"] + command)
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("left out: SchemaV2 cannot be derived whole"), "\(outcome.errors)")
      let names = try JSONTree(outcome.output)["versions"]?.list?.map { $0["name"]?.string }
      #expect(names == ["SchemaV1"])
    }
    let pasted = try run("hash", path, "--spelling", "swift")
    #expect(pasted.status == 2 && pasted.errors.contains("left out: SchemaV2 cannot be derived whole"))
    #expect(pasted.output.contains("// SchemaV1: version hashes") && !pasted.output.contains("SchemaV2"))
    let picture = try run("convert", path, "--to", "mermaid")
    #expect(picture.status == 0 && picture.errors.contains("drawn as it is most likely: SchemaV2.Note can be read"))
    #expect(try run("convert", path, "--to", "swift").status == 2)
  }

  /// The version that was left out is still the current one; the other is not judged instead.
  @Test func aDocumentWithoutItsCurrentVersionGivesNoVerdict() throws {
    let story = try SourceStory()
    let path = try story.source(version(1, note: #"var title: String = """#) + version(2, note: link))
    let store = try story.store("SchemaV1", of: path)
    let document = story.folder("models.json")
    #expect(try run("convert", path, "--to", "json", "--output", document).status == 2)
    for command in [["diagnose", store], ["audit", store]] {
      let outcome = try Program.run(command + ["--model", document])
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("its current version 'SchemaV2' is not there; name one as"), "\(outcome.errors)")
    }
    let named = try Program.run(["diagnose", store, "--model", document + "#SchemaV1"])
    #expect(named.status == 0, "\(named.errors)")
  }
}
