import Foundation
import StoreSQLite
import TestSupport
import Testing

/// What the text of a plan or a rehearsal says, its page says, too.
@Suite struct FormatSectionTests {
  /// The headings of a text: lines that begin at its edge, but the first.
  private func headings(_ text: String) -> [String] {
    text.split(separator: "\n").dropFirst().filter { $0.first?.isWhitespace == false && !$0.hasPrefix("- ") }
      .map(String.init)
  }

  private func plain(_ html: String) -> String {
    // A place where a line may break is no character.
    html.replacingOccurrences(of: "<wbr>", with: "")
      .replacingOccurrences(of: "&#39;", with: "'").replacingOccurrences(of: "&quot;", with: "\"")
      .replacingOccurrences(of: "&amp;", with: "&").replacingOccurrences(of: "&lt;", with: "<")
      .replacingOccurrences(of: "&gt;", with: ">")
  }

  /// The words of a page, as a person reads them.
  private func words(_ html: String) -> String {
    let body = html.range(of: "<body>").map { String(html[$0.upperBound...]) } ?? html
    return plain(
      body.replacingOccurrences(of: "<wbr>", with: "").replacingOccurrences(
        of: "<[^>]*>", with: " ", options: .regularExpression)
    )
    .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Each piece of a text between wide gaps, without marks, and without what a page says in columns of its own: the number of
  /// changes and the grade behind an operation, a count before and after, objects that become one, keys alone in one line.
  private func pieces(_ text: String) -> [String] {
    text.split(separator: "\n").flatMap { line -> [String] in
      let line = line.replacingOccurrences(of: " \\([0-9]+ changes?, [a-z]+\\)$", with: "", options: .regularExpression)
      return line.components(separatedBy: "  ").map { piece in
        piece.trimmingCharacters(in: .whitespaces)
          .replacingOccurrences(of: "^[EWN?!#-] ", with: "", options: .regularExpression)
      }
    }.filter { piece in
      !piece.isEmpty && !piece.hasPrefix("keep ")
        && piece.wholeMatch(of: /[0-9]+ -> [0-9]+|[A-Z][A-Za-z-]* [0-9]+(-[0-9]+)?(, [0-9]+(-[0-9]+)?)*/) == nil
    }
  }

  /// A store, broken by SQL, and what is asked of it.
  private static let samples: [(sql: String, words: [String])] = [
    ("UPDATE ZNOTE SET ZFOLDER = 999 WHERE Z_PK = 3", ["--safe"]),
    ("UPDATE ZNOTE SET ZTITLE = NULL", ["--safe", "--model", "MODEL"]),
    ("UPDATE ZNOTE SET ZTITLE = 'a'", ["--dedupe", "Note.title", "--model", "MODEL"]),
    ("UPDATE ZNOTE SET ZCREATEDAT = NULL", ["--backfill", "Note.createdAt=2024-05-01", "--model", "MODEL"]),
    ("DELETE FROM ZFOLDER", ["--dangling", "delete-source"]),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 1", ["--safe", "--dedupe", "Note.uuid"]),
  ]

  @Test(arguments: samples.indices) func thePageOfAPlanHasEverySection(_ number: Int) throws {
    let sample = Self.samples[number]
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    try Connection(writing: store, create: false).execute(sample.sql)
    let words = sample.words.map { $0 == "MODEL" ? Project.path("corpus/Notes.xcdatamodeld") : $0 }
    let text = try Program.run(["repair", store, "--examples", "1000"] + words, environment: ["COLUMNS": "1000"])
    let html = try Program.run(["repair", store] + words + ["--format", "html"])
    #expect(html.status == text.status, "\(html.errors)")
    // An attribute is none of a text that was escaped.
    #expect(!html.output.contains("=&quot;"))
    #expect(html.output.contains("Repair plan</b>"))
    let page = plain(html.output)
    let found = headings(text.output)
    #expect(!found.isEmpty, "\(text.output)\(text.errors)")
    for heading in found { #expect(page.contains(heading), "\(heading)") }
    let shown = self.words(html.output)
    // The last section of the text names the command of the text, and that of a page the command of the page.
    for piece in pieces(text.output.components(separatedBy: "\nNext\n")[0]) {
      #expect(shown.contains(piece), "\(piece)")
    }
    for fact in ["made", "storedoctor repair"] + (words.contains("--model") ? ["model"] : []) {
      #expect(page.contains(fact), "\(fact)")
    }
    // The verdicts of the model, before and after.
    for line in text.output.split(separator: "\n") where line.hasPrefix("  before  ") || line.hasPrefix("  after   ") {
      #expect(page.contains(line.dropFirst(10)), "\(line)")
    }
  }

  @Test(arguments: [[], ["--allow-assumed"], ["--fail-on-loss"]]) func thePageOfARehearsalHasEverySection(
    _ options: [String]
  ) throws {
    let folder = try TemporaryFolder()
    let stores = folder("stores")
    try FileManager.default.createDirectory(atPath: stores, withIntermediateDirectories: false)
    for name in ["Notes", "Shop", "School"] {
      try FileManager.default.copyItem(
        atPath: Project.path("corpus/\(name).sqlite"), toPath: stores + "/\(name).sqlite")
    }
    let words = ["rehearse", stores, "--model", Project.path("corpus/Notes.xcdatamodeld"), "--quiet"] + options
    let text = try Program.run(words, environment: ["COLUMNS": "1000"])
    let html = try Program.run(words + ["--format", "html"]).output
    let page = plain(html)
    let shown = self.words(html)
    #expect(!html.contains("=&quot;"))
    // How long each took is not the same twice.
    for piece in pieces(text.output) where !piece.hasSuffix(" ms") { #expect(shown.contains(piece), "\(piece)") }
    for heading in headings(text.output) { #expect(page.contains(heading), "\(heading)") }
    for fact in ["made", "model", "storedoctor rehearse"] { #expect(page.contains(fact), "\(fact)") }
  }

  /// Every line of a format of lines is a document, and no line is empty.
  @Test(arguments: [
    ["diagnose", "STORE", "--no-config"], ["rows", "STORE", "Note"], ["rows", "STORE", "Note", "--deleted"],
    ["timeline", "STORE"], ["timeline", "STORE", "--deleted"], ["recover", "STORE"],
    ["compare", "STORE", "OTHER"], ["audit", "STORE", "--no-config"], ["rehearse", "STORE", "--model", "MODEL"],
  ])
  func everyLineIsADocument(_ command: [String]) throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let places = [
      "STORE": store, "OTHER": Project.path("corpus/Notes.sqlite"), "MODEL": Project.path("corpus/Notes.xcdatamodeld"),
    ]
    let outcome = try Program.run(command.map { places[$0] ?? $0 } + ["--format", "jsonl"])
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(!lines.isEmpty && outcome.output.hasSuffix("\n"), "\(outcome.errors)")
    for line in lines { #expect(throws: Never.self) { try JSONTree(String(line)) } }
  }
}
