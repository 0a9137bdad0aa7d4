import StoreSQLite

/// Sees what numbers of attributes look like, before the first is replaced.
final class NumberSurvey: RowObserver {
  func begin(_ table: AnonymizingPlan.Table) {}

  func see(_ row: Statement, of table: AnonymizingPlan.Table, _ treatments: AnonymizingPlan.RowTreatments) {
    for column in table.columns.indices {
      if case .attribute(let use) = treatments[column] { use.see(row, column + table.offset) }
    }
  }

  func end(_ table: AnonymizingPlan.Table) {}
}
