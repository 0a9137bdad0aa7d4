import StoreDataModel
import Foundation
import TestSupport
import Testing

@Suite struct ModelConvertCommandTests {
  @Test(arguments: ["corpus/Notes.sqlite", "corpus/Shapes.sqlite"])
  func everyFormThatCanBeReadHasTheSameHashes(store: String) throws {
    let folder = try TemporaryFolder()
    let store = Project.path(store)
    let hashes = try hashes(of: store)
    for form in ["xcdatamodel", "json"] {
      let target = folder("Model." + form)
      let outcome = try Program.run(["model", "convert", store, "--to", form, "--output", target])
      #expect(outcome.status == 0)
      #expect(outcome.output.isEmpty)
      #expect(try self.hashes(of: target) == hashes)
    }
  }

  @Test func whatIsNotKeptIsSaid() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.run(
      [
        "model", "convert", Project.path("corpus/Shapes.sqlite"), "--to", "xcdatamodel", "--output",
        folder("S.xcdatamodel"),
      ])
    #expect(
      outcome.errors == """
        storedoctor: not kept: Types.recent: the index's predicate 'boolean == 1', as it is not known how Xcode spells it
        storedoctor: not kept: Types.self: the name 'expression1' of the expression 'SELF'

        """)
  }

  @Test(arguments: [
    ("swift", "  @Model\n"), ("mermaid", "classDiagram\n"), ("dot", "digraph model {\n"), ("plantuml", "@startuml\n"),
  ])
  func writesSourceAndDiagrams(form: String, words: String) throws {
    let outcome = try Program.run(["model", "convert", Project.path("corpus/Notes.sqlite"), "--to", form])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(words))
  }

  @Test func aDiagramHasWhatIsAskedFor() throws {
    let store = Project.path("corpus/Notes.sqlite")
    let arguments = ["model", "convert", store, "--to", "mermaid", "--entity", "Tag"]
    let tag = try Program.run(arguments + ["--no-attributes"])
    #expect(tag.status == 0)
    #expect(tag.output.contains("[\"Note\"]") && !tag.output.contains("Folder") && !tag.output.contains("String"))
    let missing = try Program.run(["model", "convert", store, "--to", "dot", "--entity", "Tagg"])
    #expect(missing.status == 2 && missing.errors.contains("Tag"))
    #expect(try Program.run(["model", "convert", store, "--to", "json", "--entity", "Tag"]).status == 64)
  }

  @Test func aBundleBecomesOneDocumentOfAllVersions() throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let target = folder("Notes.json")
    #expect(try Program.run(["model", "convert", bundle, "--to", "json", "--output", target]).status == 0)
    let (before, after) = try (ModelSource.read(bundle), ModelSource.read(target))
    #expect(after.versions.map(\.name) == ["Notes", "Notes 2", "Notes 3"])
    #expect(after.versions.map(\.model) == before.versions.map(\.model))
    #expect(after.currentVersionName == "Notes 3")
  }

  @Test func anExistingFolderIsLeftAlone() throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let before = FolderState(of: folder.path)
    let outcome = try Program.run(
      ["model", "convert", bundle, "--to", "xcdatamodel", "--force", "--output", bundle + "/Notes 2.xcdatamodel"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("it exists"))
    #expect(FolderState(of: folder.path) == before)
  }

  private func hashes(of path: String) throws -> JSONTree? {
    let outcome = try Program.run(["model", "hash", path, "--format", "json"])
    return try JSONTree(outcome.output)["versions"]?.list?.first?["hashes"]
  }

  private static let shop = #"""
    import Foundation
    import SwiftData

    enum ShopV1: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [Order.self, ShopV1.Date.self] }
      static let firstNumber = 100
      @Model final class Order {
        #Unique<Order>([\.code], [\.shop, \.number])
        var code: String = ""
        var shop: String = ""
        var number: Int = ShopV1.firstNumber
        var placed: Foundation.Date = Foundation.Date.now
        var tickets: [UUID] = []
        var slips: [Data]?
        var state: State = State.open
        init() {}
      }
      enum State: String, Codable { case open, done = "d" }
      @Model final class Date { var day: Int = 0; init() {} }
    }

    """#

  /// A class named like a type of Foundation hides it, constants have their values, and lists of values are lists.
  @Test func convertedSourceSaysWhatTheSourceSays() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(Self.shop.utf8), to: "Shop.swift")
    let outcome = try Program.run(["model", "convert", folder("Shop.swift"), "--to", "swift"])
    for line in [
      "var placed: Foundation.Date = Foundation.Date.now", "var number: Int = 100", "var tickets: [UUID] = []",
      "var slips: [Data]?", "var state: State = State.open", "case done = \"d\"",
      "#Unique<Order>([\\.code], [\\.shop, \\.number])",
    ] {
      #expect(outcome.output.contains("    \(line)\n"), "\(line) in \(outcome.output)")
    }
    #expect(outcome.errors == "")
    try folder.write(Array(outcome.output.utf8), to: "Written.swift")
    #expect(try hashes(of: folder("Written.swift")) == hashes(of: folder("Shop.swift")))
    if SwiftCompiler.isPresent { #expect(try SwiftDataStandIns.complaints(about: [outcome.output]) == "") }
  }

  /// `#Unique` is there from iOS 18 on: what the source is built for decides, and `--deployment-target` before it.
  @Test(arguments: [("v17", nil, false), ("v18", nil, true), ("v17", "iOS=18.0", true), ("v18", "macOS=14", false)])
  func uniquenessIsWrittenForTheSystemsMeant(platform: String, option: String?, hasMacro: Bool) throws {
    let folder = try TemporaryFolder()
    let shop = Self.shop.replacing("#Unique<Order>", with: "#Index<Order>([\\.shop])\n    #Unique<Order>")
    try folder.write(Array(shop.utf8), to: "Shop.swift")
    let manifest = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "Shop", platforms: [.iOS(.\(platform))], targets: [.target(name: "Shop")])

      """
    try folder.write(Array(manifest.utf8), to: "Package.swift")
    let outcome = try Program.run(
      ["model", "convert", folder.path, "--to", "swift"] + (option.map { ["--deployment-target", $0] } ?? []))
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("#Unique") == hasMacro, "\(outcome.output)")
    #expect(outcome.output.contains("#Index") == hasMacro, "\(outcome.output)")
    #expect(outcome.output.contains("    @Attribute(.unique)\n    var code: String") == !hasMacro)
    let lost = "not kept: Order: the uniqueness constraint shop, number: #Unique is there from iOS 18 on"
    #expect(outcome.errors.contains(lost) == !hasMacro, "\(outcome.errors)")
  }
}
