import SQLitePages
import StoreSQLite

/// A value of the row that is examined, whether SQLite gives it or the row's page; valid until the next row.
package struct ScannedValue {
  private let source: Source

  private enum Source {
    case sqlite(ColumnValue)
    case stored(StoredValue)
  }

  /// A value that SQLite gives.
  @inline(__always)
  package init(_ value: ColumnValue) { source = .sqlite(value) }

  /// A value as it lies in its page.
  @inline(__always)
  init(_ value: StoredValue) { source = .stored(value) }

  /// How the value is stored.
  @inline(__always)
  package var kind: ValueKind {
    switch source {
    case .sqlite(let value): value.kind
    case .stored(let value): value.kind
    }
  }

  /// The value as an integer, converted as SQLite converts it; 0 for NULL.
  @inline(__always)
  package var int64: Int64 {
    switch source {
    case .sqlite(let value): value.int64
    case .stored(let value): value.int64
    }
  }

  /// The number of an integer or a real, the only kinds to ask it of.
  @inline(__always)
  package var double: Double {
    switch source {
    case .sqlite(let value): value.double
    case .stored(let value): value.double
    }
  }

  /// Calls `body` with the bytes of a text (as UTF-8) or a blob, the only kinds to ask them of.
  @inline(__always)
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch source {
    case .sqlite(let value): try value.withBytes(body)
    case .stored(let value): try body(value.bytes)
    }
  }
}
