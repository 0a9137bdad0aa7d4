import Foundation
import TestSupport
import Testing

/// `storedoctor lint`, with the built reader of Swift source beside it.
@Suite struct LintCommandTests {
  private let source = """
    enum V1: VersionedSchema {
      static var versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [Note.self] }
      @Model final class Note {
        var description = ""
        lazy var cache = 1
        init() {}
      }
    }

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Array(source.utf8), to: "V1.swift")
    return folder
  }

  private func lint(_ folder: TemporaryFolder, _ arguments: String...) throws -> Program.Outcome {
    try Program.run(["lint", folder("V1.swift"), "--no-config"] + arguments, environment: ["COLUMNS": "300"])
  }

  /// A report is replaced on request, and source never.
  @Test func forceReplacesAReport() throws {
    let folder = try folder()
    try folder.write(Array("old".utf8), to: "report.txt")
    let refused = try lint(folder, "--report", folder("report.txt"))
    #expect(refused.status == 2 && refused.errors.contains("it exists; --force replaces it"), "\(refused.errors)")
    #expect(try lint(folder, "--report", folder("report.txt"), "--force").status == 1)
    #expect(try String(contentsOfFile: folder("report.txt"), encoding: .utf8).contains("SD983"))
    let onSource = try lint(folder, "--report", folder("V1.swift"), "--force")
    #expect(onSource.status == 2 && onSource.errors.contains("is Swift source, which is not replaced"))
    #expect(try String(contentsOfFile: folder("V1.swift"), encoding: .utf8) == source)
  }

  @Test func printsFindingsWithTheirLines() throws {
    let folder = try folder()
    let outcome = try lint(folder)
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(
      outcome.output.replacing(folder.path + "/", with: "") == """
        V1.swift:2:10: note: versionIdentifier is a stored static var, which Swift 6 does not take: write let [SD995 \
        static-var-in-version]
            2 |   static var versionIdentifier = Schema.Version(1, 0, 0)
              |          ^~~
          fix: write let
        V1.swift:5:9: error: a property named description is refused [SD983 property-name-taken]
            5 |     var description = ""
              |         ^~~~~~~~~~~
        V1.swift:6:14: error: Note.cache cannot be persisted: it is lazy [SD984 property-cannot-be-persisted]
            6 |     lazy var cache = 1
              |              ^~~~~

        2 errors, 1 note in 1 file, 1 version and 0 plans
        not checked: nothing that was shipped is given: --store, --pins, --git [SD908, SD909]
        'storedoctor lint --fix' shows what can be mended for certain

        """)
  }

  @Test func theGateDecidesTheStatus() throws {
    let folder = try folder()
    #expect(try lint(folder, "--fail-on", "never").status == 0)
    #expect(try lint(folder, "--check", "SD995").status == 0)
    #expect(try lint(folder, "--check", "static-var-in-version", "--fail-on", "note").status == 1)
    #expect(try lint(folder, "--check", "dangling-reference").status == 64)
    #expect(try lint(folder, "--in-place").status == 64)
    #expect(try lint(folder, "--tags", "v*").status == 64)
    #expect(try lint(folder, "--git", folder.path).status == 2)
    #expect(try Program.run(["lint", folder("nowhere")]).status == 2)
    #expect(try Program.run(["lint"]).status == 64)
  }

  /// A gate that looked at nothing has not passed.
  @Test func sourceWithoutModelsIsNoWork() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("struct Note { var text = 1 }\n".utf8), to: "Note.swift")
    let outcome = try Program.run(["lint", folder.path, "--no-config"])
    #expect(outcome.status == 2)
    #expect(outcome.output == "")
    #expect(
      outcome.errors.contains(
        "found no @Model class, VersionedSchema or container in 1 Swift file in '\(folder.path)'"), "\(outcome.errors)")
    // A mistake that costs the only model is still said.
    try folder.write(Array("@Model struct Note { var text = 1 }\n".utf8), to: "Note.swift")
    #expect(try Program.run(["lint", folder.path, "--no-config"]).output.contains("SD985"))
  }

  @Test func showsFixesAndMakesThemWhenAsked() throws {
    let folder = try folder()
    let shown = try lint(folder, "--fix")
    #expect(shown.status == 0)
    #expect(
      shown.output.replacing(folder.path + "/", with: "") == """
        --- V1.swift
        +++ V1.swift
        @@ -1,5 +1,5 @@
         enum V1: VersionedSchema {
        -  static var versionIdentifier = Schema.Version(1, 0, 0)
        +  static let versionIdentifier = Schema.Version(1, 0, 0)
           static var models: [any PersistentModel.Type] { [Note.self] }
           @Model final class Note {
             var description = ""

        """)
    #expect(try contents(of: folder("V1.swift")) == Array(source.utf8))
    #expect(try lint(folder, "--fix", "--in-place").status == 0)
    #expect(
      try contents(of: folder("V1.swift"))
        == Array(source.replacing("static var versionIdentifier", with: "static let versionIdentifier").utf8))
    #expect(try lint(folder, "--fix").errors.contains("nothing here is certain to mend"))
  }

  @Test(arguments: [("json", "{"), ("sarif", "{"), ("junit", "<?xml"), ("xcode", "/"), ("github", "::notice file=")])
  func hasFormatsForMachines(format: String, start: String) throws {
    let outcome = try lint(try folder(), "--format", format)
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix(start) && outcome.output.contains("SD983"))
  }

  @Test func saysHowToGetTheReader() throws {
    let folder = try folder()
    let program = try folder.copyProgram(Program.path, to: "storedoctor")
    let outcome = try Program.launch([program, "lint", folder("V1.swift")], environment: ["PATH": "/nowhere"])
    #expect(outcome.status == 2)
    #expect(
      outcome.errors.contains("'storedoctor-swiftdata' is neither beside storedoctor nor in PATH; 'make install'"))
  }
}
