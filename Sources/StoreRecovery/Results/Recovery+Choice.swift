extension Recovery {
  /// What of a search a report shows; by default all.
  package struct Choice: Sendable, Equatable {
    /// Entities or tables by name; all if empty.
    package var entities: [String] = []
    /// The weakest grade.
    package var grade = RecoveredRow.Grade.implied
    /// The time of results that stay, seconds since 2001-01-01 UTC; nil for no limit.
    package var since: Double?
    /// Likewise.
    package var until: Double?
    /// The most results.
    package var limit: Int?
    /// The models that were given as earlier versions, by name.
    package var models: [String] = []
    /// What is shown in place of results.
    package var part: Part?

    /// What a report without results is about.
    package enum Part: String, Sendable { case summary, models }

    /// Everything.
    package init() {}
  }

  /// Leaves out what was not asked for; a note says where more was left out than an option names.
  package mutating func choose(_ choice: Choice) {
    self.choice = choice
    if !choice.entities.isEmpty {
      // A row of an unknown entity may be one of those that share the table.
      let tables = tables(of: choice.entities)
      rows.removeAll { row in
        !choice.entities.contains { $0 == row.entity || $0 == row.table }
          && !(row.entity == nil && row.table.map(tables.contains) == true)
      }
      summary.removeAll { table in !choice.entities.contains { $0 == table.name || $0 == table.table } }
    }
    rows.removeAll { $0.grade < choice.grade }
    limit(since: choice.since, until: choice.until)
    if choice.part == .models { models.removeAll { $0.row.grade < choice.grade } }
    if choice.part != nil { rows = [] }
    if let limit = choice.limit, rows.count > limit {
      notes.append("\(rows.count - limit) more rows were left out by --limit")
      rows.removeSubrange(max(0, limit)...)
    }
  }

  /// Keys that only a gap shows, and which were asked for and are counted without being among the rows.
  package var unlistedKeys: Int64 {
    let isAll = choice.grade == .implied && choice.since == nil && choice.until == nil && choice.limit == nil
    return isAll ? summary.reduce(0) { $0 + $1.unlisted } : 0
  }

  /// The tables of entities, as far as results tell.
  private func tables(of entities: [String]) -> Set<String> {
    let found = rows.compactMap { row in row.entity.flatMap { entities.contains($0) ? row.table : nil } }
    return Set(found + summary.filter { entities.contains($0.name) }.map(\.table))
  }
}
