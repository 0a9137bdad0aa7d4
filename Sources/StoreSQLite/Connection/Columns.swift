/// A column of a table.
package struct Column: Equatable, Sendable {
  /// Its name.
  package var name: String
  /// Its type as declared, such as `VARCHAR` or `TIMESTAMP`; may be empty.
  package var declaredType: String
  /// Whether NULL is refused.
  package var isNotNull: Bool
  /// The expression of its default value, nil without one.
  package var defaultValue: String?
  /// Its position in the primary key, from 1; 0 when it is not part of it.
  package var primaryKeyPosition: Int
  /// Whether its values are stored.
  package var kind: Kind

  /// Whether a column's values are stored.
  package enum Kind: Equatable, Sendable {
    /// Stored, like most.
    case ordinary
    /// A hidden column of a virtual table.
    case hidden
    /// `GENERATED ... VIRTUAL`: computed from others when it is read.
    case generatedVirtual
    /// `GENERATED ... STORED`: computed from others when it is written.
    case generatedStored
  }
}

/// An index of a table.
package struct Index: Equatable, Sendable {
  /// Its name.
  package var name: String
  /// Whether it refuses duplicates.
  package var isUnique: Bool
  /// Its origin.
  package var origin: Origin
  /// Whether it has a WHERE clause.
  package var isPartial: Bool
  /// The columns it sorts by.
  package var columns: [Part]

  /// The origins of indexes.
  package enum Origin: Equatable, Sendable {
    /// `CREATE INDEX`
    case statement
    /// A UNIQUE constraint.
    case uniqueConstraint
    /// A PRIMARY KEY.
    case primaryKey
    /// A kind this tool does not know.
    case other(String)
  }

  /// One column of an index.
  package struct Part: Equatable, Sendable {
    /// The table's column, nil for an expression or the row id.
    package var name: String?
    /// The collation its values are compared by, such as `BINARY`.
    package var collation: String
    /// Whether larger values come first.
    package var isDescending: Bool
  }
}

extension Connection {
  /// The columns of a table, hidden and generated ones included; none for a table that does not exist.
  ///
  /// - Throws: `SQLiteError` when the schema is damaged.
  package func columns(of table: String) throws(SQLiteError) -> [Column] {
    // cid, name, type, notnull, dflt_value, pk, hidden
    let rows = try prepare("PRAGMA table_xinfo(\(quotedIdentifier(table)))")
    var columns: [Column] = []
    while try rows.step() {
      columns.append(
        Column(
          name: rows.string(1) ?? "", declaredType: rows.string(2) ?? "", isNotNull: rows.int64(3) != 0,
          defaultValue: rows.string(4), primaryKeyPosition: Int(clamping: rows.int64(5)), kind: .init(rows.int64(6))))
    }
    return columns
  }

  /// The indexes of a table; none for a table that does not exist.
  ///
  /// - Throws: `SQLiteError` when the schema is damaged.
  package func indexes(of table: String) throws(SQLiteError) -> [Index] {
    // seq, name, unique, origin, partial
    let rows = try prepare("PRAGMA index_list(\(quotedIdentifier(table)))")
    var indexes: [Index] = []
    while try rows.step() {
      let name = rows.string(1) ?? ""
      indexes.append(
        Index(
          name: name, isUnique: rows.int64(2) != 0, origin: .init(rows.string(3) ?? ""), isPartial: rows.int64(4) != 0,
          columns: try parts(ofIndex: name)))
    }
    return indexes
  }

  private func parts(ofIndex name: String) throws(SQLiteError) -> [Index.Part] {
    // seqno, cid, name, desc, coll, key
    let rows = try prepare("PRAGMA index_xinfo(\(quotedIdentifier(name)))")
    var parts: [Index.Part] = []
    while try rows.step() {
      guard rows.int64(5) != 0 else { continue }
      parts.append(
        Index.Part(name: rows.string(2), collation: rows.string(4) ?? "", isDescending: rows.int64(3) != 0))
    }
    return parts
  }
}

extension Column.Kind {
  /// https://www.sqlite.org/pragma.html#pragma_table_xinfo: "The output has the same columns as for PRAGMA
  /// table_info plus a column, "hidden", whose value signifies a normal column (0), a dynamic or stored generated
  /// column (2 or 3), or a hidden column in a virtual table (1)."
  fileprivate init(_ hidden: Int64) {
    switch hidden {
    case 1: self = .hidden
    case 2: self = .generatedVirtual
    case 3: self = .generatedStored
    default: self = .ordinary
    }
  }
}

extension Index.Origin {
  /// https://www.sqlite.org/pragma.html#pragma_index_list: "'c' if the index was created by a CREATE INDEX
  /// statement, 'u' if the index was created by a UNIQUE constraint, or 'pk' if the index was created by a PRIMARY
  /// KEY constraint."
  fileprivate init(_ word: String) {
    switch word {
    case "c": self = .statement
    case "u": self = .uniqueConstraint
    case "pk": self = .primaryKey
    default: self = .other(word)
    }
  }
}
