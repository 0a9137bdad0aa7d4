/// How the rows of one generated store are deleted.
struct DeletionPlan: CustomStringConvertible {
  /// Which rows.
  enum Pattern: String, CaseIterable {
    /// Rows that are not neighbours.
    case single
    /// Runs of neighbours.
    case neighbours
    /// Whole tables.
    case all
    /// Some, whose space later rows take.
    case reused
    /// Some with texts that need overflow pages.
    case long
  }

  /// `PRAGMA secure_delete`.
  enum Wiping: Int, CaseIterable {
    case off = 0
    case on = 1
    case fast = 2
  }

  /// What becomes of the journal.
  enum Journal: String, CaseIterable {
    /// The log is beside the store, with all deletions in it.
    case logKept
    /// The log was checkpointed.
    case logGone
    /// There was no log.
    case delete
  }

  var seed: UInt64
  var pattern: Pattern
  var wiping: Wiping
  var journal: Journal
  var keepsHistory: Bool
  /// Whether the store is migrated after the deletions, and some more is deleted: every entity has another number then,
  /// letters another table, notes and photos another column.
  var migrates: Bool
  /// Whether that migration also gives drafts another name, and their table with it, and makes the table of notes and
  /// photos anew, without a column.
  var renames: Bool
  /// Whether rows are inserted and changed by transactions that are taken back, when their pages are partly written.
  var takesBack: Bool
  /// Bytes of a page.
  var pageSize: Int

  /// The plan of a seed: 15 seeds have each pattern with each way to wipe, 45 with each journal, 90 with and without
  /// history. Of three times 15 seeds one migrates, of these every other one with new names; of ten seeds five take rows back. Of 90 one has the largest pages, of 900 some have these or small
  /// ones throughout.
  init(seed: UInt64) {
    self.seed = seed
    let number = Int(seed % 90)
    pattern = Pattern.allCases[number % 5]
    wiping = Wiping.allCases[number % 3]
    journal = Journal.allCases[(number / 3 + number / 15 * 2) % 3]
    keepsHistory = (number + number / 45) % 2 == 1
    migrates = number / 15 % 3 == 1
    renames = migrates && (UInt64(number) + seed / 90) % 2 == 0
    takesBack = (UInt64(number) / 5 + seed / 90) % 2 == 0
    pageSize = number == 6 ? 65_536 : [5: 65_536, 6: 1_024, 8: 65_536][seed / 90 % 10] ?? 4_096
  }

  var description: String {
    "seed \(seed): \(pattern), secure_delete \(wiping), \(journal), \(keepsHistory ? "with" : "without") history\(migrates ? ", migrated" : "")\(renames ? " with names" : "")\(takesBack ? ", some taken back" : ""), pages of \(pageSize)"
  }
}
