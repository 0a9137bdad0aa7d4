extension Recovery {
  /// The database as header and schema describe it, in its newest state.
  public struct Database: Sendable, Equatable {
    /// Bytes of a page.
    public var pageSize: Int
    /// Pages.
    public var pages: Int64
    /// Pages that are in no use.
    public var freePages: Int64
    /// "UTF-8", "UTF-16le" or "UTF-16be", as SQLite names them.
    public var encoding: String
    /// The format for reading: 1 for a rollback journal, 2 for a write-ahead log.
    public var readVersion: Int
    /// The format for writing.
    public var writeVersion: Int
    /// The tables, in the order of the schema.
    public var tables: [Table] = []
  }

  /// One table of the schema.
  public struct Table: Sendable, Equatable {
    /// The name.
    public var name: String
    /// The statement that made it.
    public var sql: String?
    /// The columns; empty where the statement could not be read.
    public var columns: [Column] = []
    /// Rows; nil where the table could not be read whole.
    public var rows: Int64?
  }

  /// One column of a table.
  public struct Column: Sendable, Equatable {
    /// The name.
    public var name: String
    /// The declared type, empty for none.
    public var type: String
    /// The place in the primary key, from 1; 0 for a column that is not in it.
    public var primaryKey: Int
  }
}
