import SQLitePages
import StoreDataModel
import StoreSQLite
import StoreWords

/// One commit of a store's write-ahead log.
package struct StoreCommit: Sendable, Equatable {
  /// Counted from 1; 0 for the store before the first commit.
  package var number: Int
  /// Frames that it wrote.
  package var frames: Int
  /// Different pages that it wrote.
  package var pages: Int
  /// Pages of the database after it.
  package var databasePages: Int64
  /// Why it cannot be read; nil if it can.
  package var refusal: String?
  /// Its changes; nil where it or the one before it cannot be read, and for 0.
  package var changes: Changes?

  /// The changes of one commit.
  package struct Changes: Sendable, Equatable {
    /// Whether it changed the schema.
    package var changesSchema: Bool
    /// Entities whose rows it changed, in the order of their numbers.
    package var entities: [RowChange]
    /// Other tables whose rows it changed, by name.
    package var tables: [RowChange]
    /// The earliest and latest time of history transactions that it wrote, seconds since 2001-01-01 UTC; nil without one.
    package var times: ClosedRange<Double>?
    /// Tables whose changes are not known, because their pages are damaged.
    package var unknownTables: [String]
    /// Pages of long values whose rows are not known.
    package var unplacedPages: Int
  }

  /// Rows that a commit changed.
  package struct RowChange: Sendable, Equatable {
    /// The entity's name in `Z_PRIMARYKEY`, or the table's.
    package var name: String
    /// The entity's number; nil for a table.
    package var entity: EntityID?
    /// The table.
    package var table: String
    /// Rows that are there only after the commit.
    package var added: Int
    /// Rows with the same key whose content differs.
    package var changed: Int
    /// Rows that are there only before it.
    package var removed: Int
  }
}

extension Store {
  /// The commits of its write-ahead log, beginning with 0 for the store before the first; none if it has no log.
  ///
  /// - Throws: `StoreError` or `FileError` when a file cannot be read.
  package func commits() throws -> [StoreCommit] {
    guard let log = files.wal, let wal else { return [] }
    let history = try WALHistory(of: log, over: files.main)
    let last = history.commits.count - 1
    let isHot = journal?.isHot == true
    var commits = history.commits.map { commit in
      StoreCommit(
        number: commit.number, frames: commit.frames.count, pages: Set(history.pages[commit.frames]).count,
        databasePages: Int64(commit.databasePages),
        refusal: isHot ? "a hot rollback journal lies beside it" : wal.refusal(ofCommit: commit, last: last))
    }
    guard wal.isReadable, !isHot else { return commits }
    var replay = try CommitReplay(of: log, over: files.main, history: history, interest: .coreData)
    var names: [Int64: String] = [:]
    var times: ClosedRange<Double>?
    try replay.run(
      onRow: { row in
        switch row.table {
        case "Z_PRIMARYKEY":
          // Z_ENT is the table's key, which a record does not hold.
          if let name = row.text("Z_NAME") { names[row.rowid] = name }
        default:
          guard let time = row.number("ZTIMESTAMP"), time.isFinite else { return }
          times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
        }
      },
      { commit, changes in
        defer { times = nil }
        guard let changes, commits[commit.number].refusal == nil, commits[commit.number - 1].refusal == nil else {
          return
        }
        commits[commit.number].changes = .init(changes, names: names, times: times)
      })
    return commits
  }
}

extension RowInterest {
  /// Rows by entity, names of entities, and the times of history transactions.
  fileprivate static let coreData = RowInterest(
    tagColumn: "Z_ENT", watched: ["Z_PRIMARYKEY", HistoryTable.transaction.rawValue], watchedBefore: ["Z_PRIMARYKEY"])
}

extension StoreCommit.Changes {
  fileprivate init(_ changes: CommitChanges, names: [Int64: String], times: ClosedRange<Double>?) {
    let rows = changes.rows.map { place, counts in
      let entity = place.tag.flatMap { place.table == "Z_PRIMARYKEY" ? nil : EntityID($0) }
      // `Z_PRIMARYKEY` need not name the entities of history.
      return StoreCommit.RowChange(
        name: entity.flatMap { names[$0.number] ?? HistoryTable(entityNumber: $0.number)?.entityName } ?? place.table,
        entity: entity, table: place.table, added: counts.added, changed: counts.changed, removed: counts.removed)
    }
    let ordered = rows.sorted { left, right in
      if left.entity != right.entity { return (left.entity?.number ?? .max) < (right.entity?.number ?? .max) }
      return codeUnitsPrecede(left.table, right.table)
    }
    self.init(
      changesSchema: changes.changesSchema, entities: ordered.filter { $0.entity != nil },
      tables: ordered.filter { $0.entity == nil }, times: times,
      unknownTables: changes.damagedTables.sorted(by: codeUnitsPrecede), unplacedPages: changes.unplacedPages)
  }
}
