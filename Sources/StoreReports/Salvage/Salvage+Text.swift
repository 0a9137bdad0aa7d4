import StoreDiagnosis
import StoreSalvage
import StoreWords

extension Salvage {
  /// The first line.
  package var headline: String {
    let rows = counted(Int64(saved), "row")
    let left = keepsDoubtful ? "" : " left out"
    let doubt = doubtful > 0 ? ", \(grouped(Int64(doubtful))) doubtful\(left)" : ""
    let losses = [lossWords, damageWords].compactMap { $0 }.map { "; \($0)" }.joined()
    return "saved \(rows) in \(quoted(output))\(doubt)\(losses)"
  }

  /// What is known to be lost; nil where nothing is.
  private var lossWords: String? {
    let losing = tables.filter { !$0.lost.isEmpty }
    guard !losing.isEmpty else { return nil }
    let counts = losing.map(\.lostKeys)
    guard counts.allSatisfy({ $0 != nil }) else {
      return "more may be lost: pages that cannot be read may have had rows"
    }
    let sum = counts.reduce(0) { $0 + ($1 ?? 0) }
    return sum == 0
      ? nil
      : "up to \(grouped(sum)) lost: so many keys were handed out that lie on pages which cannot be read, deleted ones among them"
  }

  /// What damaged pages may have had; nil where none is damaged in part.
  private var damageWords: String? {
    guard pages.damaged > 0 else { return nil }
    let pages = counted(Int64(pages.damaged), "damaged page")
    return "\(pages) may have had more rows than were found"
  }

  /// The salvage as text.
  ///
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  ///   - next: the commands to go on with.
  package func text(width: Int, isStyled: Bool, next: [String]) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(headline, indent: 0, first: "", style: .strong)
    page.write(reading)
    page.section("Rows")
    for table in tables { table.write(to: &page) }
    if !notes.isEmpty {
      page.section("The files")
      for note in notes { page.paragraph(escapedForTerminal(note), first: "- ") }
    }
    page.section("Pages")
    page.field("all", grouped(Int64(pages.all)))
    page.field(
      "with rows",
      grouped(Int64(pages.read))
        + (pages.unreached > 0 ? ", \(grouped(Int64(pages.unreached))) of them found without a way to them" : ""))
    if pages.older > 0 {
      page.field(
        "left out",
        "\(grouped(Int64(pages.older))) with rows of an older state, or deleted ones"
          + (keepsDoubtful ? ", but for rows whose keys no other page has" : ""))
    }
    if pages.unclear > 0 {
      page.field("unclear", "\(grouped(Int64(pages.unclear))) whose rows fit no table, or several")
    }
    if pages.blank > 0 { page.field("blank", grouped(Int64(pages.blank))) }
    write(damagedPages, to: &page)
    list("Made anew", made, on: &page)
    list("Not made again", leftOut, on: &page)
    if !rows.isEmpty {
      page.section(keepsDoubtful ? "Written with doubt" : "Left out")
      for row in rows.prefix(Self.mostShown) {
        page.paragraph(escapedForTerminal("\(row.table) \(row.key), page \(row.page): \(row.why.words)"), first: "- ")
      }
      if doubtful > Self.mostShown {
        page.paragraph(
          "and \(grouped(Int64(doubtful - Self.mostShown))) more; --format json lists \(grouped(Int64(rows.count)))",
          first: "- ")
      }
    }
    page.section("The new store")
    page.paragraph(diagnosis.verdictLine, indent: 2)
    for finding in diagnosis.findings.filter({ $0.severity >= .warning }).prefix(Self.mostShown) {
      page.paragraph(escapedForTerminal("\(finding.id) \(finding.message)"), first: "- ")
    }
    if !next.isEmpty {
      page.section("Next")
      for command in next { page.command(command) }
    }
    return page.text
  }

  private static let mostShown = 20

  private func write(_ damaged: [DamagedPage], to page: inout Page) {
    guard !damaged.isEmpty else { return }
    page.section("Damaged in part")
    for leaf in damaged.prefix(Self.mostShown) {
      let stated = leaf.stated.map { "it counts \(grouped(Int64($0)))" } ?? "how many it had is not known"
      page.paragraph(
        escapedForTerminal(
          "page \(leaf.page) of \(leaf.table), keys \(Savable.words(leaf.keys)): "
            + "\(counted(Int64(leaf.found), "row")) found, \(stated)"), first: "- ")
    }
    if pages.damaged > Self.mostShown {
      page.paragraph(
        "and \(grouped(Int64(pages.damaged - Self.mostShown))) more; --format json lists "
          + grouped(Int64(damagedPages.count)), first: "- ")
    }
  }

  private func list(_ title: String, _ sentences: [String], on page: inout Page) {
    guard !sentences.isEmpty else { return }
    page.section(title)
    for sentence in sentences { page.paragraph(escapedForTerminal(sentence), first: "- ") }
  }
}

extension Salvage.Why {
  /// In words.
  package var words: String {
    switch self {
    case .torn: "a part of it is lost"
    case .damaged: "its page is damaged there, or it does not look like a row of the table"
    case .contested: "two pages have these keys, and not the same rows: one is of an older state"
    case .taken: "its key, or a value that is unique, has another row already"
    }
  }
}
