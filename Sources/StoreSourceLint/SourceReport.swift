import StoreDiagnosis
import StoreFindings
import StoreSourceChecks
import StoreSwiftDataSchemas

/// Everything `storedoctor lint` says about Swift source: `storedoctor.lint/1`.
public struct SourceReport: Sendable, Equatable {
  /// The paths, as they were given.
  public var paths: [String]
  /// What was read.
  public var reading: SourceReading
  /// What is wrong, by place.
  public var findings: [SourceFinding]
  /// What comments in the source accept.
  public var silenced: [SourceLint.Silenced]
  /// What was not looked at.
  public var skipped: [SourceLint.Skipped]
  /// The configuration that held, and what it muted; nil where there is none.
  public var config: ConfigurationUse?
  /// The checks that were run.
  public var checks: [SourceCheck]
  /// SHA-256 in hex of each file that a fix edits, as it was when it was read.
  public var digests: [String: String]

  /// A configuration, and what it did to the findings.
  public struct ConfigurationUse: Sendable, Equatable {
    /// The file.
    public var path: String
    /// What it mutes of the checks that were run, with the findings that are there.
    public var muted: [Muted]
    /// The severities it gives, by check.
    public var severities: [String: Severity]

    /// A skip and what it muted.
    public struct Muted: Sendable, Equatable {
      /// Which findings, and why.
      public var mute: Configuration.Mute
      /// Those that there are.
      public var findings: [SourceFinding]
    }
  }

  /// How many findings of a severity there are.
  public func count(_ severity: SourceFinding.Severity) -> Int { findings.count { $0.severity == severity } }

  /// The worst finding; nil where there is none.
  public var worstSeverity: Severity? { findings.map { Severity($0.severity) }.max() }
}

extension Severity {
  /// The severity of a finding in source.
  public init(_ severity: SourceFinding.Severity) {
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
