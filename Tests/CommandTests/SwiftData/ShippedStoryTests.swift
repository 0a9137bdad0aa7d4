import StoreGenerator
import TestSupport
import Testing

/// `lint` against what was shipped: stores, and a repository's tags.
@Suite struct ShippedStoryTests {
  /// The lines of findings of some checks: "SD944 error: …".
  private func lint(_ source: String, _ options: String..., checks: String) throws -> String {
    let only = checks.split(separator: " ").flatMap { ["--check", String($0)] }
    let outcome = try Program.run(["lint", source, "--no-config"] + options + only, environment: ["COLUMNS": "300"])
    // What is not known has not passed.
    let isOpen = !outcome.output.contains(" error: ") && outcome.output.contains(#/not checked: .* not known: /#)
    #expect(isOpen ? outcome.status == 2 : [0, 1].contains(outcome.status), "\(outcome.output)\(outcome.errors)")
    return outcome.output
  }

  private func version(_ number: Int, _ members: String, identifier: Int? = nil) -> String {
    SourceStory.version(number, members).replacing("Version(\(number), 0", with: "Version(\(identifier ?? number), 0")
  }

  private let title = #"var title: String = """#

  /// SD904
  @Test func anIdentifierThatWasGivenToAnotherVersionIsNamed() throws {
    let story = try SourceStory()
    let stars = title + "; var stars: Int = 0"
    let shipped = try story.source(version(2, title) + version(3, stars))
    let store = try story.store("SchemaV2", of: shipped)
    let source = try story.source(
      version(2, title, identifier: 4) + version(3, stars, identifier: 2) + SourceStory.plan(2, 3))
    #expect(
      try lint(source, "--store", store, checks: "SD904").contains(
        "/Sources/Models.swift:7:6: error: the store '\(store)' has the identifier 2.0.0 of SchemaV3, and the hashes of "
          + "SchemaV2: one identifier was given to two shapes [SD904"))
    let good = try story.source(version(2, title) + version(3, stars) + SourceStory.plan(2, 3))
    #expect(try !lint(good, "--store", store, checks: "SD904").contains("SD904"))
    // A container without versions writes the identifier 1.0.0, whatever its classes are.
    let unversioned = try story.store("SchemaV1", of: story.source(version(1, title)))
    let first = try story.source(version(1, stars) + version(2, title) + SourceStory.plan(1, 2))
    #expect(try !lint(first, "--store", unversioned, checks: "SD904").contains("SD904"))
  }

  /// SD944
  @Test func rowsThatANewConstraintRefusesAreListed() throws {
    let story = try SourceStory()
    let unique = #"@Attribute(.unique) var title: String = """#
    let source = try story.source(version(1, title) + version(2, unique) + SourceStory.plan(1, 2))
    let twice = try story.store("SchemaV1", of: source) { writer in
      for text in ["a", "b", "a"] { try writer.insert("Note", ["title": .text(text)]) }
    }
    let output = try lint(source, "--store", twice, checks: "SD944")
    #expect(output.contains("Models.swift:10:64: error: Note is unique by title since SchemaV2"), "\(output)")
    #expect(output.contains("'\(twice)' has 2 such rows (keys 1, 3)"), "\(output)")
    let once = try SourceStory()
    let other = try once.store("SchemaV1", of: source) { writer in
      for text in ["a", "b"] { try writer.insert("Note", ["title": .text(text)]) }
    }
    #expect(try lint(source, "--store", other, checks: "SD944").contains("Models.swift:10:64: warning: "))
    // A comment in the source accepts it, whatever the stores hold.
    let accepted = try story.source(
      version(1, title) + version(2, "\n// storedoctor:ignore SD944 merged at launch\n" + unique)
        + SourceStory.plan(1, 2)
    )
    #expect(try lint(accepted, "--store", twice, checks: "SD944").contains("nothing found"))
  }

  /// SD949
  @Test func indexesThatAStoreLacksAreListed() throws {
    let story = try SourceStory()
    let source = try story.source(version(1, title) + SourceStory.plan(1))
    let store = try story.store("SchemaV1", of: source)
    let indexed = try story.source(version(1, title + #"; #Index<Note>([\.title])"#) + SourceStory.plan(1))
    let output = try lint(indexed, "--store", store, checks: "SD949")
    #expect(
      output.contains(
        "note: '\(store)' is a store of SchemaV1 and has no index of Note by title: it was made before that came [SD949"
      ),
      "\(output)")
    let fresh = try SourceStory()
    #expect(try !lint(indexed, "--store", fresh.store("SchemaV1", of: indexed), checks: "SD949").contains("SD949"))
  }

  private func place(_ members: String) -> String {
    version(1, "var place: Place?").replacing("@Model", with: "struct Place: Codable { \(members) }\n@Model")
  }

  /// SD909 and SD948
  @Test(.needs("git")) func aVersionIsHeldAgainstTheTagsOfReleases() throws {
    let story = try SourceStory()
    let repository = try Repository(in: story.folder)
    let city = "var city: String"
    for (tag, text) in [("v0.9", place(city + "; var no: Int")), ("v1.0", place(city)), ("beta", place("var a: Int"))] {
      _ = try repository.commit(["App/Models.swift": text], message: tag, tag: tag)
    }
    let source = try story.source(place(city + "; var zip: String"))
    let output = try lint(source, "--git", repository.path, "--tags", "v1*", checks: "SD909 SD948")
    #expect(
      output.contains(
        "Models.swift:6:20: error: SchemaV1 is no longer as it was shipped: Note differs, against the tag 'v1.0' [SD909"
      ),
      "\(output)")
    #expect(
      output.contains(
        "    6 | @Model final class Note { init() {}; var place: Place? }\n      |                    ^~~~"))
    #expect(
      output.contains(
        "Models.swift:6:42: warning: the members of what Note.place holds were edited in SchemaV1: zip is new, against the "
          + "tag 'v1.0' [SD948"),
      "\(output)")
    // A version that equals one release still differs from the other.
    let first = try story.source(place(city))
    #expect(try lint(first, "--git", repository.path, "--tags", "v1*", checks: "SD909").contains("nothing found"))
    #expect(
      try lint(first, "--git", repository.path, "--tags", "v*", checks: "SD909").contains(
        "against the tag 'v0.9' [SD909"))
    #expect(
      try lint(first, "--git", repository.path, "--tags", "x*", checks: "SD909").contains(
        "not checked: the repository '\(repository.path)' has no tag like x*"))
  }

  @Test(.needs("git")) func whatATagSaysIncompletelyProvesNothing() throws {
    let story = try SourceStory()
    let repository = try Repository(in: story.folder)
    _ = try repository.commit(
      ["App/Models.swift": version(1, title + "; var price: Money?")], message: "One", tag: "v1")
    let output = try lint(story.source(version(1, title)), "--git", repository.path, checks: "SD909")
    #expect(output.contains("whether SchemaV1 is as at the tag 'v1' is not known: Note: price"), "\(output)")
    #expect(!output.contains("error"))
  }

  /// A class with a type whose form is not known was not edited where it can be read in the same ways at the tag. One
  /// that was a text then may be the same in one reading: that does not pass, unless a pin says so.
  @Test(.needs("git")) func anOpenRuleIsTheSameAtTheTag() throws {
    let story = try SourceStory()
    let repository = try Repository(in: story.folder)
    let link = title + "; var link: URL?"
    _ = try repository.commit(["App/Models.swift": version(1, link)], message: "One", tag: "v1")
    let source = try story.source(version(1, link))
    #expect(try !lint(source, "--git", repository.path, checks: "SD909").contains("not known"))
    let old = version(1, title + "; var link: String?")
    _ = try repository.commit(["App/Models.swift": old], message: "Two", tag: "v2")
    let open = try lint(source, "--git", repository.path, checks: "SD909")
    #expect(open.contains("it is equal only if it is read in one of several ways (Note.link: URL)"), "\(open)")
    let pins = story.folder("released.json")
    let pin = try Program.run(["model", "pin", try story.source(old, "Old/Models.swift"), "--output", pins])
    #expect(pin.status == 0)
    let decided = try lint(source, "--git", repository.path, "--pins", pins, checks: "SD909")
    #expect(decided.contains("SchemaV1 is as in its pin on one condition"), "\(decided)")
    #expect(!decided.contains("not known"))
  }

  /// Stores have a version as it was while it was the last of the plan. What a later release made of it by mistake, and
  /// is mended, is no error; what a release in which it was the last had otherwise is one.
  @Test(.needs("git")) func whatALaterReleaseMadeOfAVersionIsNoError() throws {
    let story = try SourceStory()
    let repository = try Repository(in: story.folder)
    let stars = title + "; var stars: Int = 0"
    let (good, bad) = (version(1, title), version(1, stars))
    _ = try repository.commit(["App/Models.swift": good + SourceStory.plan(1)], message: "One", tag: "v1")
    let second = version(2, stars) + SourceStory.plan(1, 2)
    _ = try repository.commit(["App/Models.swift": bad + second], message: "Two", tag: "v2")
    let mended = try lint(story.source(good + second), "--git", repository.path, checks: "SD909")
    #expect(
      mended.contains(
        "note: SchemaV1 is not as at the tag 'v2', where a later version was in use (Note differs); its stores were made as "
          + "at the tag 'v1', and it is as there"), "\(mended)")
    let edited = try lint(story.source(bad + second), "--git", repository.path, checks: "SD909")
    #expect(edited.contains("error: SchemaV1 is no longer as it was shipped: Note differs, against the tag 'v1'"))
  }

  /// A shipped version that was edited, in a repository without tags.
  @Test(.needs("git")) func commitsAndBranchesAreReleasesToo() throws {
    let story = try SourceStory()
    let repository = try Repository(in: story.folder)
    let stars = title + "; var stars: Int = 0"
    let shipped = try repository.commit(["App/Models.swift": version(1, title)], message: "Build 1")
    try repository.git("branch", "release/1")
    let edited = try repository.commit(["App/Models.swift": version(1, stars)], message: "Build 2")
    let source = try story.source(version(1, stars))
    let wrong = "error: SchemaV1 is no longer as it was shipped: Note differs, against"
    func output(_ options: String...) throws -> String {
      let outcome = try Program.run(
        ["lint", source, "--no-config", "--check", "SD909", "--git", repository.path] + options,
        environment: ["COLUMNS": "300"])
      #expect([0, 1].contains(outcome.status), "\(outcome.errors)")
      return outcome.output
    }
    #expect(try output("--commits", shipped).contains("\(wrong) the commit '\(shipped)' [SD909"))
    #expect(try output("--commits", "HEAD~1").contains("note: Note.stars is new"))
    #expect(try output("--branches", "release/*").contains("\(wrong) the branch 'release/1' [SD909"))
    #expect(try output("--commits", edited).contains("nothing found"))
    // Each of a range, of which the newest that differs is named.
    let third = try repository.commit(["App/Models.swift": version(1, "var a: Int = 0")], message: "Build 3")
    #expect(try output("--commits", "\(shipped)..HEAD").contains("\(wrong) the commit '\(third.prefix(10))' [SD909"))
    #expect(try output("--commits", "HEAD..HEAD").contains("has no commit in HEAD..HEAD that changed Swift files"))
    #expect(try output("--branches", "x*").contains("has no branch like x*"))
    let unknown = try Program.run(["lint", source, "--git", repository.path, "--commits", "--all"])
    #expect(unknown.status == 64 || unknown.status == 2)
    #expect(try Program.run(["lint", source, "--git", repository.path, "--commits=--all"]).status == 2)
    #expect(try Program.run(["lint", source, "--commits", shipped]).status == 64)
  }

  /// A frozen copy that lacks what the live class had when it was shipped, beside a class that is not known.
  @Test(.needs("git")) func aFrozenCopyIsHeldAgainstTheLiveClass() throws {
    let story = try SourceStory()
    let repository = try Repository(in: story.folder)
    let live = """
      @Model final class Note { init() {}; \(title); var read: Date? }
      @Model final class Bill { var price: Money?; init() {} }
      """
    let models = SourceStory.version(1, "", models: "Note.self, Bill.self")
    _ = try repository.commit(["App/Models.swift": models + live], message: "One", tag: "v1")
    let copy = SourceStory.version(1, title, models: "Note.self, Bill.self")
      .replacing("@Model", with: "@Model final class Bill { var price: Money?; init() {} }\n@Model")
    let output = try lint(story.source(copy), "--git", repository.path, checks: "SD909")
    #expect(
      output.contains("error: SchemaV1 is no longer as it was shipped: Note differs, against the tag 'v1'"), "\(output)"
    )
    #expect(output.contains("note: Note.read is gone"))
    #expect(!output.contains("Bill differs"))
    #expect(
      output.contains("whether the rest of SchemaV1 is as shipped, by the tag 'v1', is not known: Bill: price"),
      "\(output)")
  }

  /// What is open of a class does not hide a property more or less.
  @Test(
    .needs("git"),
    arguments: [
      ("", "note: Note.read is gone"), ("var read: Date?", nil),
      ("var read: Date?; var more: Int = 0", "note: Note.more is new"),
    ])
  func aPropertyMoreOrLessIsADifference(members: String, note: String?) throws {
    let story = try SourceStory()
    let repository = try Repository(in: story.folder)
    let open = title + "; var price: Money?; "
    _ = try repository.commit(["App/Models.swift": version(1, open + "var read: Date?")], message: "One", tag: "v1")
    let output = try lint(story.source(version(1, open + members)), "--git", repository.path, checks: "SD909")
    #expect(
      output.contains("error: SchemaV1 is no longer as it was shipped: Note differs") == (note != nil), "\(output)")
    #expect(output.contains(note ?? "whether SchemaV1 is as at the tag 'v1' is not known: Note: price"), "\(output)")
    #expect(!output.contains("Note.price"))
    // A type that was not known then may have been the same property.
    let known = try story.source(version(1, title + "; var price: Int?; var read: Date?"))
    #expect(try !lint(known, "--git", repository.path, checks: "SD909").contains("error"))
  }

  @Test(.needs("git")) func aConstraintMoreIsNamed() throws {
    let story = try SourceStory()
    let repository = try Repository(in: story.folder)
    _ = try repository.commit(["App/Models.swift": version(1, title)], message: "One", tag: "v1")
    let output = try lint(
      story.source(version(1, "@Attribute(.unique) " + title)), "--git", repository.path, checks: "SD909")
    #expect(output.contains("note: Note is now unique [title]"), "\(output)")
    let more = SourceStory.version(1, title, models: "Note.self, Tag.self")
      .replacing("@Model", with: "@Model final class Tag { var name: String = \"\"; init() {} }\n@Model")
    #expect(
      try lint(story.source(more), "--git", repository.path, checks: "SD909").contains("note: Tag is new"))
  }
}
