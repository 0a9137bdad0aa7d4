import Foundation
import TestSupport
import Testing

/// The documentation works as a reader sees it and shows what the program prints; `make docs` makes its output again.
@Suite struct DocumentationTests {
  @Test(
    .needs("python3"), .needs("git"), .needs("bsdtar"), .needs("jq"), .needs("sqlite3"), arguments: pages)
  func commandsPrintWhatPagesShow(page: String) throws {
    let outcome = try check(Project.folder, [page])
    #expect(outcome.status == 0, "run 'make docs'\n\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains(try Regex("^\(page): [1-9][0-9]* commands\n")))
  }

  /// All pages with commands, found independently of the script.
  static let pages: [String] = {
    let documents = (try? FileManager.default.subpathsOfDirectory(atPath: Project.path("docs"))) ?? []
    return (["README.md"] + documents.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }.sorted()).filter { page in
      let lines = (try? String(contentsOfFile: Project.path(page), encoding: .utf8))?.split(separator: "\n") ?? []
      return lines.contains { $0 == "```console" || $0.wholeMatch(of: /\s*\$ .+/) != nil }
    }
  }()

  @Test func thereArePagesThatShowSomething() {
    let some = ["README.md", "docs/guides/inspect.md", "docs/guides/the-app-cannot-open-the-store.md"]
    #expect(Set(some).isSubset(of: Self.pages), "\(Self.pages)")
  }

  /// The script itself works: it runs what a reader sees, and reports output that differs and what no reader sees.
  @Test(
    .needs("python3"),
    arguments: [
      ("```console\n$ cd examples/one\n$ true\n$ false\n$ echo $?\n1\n```\n", Int32(0)),
      ("```console\n$ cd examples/one\n$ false\n$ echo $?\n0\n```\n", 1),
      ("```console\n$ cd examples/one\n```\n\n```console\n$ ls\nmade\n```\n", 0),
      ("```console\n$ ls\n```\n", 1),
      ("```console\n$ cd examples/two\n```\n", 1),
      ("```console\n$ cd examples/one\n$ exit\n```\n", 1),
      ("```console\n$ cd examples/one\n```\n\n<!-- run: true -->\n", 1),
      ("<!-- sample: --version -->\n```\n0.0.0\n```\n", 1),
      ("<!--\nrun: true\n-->\n", 1),
      ("<!-- a remark -->\n", 0),
      ("<!--\n```console\n$ false\n```\n-->\n", 0),
      ("```sh\n$ storedoctor --version\n```\n", 1),
      ("    $ storedoctor --version\n", 1),
      ("<!-- not run: it builds -->\n```sh\n$ make install\n```\n", 0),
      ("```console\n$ cd examples/one\n```\n\n```yaml\n- run: storedoctor --version\n```\n", 0),
      ("```yaml\n- run: storedoctor --version\n```\n", 1),
      ("```console\n$ cd examples/one\n```\n\n```yaml\n- run: storedoctor model check no --pins no\n```\n", 1),
    ])
  func aPageIsFollowed(page: String, status: Int32) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder("examples/one"), withIntermediateDirectories: true)
    try folder.write([], to: "examples/one/made")
    try folder.write(Array(page.utf8), to: "README.md")
    let outcome = try check(folder.path)
    #expect(outcome.status == status, "\(outcome.output)\(outcome.errors)")
    #expect(try contents(of: folder("README.md")) == Array(page.utf8))
  }

  @Test(.needs("python3")) func pictureIsRealOutput() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.launch([
      "sh", "-c", "cd \"$0\" && exec python3 scripts/make-picture \"$@\"", Project.folder, Program.path,
      folder("picture.svg"),
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try contents(of: folder("picture.svg")) == contents(of: Project.path("docs/session.svg")), "run 'make docs'")
  }

  /// `storedoctor schema` knows every schema, and prints it as it stands.
  @Test func schemasAreThoseOfTheDocumentation() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Project.path("docs/schemas")).sorted()
    let list = try Program.run(["schema"])
    #expect(
      list.output.split(separator: "\n").map { $0.prefix { $0 != " " } + ".json" }.sorted() == files.map { $0[...] })
    for file in files {
      let text = try String(contentsOfFile: Project.path("docs/schemas/\(file)"), encoding: .utf8)
      let id = try #require(text.firstMatch(of: /"\$id": "([^"]+)"/)?.1)
      for name in [String(file.dropLast(5)), String(id)] {
        let outcome = try Program.run(["schema", name])
        #expect(outcome.output == text && outcome.status == 0, "run 'make docs'")
      }
    }
    let unknown = try Program.run(["schema", "diagnose"])
    #expect(unknown.status == 64 && unknown.errors.contains("there are anonymization, audit-baseline, "))
  }

  /// `docs/README.md` leads to every guide.
  @Test func everyGuideIsListed() throws {
    let list = try String(contentsOfFile: Project.path("docs/README.md"), encoding: .utf8)
    let guides = try FileManager.default.contentsOfDirectory(atPath: Project.path("docs/guides"))
    #expect(guides.filter { !list.contains("(guides/\($0))") } == [])
  }

  @Test func readmeIsShort() throws {
    let lines = try String(contentsOfFile: Project.path("README.md"), encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 160)
  }

  /// `make corpus` makes the examples again; SQLite's version, which it leaves in a store's header, may be another.
  @Test(.needs("python3")) func examplesAreAsTheyAreMade() throws {
    let copy = try TemporaryFolder()
    for name in ["corpus", "examples"] {
      try FileManager.default.copyItem(atPath: Project.path(name), toPath: copy(name))
    }
    let outcome = try Program.launch(["sh", Project.path("scripts/make-examples"), Program.path, copy.path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let files = { (folder: String) in
      Dictionary(
        uniqueKeysWithValues: try FileManager.default.subpathsOfDirectory(atPath: folder).compactMap { name in
          var isFolder: ObjCBool = false
          _ = FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
          if isFolder.boolValue { return nil }
          var bytes = try contents(of: folder + "/" + name)
          if bytes.count >= 100, bytes.starts(with: Array("SQLite format 3\0".utf8)) {
            bytes.replaceSubrange(96..<100, with: [0, 0, 0, 0])
          }
          return (name, bytes)
        } as [(String, [UInt8])])
    }
    let (made, committed) = (try files(copy("examples")), try files(Project.path("examples")))
    #expect(made.keys.sorted() == committed.keys.sorted())
    #expect(made.keys.filter { made[$0] != committed[$0] }.sorted() == [], "run 'make corpus'")
  }

  private func check(_ folder: String, _ pages: [String] = []) throws -> Program.Outcome {
    let script = Project.path("scripts/refresh-samples")
    return try Program.launch(
      ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder, "python3", script, Program.path, "--check"] + pages)
  }

  /// A long example would be broken by the terminal, and could not be pasted.
  @Test(arguments: [
    "inspect", "diagnose", "repair", "apply", "undo", "audit", "lint", "explain", "model show", "model hash",
    "model diff", "model match", "model pin", "model check", "model convert",
  ]) func examplesFitATerminal(command: String) throws {
    let help = try Program.run(
      ["help"] + command.split(separator: " ").map(String.init), environment: ["COLUMNS": "300"])
    let (_, examples) = try #require(help.output.wholeMatch(of: /(?s).*EXAMPLES\n(.*?)\n\n.*/)).output
    let tooLong = examples.split(separator: "\n").map(String.init).filter { $0.count > 80 }
    #expect(tooLong == [])
  }

  @Test(.needs("python3"), arguments: [("make-man", "docs/man"), ("make-check-pages", "docs/checks")])
  func generatedPagesAreUpToDate(script: String, pages folder: String) throws {
    let made = try TemporaryFolder()
    let outcome = try Program.launch(["python3", Project.path("scripts/\(script)"), Program.path, made.path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let pages = { (path: String) in
      Dictionary(
        uniqueKeysWithValues: try FileManager.default.contentsOfDirectory(atPath: path).map { name in
          (name, String(decoding: try contents(of: path + "/" + name), as: UTF8.self))
        })
    }
    #expect(try pages(made.path) == pages(Project.path(folder)), "run 'make docs'")
  }
}
