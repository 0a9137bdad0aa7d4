/// What one commit did to the rows of the tables.
package struct CommitChanges: Sendable, Equatable {
  /// Rows of a table, or of those of its rows that have the same tag.
  package struct Place: Hashable, Sendable {
    /// The table's name after the commit, or before it where it was dropped.
    package var table: String
    /// The whole number in the tag column; nil where the table has no such column, or the row no number there.
    package var tag: Int64?

    /// Rows of `table` with this tag.
    package init(table: String, tag: Int64?) {
      self.table = table
      self.tag = tag
    }
  }

  /// Numbers of rows.
  package struct Counts: Sendable, Equatable {
    /// Rows that are there only after the commit.
    package var added = 0
    /// Rows that are there before and after it, with other bytes.
    package var changed = 0
    /// Rows that are there only before it.
    package var removed = 0

    /// None.
    package init() {}
  }

  /// The rows that changed, by place.
  package var rows: [Place: Counts] = [:]
  /// Whether the schema was changed: tables, indexes, triggers, views.
  package var changesSchema = false
  /// Written pages of long values whose rows are not known, because their own pages were not written.
  package var unplacedPages = 0
  /// Tables whose pages are damaged, so that their changes are not known.
  package var damagedTables: Set<String> = []
}

/// What a reader of commits wants to know about rows.
package struct RowInterest: Sendable {
  /// The column by which rows of a table are counted apart.
  package var tagColumn: String
  /// Tables whose rows are handed over when they were added or changed.
  package var watched: Set<String>
  /// Of these, the tables whose rows are handed over before the first commit too.
  package var watchedBefore: Set<String>

  /// What a reader of commits wants to know.
  package init(tagColumn: String, watched: Set<String>, watchedBefore: Set<String>) {
    self.tagColumn = tagColumn
    self.watched = watched
    self.watchedBefore = watchedBefore
  }
}

/// A row of a watched table.
package struct WatchedRow {
  /// The table's name.
  package var table: String
  /// The table's columns in order.
  package var columns: [String]
  /// The rowid.
  package var rowid: Int64
  /// The row.
  package var record: Record

  /// The position of a column; nil if the table has none of that name.
  package func position(of column: String) -> Int? { columns.firstIndex(of: column) }
}
