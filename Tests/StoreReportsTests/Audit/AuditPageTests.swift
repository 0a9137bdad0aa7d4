import StoreAudit
import Foundation
@testable import StoreReports
import TestSupport
import Testing

/// The page in a browser: it shows what the JSON has, fits a phone and a desktop, loads nothing, and no name runs as
/// code.
@Suite struct AuditPageTests {
  private static let isShown = Chromium.program != nil && Python.isPresent

  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func show(
    _ summary: AuditSummary, _ run: AuditPageRun? = nil, _ stores: AuditStoreList = AuditStoreList(), expression: String
  ) throws -> [JSONTree] {
    let page = try folder.write(Array(summary.html(run, stores: stores).utf8), to: "page.html")
    return try #require(try Chromium.evaluate(expression, inPage: page, widths: [375, 1280]).list)
  }

  /// The numbers and names of the page by section, its width, and all elements that could run code or load something.
  private static let facts = """
    (() => {
      const text = (element, query) => element.querySelector(query)?.textContent.trim() ?? ''
      const rows = (section) => [...document.querySelectorAll(`#${section} tbody tr`)].map(row =>
        [text(row, '.name')].concat([...row.querySelectorAll('td')].map(cell => cell.textContent.trim())))
      const all = [...document.querySelectorAll('*')]
      return {
        title: document.title, answer: text(document, '#answer'),
        legend: [...document.querySelectorAll('.legend li')].map(item => item.textContent.trim().replace(/\\s+/g, ' ')),
        causes: rows('causes'), versions: rows('versions'), findings: rows('findings'), entities: rows('entities'),
        problems: rows('problems'), atRisk: rows('atRisk'),
        stores: rows('stores'), run: [...document.querySelectorAll('.run div')].map(one =>
          [...one.children].map(part => part.textContent)),
        steps: [...document.querySelectorAll('#causes tr')].map(row =>
          [...row.querySelectorAll('.commands code')].map(code => code.textContent)).filter(list => list.length > 0),
        frameworks: [...document.querySelectorAll('#frameworks td')].map(cell => cell.textContent),
        paths: [...document.querySelectorAll('.paths li')].map(item => item.textContent),
        unnamed: [...document.querySelectorAll('svg')].filter(svg =>
          !text(svg, 'title') || !svg.querySelector('desc') || !svg.closest('section, header').querySelector('table, ul')).length,
        scroll: document.documentElement.scrollWidth,
        beyond: all.filter(element => element.getBoundingClientRect().right > innerWidth + 1).length,
        small: all.filter(element => element.children.length == 0 && element.textContent.trim()
          && parseFloat(getComputedStyle(element).fontSize) < 11.5).length,
        acting: all.filter(element => element != document.querySelector('body > script') && ['SCRIPT', 'IMG', 'IFRAME', 'OBJECT', 'EMBED', 'LINK', 'FORM', 'A', 'BASE', 'B'
          ].includes(element.tagName) && !element.closest('.legend')
          || [...element.attributes].some(one => /^on|^(src|href|style)$/.test(one.name))).map(one => one.outerHTML)
      }
    })()
    """

  @Test(.enabled(if: isShown, "needs chromium and python3; scripts/setup test installs them"))
  func saysWhatTheJSONSays() throws {
    let dangling = AuditSample.finding("SD401", "dangling-reference", "warning", "Note", "folder", rows: 3)
    let lines = AuditSample.lines.prefix(25).dropFirst() + [AuditSample.store("fleet/6", "opens", rows: 6, [dangling])]
    let summary = try AuditSample.summary(Array(lines), gate: AuditGate())
    for shown in try show(summary, expression: Self.facts) {
      let facts = try #require(shown["value"])
      #expect(facts["title"]?.string == "Audit of 23 stores")
      #expect(facts["answer"]?.string == "17 of 23 stores open or migrate (73.91%)")
      #expect(
        facts.strings("legend") == [
          "12 opens 52.17%", "5 migrates, losing data 21.74%", "3 blocked-by-data 13.04%", "1 unknown-version 4.35%",
          "1 unreadable 4.35%", "1 crashed 4.35%",
        ])
      let json = try JSONTree(summary.json.text)
      #expect(facts.table("causes") == json.rows("causes", ["stores", "rows"]))
      #expect(facts.table("atRisk") == json.rows("atRisk", ["stores", "rows"]))
      // Not a second time what stands above: what keeps stores from opening, and stores that were not read.
      #expect(facts.table("findings") == [["Note.folder", "1", "3"]])
      #expect(facts.table("entities")?.map { Array($0.prefix(3)) } == json.rows("entities", ["stores", "rows"]))
      #expect(facts.table("problems") == json.rows("problems", ["stores"]))
      #expect(facts.table("versions")?.map { Array($0.prefix(2)) } == json.rows("versions", ["stores"]))
      #expect(facts.strings("frameworks") == ["21", "100%"])
    }
  }

  /// Reasons come from stores and models, so their words must not act either.
  @Test(.enabled(if: isShown, "needs chromium and python3; scripts/setup test installs them"))
  func saysWhatBecameOfRehearsals() throws {
    var lines = try AuditSample.read(Array(AuditSample.lines.prefix(3 + AuditSample.hostileNames.count)))
    for number in lines.indices {
      lines[number].rehearsal = .init(number < 3 ? .performed : .notRehearsed)
      lines[number].rehearsal?.kept = 5
      if number >= 3 { lines[number].rehearsal?.reasons = [AuditSample.hostileNames[number - 3]] }
    }
    lines[2].rehearsal?.lost = 2
    var (summary, gate) = (AuditSummary(), AuditGate(failOn: .never))
    for line in lines {
      summary.add(line)
      gate.add(line)
    }
    summary.gate = gate.outcome
    let expression = """
      (() => ({
        rows: [...document.querySelectorAll('#rehearsals tbody tr')].map(row => row.innerText.replace(/\\s+/g, ' ')),
        words: document.querySelector('#rehearsals').innerText, demands: document.querySelector('#gate').innerText,
        acting: [...document.querySelectorAll('#rehearsals script, #rehearsals img, #rehearsals b')].length,
        beyond: [...document.querySelectorAll('#rehearsals *')].filter(element =>
          element.getBoundingClientRect().right > innerWidth + 1).length
      }))()
      """
    for shown in try show(summary, expression: expression) {
      let facts = try #require(shown["value"])
      #expect(
        facts.strings("rows") == ["performed 2 10.53%", "performed, losing data 1 5.26%", "not-rehearsed 16 84.21%"])
      #expect(facts["words"]?.string?.contains("95 objects kept; 2 objects lost") == true)
      #expect(facts["demands"]?.string?.contains("3 of 19 stores open or were migrated as judged") == true)
      #expect(facts["acting"] == .integer(0) && facts["beyond"] == .integer(0))
    }
  }

  @Test(.enabled(if: isShown, "needs chromium and python3; scripts/setup test installs them"))
  func saysOfWhichRunItIsAndListsAllStores() throws {
    let lines = Array(AuditSample.lines.prefix(25))
    let run = AuditPageRun(
      moment: 1_700_000_000_000_000_000, places: ["Fleet", "More Stores"], isOfLines: false, models: ["Notes.momd"],
      arguments: ["audit", "Fleet", "More Stores", "--summary"])
    var list = AuditStoreList()
    for line in try AuditSample.read(lines).reversed() { list.add(line) }
    for shown in try show(try AuditSample.summary(lines), run, list, expression: Self.facts) {
      let facts = try #require(shown["value"])
      #expect(
        facts.table("run") == [
          ["made", "2023-11-14T22:13:20Z"], ["stores in", "Fleet", "More Stores"], ["judged by", "Notes.momd"],
          ["command", "storedoctor audit Fleet 'More Stores' --summary"],
        ])
      let stores = try #require(facts.table("stores"))
      #expect(stores.count == 23)
      #expect(
        stores.prefix(3) == [
          ["fleet/50/Notes.sqlite", "unreadable", "", "truncated"],
          ["fleet/51/Notes.sqlite", "crashed", "", "crashed"],
          ["fleet/30/Notes.sqlite", "blocked-by-data", "Notes", "SD801, SD806"],
        ])
      #expect(
        facts.table("steps") == [
          [
            "storedoctor explain SD806",
            "storedoctor diagnose fleet/30/Notes.sqlite   # with the --model of the audit",
          ],
          [
            "storedoctor explain SD801",
            "storedoctor diagnose fleet/40/Notes.sqlite   # with the --model of the audit",
          ],
        ])
    }
  }

  /// Words that stand in any order in a row, and heads that sort; the page's own script, and no other, may run.
  @Test(.enabled(if: isShown, "needs chromium and python3; scripts/setup test installs them"))
  func theListOfStoresCanBeSearchedAndSorted() throws {
    let lines = Array(AuditSample.lines.prefix(25))
    var list = AuditStoreList()
    for line in try AuditSample.read(lines) { list.add(line) }
    let expression = """
      (() => {
        const list = document.querySelector('#stores details')
        list.open = true
        const field = list.querySelector('input[type=search]')
        const shown = () => [...list.querySelectorAll('tbody tr')].filter(row => !row.hidden)
        const filter = text => { field.value = text; field.dispatchEvent(new Event('input')); return shown().length }
        const counts = [filter(''), filter('sd806 FLEET/30'), filter('crashed'), filter('no such store'), filter('')]
        const names = () => shown().map(row => row.cells[0].textContent)
        list.querySelector('th button').click()
        const rising = names()
        list.querySelector('th button').click()
        return { counts, isTurned: rising.reverse().join() == names().join(), label: field.labels[0].textContent.trim() }
      })()
      """
    for shown in try show(try AuditSample.summary(lines), nil, list, expression: expression) {
      let facts = try #require(shown["value"])
      #expect(facts["counts"]?.list?.compactMap(\.wholeNumber) == [23, 1, 1, 0, 23])
      #expect(facts["isTurned"] == .bool(true) && facts["label"]?.string == "Filter")
      #expect(shown["messages"] == .array([]))
    }
  }

  @Test func keepsTheWorstOfMoreStoresThanItLists() throws {
    var list = AuditStoreList()
    for number in 0..<12_000 {
      var line = AuditLine(
        toolVersion: "1", run: "r", path: "\(100_000 + number).sqlite", status: number == 11_999 ? .crashed : .audited)
      line.severity = number == 11_000 ? .warning : nil
      list.add(line)
    }
    #expect(list.count == 12_000)
    #expect(list.kept.count == AuditStoreList.limit)
    #expect(list.kept.prefix(3).map(\.name) == ["111999.sqlite", "111000.sqlite", "100000.sqlite"])
    let page = AuditSummary().html(nil, stores: list)
    #expect(page.contains("the worst 5,000; the lines (--resume FILE, or --format csv) have all"))
  }

  @Test(.enabled(if: isShown, "needs chromium and python3; scripts/setup test installs them"))
  func isInertAndFitsWhateverNamesThereAre() throws {
    let summary = try AuditSample.summary(gate: AuditGate(expectedVersion: AuditSample.hostileNames[0]))
    for shown in try show(summary, expression: Self.facts) {
      let facts = try #require(shown["value"])
      #expect(shown.strings("messages") == [])
      #expect(shown["requests"]?.list?.count == 1, "\(shown["requests"] ?? .null)")
      #expect(facts.strings("acting") == [])
      #expect(facts["scroll"]?.wholeNumber == shown["width"]?.wholeNumber)
      #expect(facts["beyond"]?.wholeNumber == 0)
      #expect(facts["small"]?.wholeNumber == 0)
      #expect(facts["unnamed"]?.wholeNumber == 0)
      let names = Set((facts.table("entities") ?? []).compactMap(\.first))
      #expect(names.contains("<script>document.title='x'</script>") && names.contains("{{title}}{{{answer}}}"))
      #expect(names.contains("evil\\u{202e}gnp\\u{2066}.sqlite") && names.contains("&lt;b&gt;&amp;#60;"))
      #expect(names.contains("\\u{1b}[31mred\\u{7}\\u{a}\\u{d}\\u{9}x\\u{0}"))
    }
  }

  /// Without a browser: the page has no control or format characters and no markup from names in stores.
  @Test func escapesByScalarsAndNotByCharacters() throws {
    let page = try AuditSample.summary().html()
    #expect(!page.contains("<script") && !page.contains("<img"))
    #expect(page.contains("&quot;\u{301} onmouseover=alert(1) x=&quot;") && page.contains("&lt;\u{301}b&gt;"))
    #expect(!page.unicodeScalars.contains { $0.properties.generalCategory == .format })
    #expect(!page.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    #expect(page.hasPrefix("<!DOCTYPE html>\n"))
    #expect(page.contains("content=\"default-src 'none'; style-src 'sha256-"))
  }

  @Test func isTheSameForTheSameLines() throws {
    let lines = AuditSample.lines
    #expect(try AuditSample.summary(lines).html() == AuditSample.summary(lines.reversed()).html())
  }

  @Test func saysThatNothingWasLookedAt() {
    #expect(AuditSummary().html().contains("<h1 id=\"answer\">no store was looked at</h1>"))
  }
}

extension JSONTree {
  fileprivate func strings(_ name: String) -> [String]? { self[name]?.list?.compactMap(\.string) }

  fileprivate func table(_ name: String) -> [[String]]? {
    self[name]?.list?.map { $0.list?.compactMap(\.string) ?? [] }
  }

  /// The members of each element of a list as the page shows them, the place or name first.
  fileprivate func rows(_ name: String, _ members: [String]) -> [[String]]? {
    self[name]?.list?.map { element in
      let place = [element["owner"]?.string, element["property"]?.string].compactMap(\.self).joined(separator: ".")
      let named = element["label"] ?? element["kind"] ?? (element["id"] == nil ? element["name"] : nil)
      let title = named?.string ?? (place.isEmpty ? "the store as a whole" : place)
      return [title] + members.map { element[$0]?.wholeNumber.map(String.init) ?? "" }
    }
  }
}
