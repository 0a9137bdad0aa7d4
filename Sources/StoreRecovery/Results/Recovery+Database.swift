import SQLitePages
import StoreSQLite

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

extension Recovery.Database {
  /// What a search read of the database.
  init(_ search: PageRecovery) {
    let header = search.files.header
    self.init(
      pageSize: search.files.geometry.pageSize, pages: Int64(search.view.pageCount),
      freePages: Int64(header.freelistCount), encoding: header.textEncoding.sqliteName,
      readVersion: Int(header.readVersion), writeVersion: Int(header.writeVersion))
    tables = search.schema.entries.filter { $0.type == "table" }.map { entry in
      Recovery.Table(
        name: entry.name, sql: entry.sql, columns: entry.sql.flatMap { TableDefinition(sql: $0) }?.described ?? [],
        rows: search.rowCounts[entry.name])
    }
  }
}

extension TableDefinition {
  fileprivate var described: [Recovery.Column] {
    columns.enumerated().map { index, column in
      Recovery.Column(
        name: column.name, type: column.type, primaryKey: primaryKey.firstIndex(of: index).map { $0 + 1 } ?? 0)
    }
  }
}

extension DatabaseHeader.TextEncoding {
  fileprivate var sqliteName: String {
    switch self {
    case .utf16LittleEndian: "UTF-16le"
    case .utf16BigEndian: "UTF-16be"
    default: "UTF-8"
    }
  }
}
