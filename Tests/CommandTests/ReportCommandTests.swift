import Foundation
import StoreSQLite
import TestSupport
import Testing

/// The page about one store, by the built program.
@Suite struct ReportCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes the page of a store; its markup.
  private func page(_ arguments: [String]) throws -> String {
    let output = folder("page.html")
    let outcome = try Program.run(["report", "--no-config", "--force", "--output", output] + arguments)
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    return String(decoding: try contents(of: output), as: UTF8.self)
  }

  /// The words of a page, as a person reads them.
  private func words(_ page: String) -> String {
    var text = page
    if let end = text.range(of: "<body>") { text = String(text[end.upperBound...]) }
    // A break within a name is none of the text.
    text = text.replacingOccurrences(of: "<wbr>", with: "")
    text = text.replacingOccurrences(
      of: "<span class=\"opt\">([^<]*)</span>", with: "$1", options: .regularExpression)
    text = text.replacingOccurrences(of: "<[^>]*>", with: " ", options: .regularExpression)
    for (name, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&ensp;", " "), ("&amp;", "&"),
    ] {
      text = text.replacingOccurrences(of: name, with: character)
    }
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static let cases: [[String]] =
    ["Club", "Guests", "Notes", "School", "SchoolBridge", "Shapes"].map { [Project.path("corpus/\($0).sqlite")] }
    + [
      [Project.path("corpus/Notes.sqlite"), "--model", Project.path("corpus/Notes.xcdatamodeld")],
      [Project.path("corpus/Guests.sqlite"), "--model", Project.path("corpus/Guests.xcdatamodeld")],
      [Project.path("corpus/School.sqlite"), "--model", Project.path("corpus/School.xcdatamodeld")],
      [Project.path("corpus/School.sqlite"), "--model", Project.path("corpus/Notes.xcdatamodeld")],
    ]

  /// Each line of the text of `diagnose`, without the mark at its beginning, and that before the note on a command.
  @Test(arguments: cases) func saysAllThatDiagnoseSays(_ arguments: [String]) throws {
    let text = try Program.run(["diagnose", "--no-config", "--unfold", "--fail-on", "never"] + arguments).output
    let page = words(try page(arguments))
    let lines = text.split(separator: "\n").map { line in
      let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return words.replacingOccurrences(of: "^[EWN?!#*-] ", with: "", options: .regularExpression)
        .replacingOccurrences(of: " # ", with: " ")
    }
    #expect(lines.count >= 3)
    // How many there are besides the verdict's own, the page shows by showing them.
    for line in lines where !line.hasPrefix("Other findings: ") && line != "Next" {
      #expect(page.contains(line), "\(line)")
    }
  }

  /// Findings of a sick store, folded and not.
  @Test func saysEachFindingOfASickStore() throws {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: store, create: false)
    try writer.execute("UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK IN (3, 7); DELETE FROM ZTAG WHERE Z_PK = 2")
    writer.close()
    try saysAllThatDiagnoseSays([store])
    let page = words(try page([store]))
    #expect(page.contains("This store can be read, and something is wrong with it"))
    #expect(page.contains("storedoctor repair \(store) --safe what is safe to mend; shows a plan"))
  }

  /// The gravest first, whatever the entity.
  @Test func findingsStandBySeverity() throws {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: store, create: false)
    try writer.execute("UPDATE ZTAG SET ZNAME = NULL WHERE Z_PK = 2; UPDATE Z_PRIMARYKEY SET Z_MAX = 1")
    writer.close()
    let page = try page([store])
    let found = page.matches(of: /<article class="finding"><p class="line"><span class="sev ([a-z]+)">/)
      .map { String($0.output.1) }
    let grades = ["error", "warning", "note"]
    #expect(Set(found).count > 1)
    #expect(found == found.sorted { grades.firstIndex(of: $0) ?? 9 < grades.firstIndex(of: $1) ?? 9 }, "\(found)")
  }

  /// A recipe is lines of text, and its indents count.
  @Test func aRecipeKeepsItsLines() throws {
    let page = try page([
      Project.path("examples/mend-then-ship/Notes.sqlite"), "--model",
      Project.path("examples/mend-then-ship/Notes.xcdatamodeld"),
    ])
    #expect(page.contains("<pre class=\"code\">version: 1\ndedupe:\n  "))
    #expect(!page.contains("\\u{a}"))
  }

  @Test func isOneFileThatLoadsNothing() throws {
    let page = try page([Project.path("corpus/Notes.sqlite")])
    #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n"))
    #expect(page.contains("content=\"default-src 'none'; style-src 'sha256-"))
    for word in [" style=", " src=", "http:", "https:", "<script", "<link", "<img", "HTML(text", " onclick="] {
      #expect(!page.contains(word), "\(word)")
    }
    // Each place that is led to is there, once.
    let targets = page.matches(of: /href="#([a-z0-9-]+)"/).map { String($0.output.1) }
    #expect(targets.contains("e-4"))
    for target in Set(targets) { #expect(page.components(separatedBy: " id=\"\(target)\"").count == 2, "\(target)") }
  }

  @Test func hasValuesOnlyWhenAsked() throws {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: store, create: false)
    try writer.execute("UPDATE ZNOTE SET ZTITLE = 'Zebra crossing' WHERE Z_PK = 3")
    writer.close()
    #expect(!(try page([store])).contains("Zebra"))
    #expect(try words(page([store, "--show-values"])).contains("'Zebra crossing'"))
  }

  @Test func saysOfWhichCaseItIs() throws {
    let note = try folder.write(Array("number: 2026-0417\nexaminer: A. <b>Examiner</b>\n".utf8), to: "case.yaml")
    let store = Project.path("corpus/Notes.sqlite")
    let text = words(try page([store, "--case", note]))
    #expect(text.contains("Case number 2026-0417 examiner A. <b>Examiner</b>"))
    #expect(text.contains("storedoctor report --no-config --force --output"))
    let wrong = try folder.write(Array("nmber: 1\n".utf8), to: "wrong.yaml")
    let outcome = try Program.run(["report", store, "--case", wrong, "--output", folder("other.html")])
    #expect(outcome.status == 2 && outcome.errors.hasPrefix("storedoctor: cannot read the case '\(wrong)': line 1: "))
    #expect(!FileManager.default.fileExists(atPath: folder("other.html")))
  }

  @Test func replacesNothingUnasked() throws {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let there = try folder.write(Array("mine".utf8), to: "page.html")
    let refused = try Program.run(["report", store, "--output", there])
    #expect(refused.status == 2 && refused.errors.contains("it exists; --force replaces it"))
    #expect(try contents(of: there) == Array("mine".utf8))
    let database = try Program.run(["report", store, "--output", store, "--force"])
    #expect(database.status == 2 && database.errors.contains("it is a database, which is not replaced"))
  }

  /// Names that would act, on every part of the page.
  @Test func namesAndValuesAreInert() throws {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: store, create: false)
    let hostile = "</title></style><script>alert(1)</script><img src=x onerror=alert(2)>\u{202E}\u{0301}\"'&\u{1B}[2J"
    let name = hostile.replacingOccurrences(of: "'", with: "''")
    try writer.execute(
      """
      UPDATE Z_PRIMARYKEY SET Z_NAME = '\(name)' WHERE Z_NAME = 'Note';
      UPDATE ZNOTE SET ZTITLE = '\(name)', ZFOLDER = 99 WHERE Z_PK = 3;
      CREATE TABLE "Z\(hostile.replacingOccurrences(of: "\"", with: "\"\""))" (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER);
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP, ZAUTHOR, ZCONTEXTNAME, ZBUNDLEID) VALUES
        (20, 16002, 1, 700100000.5, '\(name)', '\(name)', '\(name)');
      """)
    writer.close()
    let note = try folder.write(
      Array("reference: \"\(hostile.unicodeScalars.map { String(format: "\\U%08X", $0.value) }.joined())\"\n".utf8),
      to: "case.yaml")
    let page = try page([store, "--show-values", "--timeline", "--case", note])
    #expect(page.contains("&lt;script&gt;alert(1)") && page.contains("context &lt;/title&gt;"))
    for acting in ["<script", "<img", "HTML(text", "</style><", "\u{202E}", "\u{1B}"] {
      #expect(!page.contains(acting), "\(acting)")
    }
    #expect(page.components(separatedBy: "</title>").count == 2 + page.components(separatedBy: "<g").count - 1)
  }
}
