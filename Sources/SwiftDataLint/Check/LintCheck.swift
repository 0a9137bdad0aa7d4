import StoreSourceChecks

/// A check of Swift source with its function: what it is called and means stands in `StoreDoctor`.
struct LintCheck: Sendable {
  /// Its words.
  let words: SourceCheck
  private let look: @Sendable (LintSubject, inout LintFindings) -> Void

  init(_ words: SourceCheck, _ look: @escaping @Sendable (LintSubject, inout LintFindings) -> Void) {
    self.words = words
    self.look = look
  }

  /// What it has to say of the source. It reads nothing else and knows no other check.
  func findings(in subject: LintSubject) -> LintFindings {
    var findings = LintFindings(words)
    look(subject, &findings)
    return findings
  }
}
