import StoreFindings
import StoreSourceChecks

/// The texts of a check, of stores or of source.
package struct CheckWords: Sendable, Equatable {
  /// "SD401".
  package var id: String
  /// "dangling-reference".
  package var name: String
  /// Its default severity.
  package var severity: Severity
  /// One sentence.
  package var summary: String
  /// Markdown under four headings.
  package var text: String

  /// The texts of a check of stores.
  package init(_ check: Check) {
    id = check.id
    name = check.name
    severity = check.severity
    summary = check.summary
    text = check.explanation
  }

  /// The texts of a check of source.
  package init(_ check: SourceCheck) {
    id = check.id
    name = check.name
    severity = check.severity
    summary = check.summary
    text = check.explanation
  }

  /// The texts of all checks, by id.
  package static let all: [CheckWords] = Check.all.map(CheckWords.init) + SourceCheck.all.map(CheckWords.init)
}

extension CheckWords: NamedCheck {}
