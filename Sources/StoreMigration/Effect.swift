import StoreFindings

/// What a lightweight migration makes of one change.
public struct Effect: Sendable, Equatable {
  /// Whether a mapping can be inferred.
  public var inference: Inference
  /// How sure that is, whatever the rows.
  public var grade: Grade
  /// What the rows must be like, with what follows.
  public var rules: [RowRule]
  /// What existing rows hold afterwards: lower case, no full stop.
  public var afterwards: String

  /// What that rests on.
  public var basis: Basis { grade.basis }

  /// Whether a mapping can be inferred.
  public enum Inference: Sendable, Equatable {
    /// The change is not hashed: by itself it starts no migration.
    case notNeeded
    case possible
    case impossible(Failure)
    /// Nothing tells.
    case unknown
  }

  static func yes(_ grade: Grade, _ afterwards: String, _ rules: RowRule...) -> Self {
    Self(inference: .possible, grade: grade, rules: rules, afterwards: afterwards)
  }

  static func no(_ grade: Grade, _ failure: Failure, _ afterwards: String) -> Self {
    Self(inference: .impossible(failure), grade: grade, rules: [], afterwards: afterwards)
  }

  package static func unknown(_ afterwards: String) -> Self {
    Self(inference: .unknown, grade: .d, rules: [], afterwards: afterwards)
  }

  static func unhashed(_ grade: Grade, _ afterwards: String, _ rules: RowRule...) -> Self {
    Self(inference: .notNeeded, grade: grade, rules: rules, afterwards: afterwards)
  }
}

extension RowRule {
  static func blocking(
    _ condition: RowCondition, _ failure: Failure, met: Grade, violated: Grade, _ words: String
  ) -> Self {
    Self(
      condition: condition, consequence: .blocks(failure), gradeWhenMet: met, gradeWhenViolated: violated, words: words)
  }

  static func risk(
    _ condition: RowCondition, met: Grade, violated: Grade, codeAtSave: Int? = nil, _ words: String
  ) -> Self {
    Self(
      condition: condition, consequence: .atRisk(codeAtSave: codeAtSave), gradeWhenMet: met,
      gradeWhenViolated: violated, words: words)
  }

  static func loss(_ condition: RowCondition, violated: Grade = .a, _ words: String = "lost") -> Self {
    Self(condition: condition, consequence: .loses, gradeWhenMet: .a, gradeWhenViolated: violated, words: words)
  }
}
