/// How bad a finding is.
public enum Severity: String, Sendable, Comparable, CaseIterable {
  /// Worth knowing; Apple's own apps have some of these in their stores.
  case note
  /// An app may fail because of it.
  case warning
  /// Something is broken.
  case error

  /// A note is less than a warning, a warning less than an error.
  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}
