import CoreDataStore

/// Why a plan cannot be made or carried out.
public enum RepairPlanError: Error, CustomStringConvertible, Sendable {
  /// An operation changed another number of rows than the plan says.
  case otherChanges(summary: String, expected: Int, found: Int)
  /// The store has triggers or views that Core Data does not make.
  case foreignObjects(path: String)
  /// An operation gives two objects the same values where the store wants them unique.
  case notUnique(summary: String, constraint: String)
  /// The repairs undo one another for ever.
  case noEnd

  /// The sentence shown to people.
  public var description: String {
    switch self {
    case .otherChanges(let summary, let expected, let found):
      "refusing to go on: \(quoted(summary)) changed \(found) rows and not \(expected) as planned; nothing was written"
    case .foreignObjects(let path):
      "refusing to change \(quoted(path)): it has triggers, views or tables that Core Data does not make (SD307), and "
        + "nobody can say what writing would set off; find out who made them with 'storedoctor diagnose --check SD307'"
    case .notUnique(let summary, let constraint):
      "refusing: \(quoted(summary)) would give two rows the same \(constraint), which has to be unique; give each a "
        + "value of its own ('generate: uuid', 'generate: sequence'), or 'dedupe' them first"
    case .noEnd: "refusing: the repairs of this recipe make work for one another without end; run them one by one"
    }
  }
}
