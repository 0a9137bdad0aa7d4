import StoreFindings
import StoreMigration
import StoreScanning
import StoreWords
import StoreDataModel
import StoreCoreData

extension Check {
  static let dataBlocksMigration = Check(
    .dataBlocksMigration, "data-blocks-migration", .error, traits: [.rows, .candidates],
    summary: "Rows stand in the way of a migration that could be inferred.",
    explanation: """
      ## What it looks for
      Rows that break what the version given asks for, one finding a rule: rows that would have no value for a new
      required property, NULLs in one that becomes required, duplicates under a new constraint; and tables or columns
      that the migration's statements name and the store does not have.

      ## Why it matters
      Opening stops with 134110, and the store stays as it was. The app prints the entity and the property at best, never
      the rows.

      ## Example
      `Person.uuid` is required in `People 2`, and row 2 of `ZPERSON` has NULL in `ZUUID`.

      ## What can be done
      NULLs: `backfill`. Duplicates: `dedupe`. A new required property: give it a default at its declaration, or make it
      optional in a version between and fill it there (`--stage-skeleton`): in the store there is no column to fill.
      """,
    ofCandidates: { view in
      view.findings(\.blocking, at: \.placeText) { rule, verdict in view.finding(rule, in: verdict) }
        + view.structureFindings
    })
}

extension CandidateView {
  fileprivate func finding(_ judged: MigrationOutcome.JudgedRule, in verdict: ModelVerdict) -> Finding {
    let entity = judged.entity
    let name = storeName(entity)
    let count = judged.violations.reduce(0) { $0 + $1.count }
    let examples = judged.violations.flatMap { violation in
      let own = storeName(violation.entity)
      return violation.keys.map { Finding.Example($0, ["entity": own == name ? nil : own.map(Finding.Fact.text)]) }
    }.sorted { ($0.primaryKey ?? 0) < ($1.primaryKey ?? 0) }
    var finding = check.finding(
      name, table: table(of: entity), count: count, examples: Array(examples.prefix(scan.exampleLimit)),
      message: message(judged, count: count, verdict: verdict), blocks: judged.codes,
      remedies: (verdict.remedies[judged.rule.condition] ?? []).map(\.remedy),
      basis: judged.rule.gradeWhenViolated.basis)
    finding.property = judged.property
    return finding
  }

  private func message(_ judged: MigrationOutcome.JudgedRule, count: Int64, verdict: ModelVerdict) -> String {
    let groups = judged.violations.compactMap(\.groups).reduce(0, +)
    let rows = counted(count, "row") + (groups > 0 ? " in \(counted(groups, "group"))" : "")
    return "\(rows): \(judged.rule.words); \(verdict.stops)"
  }

  /// Tables and columns that the SQL statements of a migration need but the store lacks; SD301, SD302 and SD304 list
  /// them.
  fileprivate var structureFindings: [Finding] {
    findings({ $0.missing.isEmpty ? [] : [$0.missing] }, at: { _ in "" }) { missing, verdict in
      let only = missing.count == 1 ? missing.first : nil
      return check.finding(
        only?.entity, property: only?.property, count: Int64(missing.count),
        message:
          "\(missing.count == 1 ? "a table or column" : "\(missing.count) tables or columns") the store's own model asks for "
          + "\(missing.count == 1 ? "is" : "are") not there; \(verdict.stops)", blocks: [134110], basis: .assumed)
    }
  }
}

extension MigrationOutcome.JudgedRule {
  fileprivate var placeText: String { "\(entity ?? "").\(property ?? "") \(rule.words)" }

  fileprivate var codes: [Int] {
    guard case .blocks(let failure) = rule.consequence, let code = failure.code else { return [] }
    return failure == .constraintViolation ? [code, 134111] : [code]
  }
}
