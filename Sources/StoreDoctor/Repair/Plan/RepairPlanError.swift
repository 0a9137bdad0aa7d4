import CoreDataStore

/// Why a plan cannot be made or carried out.
public enum RepairPlanError: Error, CustomStringConvertible, Sendable {
  /// An operation changed another number of rows than the plan says.
  case otherChanges(summary: String, expected: Int, found: Int)

  /// The sentence shown to people.
  public var description: String {
    switch self {
    case .otherChanges(let summary, let expected, let found):
      "refusing to go on: \(quoted(summary)) changed \(found) rows and not \(expected) as planned; nothing was written"
    }
  }
}
