import StoreSQLite
import StoreText

/// A format that writes one object after the other.
package protocol RowWriter {
  /// Writes what comes before the first object.
  mutating func begin(_ columns: [RowColumn], to output: OutputBytes) throws
  /// Writes an object.
  mutating func write(_ row: Rows.Row, to output: OutputBytes) throws
  /// Writes what comes after the last object.
  mutating func end(_ rows: Rows, to output: OutputBytes) throws
  /// Remarks on values written otherwise than they are stored, in a sentence each.
  var remarks: [String] { get }
}

extension Rows {
  /// Writes the result in a format. What was read before damage is written, too.
  ///
  /// - Throws: as `forEach`, and what `output` throws.
  package func write<Writer: RowWriter>(_ writer: inout Writer, to output: OutputBytes) throws {
    try writer.begin(columns, to: output)
    var damage: SQLiteError?
    do {
      try forEach { try writer.write($0, to: output) }
    } catch let error as SQLiteError {
      damage = error
    }
    try writer.end(self, to: output)
    try output.flush()
    if let damage { throw damage }
  }
}

/// How dates are written.
package enum DateFormat: String, Sendable, CaseIterable {
  /// "2026-03-01T12:00:00.5Z".
  case iso
  /// Seconds since 1970-01-01 00:00:00 UTC.
  case unix
  /// Seconds since 2001-01-01 00:00:00 UTC, as they are stored.
  case stored
}

/// How values are written, in the formats for programs.
package struct ValueStyle {
  /// How dates are written.
  package var dates = DateFormat.iso
  /// Whether binary values are written, and not their length alone.
  package var writesBinary = false

  package init(dates: DateFormat = .iso, writesBinary: Bool = false) {
    self.dates = dates
    self.writesBinary = writesBinary
  }
}

extension OutputBytes {
  /// A date as a number or text without quotes; false where it is no date of the calendar, and then its number.
  func append(date seconds: Double, _ format: DateFormat) throws -> Bool {
    switch format {
    case .iso:
      if try append(date: seconds) { return true }
      try append(real: seconds)
      return false
    case .unix: try append(real: seconds + Double(secondsFrom1970To2001))
    case .stored: try append(real: seconds)
    }
    return true
  }
}
