import StoreWords

// The rows of a store, which are on its page where that was asked for.

extension PageRows.Table {
  /// "15 rows, 2 deleted or earlier".
  var words: String {
    var words = counted(Int64(count - gone), "row")
    if gone > 0 { words += ", \(gone) deleted or earlier" }
    if leftOut > 0 { words += ", \(grouped(leftOut)) left out" }
    return words
  }

  /// The rows as a table.
  ///
  /// Those that need a script are one text for a browser that runs scripts, so that 100,000 of them do not keep the page from
  /// opening; ``TableScript`` makes rows of them, a few at a time.
  ///
  /// - Parameter plain: how many of them are there without a script.
  func markup(plain: Int) -> HTML {
    let head = HTML.each(columns.enumerated()) { number, name in
      let style: HTML = numbers.contains(number) || name == "key" ? " class=\"r\"" : ""
      return "<th scope=\"col\"\(style)>\(name)</th>"
    }
    let first = HTML.each(rows.prefix(plain)) { $0.row }
    let rest = rows.dropFirst(plain)
    let more: HTML =
      rest.isEmpty
      ? ""
      : """
      <noscript><table hidden><tbody>
      \(HTML.each(rest) { $0.row })</tbody></table></noscript>

      """
    let note: HTML =
      rest.isEmpty
      ? ""
      : "<p class=\"small unscripted\">\(counted(Int64(rest.count), "row")) more: they show where scripts may run.</p>\n"
    return """
      <div class="scroll"><table class="rows\(isWide ? " many" : "")"><thead><tr>\(head)</tr></thead><tbody>
      \(first)</tbody></table></div>
      \(more)\(note)
      """
  }
}

extension StorePage {
  var rowTables: ReportPage.Section {
    guard let rows else { return ReportPage.Section(id: "rows", title: "Rows", content: "") }
    let leftOut = rows.tables.reduce(Int64(0)) { $0 + $1.leftOut }
    let limit: HTML =
      leftOut == 0
      ? ""
      : """
      <p>\(counted(leftOut, "row")) more would make this page larger than 50 MB and are left out: with --output FOLDER/ they are on \
      pages of their own.</p>

      """
    return ReportPage.Section(
      id: "rows", title: "Rows",
      remark: rows.isFolder
        ? "Each entity has pages of its own, beside this one. Titles stand for keys, and links lead to the row."
        : "Titles stand for keys. A link leads to the row; Back leads back.",
      content: rows.tables.isEmpty ? "" : limit + HTML.each(rows.tables, as: table), isWide: true)
  }

  private func table(_ table: PageRows.Table) -> HTML {
    guard table.count > 0 || !table.remarks.isEmpty else { return "" }
    let remarks = HTML.each(table.remarks) { "<li>\($0)</li>" }
    return """
      <details class="entity"\(table.count <= 50 ? " open" : "")><summary><h3>\(table.name)</h3><span class="meta">\(table.words)</span></summary>
      <ul class="plain small">\(remarks)</ul>\(table.files.isEmpty ? table.markup(plain: PageRows.plain) : pages(of: table))</details>

      """
  }

  /// The pages of an entity, in a folder.
  private func pages(of table: PageRows.Table) -> HTML {
    let links = HTML.each(table.files.enumerated()) { number, file in
      "<li><a href=\"\(file)\">Rows of \(table.name)\(table.files.count > 1 ? ", page \(number + 1)" : "")</a></li>"
    }
    return "<ul class=\"pages\">\(links)</ul>\n"
  }
}
