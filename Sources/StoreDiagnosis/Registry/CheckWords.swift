import StoreFindings
import StoreSourceChecks

/// The texts of a check, of stores or of source.
public struct CheckWords: Sendable, Equatable {
  /// "SD401".
  public var id: String
  /// "dangling-reference".
  public var name: String
  /// Its default severity.
  public var severity: Severity
  /// One sentence.
  public var summary: String
  /// Markdown under four headings.
  public var text: String

  /// The texts of a check of stores.
  public init(_ check: Check) {
    id = check.id
    name = check.name
    severity = check.severity
    summary = check.summary
    text = check.explanation
  }

  /// The texts of a check of source.
  public init(_ check: SourceCheck) {
    id = check.id
    name = check.name
    severity = check.severity
    summary = check.summary
    text = check.explanation
  }

  /// The texts of all checks, by id.
  public static let all: [CheckWords] = Check.all.map(CheckWords.init) + SourceCheck.all.map(CheckWords.init)
}

extension CheckWords: NamedCheck {}
