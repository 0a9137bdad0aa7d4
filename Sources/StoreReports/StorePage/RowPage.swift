import StoreWords

/// A page with rows of one entity, in a folder of pages about a store.
package struct RowPage {
  let table: PageRows.Table
  /// Which of its pages, counted from 0.
  let page: Int

  /// The page about the store itself.
  package static let index = "index.html"

  /// The name of its file.
  package var file: String { table.files.indices.contains(page) ? table.files[page] : Self.index }

  /// The page: one file that loads nothing, and leads to those beside it.
  package func html(of store: StorePageRun, named path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return HTML.strictPage(
      title: "\(table.name) of \(name)", style: StorePageStyle.text, script: TableScript.text, body: body(store, name))
  }

  private func body(_ run: StorePageRun, _ name: String) -> HTML {
    let part = table.files.count > 1 ? ", page \(page + 1) of \(table.files.count)" : ""
    return """
      <a class="skip" href="#main">Skip to the rows</a>
      <div class="page">
      <header class="top"><span><a href="\(Self.index)"><b>Store report</b>&ensp;\(name)</a></span><span>\(run.moment)</span></header>
      <main id="main">
      <nav class="toc" aria-label="Pages"><ol><li><a href="\(Self.index)#rows">All entities</a></li>\(ways)</ol></nav>
      <h1>\(table.name)\(part)</h1>
      <details class="entity" open><summary><h2>Rows</h2><span class="meta">\(counted(table.rows.count, "row"))</span></summary>
      \(table.markup(plain: .max))</details></main>
      <footer><p>This page holds values of rows. Made by storedoctor \(toolVersion), which changed nothing it read.</p></footer>
      </div>

      """
  }

  /// To the pages beside it.
  private var ways: HTML {
    func way(_ number: Int, _ words: HTML) -> HTML {
      table.files.indices.contains(number) ? "<li><a href=\"\(table.files[number])\">\(words)</a></li>" : ""
    }
    return
      "<li><a href=\"\(Self.index)#e-\(table.number)\">About this entity</a></li>\(way(page - 1, "Previous page"))\(way(page + 1, "Next page"))"
  }
}
