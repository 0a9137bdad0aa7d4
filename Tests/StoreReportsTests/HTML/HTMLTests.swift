@testable import StoreReports
import Testing

/// What is put into markup is text, whatever it contains.
@Suite struct HTMLTests {
  @Test(arguments: [
    ("<b>&amp;\"'", "&lt;b&gt;&amp;amp;&quot;&#39;"), ("\"\u{301}<\u{301}", "&quot;\u{301}&lt;\u{301}"),
    ("a\u{202E}b\u{0}\n", "a\\u{202e}b\\u{0}\\u{a}"), ("\u{E9}\u{1F468}", "\u{E9}\u{1F468}"), ("", ""),
  ])
  func textIsInert(text: String, markup: String) {
    let piece: HTML = "<p title=\"\(text)\">\(text)</p>"
    #expect(piece.text == "<p title=\"\(markup)\">\(markup)</p>")
    let part: HTML = "\(text.dropFirst(0))"
    #expect(part.text == markup)
  }

  @Test func piecesStayAsTheyAre() {
    let items = ["<", "b"].map { "<li>\($0)</li>" as HTML }
    let list: HTML = "<ul>\(items, separator: "\n")</ul>\(3)\(HTML.each(1...2) { "<br>\($0)" })"
    #expect(list.text == "<ul><li>&lt;</li>\n<li>b</li></ul>3<br>1<br>2")
    let nested: HTML = "<div>\(list)</div>"
    #expect(nested.text == "<div>\(list.text)</div>")
  }

  @Test func everyPageRefusesScriptsAndTheNetwork() {
    let page = HTML.page(title: "</title><script>", body: "<main></main>\n")
    #expect(page.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"))
    #expect(page.contains("content=\"default-src 'none'; style-src 'sha256-") && !page.contains("unsafe-inline"))
    #expect(!page.contains("script-src"))
    #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("<body>\n<main></main>\n</body>\n</html>\n"))
  }

  /// A style is written by us, so it has no text to escape; one that is put into another whole must not be.
  @Test(arguments: [ReportStyle.text, StorePageStyle.text, PageStyle.text, RecoveryPageStyle.text])
  func stylesAreNotEscaped(_ style: HTML) {
    for escape in ["\\u{", "&gt;", "&lt;", "&quot;", "&#39;", "&amp;"] {
      #expect(!style.text.contains(escape), "\(escape)")
    }
  }
}
