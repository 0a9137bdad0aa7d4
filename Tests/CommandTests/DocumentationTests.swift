import Foundation
import TestSupport
import Testing

/// The samples in the documentation show what the program prints; `make docs` makes them again.
@Suite struct DocumentationTests {
  @Test(.needs("python3"), .needs("git"), .needs("bsdtar"), arguments: pages)
  func samplesAreRealOutput(page: String) throws {
    let outcome = try check(Project.folder, [page])
    #expect(outcome.status == 0, "run 'make docs'\n\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains(try Regex("^\(page): [1-9][0-9]* samples\n")))
  }

  /// All pages with samples, found independently of the script.
  static let pages: [String] = {
    let documents = (try? FileManager.default.subpathsOfDirectory(atPath: Project.path("docs"))) ?? []
    return (["README.md"] + documents.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }.sorted()).filter { page in
      let lines = (try? String(contentsOfFile: Project.path(page), encoding: .utf8))?.split(separator: "\n") ?? []
      return lines.contains { $0 == "```console" || $0.hasPrefix("<!-- sample: ") || $0.hasPrefix("<!-- run: ") }
    }
  }()

  @Test func thereArePagesThatShowSomething() {
    let some = ["README.md", "docs/guides/inspect.md", "docs/guides/the-app-cannot-open-the-store.md"]
    #expect(Set(some).isSubset(of: Self.pages), "\(Self.pages)")
  }

  /// The script itself works: it runs each kind of sample and reports output that differs.
  @Test(
    .needs("python3"),
    arguments: [
      ("<!-- sample: --version -->\n```\n0.0.0\n```\n", Int32(1)),
      ("```console\n$ true\n$ false\n$ echo $?\n1\n```\n", 0),
      ("```console\n$ false\n$ echo $?\n0\n```\n", 1),
      ("<!-- run: echo made > file -->\n\n```console\n$ cat file\nmade\n$ ls corpus\nempty\n```\n", 0),
      ("<!-- run: false -->\n", 1),
      ("```yaml\n- run: storedoctor --version\n```\n", 0),
      ("```yaml\n- run: storedoctor model check nothing --pins nothing\n```\n", 1),
    ])
  func aPageIsFollowed(page: String, status: Int32) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder("corpus"), withIntermediateDirectories: false)
    try folder.write([], to: "corpus/empty")
    try folder.write(Array(page.utf8), to: "README.md")
    let outcome = try check(folder.path)
    #expect(outcome.status == status, "\(outcome.output)\(outcome.errors)")
    #expect(try contents(of: folder("README.md")) == Array(page.utf8))
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
