/// A check that was not run, or not on everything.
public struct SkippedCheck: Sendable, Equatable {
  /// The check's id.
  public var check: String
  /// Why; lower case, no full stop.
  public var reason: String

  /// Creates an entry with a check and why it was skipped.
  public init(check: String, reason: String) {
    self.check = check
    self.reason = reason
  }
}
