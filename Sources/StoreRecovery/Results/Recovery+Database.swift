extension Recovery {
  /// The database as header and schema describe it, in its newest state.
  package struct Database: Sendable, Equatable {
    /// Bytes of a page.
    package var pageSize: Int
    /// Pages.
    package var pages: Int64
    /// Pages that are in no use.
    package var freePages: Int64
    /// "UTF-8", "UTF-16le" or "UTF-16be", as SQLite names them.
    package var encoding: String
    /// The format for reading: 1 for a rollback journal, 2 for a write-ahead log.
    package var readVersion: Int
    /// The format for writing.
    package var writeVersion: Int
    /// The tables, in the order of the schema.
    package var tables: [Table] = []
  }

  /// One table of the schema.
  package struct Table: Sendable, Equatable {
    /// The name.
    package var name: String
    /// The statement that made it.
    package var sql: String?
    /// The columns; empty where the statement could not be read.
    package var columns: [Column] = []
    /// Rows; nil where the table could not be read whole.
    package var rows: Int64?
  }

  /// One column of a table.
  package struct Column: Sendable, Equatable {
    /// The name.
    package var name: String
    /// The declared type, empty for none.
    package var type: String
    /// The place in the primary key, from 1; 0 for a column that is not in it.
    package var primaryKey: Int
  }
}
