import StoreAudit

/// Writes the lines of an audit in another format, one after the other; nothing is kept of a line but what the format
/// needs between two.
public protocol AuditLineWriter {
  /// What comes before the first line.
  func begin() -> String
  /// A line, which has to be read whole (`AuditLine.Detail.whole`).
  mutating func line(_ line: AuditLine) -> String
  /// What comes after the last.
  ///
  /// - Parameter gate: how the stores stand together.
  func end(_ gate: AuditGate.Outcome) -> String
}
