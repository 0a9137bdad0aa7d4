import StoreCoreData
import SQLitePages
import StoreSQLite

/// The current row of a read. The same object is used for all rows.
public final class Row {
  /// `Z_PK`; 0 in a table that has none.
  // Set only between rows, when no visitor reads it; checking for that would cost time in every row.
  @exclusivity(unchecked) package internal(set) var key: Int64 = 0
  private let source: Source
  /// The values of a row that is read from pages: got from the reader once and not for every value.
  private let values: UnsafeMutablePointer<StoredValue>?

  private enum Source {
    case sqlite(Statement)
    case pages(TableRows)
  }

  /// The rows of a statement.
  init(_ statement: Statement) { (source, values) = (.sqlite(statement), nil) }

  /// The rows that are read from pages.
  init(_ rows: TableRows) { (source, values) = (.pages(rows), rows.values) }

  /// A value, by the index a visitor was given.
  @inline(__always)
  package subscript(index: Int) -> ScannedValue {
    if let values { return ScannedValue(values[index]) }
    switch source {
    case .sqlite(let statement): return ScannedValue(statement[index])
    case .pages(let rows): return ScannedValue(rows.values[index])
    }
  }

  /// The storage class of a column that was requested by kind.
  package func storedKind(_ index: Int) -> ValueKind {
    if let values { return values[index].kind }
    return switch source {
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
    if let values, values[index].kind == .integer { return values[index].int64 }
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
/// A visitor keeps what it finds to itself, and is used by one thread at a time: of a large table each of two threads reads
/// half of the rows, with visitors of its own.
open class RowVisitor {
  /// Has seen no row yet.
  public init() {}

  /// A visitor that looks for the same and has seen no row yet, for the later half of a table, which is read at the same
  /// time; nil where one has to see all rows.
  open func forLaterRows() -> RowVisitor? { nil }

  /// Whether what is found is the same as if this one had seen the rows of `later` too, which are those behind its own.
  open func canAdd(_ later: RowVisitor) -> Bool { true }

  /// Takes over what a visitor made by `forLaterRows` found.
  ///
  /// Subclasses that override `forLaterRows` must override; the default traps so that a missing override fails the first test
  /// of halves instead of losing half of what is found.
  open func add(_ later: RowVisitor) { preconditionFailure("a visitor that can be divided can be put together") }

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
