import StoreFindings
import StoreSourceChecks

/// The words of a check, whether it looks at stores or at source.
public struct CheckWords: Sendable, Equatable {
  /// "SD401".
  public var id: String
  /// "dangling-reference".
  public var name: String
  /// How bad it is by itself.
  public var severity: Severity
  /// One sentence.
  public var summary: String
  /// Markdown under four headings.
  public var text: String

  /// The words of a check of stores.
  public init(_ check: Check) {
    id = check.id
    name = check.name
    severity = check.severity
    summary = check.summary
    text = check.explanation
  }

  /// The words of a check of source.
  public init(_ check: SourceCheck) {
    id = check.id
    name = check.name
    severity = check.severity
    summary = check.summary
    text = check.explanation
  }

  /// Those of every check there is, by id.
  public static let all: [CheckWords] = Check.all.map(CheckWords.init) + SourceCheck.all.map(CheckWords.init)
}

extension CheckWords: NamedCheck {}
