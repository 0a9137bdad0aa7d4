import Foundation
import TestSupport
import Testing

/// What the documentation shows is what the program does; `make docs` makes pages and samples again.
@Suite struct DocumentationTests {
  @Test func samplesAreRealOutput() throws {
    let samples = try Sample.all()
    #expect(samples.contains { $0.page == "README.md" })
    for sample in samples {
      let outcome = try Program.launch(
        ["sh", "-c", "cd \"$0\" && exec \"$@\" 2>&1", Project.folder, Program.path] + sample.arguments)
      #expect(
        outcome.output == sample.output,
        "\(sample.page): 'storedoctor \(sample.arguments.joined(separator: " "))' prints something else; run 'make docs'"
      )
    }
  }

  @Test(.needs("python3")) func manualPagesAreUpToDate() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.launch(["python3", Project.path("scripts/make-man"), Program.path, folder.path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let pages = { (path: String) in
      Dictionary(
        uniqueKeysWithValues: try FileManager.default.contentsOfDirectory(atPath: path).map { name in
          (name, String(decoding: try contents(of: path + "/" + name), as: UTF8.self))
        })
    }
    #expect(try pages(folder.path) == pages(Project.path("docs/man")), "run 'make docs'")
  }
}

/// A fenced block after `<!-- sample: ARGUMENTS -->`.
private struct Sample {
  var page: String
  var arguments: [String]
  var output: String

  static func all() throws -> [Sample] {
    let docs = try FileManager.default.subpathsOfDirectory(atPath: Project.path("docs")).map { "docs/" + $0 }
    return try (["README.md"] + docs.filter { $0.hasSuffix(".md") }.sorted()).flatMap(samples)
  }

  private static func samples(in page: String) throws -> [Sample] {
    let text = String(decoding: try contents(of: Project.path(page)), as: UTF8.self)
    let mark = /<!-- sample: (.+?) -->\n\n?```[a-z]*\n((?s).*?)```\n/
    return text.matches(of: mark).map { match in
      Sample(page: page, arguments: match.1.split(separator: " ").map(String.init), output: String(match.2))
    }
  }
}
