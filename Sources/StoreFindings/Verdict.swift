/// The state of a store, or what happens when it is opened with a model.
public enum Verdict: String, Sendable, CaseIterable {
  /// Without a model: no error and no warning.
  case healthy
  /// Without a model: errors or warnings.
  case findings
  /// The hashes are equal.
  case opens
  /// A mapping is inferred and the rows allow it.
  case migrates
  /// A mapping is inferred, but rows violate a condition.
  case blockedByData = "blocked-by-data"
  /// No mapping is inferred, or the plan cannot be followed.
  case needsCustomStage = "needs-custom-stage"
  /// The store's version is not among those the app knows.
  case unknownVersion = "unknown-version"
  /// The model has none of the store's entities.
  case foreignModel = "foreign-model"
  /// The store cannot be opened or read completely.
  case damaged

  /// Whether the verdict counts as an error for the exit status.
  public var isError: Bool {
    switch self {
    case .healthy, .findings, .opens, .migrates: false
    case .blockedByData, .needsCustomStage, .unknownVersion, .foreignModel, .damaged: true
    }
  }
}
