import StoreFindings

/// The effect of a lightweight migration on one change.
package struct Effect: Sendable, Equatable {
  /// Whether a mapping can be inferred.
  package var inference: Inference
  /// How certain that is, regardless of the rows.
  package var grade: Grade
  /// Conditions on the rows, with the consequence of each.
  package var rules: [RowRule]
  /// The content of existing rows afterwards; lower case, no full stop.
  package var afterwards: String

  /// The kind of evidence for it.
  package var basis: Basis { grade.basis }

  /// Whether a mapping can be inferred.
  package enum Inference: Sendable, Equatable {
    /// The change does not affect version hashes: by itself it causes no migration.
    case notNeeded
    case possible
    case impossible(Failure)
    /// There is no evidence either way.
    case unknown
  }

  static func yes(_ grade: Grade, afterwards: String, rules: RowRule...) -> Self {
    Self(inference: .possible, grade: grade, rules: rules, afterwards: afterwards)
  }

  static func no(_ grade: Grade, failure: Failure, afterwards: String) -> Self {
    Self(inference: .impossible(failure), grade: grade, rules: [], afterwards: afterwards)
  }

  package static func unknown(_ afterwards: String) -> Self {
    Self(inference: .unknown, grade: .d, rules: [], afterwards: afterwards)
  }

  static func unhashed(_ grade: Grade, afterwards: String, rules: RowRule...) -> Self {
    Self(inference: .notNeeded, grade: grade, rules: rules, afterwards: afterwards)
  }
}

extension RowRule {
  static func blocking(
    _ condition: RowCondition, failure: Failure, met: Grade, violated: Grade, words: String
  ) -> Self {
    Self(
      condition: condition, consequence: .blocks(failure), gradeWhenMet: met, gradeWhenViolated: violated, words: words)
  }

  static func risk(
    _ condition: RowCondition, met: Grade, violated: Grade, codeAtSave: Int? = nil, words: String
  ) -> Self {
    Self(
      condition: condition, consequence: .atRisk(codeAtSave: codeAtSave), gradeWhenMet: met,
      gradeWhenViolated: violated, words: words)
  }

  static func loss(_ condition: RowCondition, violated: Grade = .a, words: String = "lost") -> Self {
    Self(condition: condition, consequence: .loses, gradeWhenMet: .a, gradeWhenViolated: violated, words: words)
  }
}
