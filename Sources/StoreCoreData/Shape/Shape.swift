/// The tables of a store with their columns, as SQLite reports them.
public struct Shape: Sendable, Equatable {
  /// Real tables by name.
  public var tables: [String: Table] = [:]
  /// Views and virtual tables by name, with their kind; they are never read.
  public var unreadable: [String: String] = [:]
  /// Triggers in the order of the schema.
  public var triggers: [Trigger] = []

  /// A trigger.
  public struct Trigger: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// The table whose changes fire it.
    public var table: String
    /// Its `CREATE TRIGGER` statement.
    public var sql: String
  }

  /// One real table.
  public struct Table: Sendable, Equatable {
    /// The table's name.
    public var name: String
    /// In the table's order, without generated columns, which are in `generated`.
    public var columns: [Column]
    /// Names of generated columns, which Core Data never makes.
    public var generated: [String] = []

    /// Whether a column of that name exists.
    public func has(_ column: String) -> Bool { columns.contains { $0.name == column } }
  }

  /// One column.
  public struct Column: Sendable, Equatable {
    /// The column's name.
    public var name: String
    /// The declared type, as written.
    public var declaredType: String
  }
}
