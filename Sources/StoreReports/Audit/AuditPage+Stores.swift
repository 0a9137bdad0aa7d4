import StoreAudit
import StoreWords

/// What the stores are: versions, sizes, entities, frameworks, and the list of all.
extension AuditPage {
  var versions: HTML {
    guard let most = summary.versions.first?.stores else { return "" }
    let rows = summary.versions.prefix(Self.most).map { row($0, of: most) }
    return """
      <section id="versions" class="card"><h2>Versions in the field</h2>
      \(Self.table(columns: ["version", "stores", "share"], rows: rows, of: summary.versions.count))</section>

      """
  }

  private func row(_ version: AuditSummary.VersionUse, of most: Int64) -> HTML {
    let label = Self.cut(version.label)
    let words = version.outcomeWords
    let given: HTML = version.isCandidate ? " <span class=\"tag\">given</span>" : ""
    return """
      <tr><th scope="row"><span class="name">\(label)</span>\(given)
      <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img"><title>\(label)</title><desc>\(words)</desc>\(Self.bars(version.outcomes, of: most))</svg>
      <span class="faint">\(words)</span></th><td class="number" data-label="stores">\(grouped(version.stores))</td><td class="number" data-label="share">\(rate(version.stores, of: summary.stores))</td></tr>
      """
  }

  var sizes: HTML {
    let classes = summary.sizes.classes
    guard let first = classes.first, let last = classes.last else { return "" }
    let most = classes.map(\.stores).max() ?? 1
    let bars = classes.enumerated().map { number, part in
      let height = part.stores == 0 ? 0 : max(Double(part.stores) / Double(most) * 100, 1)
      return (
        start: number * 10, top: String(100 - (height * 100).rounded() / 100),
        height: String((height * 100).rounded() / 100),
        name: "\(byteWords(part.from)) up", stores: grouped(part.stores)
      )
    }
    let words = bars.map { "\($0.name): \($0.stores)" }.joined(separator: "; ")
    let columns = HTML.each(bars) { bar in
      """
      <rect x="\(bar.start).5" y="\(bar.top)" width="9" height="\(bar.height)" class="plain"></rect>
      """
    }
    let rows = HTML.each(bars) { bar in
      """
      <tr><th scope="row">\(bar.name)</th><td class="number">\(bar.stores)</td></tr>

      """
    }
    return """
      <section id="sizes" class="card"><h2>Sizes</h2>
      <dl class="facts"><div><dt>together</dt><dd>\(byteWords(summary.sizes.total))</dd></div><div><dt>largest</dt><dd>\(byteWords(summary.sizes.largest))</dd></div><div><dt>rows</dt><dd>\(grouped(summary.rows))</dd></div></dl>
      <svg class="histogram" viewBox="0 0 \(classes.count * 10) 100" preserveAspectRatio="none" role="img"><title>Stores by size</title><desc>\(words)</desc>\(columns)</svg>
      <p class="axis"><span>\(byteWords(first.from))</span><span>\(byteWords(last.through == .max ? .max : last.through + 1))</span></p>
      <details><summary>as a table</summary><table>\(Self.head(["size", "stores"]))<tbody>
      \(rows)</tbody></table></details></section>

      """
  }

  var entities: HTML {
    let list = summary.entities
    guard !list.isEmpty else { return "" }
    let most = list.map(\.rows).max() ?? 0
    let rows = list.prefix(Self.most).map { row($0, of: most) }
    return """
      <section id="entities" class="card"><h2>Entities</h2>
      \(Self.table(columns: ["entity", "stores", "rows", "median", "most"], rows: rows, of: list.count))</section>

      """
  }

  private func row(_ entity: AuditSummary.EntityUse, of most: Int64) -> HTML {
    let (name, total) = (Self.cut(entity.name), grouped(entity.rows))
    let median = (entity.median < 8 ? "" : "~") + grouped(entity.median)
    return """
      <tr><th scope="row"><span class="name">\(name)</span>
      \(Self.bar(name, words: total, width: Self.hundredths(entity.rows, of: most), style: "plain"))</th><td class="number" data-label="stores">\(grouped(entity.stores))</td><td class="number" data-label="rows">\(total)</td><td class="number" data-label="median">\(median)</td><td class="number" data-label="most">\(grouped(entity.most))</td></tr>
      """
  }

  var frameworks: HTML {
    let list = summary.frameworkVersions
    guard let most = list.map(\.stores).max() else { return "" }
    let whole = list.reduce(0) { $0 + $1.stores }
    let rows = list.prefix(Self.most).map { use in
      let (name, stores) = (String(use.version), grouped(use.stores))
      let bar = Self.bar(name, words: stores, width: Self.hundredths(use.stores, of: most), style: "plain")
      return """
        <tr><th scope="row"><span class="name">\(name)</span>
        \(bar)</th><td class="number" data-label="stores">\(stores)</td><td class="number" data-label="share">\(rate(use.stores, of: whole))</td></tr>
        """ as HTML
    }
    return """
      <section id="frameworks" class="card"><h2>Framework versions</h2>
      \(Self.table(columns: ["version", "stores", "share"], rows: rows, of: list.count))</section>

      """
  }

  var list: HTML {
    guard stores.count > 0 else { return "" }
    let kept = stores.kept
    let title = stores.count == 1 ? "The store" : "All \(counted(stores.count, "store"))"
    let rest =
      stores.count > Int64(kept.count)
      ? "the worst \(grouped(Int64(kept.count))); the lines (--resume FILE, or --format csv) have all" : ""
    let pages = stores.pages
    let rows = HTML.each(kept.enumerated()) { number, row in
      """
      <tr><th scope="row"><span class="name">\(linked(row.name, pages.indices.contains(number) ? pages[number] : nil))</span></th><td><span class="swatch \(row.style)"></span>\(row.outcome)</td><td>\(Self.cut(row.version))</td><td>\(Self.cut(row.words))</td></tr>

      """
    }
    // A long list is left out on paper.
    return """
      <section id="stores" class="card"><details id="list" class="entity all\(kept.count > 100 ? " long" : "")"\(pages.isEmpty || kept.count > 100 ? "" : " open")><summary><h2>\(title)</h2></summary>
      <p class="rest">The worst first. Where scripts may run, words in the field below leave the stores that have them all, and a \
      column's head sorts; the browser's search (Ctrl+F, or Cmd+F) looks in it, too, also while it is folded.</p>
      <div class="scroll"><table class="stacked rows"><thead><tr><th scope="col">store</th><th scope="col">outcome</th><th scope="col">version</th><th scope="col">worst findings</th></tr></thead><tbody>
      \(rows)</tbody></table></div>
      <p class="rest">\(rest)</p></details></section>

      """
  }

  /// A store's name, leading to its page.
  private func linked(_ name: String, _ page: StorePageLink?) -> HTML {
    switch page {
    case nil: "\(name)"
    case .file(let file):
      "<a href=\"\(percentEncoded(pathBytes: Array((stores.pagesFolder + file).utf8)))\">\(name)</a>"
    case .missing(let why): "\(name) <span class=\"faint\">no page: \(Self.cut(why))</span>"
    }
  }
}
