/// Something that was not looked at.
public struct SkippedCheck: Sendable, Equatable {
  /// The check's id.
  public var check: String
  /// Why; lower case, no full stop.
  public var reason: String

  /// A check, and why it did not look at something.
  public init(check: String, reason: String) {
    self.check = check
    self.reason = reason
  }
}
