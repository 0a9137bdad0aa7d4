import StoreDiagnosis
import StoreFindings
import StoreInspection
import StoreText
import StoreWords

/// One page about one store, for whoever cannot or will not use a terminal: what it is, what is wrong with it, what to do, and
/// what is not known.
///
/// It judges nothing: what it says is what `diagnose` and `inspect` say.
package struct StorePage {
  let diagnosis: Diagnosis
  let inspection: Inspection
  let run: StorePageRun
  let times: PageTimes?
  let rows: PageRows?

  /// - Parameters:
  ///   - inspection: of the same store, with sizes, digests and the measures of its columns.
  ///   - times: what of it has a time; nil to leave that out.
  ///   - rows: the rows to show; nil for none.
  package init(
    _ diagnosis: Diagnosis, _ inspection: Inspection, _ run: StorePageRun, times: PageTimes? = nil,
    rows: PageRows? = nil
  ) {
    self.diagnosis = diagnosis
    self.inspection = inspection
    self.run = run
    self.times = times
    self.rows = rows
  }

  /// The page: one file that loads nothing.
  package var html: String {
    HTML.strictPage(
      title: "\(name): \(headline)", style: StorePageStyle.text,
      script: rows.map(\.isFolder) == false ? Self.script : "", body: body)
  }

  /// The store's name, without its folders.
  var name: String { inspection.store.path.split(separator: "/").last.map(String.init) ?? inspection.store.path }

  private var body: HTML {
    let document = diagnosis.document
    let sections = [
      whatThisIs, versions(document), findings(document), model, entities, time, sizes, rowTables,
      method,
    ].filter { !$0.content.isEmpty }
    let contents = HTML.each(sections.enumerated()) { number, section in
      "<li><a href=\"#\(section.id)\">\(number + 1)&ensp;\(section.title)</a></li>"
    }
    return """
      <a class="skip" href="#main">Skip to the report</a>
      <div class="page">
      <header class="top"><span><b>Store report</b>&ensp;\(name)</span><span>\(run.moment)</span></header>
      <main id="main">
      \(verdict(document))<nav class="toc" aria-label="Contents"><ol>\(contents)</ol></nav>
      \(HTML.each(sections.enumerated()) { $1.markup(number: $0 + 1) })</main>
      <footer><p>\(privacy) Made by storedoctor \(toolVersion), which changed nothing it read.</p></footer>
      </div>

      """
  }

  private var privacy: String {
    run.showsValues || rows != nil || times?.listsEvents == true
      ? "This page holds values of rows."
      : "This page holds names, keys, counts and the times of saves, and no values of rows."
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

    func markup(number: Int) -> HTML {
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

extension HTML {
  var isEmpty: Bool { text.isEmpty }
}
