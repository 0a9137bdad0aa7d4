/// The lowest severity of a finding that makes the exit status 1.
public enum Gate: String, Sendable, CaseIterable {
  case error, warning, note, never

  /// Whether a finding of this severity makes the exit status 1.
  package func holds(_ severity: Severity) -> Bool {
    switch self {
    case .error: severity >= .error
    case .warning: severity >= .warning
    case .note: true
    case .never: false
    }
  }
}
