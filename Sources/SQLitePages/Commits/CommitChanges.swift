import StoreSQLite

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
  /// The row id.
  package var rowid: Int64
  private let columns: [String]
  /// The beginning of its record: what is on its own page.
  private let record: [UInt8]
  private let encoding: DatabaseHeader.TextEncoding

  /// A row whose record begins with these bytes.
  init(_ table: TreeTable, rowid: Int64, record: [UInt8], encoding: DatabaseHeader.TextEncoding) {
    self.table = table.name
    self.rowid = rowid
    columns = table.columns
    self.record = record
    self.encoding = encoding
  }

  /// The value in a column, text in UTF-8; nil if the row has no such column, or the value is not all there.
  package func value(_ column: String) -> SQLiteValue? {
    columns.firstIndex(of: column).flatMap { position in
      record.withUnsafeBytes { bytes in
        RecordHeader(bytes)?.field(position, in: bytes)
          .flatMap { $0.type.value(in: bytes, at: $0.offset, encoding: encoding) }
      }
    }
  }

  /// The number in a column.
  package func number(_ column: String) -> Double? {
    switch value(column) {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  /// The text in a column.
  package func text(_ column: String) -> String? {
    if case .text(let bytes) = value(column) { String(decoding: bytes, as: UTF8.self) } else { nil }
  }
}
