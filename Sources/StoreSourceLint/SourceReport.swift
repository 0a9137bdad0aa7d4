import StoreDiagnosis
import StoreFindings
import StoreSourceChecks
import StoreSwiftDataSchemas

/// Everything `storedoctor lint` reports about Swift source: `storedoctor.lint/1`.
package struct SourceReport: Sendable, Equatable {
  /// The paths, as they were given.
  package var paths: [String]
  /// The parsed source.
  package var reading: SourceReading
  /// The findings, by place.
  package var findings: [SourceFinding]
  /// Findings that comments in the source accept.
  package var silenced: [SourceLint.Silenced]
  /// Checks that were not run, or not on everything.
  package var skipped: [SourceLint.Skipped]
  /// The configuration in effect, and what it muted; nil if there is none.
  package var config: ConfigurationUse?
  /// The checks that were run.
  package var checks: [SourceCheck]
  /// SHA-256 in hex of each file that a fix edits, as it was when it was read.
  package var digests: [String: String]

  /// A configuration, and its effect on the findings.
  package struct ConfigurationUse: Sendable, Equatable {
    /// The file.
    package var path: String
    /// The mutes for the checks that were run, with the findings they muted.
    package var muted: [Muted]
    /// The severities it gives, by check.
    package var severities: [String: Severity]

    /// A mute with the findings it muted.
    package struct Muted: Sendable, Equatable {
      /// Which findings are muted, and why.
      package var mute: Configuration.Mute
      /// The muted findings.
      package var findings: [SourceFinding]
    }
  }

  /// Whether something was asked for and is not known, so that the source has not passed.
  package var isUndecided: Bool { skipped.contains(where: \.isUndecided) }

  /// How many findings of a severity there are.
  package func count(_ severity: SourceFinding.Severity) -> Int { findings.count { $0.severity == severity } }

  /// The highest severity among the findings; nil without findings.
  package var worstSeverity: Severity? { findings.map { Severity($0.severity) }.max() }
}

extension Severity {
  /// The severity of a finding in source.
  package init(_ severity: SourceFinding.Severity) {
    switch severity {
    case .note: self = .note
    case .warning: self = .warning
    case .error: self = .error
    }
  }
}

extension SourceFinding.Severity {
  package init(_ severity: Severity) {
    switch severity {
    case .note: self = .note
    case .warning: self = .warning
    case .error: self = .error
    }
  }
}
