import Foundation
import StorePropertyLists
import StoreSQLite
import TestSupport
import Testing

/// Hostile names and values on each part of each page, from seeds: nothing of them acts. 24 by default, 2,000 with
/// `STOREDOCTOR_LONG=1`.
@Suite struct PageMutantTests {
  @Test(arguments: LongRuns.seeds(24, whole: 2_000)) func nothingOnAPageActs(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var mutant = Mutant(SeededGenerator(seed: seed))
    let store = try mutant.store(in: folder)
    let model = try mutant.model(in: folder)
    let output = folder("page.html")
    let pages: [[String]] = [
      ["report", store, "--show-values", "--timeline", "--case", try mutant.note(in: folder), "--output", output],
      ["report", store, "--rows", "--recover", "--model", model, "--output", output],
      ["repair", store, "--safe", "--format", "html", "--show-values"],
      ["repair", store, "--dedupe", "Tag.name", "--model", model, "--format", "html", "--show-values"],
      ["rehearse", store, "--model", model, "--format", "html", "--allow-assumed"],
      ["audit", store, "--model", model, "--summary", "--format", "html"],
      ["recover", store, "--format", "html"],
    ]
    let words = pages[Int(seed % UInt64(pages.count))]
    let outcome = try Program.run(words)
    let label: Comment = "seed \(seed): \(words), \(mutant.done)\n\(outcome.errors.prefix(500))"
    #expect(outcome.signal == nil && [0, 1, 2].contains(outcome.status), label)
    let isFile = words[0] == "report"
    // A store that cannot be read has no page, and says so.
    guard outcome.status != 2 else {
      #expect(!outcome.errors.isEmpty && !FileManager.default.fileExists(atPath: output), label)
      return
    }
    let page = isFile ? String(decoding: try contents(of: output), as: UTF8.self) : outcome.output
    #expect(PageGrammar.violations(in: page) == [], label)
    #expect(page.utf8.count < 60_000_000, label)
  }

  /// A value of ten million characters of markup is cut or escaped, on the page of rows as on that of the store.
  @Test(arguments: [["--show-values"], ["--rows"]]) func tenMillionCharactersAreText(_ options: [String]) throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: store, create: false)
    try writer.execute(
      "UPDATE ZNOTE SET ZBODY = replace(hex(zeroblob(416667)), '00', '<script>\"') WHERE Z_PK = 3")
    writer.close()
    let outcome = try Program.run(["report", store, "--no-config", "--output", folder("page.html")] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let page = String(decoding: try contents(of: folder("page.html")), as: UTF8.self)
    #expect(page.contains("&lt;script&gt;&quot;") && PageGrammar.violations(in: page) == [])
  }
}

/// A store with hostile texts in some of the places that pages show.
private struct Mutant {
  private var random: SeededGenerator
  /// What was done, for the message of a failure.
  private(set) var done: [String] = []

  init(_ random: SeededGenerator) { self.random = random }

  private static let pieces = [
    "<script>alert(1)</script>", "</script>", "</style>", "</title>", "<!--", "-->", "<![CDATA[", "]]>", "\"", "'", "`",
    "&",
    "&lt;", "&#60;", "<img src=x onerror=alert(1)>", "\" onmouseover=\"alert(1)", "javascript:alert(1)",
    "<svg/onload=alert(1)>",
    "<\u{301}b>", "\"\u{301}", "\u{202E}", "\u{2066}", "\u{200B}", "\u{FEFF}", "\u{1B}[2J", "\u{7}", "\r", "\n", "\t",
    "\\", "{{x}}",
    "${x}", "<a href=\"//x\">", "</a></td></tr></table>", "<base href=//x>", "<meta http-equiv=refresh content=0>",
    "e\u{301}",
    "日本語", "🗂️", "Note", " ", "   # ", "storedoctor rows x", "%00", "../", "$(id)", "<!-- results -->", "]]", "\u{2028}",
    "\u{FFFD}", "\u{E0041}", "x\u{0}y",
  ]

  private mutating func text(_ most: Int = 4) -> String {
    (0..<Int.random(in: 1...most, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
  }

  /// Text for SQL, with NUL.
  private mutating func literal() -> String {
    let words = text().replacingOccurrences(of: "'", with: "''")
    return "'" + words.components(separatedBy: "\u{0}").joined(separator: "' || char(0) || '") + "'"
  }

  /// A name that a file or a table can have.
  private mutating func name() -> String {
    String(text(2).filter { $0 != "/" && $0 != "\u{0}" }.prefix(40)) + "x"
  }

  private mutating func quotedName() -> String { "\"" + name().replacingOccurrences(of: "\"", with: "\"\"") + "\"" }

  mutating func store(in folder: TemporaryFolder) throws -> String {
    let path = try folder.copyStore(Project.path("corpus/Notes.sqlite"), as: name())
    let writer = try Connection(writing: path, create: false)
    defer { writer.close() }
    let changes: [(inout Mutant) -> String] = [
      { "UPDATE Z_PRIMARYKEY SET Z_NAME = \($0.literal()) WHERE Z_ENT = \(Int.random(in: 1...5, using: &$0.random))" },
      { "UPDATE ZNOTE SET ZTITLE = \($0.literal()), ZBODY = \($0.literal())" },
      { "UPDATE ZNOTE SET ZTITLE = \($0.literal()), ZFOLDER = 99 WHERE Z_PK = 3" },
      { "UPDATE ZTAG SET ZNAME = \($0.literal()) || Z_PK" },
      { "DROP INDEX Z_Tag_UNIQUE_name; UPDATE ZTAG SET ZNAME = \($0.literal())" },
      { "UPDATE ZFOLDER SET ZNAME = \($0.literal()) WHERE Z_PK = 1; DELETE FROM ZFOLDER WHERE Z_PK = 2" },
      { "UPDATE ZATTACHMENT SET ZFILENAME = \($0.literal()), ZDATA = \($0.literal())" },
      { "CREATE TABLE \($0.quotedName()) (Z_PK INTEGER PRIMARY KEY, \($0.quotedName()) BLOB)" },
      { "ALTER TABLE ZNOTE RENAME COLUMN ZBODY TO \($0.quotedName())" },
      { "ALTER TABLE ZNOTE ADD COLUMN \($0.quotedName()) VARCHAR" },
      { "CREATE INDEX \($0.quotedName()) ON ZNOTE (ZTITLE)" },
      { "UPDATE ZNOTE SET ZCREATEDAT = \($0.literal()), ZDONE = \($0.literal()), ZUUID = \($0.literal())" },
      {
        """
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP, ZAUTHOR, ZCONTEXTNAME, ZBUNDLEID, ZPROCESSID) VALUES
          (20, 16002, 1, 700100000.5, \($0.literal()), \($0.literal()), \($0.literal()), \($0.literal()))
        """
      },
      { "PRAGMA secure_delete=off; DELETE FROM ZNOTE WHERE Z_PK IN (5, \(Int.random(in: 1...15, using: &$0.random)))" },
    ]
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let sql = changes[Int.random(in: 0..<changes.count, using: &random)](&self)
      // What another change took away cannot be changed again.
      do {
        try writer.execute(sql)
        done.append(sql)
      } catch {}
    }
    if Bool.random(using: &random) { try setMetadata(of: writer) }
    return path
  }

  /// Puts hostile keys and values among the app's own, and a hostile version identifier.
  private mutating func setMetadata(of writer: Connection) throws {
    let statement = try writer.prepare("SELECT Z_PLIST FROM Z_METADATA")
    guard try statement.step(), let bytes = statement.blob(0),
      case .dictionary(var list) = try PropertyList(Array(bytes)).value()
    else { return }
    list[text()] = .string(text())
    list["NSStoreModelVersionIdentifiers"] = .array([.string(text())])
    let update = try writer.prepare("UPDATE Z_METADATA SET Z_PLIST = ?")
    try update.bind(PropertyListValue.dictionary(list).binaryPropertyList(), at: 1)
    _ = try update.step()
    done.append("metadata")
  }

  /// The sample's model under a hostile name.
  mutating func model(in folder: TemporaryFolder) throws -> String {
    let path = folder(name() + ".xcdatamodeld")
    try FileManager.default.copyItem(atPath: Project.path("corpus/Notes.xcdatamodeld"), toPath: path)
    return path
  }

  /// What is said of the case.
  mutating func note(in folder: TemporaryFolder) throws -> String {
    let words = text().unicodeScalars.filter { $0.value >= 0x20 }.map { String(format: "\\U%08X", $0.value) }.joined()
    return try folder.write(Array("examiner: \"\(words)\"\nnumber: \"\(words)\"\n".utf8), to: "case.yaml")
  }
}

/// The markup that pages are made of, as a browser would tell it from text.
private enum PageGrammar {
  private static let elements: Set = [
    "html", "head", "meta", "title", "style", "body", "script", "header", "main", "footer", "nav", "section", "article",
    "div",
    "span", "strong", "p", "h1", "h2", "h3", "h4", "a", "b", "br", "wbr", "ol", "ul", "li", "dl", "dt", "dd", "table",
    "caption",
    "thead",
    "tbody", "tr", "th", "td", "code", "pre", "details", "summary", "svg", "g", "path", "rect", "circle", "text",
    "tspan", "desc", "noscript",
  ]
  /// Attributes that act on nothing, and `href`, whose values are looked at.
  private static let attributes: Set = [
    "lang", "charset", "http-equiv", "content", "name", "class", "id", "aria-label", "aria-labelledby", "aria-hidden",
    "role",
    "scope", "data-label", "open", "hidden", "href", "viewbox", "width", "height", "x", "y", "x1", "y1", "x2", "y2",
    "d", "r", "cx",
    "cy", "rx", "points", "transform", "preserveaspectratio", "fill-rule", "tabindex", "colspan", "rowspan",
    "text-anchor",
  ]

  /// What a page has that none of ours has, the first few.
  static func violations(in page: String) -> [String] {
    var found: [String] = []
    for scalar in page.unicodeScalars where scalar != "\n" {
      let category = scalar.properties.generalCategory
      if category == .control || [0x202E, 0x2066, 0x200B, 0xFEFF, 0x2028].contains(scalar.value) {
        found.append("U+\(String(scalar.value, radix: 16))")
      }
      if found.count > 4 { return found }
    }
    var rest = Array(page.utf8)[...]
    if !page.hasPrefix("<!DOCTYPE html>\n") { found.append("no beginning") }
    rest = rest.dropFirst("<!DOCTYPE html>".utf8.count)
    var counts: [String: Int] = [:]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")), found.count < 5 {
      guard let end = rest[start...].firstIndex(of: UInt8(ascii: ">")) else { return found + ["an open tag"] }
      let tag = String(decoding: rest[(start + 1)..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
      guard let parts = tag.wholeMatch(of: /\/?([a-z][a-z0-9]*)((?: [a-zA-Z0-9-]+(?:="[^"<>]*")?)*) ?\/?/) else {
        found.append("<\(tag.prefix(80))>")
        continue
      }
      let name = String(parts.output.1)
      if !tag.hasPrefix("/") { counts[name, default: 0] += 1 }
      if !elements.contains(name) { found.append("<\(name)>") }
      for attribute in parts.output.2.matches(of: #/ ([a-zA-Z0-9-]+)(?:="([^"]*)")?/#) {
        let value = attribute.output.2.map(String.init) ?? ""
        if !attributes.contains(attribute.output.1.lowercased()) { found.append("\(attribute.output.1) of <\(name)>") }
        if attribute.output.1 == "href", !value.hasPrefix("#") { found.append("href=\(value.prefix(80))") }
      }
      // Our own style and script have nothing of a store; what is in them is no markup.
      if name == "style" || name == "script", !tag.hasPrefix("/") {
        let close = Array("</\(name)>".utf8)
        guard let place = rest.firstRange(of: close) else { return found + ["an open <\(name)>"] }
        rest = rest[place.lowerBound...]
      }
    }
    for (name, most) in [("html", 1), ("body", 1), ("script", 1), ("h1", 1), ("main", 1), ("meta", 5)]
    where counts[name, default: 0] > most {
      found.append("\(counts[name] ?? 0) of <\(name)>")
    }
    return found
  }
}
