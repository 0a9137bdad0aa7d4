import Foundation
import StoreSQLite
import TestSupport
import Testing

/// What a page says of time, by the built program.
@Suite struct ReportTimeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func page(_ arguments: [String]) throws -> String {
    let output = folder("page.html")
    let outcome = try Program.run(["report", "--no-config", "--force", "--output", output] + arguments)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return String(decoding: try contents(of: output), as: UTF8.self)
  }

  private func section(_ page: String) throws -> String {
    let start = try #require(page.range(of: "<section id=\"time\""))
    let end = try #require(page.range(of: "</section>", range: start.upperBound..<page.endIndex))
    return String(page[start.lowerBound..<end.lowerBound])
  }

  /// Two saves of an author, with a deletion in the second.
  private func storeWithSaves() throws -> String {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: store, create: false)
    try writer.execute(
      """
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZBUNDLEIDTS, ZTIMESTAMP, ZAUTHOR, ZCONTEXTNAME) VALUES
        (2, 16002, 1, 1, 700100000.5, 'sync<b>', 'back'), (3, 16002, 1, 1, 710100000.5, 'sync<b>', 'back');
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
        SELECT 900, 16001, 1, 1, Z_ENT, Z_PK, 2 FROM ZNOTE WHERE Z_PK = 2;
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
        SELECT 901, 16001, 1, 2, Z_ENT, Z_PK, 3 FROM ZNOTE WHERE Z_PK = 2;
      DELETE FROM ZNOTE WHERE Z_PK = 2;
      """)
    writer.close()
    return store
  }

  @Test func savesStandByAuthorAndContextOnOneAxis() throws {
    let time = try section(page([storeWithSaves()]))
    #expect(time.contains("<title>sync&lt;b&gt;, context back</title>"))
    #expect(
      time.contains(
        "2023-03-10</th><td data-label=\"lane\">sync&lt;b&gt; <span class=\"soft\">context back</span></td>"))
    #expect(time.contains("<td data-label=\"what\">1 transaction, 1 updated</td>"))
    #expect(time.contains("<td data-label=\"what\">1 transaction, 1 deleted (proved)</td>"))
    #expect(time.contains("deleted, proved</li>") && time.contains("time without events, left out</li>"))
    #expect(time.contains("Dates of objects are values, and hidden."))
  }

  /// Each mark of the picture stands in the table.
  @Test(arguments: [[], ["--show-values"], ["--timeline"]]) func theTableSaysWhatThePictureShows(_ more: [String])
    throws
  {
    let time = try section(page([storeWithSaves()] + more))
    let marks = time.matches(of: /<g><title>[^<:]*: ([^<]*)<\/title>/).map { String($0.output.1) }
    let told = time.matches(of: /<td data-label="what">([^<]*)<\/td><\/tr>/).map { String($0.output.1) }
    #expect(marks.count > 1)
    for mark in Set(marks) {
      #expect(told.count { $0 == mark } >= marks.count { $0 == mark }, "\(mark)")
    }
    #expect(time.contains("Note.created") == !more.isEmpty)
  }

  /// Each line of `timeline` is on a page that lists events.
  @Test(arguments: ["Club", "Notes", "School", "Shapes"]) func saysAllThatTimelineSays(_ name: String) throws {
    let store = Project.path("corpus/\(name).sqlite")
    let text = try Program.run(["timeline", store]).output
    let page = try section(page([store, "--timeline"]))
      .replacingOccurrences(of: "<[^>]*>", with: " ", options: .regularExpression)
      .replacingOccurrences(of: "&#39;", with: "'").replacingOccurrences(of: "&quot;", with: "\"")
      .replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
      .replacingOccurrences(of: "&amp;", with: "&")
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let lines = text.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    #expect(!lines.isEmpty)
    for line in lines { #expect(page.contains(line), "\(line)") }
  }

  @Test func aStoreWithoutHistorySaysSo() throws {
    let time = try section(page([Project.path("corpus/Guests.sqlite")]))
    #expect(
      time.contains("<svg class=\"tl\"")
        || time.contains("The store keeps no history, and there is no log with commits."))
  }

  @Test func eventsAreValuesAndKeptPrivate() throws {
    let output = folder("private.html")
    let outcome = try Program.run(["report", Project.path("corpus/Notes.sqlite"), "--timeline", "--output", output])
    try #require(outcome.status == 0, "\(outcome.errors)")
    let mode = try #require(FileManager.default.attributesOfItem(atPath: output)[.posixPermissions] as? Int)
    #expect(mode == 0o600)
    #expect(String(decoding: try contents(of: output), as: UTF8.self).contains("This page holds values of rows."))
  }

  @Test func whatPagesShowIsMarkedByItsGrade() throws {
    let store = try storeWithSaves()
    let time = try section(page([store, "--rows", "--recover"]))
    #expect(time.contains("<th scope=\"col\" class=\"r\">found, proved</th>"))
    #expect(!time.contains("Pages were not searched"))
    #expect(try section(page([store])).contains("Pages were not searched for what is left of them"))
  }
}
