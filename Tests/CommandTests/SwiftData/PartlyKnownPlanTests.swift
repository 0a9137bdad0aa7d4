import TestSupport
import Testing

/// A plan with a property of a type that the sources do not declare: it gets a verdict where that type does not decide.
@Suite struct PartlyKnownPlanTests {
  private let title = #"var title: String = """#
  private let price = "var price: Money?"

  private func version(_ number: Int, _ properties: String...) -> String {
    SourceStory.version(number, properties.joined(separator: "; "))
  }

  /// A store written by the app, whose own build has the type.
  private func store(_ version: String, _ text: String, _ story: SourceStory) throws -> String {
    try story.store(
      version, of: story.source(text + "struct Money: Codable { var amount: Int? }", "App/Models.swift"))
  }

  @Test func aVersionThatTheStoreHasLeftBehindDecidesNothing() throws {
    let story = try SourceStory()
    let source = version(1, title, price) + version(2, title) + version(3, title, "var stars: Int = 0")
    let outcome = try story.diagnose(
      store("SchemaV2", source, story), story.source(source + SourceStory.plan(1, 2, 3)))
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.hasPrefix("migrates: staged migration to 'SchemaV3' succeeds\n"), "\(outcome.output)")
    #expect(outcome.output.contains("  ? SchemaV1 is left out, since it is not known whole: SchemaV1.Note.price"))
  }

  @Test func aVersionOnTheWayDecides() throws {
    let story = try SourceStory()
    let source = version(1, title) + version(2, title, price) + version(3, title, "var stars: Int = 0")
    let outcome = try story.diagnose(
      store("SchemaV1", source, story), story.source(source + SourceStory.plan(1, 2, 3)))
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("SchemaV2 cannot be derived whole: SchemaV2.Note.price"), "\(outcome.errors)")
    #expect(outcome.errors.contains("give the sources of the module that declares it as well"))
  }

  /// The class is equal in both versions, so its type does not matter, provided that the type itself did not change.
  @Test func aTypeThatBothSidesShareIsTakenFromTheStore() throws {
    let story = try SourceStory()
    let tag = #"@Model final class Tag { var name: String = ""; init() {} }; @Model"#
    let source =
      version(1, title, price)
      + version(2, title, price).replacing("@Model", with: tag).replacing("[Note.self]", with: "[Note.self, Tag.self]")
    let path = try story.source(source + SourceStory.plan(1, 2))
    let outcome = try story.diagnose(store("SchemaV1", source, story), path)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(
      outcome.output.hasPrefix("migrates: staged migration to 'SchemaV2' succeeds (assumed)\n"), "\(outcome.output)")
    #expect(
      outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "as well; it is taken to be what the store has"))
    let current = try story.diagnose(store("SchemaV2", source, story), path)
    #expect(current.output.hasPrefix("opens: 'SchemaV2' opens it as it is (assumed)\n"), "\(current.output)")
  }

  @Test(arguments: ["var price: [Money]?", "var price: Money?; var cost: Money?"])
  func aTypeThatTheSidesDoNotShareDecides(edited: String) throws {
    let story = try SourceStory()
    let source = version(1, title, price) + version(2, title, edited)
    let outcome = try story.diagnose(
      store("SchemaV1", version(1, title, price), story),
      story.source(source + SourceStory.plan(1, 2)))
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("cannot be derived whole"), "\(outcome.errors)")
  }

  @Test func aPropertyThatIsGoneNeedsNoType() throws {
    let story = try SourceStory()
    let source = version(1, title, price) + version(2, title)
    let outcome = try story.diagnose(
      store("SchemaV1", source, story), story.source(source + SourceStory.plan(1, 2)))
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.hasPrefix("migrates: staged migration to 'SchemaV2' succeeds (assumed)\n"))
  }

  @Test func aStoreThatIsOfNoVersionForSureIsUnknown() throws {
    let story = try SourceStory()
    let older = try store("SchemaV1", version(1, "var text: String?"), story)
    let source = version(1, title, price) + version(2, title)
    let outcome = try story.diagnose(older, story.source(source + SourceStory.plan(1, 2)))
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(
      outcome.output.hasPrefix("unknown-version: staged migration to 'SchemaV2' fails with 134504"), "\(outcome.output)"
    )
  }

  @Test func versionsThatStateTheSameAreEqualWhateverTheTypeIs() throws {
    let story = try SourceStory()
    let source = version(1, title, price) + version(2, title, price)
    let outcome = try story.diagnose(
      store("SchemaV1", source, story), story.source(source + SourceStory.plan(1, 2)))
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.output.contains("SD807 'SchemaV1' and 'SchemaV2'"), "\(outcome.output)")
  }

  /// An audit judges each store by the versions that it needs, and says which are not known.
  @Test func anAuditJudgesEachStoreByWhatItNeeds() throws {
    let story = try SourceStory()
    let source = version(1, title, price) + version(2, title)
    let path = try story.source(source + SourceStory.plan(1, 2))
    let outcome = try Program.run(["audit", store("SchemaV2", source, story), "--model", path])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(
      outcome.errors.contains("SchemaV1 is left out, since it is not known whole: SchemaV1.Note.price"),
      "\(outcome.errors)")
    #expect(outcome.errors.contains("a store whose way leads through it is not judged"), "\(outcome.errors)")
    // Without the version that decides nothing can be judged.
    let last = try story.source(
      version(1, title) + version(2, title, price) + SourceStory.plan(1, 2), "Last/Models.swift")
    let refused = try Program.run(["audit", store("SchemaV1", version(1, title), story), "--model", last])
    #expect(refused.status == 2)
    #expect(refused.errors.contains("SchemaV2 cannot be derived whole"), "\(refused.errors)")
  }
}
