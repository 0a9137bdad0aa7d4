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
}
