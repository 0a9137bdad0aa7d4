import Foundation
import StoreSQLite
import TestSupport
import Testing

/// The page about a store in a browser, and the picture of its model.
@Suite struct ReportPageTests {
  private static let isShown = Chromium.program != nil && Python.isPresent

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Filters, sorts, follows a link to a row that was filtered away; nothing is loaded, and nothing complains.
  @Test(.enabled(if: isShown, "needs chromium and python3; scripts/setup test installs them"))
  func rowsCanBeFilteredSortedAndFollowed() throws {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let page = folder("page.html")
    let outcome = try Program.run(["report", store, "--rows", "--no-config", "--output", page])
    try #require(outcome.status == 0, "\(outcome.errors)")
    let expression = """
      (() => {
        const part = name => [...document.querySelectorAll('details.entity')].find(one =>
          one.querySelector('h3').textContent == name)
        const note = part('Note'), folder = part('Folder')
        const shown = one => [...one.querySelectorAll('tbody tr')].filter(row => !row.hidden)
        const filter = (one, text) => {
          const field = one.querySelector('input[type=search]')
          field.value = text
          field.dispatchEvent(new Event('input'))
          return shown(one).length
        }
        const all = shown(note).length
        const title = shown(note)[0].textContent
        const none = filter(note, 'no such words')
        const few = filter(note, shown(note).length == 0 ? '' : 'x')
        const button = note.querySelector('th button')
        const keys = () => shown(note).map(row => row.cells[0].textContent)
        button.click()
        const rising = keys()
        button.click()
        const falling = keys()
        const link = [...note.querySelectorAll('tbody a')].find(one => folder.querySelector(one.hash))
        filter(folder, 'no such words')
        folder.open = false
        location.hash = link.hash
        dispatchEvent(new Event('hashchange'))
        const target = document.querySelector(link.hash)
        return {
          all, none, few, isTurned: rising.reverse().join() == falling.join(), isOpen: folder.open,
          isShown: !target.hidden && target.getBoundingClientRect().height > 0,
          leads: target.textContent.includes(link.textContent), scroll: document.documentElement.scrollWidth
        }
      })()
      """
    for shown in try #require(try Chromium.evaluate(expression, inPage: page, widths: [390, 1280]).list) {
      let facts = try #require(shown["value"])
      #expect(facts["all"] == .integer(15) && facts["none"] == .integer(0) && facts["few"] == .integer(15))
      for fact in ["isTurned", "isOpen", "isShown", "leads"] { #expect(facts[fact] == .bool(true), "\(fact)") }
      let width = try #require(shown["width"])
      #expect(facts["scroll"] == width, "wider than the window")
      #expect(shown["messages"] == .array([]) && shown["requests"] == .array([.string("file://" + page)]))
    }
  }

  /// The page, with rows, of a store with 300 tags more.
  private func pageOfManyTags() throws -> String {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: store, create: false)
    try writer.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1001 UNION ALL SELECT i + 1 FROM n WHERE i < 1300)
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, (SELECT Z_ENT FROM ZTAG LIMIT 1), 1, '<b>' || i FROM n
      """)
    writer.close()
    let output = folder("page.html")
    let outcome = try Program.run(["report", store, "--rows", "--no-config", "--output", output])
    try #require(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  /// Rows that wait for a script are there when they are asked for, each once and in order, and no text of theirs is markup.
  @Test(.enabled(if: isShown, "needs chromium and python3; scripts/setup test installs them"))
  func allRowsComeWithTheScript() throws {
    let expression = """
      (async () => {
        const part = [...document.querySelectorAll('details.entity')].find(one =>
          one.querySelector('h3').textContent == 'Tag')
        const rows = () => [...part.querySelectorAll('tbody tr')]
        const place = rows()[0].id.split('-')[1]
        location.hash = '#r-' + place + '-1300'
        dispatchEvent(new Event('hashchange'))
        const target = document.getElementById('r-' + place + '-1300')
        const isShown = part.open && target.getBoundingClientRect().height > 0
        const field = part.querySelector('input[type=search]')
        field.value = '<b>1250'
        field.dispatchEvent(new Event('input'))
        const found = rows().filter(row => !row.hidden).map(row => row.cells[1].textContent)
        await new Promise(go => setTimeout(go, 500))
        const keys = rows().map(row => +row.cells[0].textContent)
        return {
          isShown, found, all: keys.length, isOrdered: keys.every((key, at) => at == 0 || keys[at - 1] < key),
          bold: part.querySelectorAll('td b').length, waiting: document.querySelectorAll('noscript').length
        }
      })()
      """
    let shown = try Chromium.evaluate(expression, inPage: try pageOfManyTags(), widths: [1280])
    let facts = try #require(shown.list?.first?["value"])
    #expect(facts["isShown"] == .bool(true) && facts["found"] == .array([.string("<b>1250")]))
    #expect(facts["all"] == .integer(306) && facts["isOrdered"] == .bool(true))
    #expect(facts["bold"] == .integer(0) && facts["waiting"] == .integer(0))
  }

  /// Without a script the first 200 rows of an entity show, and the page says that there are more.
  @Test func rowsShowWithoutAScript() throws {
    let page = String(decoding: try contents(of: try pageOfManyTags()), as: UTF8.self)
    #expect(page.components(separatedBy: "<noscript><table hidden>").count == 2)
    #expect(page.contains("rows more: they show where scripts may run."))
    #expect(page.contains("&lt;b&gt;1300") && !page.contains("<b>1300"))
    #expect(page.contains("script-src 'sha256-") && page.components(separatedBy: "<script").count == 2)
  }

  @Test func recoverGoesWithRows() throws {
    let store = Project.path("corpus/Notes.sqlite")
    let outcome = try Program.run(["report", store, "--recover", "--output", folder("page.html")])
    #expect(
      outcome.status == 64 && outcome.errors.contains("--recover shows deleted rows among the others; add --rows"))
  }

  /// Boxes of a picture do not overlap, and each line has both its ends.
  @Test(arguments: ["Notes", "School", "Club"]) func modelsAreDrawnWithoutOverlaps(_ name: String) throws {
    let svg = try Program.run(["model", "convert", Project.path("corpus/\(name).sqlite"), "--to", "svg"])
    try #require(svg.status == 0, "\(svg.errors)")
    let boxes = svg.output.matches(of: /<rect x="([0-9]+)" y="([0-9]+)" width="([0-9]+)" height="([0-9]+)"/).map {
      [$0.output.1, $0.output.2, $0.output.3, $0.output.4].compactMap { Int($0) }
    }
    #expect(boxes.count > 1 && boxes.allSatisfy { $0.count == 4 })
    for (place, box) in boxes.enumerated() {
      for other in boxes[..<place] {
        let isApart =
          box[0] + box[2] <= other[0] || other[0] + other[2] <= box[0] || box[1] + box[3] <= other[1]
          || other[1] + other[3] <= box[1]
        #expect(isApart, "\(box) \(other)")
      }
    }
    #expect(svg.output.contains(" leads to "))
    let again = try Program.run(["model", "convert", Project.path("corpus/\(name).sqlite"), "--to", "svg"])
    #expect(again.output == svg.output)
  }
}
