/// What SQLite says of the pages of a store, tied to its tables and indexes.
///
/// `integrity_check` is ok in all 411 real stores that were read, also in those whose objects are damaged.
public struct IntegrityReport: Sendable, Equatable {
  /// SQLite's own sentences, the first hundred; empty when all is well.
  public var complaints: [String] = []
  /// Tables and indexes that cannot be read whole, or whose entries disagree, by name.
  public var trees: [DamagedTree] = []
  /// How many complaints are about no table and no index.
  public var otherComplaints = 0
  /// Why the pages could not be tied to tables; nil when they could.
  public var problem: String?

  /// Whether SQLite complains of nothing.
  public var isOK: Bool { complaints.isEmpty && problem == nil }

  /// The tables with pages that cannot be read, or are not what they should be.
  public var damagedTables: Set<String> { Set(trees.lazy.filter { !$0.isIndex && !$0.pages.isEmpty }.map(\.name)) }

  /// A table or an index that is damaged.
  public struct DamagedTree: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// The table it belongs to; itself for a table.
    public var table: String
    /// Whether it is an index, which can be made again from its table.
    public var isIndex: Bool
    /// Damaged pages, counted from 1, ascending; the first hundred.
    public var pages: [Int64] = []
    /// Entries of an index that disagree with its table, as far as SQLite counted.
    public var wrongEntries = 0
    /// Entries on pages that can be read.
    public var readableEntries: Int64 = 0
    /// Rows of a table by an index of it that is whole; nil where there is none.
    public var entriesByIndex: Int64?

    /// Rows that cannot be read, as far as an index tells.
    public var lostRows: Int64? { entriesByIndex.map { max($0 - readableEntries, 0) } }
  }

  /// How much of a store is looked at.
  public enum Depth: String, Sendable {
    /// Pages and the order of rows (`PRAGMA quick_check`).
    case quick
    /// That, and each index against its table (`PRAGMA integrity_check`).
    case full
  }
}
