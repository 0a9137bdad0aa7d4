import StoreFindings
import StoreMigration
import StoreMigrator
import StoreRows
import StoreWords

extension PerformedMigration {
  /// "migrated: 2 steps, 54 statements; 1,240 objects kept, 3 lost; opens".
  package var verdictLine: String {
    guard !hops.isEmpty else {
      return output == nil ? "nothing to migrate: it opens as it is" : "nothing to migrate: written as it was; opens"
    }
    let statements = hops.reduce(0) { $0 + $1.plan.statements.count }
    let steps = "\(counted(Int64(hops.count), "step")), \(counted(Int64(statements), "statement"))"
    guard output != nil else { return "not performed: \(steps)" }
    let losses = lossesOfRows
    let ofRows = losses.first.map { first in
      "; lost: \(first.place)\(first.rows.map { " in \(counted($0, "object"))" } ?? "")"
        + (losses.count > 1 ? " and \(losses.count - 1) more" : "")
    }
    let losing = ofRows ?? losingByMappingModel
    let isLosing = losing != nil || !lossyOperations.isEmpty || (lost ?? 0) > 0
    return
      "migrated: \(steps); \(counted(kept ?? 0, "object")) kept\(removing)\(losing ?? (isLosing ? "" : ", nothing lost")); opens"
  }

  /// "; lost: 3 objects, 12 values": what a mapping model leaves behind; nil where it leaves nothing.
  private var losingByMappingModel: String? {
    guard isByMappingModel, let lost, let lostValues, lost + lostValues > 0 else { return nil }
    let parts = [(lost, "object"), (lostValues, "value")].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
    return "; lost: \(parts.joined(separator: ", "))"
  }

  /// ", 6 removed by the recipe: 3 Trip, 3 Leg"; empty where it removed none.
  private var removing: String {
    let removed = removedByRecipe
    guard !removed.isEmpty else {
      return lossyOperations.isEmpty ? "" : "; the recipe loses values (see below)"
    }
    let parts = removed.map { "\(grouped($0.objects)) \($0.entity)" }.joined(separator: ", ")
    return ", \(grouped(removed.reduce(0) { $0 + $1.objects })) removed by the recipe: \(parts)"
  }

  /// Losses that concern rows of this store.
  private var lossesOfRows: [MigrationOutcome.JudgedLoss] { hops.isEmpty ? [] : verdict.lossesOfRows }

  /// A report of the migration as text.
  ///
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  ///   - showsStatements: whether the SQL is shown.
  ///   - next: the commands to go on with.
  package func text(width: Int, isStyled: Bool, showsStatements: Bool, next: [String]) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(verdictLine, indent: 0, first: "", style: .strong)
    page.write(reading)
    for hop in hops {
      page.section("\(hop.from.map(escapedForTerminal) ?? "the store's version") to \(escapedForTerminal(hop.to))")
      if let mapping = hop.mapping { page.field("mapping", escapedForTerminal(mapping)) }
      write(hop.willMigrate, side: "willMigrate", to: &page)
      page.paragraph(hop.plan.tables.words + "; \(counted(Int64(hop.plan.schemaChanges), "change")) of the schema")
      for remark in hop.plan.remarks { page.paragraph(escapedForTerminal(remark)) }
      if showsStatements {
        page.line()
        for statement in hop.plan.statements { page.line(statement.logLine) }
      }
      write(hop.didMigrate, side: "didMigrate", to: &page)
    }
    writeLog(to: &page)
    writeEntities(to: &page)
    writeLosses(to: &page)
    if !assumptions.isEmpty {
      page.section("Assumed")
      for sentence in assumptions { page.paragraph(escapedForTerminal(sentence), first: "- ") }
    }
    let indexes = hops.flatMap(\.plan.indexesLeftOut)
    if !indexes.isEmpty {
      page.section("Indexes that are not made")
      page.paragraph(
        indexes.map(escapedForTerminal).joined(separator: ", ")
          + ": their statement is not known; Core Data makes them at its next migration")
    }
    if let stageCode {
      page.section("Swift of the stages")
      page.field("file", escapedForTerminal(stageCode.path))
      page.field("not run", "type-checked against stand-ins only: run it on a device before you ship it")
      for omission in stageCode.omissions { page.field("left out", escapedForTerminal(omission)) }
    }
    if let output {
      page.section("Written")
      page.field("store", escapedForTerminal(output))
      page.field("untouched", escapedForTerminal(store))
    }
    if !next.isEmpty {
      page.section("Next")
      for command in next { page.command(command) }
    }
    return page.text
  }

  private func writeLog(to page: inout Page) {
    guard let log else { return }
    page.section("Against the log")
    guard !log.isEqual else {
      return page.paragraph("the log has the same \(counted(Int64(log.planned), "statement")), in this order")
    }
    page.paragraph(
      "\(counted(Int64(log.planned), "statement")) planned, \(grouped(Int64(log.logged))) in the log; please report this, with "
        + "the store's model and the lines of the log: it shows a rule that is not known here")
    for difference in log.differences.prefix(40) {
      page.line(
        "  \(difference.isInLog ? "log    " : "planned") \(difference.position): \(escapedForTerminal(difference.sql))")
    }
    if log.differences.count > 40 { page.paragraph("and \(log.differences.count - 40) more: --format json has all") }
  }

  private func write(_ sentences: [String], side: String, to page: inout Page) {
    for sentence in sentences { page.paragraph(escapedForTerminal("\(side): \(sentence)")) }
  }

  private func writeEntities(to page: inout Page) {
    guard let comparison, !hops.isEmpty else { return }
    page.section("Objects")
    for entity in comparison.entities where !entity.isEqual || entity.before > 0 {
      var parts = [counted(entity.before - entity.removed, "object") + " kept"]
      parts += [(entity.changed, "changed"), (entity.removed, "removed"), (entity.added, "added")]
        .filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
      if let before = entity.nameBefore { parts.append("was \(quoted(before))") }
      parts += entity.renamed.map { "\(quoted($0.before)) is \(quoted($0.after))" }
      parts += entity.new.map { new in
        guard new.values > 0 else { return "\(quoted(new.name)) is new, and empty" }
        return "\(quoted(new.name)) is new" + (new.constant.map { ", \($0.lineText.dropLast())" } ?? "")
          + " in \(grouped(new.values))"
      }
      parts += entity.dropped.map { "\(quoted($0.name)) is gone, \(counted($0.values, "value")) with it" }
      page.field(escapedForTerminal(entity.name), escapedForTerminal(parts.joined(separator: "; ")))
    }
    for (name, objects) in comparison.onlyAfter {
      page.field(escapedForTerminal(name), "new" + (objects > 0 ? ", \(counted(objects, "object"))" : ""))
    }
  }

  /// Writes the losses: known before from the models, and counted in the rows.
  private func writeLosses(to page: inout Page) {
    guard !lossesOfRows.isEmpty else { return }
    page.section("Lost")
    for judged in lossesOfRows {
      let rows = judged.rows.map { counted($0, "object") } ?? "not counted"
      page.paragraph("\(escapedForTerminal(judged.place)): \(judged.loss.kind.rawValue), \(rows) (SD809)", first: "- ")
    }
  }
}

extension MigrationOutcome.JudgedLoss {
  /// "Note.body", or "Note".
  fileprivate var place: String { [loss.entity, loss.property].compactMap(\.self).joined(separator: ".") }
}

extension MigrationPlan.TableCounts {
  /// "2 tables altered, 1 made anew, 1 new".
  var words: String {
    let parts = [(altered, "altered"), (remade, "made anew"), (made, "new"), (dropped, "dropped")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? "no table changes" : "tables: " + parts.joined(separator: ", ")
  }
}

extension MigrationStatement {
  /// The statement as in the log that `-com.apple.CoreData.SQLDebug 1` makes; values are not shown.
  package var logLine: String { "CoreData: sql: " + escapedForTerminal(sql) }
}
