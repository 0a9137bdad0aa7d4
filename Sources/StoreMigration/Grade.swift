import StoreFindings
/// How certain a statement about Core Data is.
public enum Grade: String, Sendable, Comparable, CaseIterable {
  /// Apple documentation or an Apple session.
  case a = "A"
  /// Stores written by Apple's frameworks, or several independent reports.
  case b = "B"
  /// One report.
  case c = "C"
  /// Assumption or analogy.
  case d = "D"

  /// The same for users: C and D both count as assumed.
  public var basis: Basis {
    switch self {
    case .a: .documented
    case .b: .observed
    case .c, .d: .assumed
    }
  }

  /// A more certain grade is less.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
