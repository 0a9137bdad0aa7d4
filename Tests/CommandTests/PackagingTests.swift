import Foundation
import TestSupport
import Testing

/// What a release consists of, with stand-ins for its static programs, and what stands beside the program: its Python module, its
/// version, the changes of its JSON Schemas.
@Suite struct PackagingTests {
  /// Python with the packages that `scripts/setup test` installs.
  static let python = Project.path(".build/python/bin/python3")

  private func launch(_ words: [String], _ environment: [String: String] = [:]) throws -> Program.Outcome {
    let shell = ["sh", "-c", "cd \"$0\" && exec \"$@\"", Project.folder]
    return try Program.launch(shell + words, environment: environment.merging(["STOREDOCTOR": Program.path]) { $1 })
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: Project.path(path), encoding: .utf8)
  }

  /// A script in the place of the static program, which takes half an hour to build, that runs the one that is tested.
  private func release(into folder: TemporaryFolder, _ name: String) throws -> [String] {
    try FileManager.default.createDirectory(atPath: folder("programs"), withIntermediateDirectories: true)
    for program in ["storedoctor", "storedoctor-swiftdata"] {
      _ = try folder.writeScript("exec '\(Program.path)' \"$@\"", to: "programs/\(program)")
    }
    let version = try launch(["scripts/version"]).output.dropLast()
    let made = try launch(
      ["scripts/make-dist", String(version)],
      [
        "STOREDOCTOR_PROGRAMS": folder("programs"), "STOREDOCTOR_DIST": folder(name), "SOURCE_DATE_EPOCH": "1700000000",
      ])
    try #require(made.status == 0, "\(made.errors)")
    return try FileManager.default.contentsOfDirectory(atPath: folder(name)).sorted()
  }

  @Test(.needs("python3"), .needs("dpkg-deb"), .needs("swift"), .needs("git"))
  func aReleaseIsTheSameBytesTwiceAndHoldsWhatItSays() throws {
    let folder = try TemporaryFolder()
    let files = try release(into: folder, "dist")
    #expect(try release(into: folder, "again") == files)
    for file in files {
      #expect(try contents(of: folder("dist/\(file)")) == contents(of: folder("again/\(file)")), "\(file)")
    }
    let version = try Program.run(["--version"]).output.dropLast()
    #expect(
      files.map { $0.replacing(/_?(x86_64|amd64|arm64|aarch64)/, with: "") }.map { $0.prefix(27) } == [
        "SHA256SUMS", "storedoctor-\(version)-linux-.tar.gz".prefix(27), "storedoctor-\(version)-py3-none-m".prefix(27),
        "storedoctor-\(version)-swiftpm-linux-.zip".prefix(27),
        "storedoctor_\(version).deb".prefix(27),
      ])

    let archive = try #require(files.first { $0.hasSuffix(".tar.gz") })
    let list = try launch(["tar", "-tzf", folder("dist/\(archive)")]).output.split(separator: "\n")
    let members = Set(list.map { $0.drop { $0 != "/" }.dropFirst() })
    for member in [
      "bin/storedoctor", "bin/storedoctor-swiftdata", "share/man/man1/storedoctor.1", "share/doc/storedoctor/LICENSE",
      "share/bash-completion/completions/storedoctor", "share/zsh/site-functions/_storedoctor",
      "share/fish/vendor_completions.d/storedoctor.fish", "share/storedoctor/schemas/diagnosis.json",
      "share/doc/storedoctor/licences/swift.txt", "share/doc/storedoctor/licences/swift-syntax.txt",
    ] { #expect(members.contains(member[...]), "\(member)") }

    let package = try #require(files.first { $0.hasSuffix(".deb") })
    let fields = try launch(["dpkg-deb", "--field", folder("dist/\(package)"), "Package", "Version", "Depends"])
    #expect(fields.output == "Package: storedoctor\nVersion: \(version)\n")
  }

  /// A Swift package with the programs as an artifact bundle, whose plugin depends on them.
  @Test(.needs("python3"), .needs("dpkg-deb"), .needs("swift"), .needs("git"), .needs("bsdtar"))
  func thePluginComesWithItsPrograms() throws {
    let folder = try TemporaryFolder()
    let zip = try #require(try release(into: folder, "dist").first { $0.hasSuffix(".zip") })
    try FileManager.default.createDirectory(atPath: folder("out"), withIntermediateDirectories: false)
    try #require(try launch(["bsdtar", "-xf", folder("dist/\(zip)"), "-C", folder("out")]).status == 0)
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder("out")).first)
    let bundle = folder("out/\(name)/storedoctor.artifactbundle")
    let info = try JSONTree(String(decoding: contents(of: bundle + "/info.json"), as: UTF8.self))
    let version = try launch(["scripts/version"]).output.dropLast()
    #expect(info["artifacts"]?["storedoctor"]?["version"]?.string == String(version))
    for program in ["storedoctor", "storedoctor-swiftdata"] {
      #expect(FileManager.default.isExecutableFile(atPath: "\(bundle)/bin/\(program)"))
    }
    let package = try launch(["swift", "package", "--package-path", folder("out/\(name)"), "dump-package"])
    try #require(package.status == 0, "\(package.errors)")
    #expect(package.output.contains("storedoctor.artifactbundle") && package.output.contains("StoreDoctorLint"))
  }

  /// The wheel installs into an empty environment, and its module finds its own program.
  @Test(.needs("python3"), .needs("dpkg-deb"), .needs("swift"), .needs("git"))
  func theWheelIsInstalledWithItsProgram() throws {
    let folder = try TemporaryFolder()
    let wheel = try #require(try release(into: folder, "dist").first { $0.hasSuffix(".whl") })
    let environment = folder("environment")
    try #require(try launch(["python3", "-m", "venv", environment]).status == 0)
    let installed = try launch(
      [environment + "/bin/pip", "install", "--quiet", "--no-index", folder("dist/\(wheel)")], ["PYTHONPATH": ""])
    try #require(installed.status == 0, "\(installed.errors)")
    let script =
      "import storedoctor; print(storedoctor.program()); print(storedoctor.diagnose('corpus/Notes.sqlite').verdict)"
    let said = try Program.launch(
      [
        "sh", "-c", "cd \"$0\" && unset STOREDOCTOR && exec \"$@\"", Project.folder, environment + "/bin/python", "-c",
        script,
      ])
    #expect(said.output == "\(environment)/bin/storedoctor\nhealthy\n", "\(said.errors)")
  }

  @Test(.needs("python3"), .needs("swift"), .needs("git"))
  func aReleaseOfAnotherVersionIsRefused() throws {
    let folder = try TemporaryFolder()
    _ = try release(into: folder, "dist")
    for (version, words) in [("9.9.9", "not 9.9.9"), ("", "give a version"), ("1.2", "give a version")] {
      let outcome = try launch(
        ["scripts/make-dist", version],
        ["STOREDOCTOR_PROGRAMS": folder("programs"), "STOREDOCTOR_DIST": folder("other")])
      #expect(outcome.status == 2 && outcome.errors.contains(words), "\(outcome.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder("other")))
  }

  /// `Sources/StoreReports/ToolVersion.swift` has it; what names it besides names the same.
  @Test func theVersionStandsInOnePlace() throws {
    let version = try Program.run(["--version"]).output.dropLast()
    #expect(try launch(["scripts/version"]).output.dropLast() == version)
    let mentions = [
      ("README.md", "Version \(version)"), ("CHANGELOG.md", "\n## \(version) "),
      ("docs/promises.md", "version \(version)."),
      ("docs/in-a-program.md", "exact: \"\(version)\""), ("docs/guides/lint-before-a-commit.md", "rev: v\(version)"),
      ("packaging/storedoctor.rb", "tag: \"v\(version)\""), ("packaging/Containerfile", "storedoctor-\(version)-linux"),
    ]
    for (file, words) in mentions { #expect(try text(file).contains(words), "\(file)") }
    let first = try text("CHANGELOG.md").split(separator: "\n").first { $0.hasPrefix("## ") }
    #expect(first?.hasPrefix("## \(version) ") == true)
  }

  /// What changed in the schemas since the last release stands in the list of changes, and nothing breaks unsaid.
  @Test(.needs("python3")) func theListOfChangesHasThoseOfTheSchemas() throws {
    let baseline = Project.path("Tests/Expectations/schemas-0.1.0.tar.gz")
    let outcome = try launch(["scripts/compare-schemas", baseline, "docs/schemas"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let block = try #require(
      try text("CHANGELOG.md").firstMatch(of: /\n### JSON Schemas since (?s).*?\n```\n(.*?)```\n/)
    ).1
    #expect(block == outcome.output, "run 'make docs'")
  }

  @Test(.needs("python3")) func schemasAreCompared() throws {
    let folder = try TemporaryFolder()
    for (name, required, type) in [("old", #"["a","b"]"#, "integer"), ("new", #"["a"]"#, "string")] {
      try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
      let members = #""a": {"type": "\#(type)"}, "b": {}, "\#(name)": {}"#
      let schema = #"{"$id": "storedoctor.x/1", "required": \#(required), "properties": {\#(members)}}"#
      try folder.write(Array(schema.utf8), to: "\(name)/x.json")
    }
    let outcome = try launch(["scripts/compare-schemas", folder("old"), folder("new")])
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        ! x: old: gone
          x: new: new
        ! x: b: may be absent now
        ! x: a: string, was integer

        """)
    #expect(try launch(["scripts/compare-schemas", folder("old"), folder("old")]).output.isEmpty)
  }

  // MARK: Python

  @Test(.needs("python3")) func thePythonModuleGivesWhatTheProgramSays() throws {
    let outcome = try launch(["python3", "python/tests/test_storedoctor.py"])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: python), "skipped: 'scripts/setup test' installs mypy"))
  func thePythonModuleIsTyped() throws {
    let outcome = try launch([
      Self.python, "-m", "mypy", "--strict", "--cache-dir=/dev/null", "python/storedoctor", "python/tests",
    ])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }

  /// The client of the protocol's makers lists and calls every tool, and is refused what it may not have.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: python), "skipped: 'scripts/setup test' installs the client"))
  func theOfficialClientOfTheModelContextProtocolCallsEveryTool() throws {
    let outcome = try launch([Self.python, "python/tests/test_mcp.py"])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: python), "skipped: 'scripts/setup test' installs pandas"))
  func theNotebookShowsWhatItsCellsGive() throws {
    let outcome = try launch([Self.python, "scripts/run-notebook", Program.path, "examples/fleet.ipynb", "--check"])
    #expect(outcome.status == 0, "run 'make docs'\n\(outcome.output)\(outcome.errors)")
  }
}
