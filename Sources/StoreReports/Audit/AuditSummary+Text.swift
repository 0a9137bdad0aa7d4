import StoreDiagnosis
import StoreAudit
import StoreFindings
import StoreWords

/// The summary as text: how many stores open, what prevents the others, which versions there are, which commands to run
/// next.
extension AuditSummary {
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  ///   - next: the parts of suggested commands.
  package func text(width: Int, isStyled: Bool, next: NextCommands = NextCommands()) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(answer, indent: 0, first: "", style: .strong)
    for remark in remarks { page.paragraph(remark, indent: 0, first: "") }
    gate?.write(to: &page)
    writeVerdicts(to: &page)
    writeFound(causes, title: "What keeps stores from opening", others: others.causes, to: &page)
    writeRisks(to: &page)
    writeVersions(to: &page)
    writeFound(
      findingsBesideCauses, title: causes.isEmpty ? "What was found" : "What else was found", others: others.findings,
      to: &page)
    writeProblems(to: &page)
    writeEntities(to: &page)
    writeSizes(to: &page)
    writeRepairs(to: &page)
    writeRehearsals(to: &page)
    writeTimings(to: &page)
    writeNext(next, to: &page)
    return page.text
  }

  /// The most rows of a list.
  private static let shown = 10

  private func writeVerdicts(to page: inout Page) {
    let rows = outcomes.map { outcome in
      [outcome.name, grouped(outcome.stores), share(outcome.stores), bar(outcome.stores, of: stores, page: page)]
    }
    guard !rows.isEmpty else { return }
    page.section("Stores")
    page.table(["verdict", "stores", "share", ""], rows: rows, rightAligned: [1, 2])
  }

  private func writeVersions(to page: inout Page) {
    guard !versions.isEmpty else { return }
    page.section("Versions in the field")
    page.table(
      ["version", "stores", "share", "verdicts"],
      rows: versions.prefix(Self.shown).map { version in
        [
          short(version.label, width: page.width / 3), grouped(version.stores), share(version.stores),
          version.outcomeWords,
        ]
      }, rightAligned: [1, 2], wrapping: 3)
    page.more(versions.count - Self.shown, noun: "version", others: others.versions)
  }

  private func writeFound(_ list: [FoundAt], title: String, others: Int64, to page: inout Page) {
    guard !list.isEmpty else { return }
    page.section(title)
    for found in list.prefix(Self.shown) { found.write(to: &page) }
    page.more(list.count - Self.shown, noun: "place", others: others)
  }

  private func writeRisks(to page: inout Page) {
    guard !atRisk.isEmpty else { return }
    page.section(Self.risksTitle)
    for risk in atRisk.prefix(Self.shown) {
      let words = "\(risk.place ?? "the store as a whole"): \(risk.message), "
      page.paragraph(
        escapedForTerminal(words + "\(counted(risk.stores, "store")), \(counted(risk.rows, "row"))"), first: "  ",
        style: risk.isLoss ? .warning : nil)
      page.example(risk.examples, indent: 4)
    }
    page.more(atRisk.count - Self.shown, noun: "place", others: others.atRisk)
  }

  private func writeProblems(to page: inout Page) {
    guard !problems.isEmpty else { return }
    page.section("Not read, or not whole")
    for problem in problems.prefix(Self.shown) {
      let signals = problem.signals.map { "signal \($0.name)" }.joined(separator: ", ")
      let words = "\(problem.kind): \(counted(problem.stores, "store"))\(signals.isEmpty ? "" : " (\(signals))")"
      page.paragraph(escapedForTerminal(words), first: "  ", style: .warning)
      page.example(problem.examples, indent: 4)
    }
    page.more(problems.count - Self.shown, noun: "cause", others: others.problems)
  }

  private func writeEntities(to page: inout Page) {
    guard !entities.isEmpty else { return }
    page.section("Entities")
    page.table(
      ["entity", "stores", "rows", "median", "most"],
      rows: entities.prefix(Self.shown).map { entity in
        let median = entity.median < 8 ? "" : "~"
        return [
          short(entity.name, width: page.width / 3), grouped(entity.stores), grouped(entity.rows),
          median + grouped(entity.median), grouped(entity.most),
        ]
      }, rightAligned: [1, 2, 3, 4])
    page.more(entities.count - Self.shown, noun: "entity", others: others.entities, plural: "entities")
  }

  private func writeSizes(to page: inout Page) {
    guard sizes.count > 0 else { return }
    page.section("Sizes")
    let most = sizes.classes.map(\.stores).max() ?? 0
    page.table(
      ["size", "stores", ""],
      rows: sizes.classes.map {
        ["\(byteWords($0.from)) up", grouped($0.stores), bar($0.stores, of: most, page: page)]
      },
      rightAligned: [0, 1])
    page.line()
    page.field("together", "\(byteWords(sizes.total)), \(counted(rows, "row"))")
    page.field("largest", byteWords(sizes.largest))
    let frameworks = frameworkVersions.prefix(Self.shown).map { "\($0.version) (\(grouped($0.stores)))" }
    if !frameworks.isEmpty {
      let rest = frameworkVersions.count - Self.shown
      page.field("frameworks", frameworks.joined(separator: ", ") + (rest > 0 ? ", and \(rest) more" : ""))
    }
  }

  private func writeRepairs(to page: inout Page) {
    guard let repairs else { return }
    page.section(repairs.repairs.isEmpty ? "Copies" : "What the recipe does")
    if !repairs.repairs.isEmpty {
      page.table(
        ["repair", "stores", "rows"],
        rows: repairs.repairs.map { [escapedForTerminal($0.repair), grouped($0.stores), grouped($0.changes)] },
        rightAligned: [1, 2])
    }
    if repairs.obstacles > 0 { page.paragraph("obstacles: \(grouped(repairs.obstacles))") }
    for output in repairs.outputs {
      page.paragraph("copies \(escapedForTerminal(output.name)): \(grouped(output.count))")
    }
  }

  private func writeRehearsals(to page: inout Page) {
    guard let rehearsals else { return }
    page.section(Self.rehearsalsTitle)
    page.table(
      ["outcome", "stores", "share"],
      rows: rehearsals.rows.map { [$0.name, grouped($0.stores), share($0.stores)] }, rightAligned: [1, 2])
    page.paragraph(rehearsals.objects)
    for obstacle in rehearsals.obstacles.prefix(Self.shown) {
      page.paragraph(escapedForTerminal(obstacle.words), first: "  ", style: .warning)
      page.example(obstacle.examples, indent: 4)
    }
    page.more(rehearsals.obstacles.count - Self.shown, noun: "reason", others: 0)
    for assumed in rehearsals.assumed.prefix(Self.shown) {
      page.paragraph(escapedForTerminal("assumed: \(assumed.name), \(counted(assumed.count, "store"))"), first: "  ")
    }
    page.more(rehearsals.assumed.count - Self.shown, noun: "assumption", others: 0)
    page.paragraph("not proved: \(AuditLine.Rehearsal.notProved)")
  }

  private func writeTimings(to page: inout Page) {
    guard let timings else { return }
    page.section("Slowest stores")
    page.table(
      ["milliseconds", "store"],
      rows: timings.slowest.map { slow in
        [grouped(slow.milliseconds), escapedForTerminal((slow.store.id.map { $0 + "  " } ?? "") + slow.store.path)]
      }, rightAligned: [0],
      wrapping: 1)
  }

  /// A share of all stores.
  private func share(_ part: Int64) -> String { rate(part, of: stores) }

  /// A bar of at most a third of the page's width; at least a dot if the part is not 0.
  private func bar(_ part: Int64, of whole: Int64, page: Page) -> String {
    guard part > 0, whole > 0 else { return "" }
    let width = Double(page.width / 3) * Double(part) / Double(whole)
    return width < 0.5 ? "·" : String(repeating: "▇", count: Int(width.rounded()))
  }
}

extension AuditSummary.FoundAt {
  fileprivate func write(to page: inout Page) {
    let code = code.map { ", the app prints \($0)" } ?? ""
    let place = place.map { " \($0)" } ?? ""
    let all =
      rows > stores
      ? ", " + (Check.traits(of: check).contains(.rows) ? counted(rows, "row") : "\(grouped(rows)) in all") : ""
    let count = counted(stores, "store") + all
    page.paragraph(
      escapedForTerminal("\(check)\(place): \(name), \(count)\(code)"), first: "  ",
      style: severity == .note ? nil : .warning)
    page.example(examples, indent: 4)
  }
}

/// The word for yes, no or not known.
package func word(_ answer: Bool?, yes: String, no: String, unknown: String) -> String {
  answer.map { $0 ? yes : no } ?? unknown
}

extension AuditGate.Outcome {
  fileprivate func write(to page: inout Page) {
    guard !demands.isEmpty else { return }
    page.section("Gate: \(word(isPassed, yes: "passed", no: "not passed", unknown: "not asked"))")
    for demand in demands {
      page.paragraph(
        escapedForTerminal("\(demand.option): \(demand.sentence)"),
        first: "  \(word(demand.isMet, yes: "met      ", no: "not met  ", unknown: "not asked  "))",
        style: demand.isMet == true ? nil : .warning)
      if demand.isMet == false, !demand.examples.isEmpty { page.example(demand.examples, indent: 11) }
    }
  }
}

extension Page {
  /// Adds the id and path of the first example, unwrapped so that it can be copied; the JSON has more.
  fileprivate mutating func example(_ examples: [AuditExample], indent: Int) {
    guard let first = examples.first else { return }
    let id = first.id.map { short($0, width: 60) }
    let path = first.path.isEmpty ? nil : short(shellQuoted(first.path), width: 400)
    let words = [id, path].compactMap(\.self).joined(separator: "  ")
    line(String(repeating: " ", count: indent) + styled(words, as: .faint))
  }

  /// Mentions how many more there are.
  fileprivate mutating func more(_ rest: Int, noun: String, others: Int64, plural: String? = nil) {
    guard rest > 0 else { return }
    let kept = others > 0 ? "\(grouped(Int64(rest))) and more" : grouped(Int64(rest))
    paragraph("and \(kept) \(rest == 1 ? "more " + noun : "more " + (plural ?? noun + "s"))", style: .faint)
  }
}

/// A name escaped for the terminal and cut in the middle to about `width`.
private func short(_ name: String, width: Int) -> String {
  let name = escapedForTerminal(name)
  guard name.displayWidth > width, width > 8 else { return name }
  return "\(name.prefix(width / 2 - 1))...\(name.suffix(width / 2 - 2))"
}

/// "4 KiB", "1.5 GiB".
func byteWords(_ bytes: Int64) -> String {
  let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
  var (size, unit) = (Double(bytes), 0)
  while size >= 1024, unit + 1 < units.count {
    size /= 1024
    unit += 1
  }
  let tenths = Int64((size * 10).rounded())
  let digits = tenths % 10 == 0 || size >= 100 ? grouped(Int64(size.rounded())) : "\(tenths / 10).\(tenths % 10)"
  return "\(digits) \(bytes == 1 ? "byte" : units[unit])"
}
