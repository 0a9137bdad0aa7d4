import StoreAudit

/// Writes the lines of an audit in another format, one after the other, without keeping them.
package protocol AuditLineWriter {
  /// The text before the first line.
  func begin() -> String
  /// The text of a line, which must have been read with `AuditLine.Detail.whole`.
  mutating func line(_ line: AuditLine) -> String
  /// The text after the last line.
  ///
  /// - Parameter gate: the outcome for all stores.
  func end(_ gate: AuditGate.Outcome) -> String
}
