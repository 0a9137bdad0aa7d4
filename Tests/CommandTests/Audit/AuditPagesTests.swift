import Foundation
import TestSupport
import Testing

/// Pages about the stores of an audit, by the built program.
@Suite struct AuditPagesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder("stores"), withIntermediateDirectories: true)
    for name in ["Notes", "School"] {
      try FileManager.default.copyItem(
        atPath: Project.path("corpus/\(name).sqlite"), toPath: folder("stores/\(name)<b>.sqlite"))
    }
  }

  private func audit(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(
      ["audit", folder("stores"), "--no-config", "--fail-on", "never", "--report-dir", folder("pages")] + arguments)
  }

  private func links(_ page: String) throws -> [String] {
    let text = String(decoding: try contents(of: page), as: UTF8.self)
    return text.matches(of: /href="([^"]+\.html)"/).map { String($0.output.1) }
  }

  @Test func eachStoreHasItsPage() throws {
    let outcome = try audit([])
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.split(separator: "\n").count == 2)
    #expect(outcome.errors.contains("wrote 2 pages about stores to '\(folder("pages"))'; begin with index.html"))
    let names = try links(folder("pages/index.html"))
    #expect(
      String(decoding: try contents(of: folder("pages/index.html")), as: UTF8.self)
        .contains("<a href=\"#list\">All 2 stores, each with a page of its own</a>"))
    #expect(names.sorted() == ["1-Notes_b__sqlite.html", "2-School_b__sqlite.html"].sorted())
    for name in names {
      let page = String(decoding: try contents(of: folder("pages/" + name)), as: UTF8.self)
      #expect(page.contains("<section id=\"entities\"") && page.contains("storedoctor report &#39;"))
      #expect(!page.contains("--made-by") && !page.contains("_SUPPORT"))
    }
  }

  @Test func thePageOfTheAuditLeadsThere() throws {
    let outcome = try audit(["--summary", "--format", "html", "--report", folder("fleet.html"), "--quiet"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(try links(folder("fleet.html")).count == 2)
    for link in try links(folder("fleet.html")) {
      #expect(link.hasPrefix("pages/") && FileManager.default.fileExists(atPath: folder(link)))
    }
  }

  /// A page that cannot be made costs no other, and both the terminal and the page of the audit say why.
  @Test func onePageLessCostsNoOther() throws {
    _ = try folder.write(Array("SQLite format 3\u{0}nothing".utf8), to: "stores/broken.sqlite")
    let outcome = try audit(["--unique", "Note.title"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("storedoctor: no page about '\(folder("stores/School<b>.sqlite"))': "),
      "\(outcome.errors)")
    #expect(try links(folder("pages/index.html")).count == 1)
    let index = String(decoding: try contents(of: folder("pages/index.html")), as: UTF8.self)
    #expect(index.components(separatedBy: "no page: ").count == 3)
    #expect(index.contains("no page: it was not read"))
  }

  @Test func storesInArchivesHavePages() throws {
    let zip = try Program.launch([
      "python3", "-m", "zipfile", "-c", folder("stores.zip"), Project.path("corpus/Notes.sqlite"),
    ])
    try #require(zip.status == 0, "\(zip.errors)")
    let outcome = try Program.run(
      ["audit", folder("stores.zip"), "--no-config", "--fail-on", "never", "--report-dir", folder("pages")])
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(try links(folder("pages/index.html")) == ["1-Notes_sqlite.html"], "\(outcome.errors)")
  }

  @Test func nothingIsOverwritten() throws {
    try FileManager.default.createDirectory(atPath: folder("pages"), withIntermediateDirectories: true)
    _ = try folder.write(Array("mine".utf8), to: "pages/index.html")
    let outcome = try audit([])
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("it exists and is not empty; name a new folder"))
    #expect(try contents(of: folder("pages/index.html")) == Array("mine".utf8))
    let merged = try Program.run(["audit", "--merge", "lines.jsonl", "--report-dir", folder("new")])
    #expect(merged.status == 64 && merged.errors.contains("leave one out"))
  }
}
