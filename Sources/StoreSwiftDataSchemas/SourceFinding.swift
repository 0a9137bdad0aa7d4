/// A mistake that shows in Swift source, at a place.
public struct SourceFinding: Sendable, Equatable {
  /// How bad it is: the words of compilers.
  public enum Severity: String, Sendable { case note, warning, error }

  /// The check that found it: "SD903".
  public var check: String
  /// How bad it is here; the check's own severity or less.
  public var severity: Severity
  /// Where.
  public var place: SourcePlace
  /// The version it is about, as the source names it: `SchemaV1`.
  public var schema: String?
  /// The entity: the class's own name.
  public var entity: String?
  /// The property.
  public var property: String?
  /// The problem; lower case, no full stop.
  public var message: String
  /// Notes on other places that belong to it.
  public var notes: [Note]
  /// The fix, if a program can write it.
  public var fix: Fix?
  /// The source line of the place, cut where it is long.
  public var excerpt: String?

  /// Something that belongs to a finding.
  public struct Note: Sendable, Equatable {
    /// The text of the note; lower case, no full stop.
    public var message: String
    /// Where, if it is about a place.
    public var place: SourcePlace?

    /// A note.
    public init(_ message: String, at place: SourcePlace? = nil) {
      self.message = message
      self.place = place
    }
  }

  /// Edits that mend a finding together.
  public struct Fix: Sendable, Equatable {
    /// Their effect; lower case, no full stop.
    public var summary: String
    /// The edits; those of one file do not overlap.
    public var edits: [Edit]
    /// Whether the fix does what the author meant, whatever the rest of the program is.
    public var isCertain: Bool

    /// A fix.
    public init(_ summary: String, edits: [Edit], isCertain: Bool = false) {
      self.summary = summary
      self.edits = edits
      self.isCertain = isCertain
    }
  }

  /// Bytes of a file that are replaced.
  public struct Edit: Sendable, Equatable {
    /// The file, as places name it.
    public var file: String
    /// The first byte that is replaced, from 0.
    public var offset: Int
    /// How many bytes of UTF-8 are replaced.
    public var length: Int
    /// The new text.
    public var replacement: String

    /// An edit.
    public init(file: String, offset: Int, length: Int, replacement: String) {
      self.file = file
      self.offset = offset
      self.length = length
      self.replacement = replacement
    }
  }

  /// A finding.
  public init(
    check: String, severity: Severity, place: SourcePlace, schema: String? = nil, entity: String? = nil,
    property: String? = nil, message: String, notes: [Note] = [], fix: Fix? = nil, excerpt: String? = nil
  ) {
    self.check = check
    self.severity = severity
    self.place = place
    self.schema = schema
    self.entity = entity
    self.property = property
    self.message = message
    self.notes = notes
    self.fix = fix
    self.excerpt = excerpt
  }
}

/// Everything the checks of Swift source have to say.
public struct SourceLint: Sendable, Equatable {
  /// Something a check could not look at.
  public struct Skipped: Sendable, Hashable {
    /// The check.
    public var check: String
    /// Why; lower case, no full stop.
    public var reason: String
    /// Where, if it is about a place.
    public var place: SourcePlace?
    /// Whether it was asked for and is not known, so that the source has not passed; else it is outside of what was
    /// looked at.
    public var isUndecided: Bool

    /// A check, and why it did not look at something.
    public init(check: String, reason: String, place: SourcePlace? = nil, isUndecided: Bool = false) {
      self.check = check
      self.reason = reason
      self.place = place
      self.isUndecided = isUndecided
    }
  }

  /// A finding that a comment beside it accepts.
  public struct Silenced: Sendable, Equatable {
    /// The finding.
    public var finding: SourceFinding
    /// Why it is accepted, in the comment's words; empty where the comment gives no reason.
    public var reason: String

    /// An accepted finding.
    public init(_ finding: SourceFinding, reason: String) {
      self.finding = finding
      self.reason = reason
    }
  }

  /// A comment that accepts findings of some lines.
  public struct Silence: Sendable, Equatable {
    /// The file it stands in.
    public var file: String
    /// The lines it is about, from 1.
    public var lines: ClosedRange<Int>
    /// The ids of the checks it names, sorted.
    public var checks: [String]
    /// Why they are accepted, in its words.
    public var reason: String

    /// A comment about lines of a file.
    public init(file: String, lines: ClosedRange<Int>, checks: [String], reason: String) {
      self.file = file
      self.lines = lines
      self.checks = checks
      self.reason = reason
    }

    /// Whether it accepts a finding.
    public func covers(_ finding: SourceFinding) -> Bool {
      checks.contains(finding.check) && finding.place.file == file && lines.contains(finding.place.line)
    }
  }

  /// The findings, by place.
  public var findings: [SourceFinding]
  /// The findings that comments in the source accept, by place.
  public var silenced: [Silenced]
  /// The things that were not looked at, by check.
  public var skipped: [Skipped]
  /// SHA-256 in hex of each file that a fix edits, as it was when it was read.
  public var digests: [String: String]
  /// The comments that accept findings, by place: checks that look at more than the source follow them too.
  public var silences: [Silence]

  /// Nothing wrong unless said otherwise.
  public init(
    findings: [SourceFinding] = [], silenced: [Silenced] = [], skipped: [Skipped] = [], digests: [String: String] = [:],
    silences: [Silence] = []
  ) {
    self.findings = findings
    self.silenced = silenced
    self.skipped = skipped
    self.digests = digests
    self.silences = silences
  }

  /// Moves the findings that a comment beside them accepts to `silenced`.
  public mutating func silence() {
    let byFile = Dictionary(grouping: silences, by: \.file)
    findings.removeAll { finding in
      guard let silence = byFile[finding.place.file]?.first(where: { $0.covers(finding) }) else { return false }
      silenced.append(Silenced(finding, reason: silence.reason))
      return true
    }
  }
}
