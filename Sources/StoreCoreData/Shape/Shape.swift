/// The tables of a store with their columns, as SQLite reports them.
package struct Shape: Sendable, Equatable {
  /// Real tables by name.
  package var tables: [String: Table] = [:]
  /// Views and virtual tables by name, with their kind; they are never read.
  package var unreadable: [String: String] = [:]
  /// Tables whose SQL is refused where the store is opened to write, as apps do, with SQLite's words.
  package var refusals: [String: String] = [:]
  /// Triggers in the order of the schema.
  package var triggers: [Trigger] = []

  /// A trigger.
  package struct Trigger: Sendable, Equatable {
    /// Its name.
    package var name: String
    /// The table whose changes fire it.
    package var table: String
    /// Its `CREATE TRIGGER` statement.
    package var sql: String
  }

  /// One real table.
  package struct Table: Sendable, Equatable {
    /// The table's name.
    package var name: String
    /// In the table's order, without generated columns, which are in `generated`.
    package var columns: [Column]
    /// Names of generated columns, which Core Data never makes.
    package var generated: [String] = []

    /// Whether a column of that name exists.
    package func has(_ column: String) -> Bool { columns.contains { $0.name == column } }

    /// Of history's table of changes: the columns of what is kept of deleted objects, in the order of their numbers.
    package var tombstoneColumns: [String] {
      columns.map(\.name).filter { $0.hasPrefix("ZTOMBSTONE") }.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    }
  }

  /// One column.
  package struct Column: Sendable, Equatable {
    /// The column's name.
    package var name: String
    /// The declared type, as written.
    package var declaredType: String
  }
}
