import StoreSourceChecks

/// A check of Swift source with its function; its name and texts are in `StoreSourceChecks`.
struct LintCheck: Sendable {
  /// Its name and texts.
  let words: SourceCheck
  private let look: @Sendable (LintSubject, inout LintFindings) -> Void

  init(_ words: SourceCheck, _ look: @escaping @Sendable (LintSubject, inout LintFindings) -> Void) {
    self.words = words
    self.look = look
  }

  /// The check's findings in the source. It reads nothing else and depends on no other check.
  func findings(in subject: LintSubject) -> LintFindings {
    var findings = LintFindings(words)
    look(subject, &findings)
    return findings
  }
}
