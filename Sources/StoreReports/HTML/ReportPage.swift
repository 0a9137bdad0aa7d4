import StoreWords

/// The frame of all reports: name and date at the head, the answer, contents, sections with their titles in the margin.
struct ReportPage {
  /// What kind of report it is: "Store report".
  var kind: HTML
  /// What it is about.
  var name: String
  /// When it was made.
  var moment: String
  /// The title of its tab.
  var title: String
  /// The answer, by ``HTML/hero(_:_:_:lead:facts:left:right:)``.
  var hero: HTML
  /// Those without content are left out.
  var sections: [Section]
  /// What it holds of people, and what made it.
  var footer: String

  /// The page: one file that loads nothing.
  func html(style: HTML = ReportStyle.text, script: HTML = "") -> String {
    HTML.strictPage(title: title, style: style, script: script, body: body)
  }

  private var body: HTML {
    let shown = sections.filter { !$0.content.isEmpty }
    let contents = HTML.each(shown.enumerated()) { number, section in
      "<li><a href=\"#\(section.id)\">\(number + 1)&ensp;\(section.title)</a></li>"
    }
    return """
      <a class="skip" href="#main">Skip to the report</a>
      <div class="page">
      <header class="top"><span><b>\(kind)</b>&ensp;\(name)</span><span>\(moment)</span></header>
      <main id="main">
      \(hero)<nav class="toc" aria-label="Contents"><ol>\(contents)</ol></nav>
      \(HTML.each(shown.enumerated()) { $1.markup(number: $0 + 1) })</main>
      <footer><p>\(footer)</p></footer>
      </div>

      """
  }

  /// A section, with its title in the margin.
  struct Section {
    var id: HTML
    var title: HTML
    /// What it rests on.
    var remark: String = ""
    var content: HTML
    /// Whether it takes the whole width.
    var isWide = false

    fileprivate func markup(number: Int) -> HTML {
      let remark: HTML = remark.isEmpty ? "" : "<p>\(self.remark)</p>"
      let style: HTML = isWide ? " class=\"wide\"" : ""
      return """
        <section id="\(id)"\(style) aria-labelledby="\(id)-h"><header><h2 id="\(id)-h"><span class="no">\(number)</span>\(title)</h2>\(remark)</header>
        <div>
        \(content)</div></section>

        """
    }
  }
}

/// A name with what belongs to it.
package struct PageFact: Sendable, Equatable {
  /// What it says: "model".
  package var name: String
  /// The words for it.
  package var words: String

  /// A fact.
  package init(_ name: String, _ words: String) {
    self.name = name
    self.words = words
  }
}

extension HTML {
  var isEmpty: Bool { text.isEmpty }
}
