import Foundation
import TestSupport
import Testing

/// What the documentation shows is what the program does; `make docs` makes pages and samples again.
@Suite struct DocumentationTests {
  @Test(.needs("python3"), .needs("git"), .needs("bsdtar")) func samplesAreRealOutput() throws {
    let outcome = try check(Project.folder)
    #expect(outcome.status == 0, "run 'make docs'\n\(outcome.output)\(outcome.errors)")
    for page in ["README.md", "docs/guides/inspect.md", "docs/guides/the-app-cannot-open-the-store.md"] {
      #expect(outcome.output.contains(try Regex("\(page): [1-9][0-9]* samples\n")), "no samples in \(page)")
    }
  }

  /// What the test above rests on: each kind of sample is run, and another output is noticed.
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

  private func check(_ folder: String) throws -> Program.Outcome {
    let script = Project.path("scripts/refresh-samples")
    return try Program.launch(
      ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder, "python3", script, Program.path, "--check"],
      // Every guide is walked from its beginning to its end.
      limit: 900)
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
