import StoreCoreData
import SQLitePages
import StoreSQLite

/// The current row of a read. The same object is used for all rows.
public final class Row {
  /// `Z_PK`; 0 in a table that has none.
  // Set only between rows, when no visitor reads it; checking for that would cost time in every row.
  @exclusivity(unchecked) package internal(set) var key: Int64 = 0
  private let source: Source

  private enum Source {
    case sqlite(Statement)
    case pages(TableRows)
  }

  /// The rows of a statement.
  init(_ statement: Statement) { source = .sqlite(statement) }

  /// The rows that are read from pages.
  init(_ rows: TableRows) { source = .pages(rows) }

  /// A value, by the index a visitor was given.
  @inline(__always)
  package subscript(index: Int) -> ScannedValue {
    switch source {
    case .sqlite(let statement): ScannedValue(statement[index])
    case .pages(let rows): ScannedValue(rows.values[index])
    }
  }

  /// The storage class of a column that was requested by kind.
  package func storedKind(_ index: Int) -> ValueKind {
    switch source {
    case .pages(let rows): rows.values[index].kind
    case .sqlite(let statement):
      // `typeof` gives "null", "integer", "real", "text" or "blob".
      switch statement.withBytes(index, body: { $0.first }) {
      case UInt8(ascii: "i"): .integer
      case UInt8(ascii: "r"): .real
      case UInt8(ascii: "t"): .text
      case UInt8(ascii: "b"): .blob
      default: .null
      }
    }
  }

  /// The value as an integer, converted as SQLite and so Core Data does; nil for NULL.
  package func integer(_ index: Int) -> Int64? {
    let value = self[index]
    let number = value.int64
    return number == 0 && value.kind == .null ? nil : number
  }

  /// Whether the value is NULL.
  package func isNull(_ index: Int) -> Bool { self[index].kind == .null }

  /// Whether the stored value is an integer or NULL.
  func isIntegerOrNull(_ index: Int) -> Bool {
    switch self[index].kind {
    case .integer, .null: true
    case .real, .text, .blob: false
    }
  }
}

/// Examines rows while a table is read.
///
/// A class and not a protocol: calling a method of a protocol's value costs two reference counts, for every row and
/// visitor. It and `Row` are open only because Swift lets no class of another module inherit from a `package` one.
///
/// A visitor keeps what it finds to itself, and is used by one thread at a time: a large table's visitors are divided
/// between two threads, each of which reads all rows.
open class RowVisitor {
  /// Has seen no row yet.
  public init() {}

  /// How much work a row is, compared with other visitors, so that two threads can share them. 1 for a number.
  open var effort: Int { 1 }

  /// Examines one row, whose values are valid until this returns.
  ///
  /// Subclasses must override; the default traps so that a missing override fails its first test instead of finding
  /// nothing.
  open func visit(_ row: Row) { preconditionFailure("every kind of visitor looks in its own way") }
}

/// A visitor and the rows it examines.
struct RowInterest {
  /// The entities whose rows it examines; nil for all rows.
  var entities: Set<EntityID>?
  /// The visitor.
  var visitor: RowVisitor
}
