import Foundation
import StoreSQLite
import TestSupport
import Testing

/// Pages of a folder, by the built program.
@Suite struct ReportFolderTests {
  private static let isShown = Chromium.program != nil && Python.isPresent

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func report(_ store: String, to name: String = "Pages/", _ more: [String] = ["--rows"]) throws
    -> Program.Outcome
  {
    try Program.run(["report", store, "--no-config", "--output", folder(name)] + more)
  }

  /// The pages by name.
  private func pages(_ name: String = "Pages") throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder(name))
    return Dictionary(
      uniqueKeysWithValues: try names.map {
        ($0, String(decoding: try contents(of: folder("\(name)/\($0)")), as: UTF8.self))
      })
  }

  /// A store with so many tags that they need several pages, and a link to the last one.
  private func storeWithManyTags() throws -> String {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: store, create: false)
    try writer.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1001 UNION ALL SELECT i + 1 FROM n WHERE i < 9500)
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, (SELECT Z_ENT FROM ZTAG LIMIT 1), 1, 'tag <' || i FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 9500 WHERE Z_NAME = 'Tag';
      INSERT INTO Z_3TAGS (Z_3NOTES, Z_5TAGS) SELECT 1, 9500;
      """)
    writer.close()
    return store
  }

  @Test func eachLinkLeadsToARowOnItsPage() throws {
    let outcome = try report(storeWithManyTags())
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    let pages = try pages()
    #expect(pages["index.html"] != nil && pages.count > 4)
    let ids = pages.mapValues { page in Set(page.matches(of: #/ id="([^"]+)"/#).map { String($0.output.1) }) }
    var followed = 0
    for (name, page) in pages {
      for link in page.matches(of: /href="([^"#]*)(?:#([^"]+))?"/) {
        let file = link.output.1.isEmpty ? name : String(link.output.1)
        #expect(ids[file] != nil, "\(file)")
        guard let target = link.output.2 else { continue }
        #expect(ids[file]?.contains(String(target)) == true, "\(name): \(file)#\(target)")
        followed += 1
      }
      #expect(page.contains("content=\"default-src 'none'; style-src 'sha256-"))
      #expect(!page.contains("http:") && !page.contains("https:") && !page.contains(" style="))
    }
    #expect(followed > 30)
    #expect(pages.values.contains { $0.contains("tag &lt;9500") && $0.contains("page 3 of 3") })
    let names = pages.keys.filter { $0.hasPrefix("rows-") }
    #expect(names.allSatisfy { $0.wholeMatch(of: /rows-[0-9]+(-[0-9]+)?\.html/) != nil })
  }

  @Test func onlyTheOwnerMayReadThem() throws {
    try #require(try report(Project.path("corpus/Notes.sqlite")).status == 0)
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: folder(path))[.posixPermissions] as? Int
    }
    #expect(try mode("Pages") == 0o700)
    #expect(try mode("Pages/index.html") == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("")).sorted() == ["Pages"])
  }

  @Test func nothingIsOverwritten() throws {
    let store = Project.path("corpus/Notes.sqlite")
    try FileManager.default.createDirectory(atPath: folder("Full"), withIntermediateDirectories: true)
    _ = try folder.write(Array("mine".utf8), to: "Full/index.html")
    let full = try report(store, to: "Full")
    #expect(full.status == 2 && full.errors.contains("it exists and is not empty; name a new folder"), "\(full.errors)")
    #expect(try contents(of: folder("Full/index.html")) == Array("mine".utf8))
    let forced = try report(store, to: "Full/", ["--rows", "--force"])
    #expect(forced.status == 2)
    _ = try folder.write(Array("mine".utf8), to: "file")
    #expect(try report(store, to: "file/").status == 2)
    #expect(try contents(of: folder("file")) == Array("mine".utf8))
    try FileManager.default.createDirectory(atPath: folder("Empty"), withIntermediateDirectories: true)
    let empty = try report(store, to: "Empty")
    #expect(empty.status == 0, "\(empty.errors)")
    #expect(try pages("Empty")["index.html"] != nil)
  }

  @Test func aFolderIsForRows() throws {
    let outcome = try report(Project.path("corpus/Notes.sqlite"), [])
    #expect(outcome.status == 64 && outcome.errors.contains("a folder is written with --rows"), "\(outcome.errors)")
  }

  @Test func nothingIsLeftOfOneThatCannotBeWritten() throws {
    let outcome = try report(Project.path("corpus/nothing-there.sqlite"))
    #expect(outcome.status == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("")).isEmpty)
  }

  /// Names that would act, and values, on each page.
  @Test func namesAndValuesAreInert() throws {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: store, create: false)
    let hostile = "</title></style><img src=x onerror=alert(2)>\u{202E}\u{0301}\"&\u{1B}[2J../../x"
    try writer.execute(
      """
      UPDATE Z_PRIMARYKEY SET Z_NAME = '\(hostile)' WHERE Z_NAME = 'Note';
      UPDATE ZNOTE SET ZTITLE = '\(hostile)' WHERE Z_PK = 3;
      """)
    writer.close()
    let outcome = try report(store, ["--rows", "--recover"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    let pages = try pages()
    #expect(pages.values.contains { $0.contains("&lt;img src=x") })
    for (name, page) in pages {
      for acting in ["<img", "</style><", "\u{202E}", "\u{1B}"] { #expect(!page.contains(acting), "\(name) \(acting)") }
      #expect(!name.contains("x\u{202E}") && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }
  }

  /// A link to a row on another page shows it, though its filter script ran; nothing else is loaded.
  @Test(.enabled(if: isShown, "needs chromium and python3; scripts/setup test installs them"))
  func aLinkOpensTheRowOnItsPage() throws {
    try #require(try report(storeWithManyTags()).status == 0)
    let expression = """
      (() => {
        const row = document.getElementById(location.hash.slice(1) || 'none') || document.querySelector('tbody tr')
        const field = document.querySelector('input[type=search]')
        field.value = 'tag <9499'
        field.dispatchEvent(new Event('input'))
        const few = [...document.querySelectorAll('tbody tr')].filter(one => !one.hidden).length
        return { few, scroll: document.documentElement.scrollWidth, title: document.querySelector('h1').textContent }
      })()
      """
    let last = try #require(try pages().first { $0.value.contains("page 3 of 3") }?.key)
    for shown in try #require(
      try Chromium.evaluate(expression, inPage: folder("Pages/\(last)"), widths: [390, 1280]).list)
    {
      let facts = try #require(shown["value"])
      #expect(facts["few"] == .integer(1) && facts["title"] == .string("Tag, page 3 of 3"))
      #expect(facts["scroll"] == shown["width"], "wider than the window")
      #expect(
        shown["messages"] == .array([]) && shown["requests"] == .array([.string("file://" + folder("Pages/\(last)"))]))
    }
  }
}
