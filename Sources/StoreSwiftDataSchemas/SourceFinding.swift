/// A mistake that shows in Swift source, at a place.
package struct SourceFinding: Sendable, Equatable {
  /// How bad it is: the words of compilers.
  package enum Severity: String, Sendable { case note, warning, error }

  /// The check that found it: "SD903".
  package var check: String
  /// How bad it is here; the check's own severity or less.
  package var severity: Severity
  /// Where.
  package var place: SourcePlace
  /// The version it is about, as the source names it: `SchemaV1`.
  package var schema: String?
  /// The entity: the class's own name.
  package var entity: String?
  /// The property.
  package var property: String?
  /// The problem; lower case, no full stop.
  package var message: String
  /// Notes on other places that belong to it.
  package var notes: [Note]
  /// The fix, if a program can write it.
  package var fix: Fix?
  /// The source line of the place, cut where it is long.
  package var excerpt: String?

  /// Something that belongs to a finding.
  package struct Note: Sendable, Equatable {
    /// The text of the note; lower case, no full stop.
    package var message: String
    /// Where, if it is about a place.
    package var place: SourcePlace?

    /// A note.
    package init(_ message: String, at place: SourcePlace? = nil) {
      self.message = message
      self.place = place
    }
  }

  /// Edits that mend a finding together.
  package struct Fix: Sendable, Equatable {
    /// Their effect; lower case, no full stop.
    package var summary: String
    /// The edits; those of one file do not overlap.
    package var edits: [Edit]
    /// Whether the fix does what the author meant, whatever the rest of the program is.
    package var isCertain: Bool

    /// A fix.
    package init(_ summary: String, edits: [Edit], isCertain: Bool = false) {
      self.summary = summary
      self.edits = edits
      self.isCertain = isCertain
    }
  }

  /// Bytes of a file that are replaced.
  package struct Edit: Sendable, Equatable {
    /// The file, as places name it.
    package var file: String
    /// The first byte that is replaced, from 0.
    package var offset: Int
    /// How many bytes of UTF-8 are replaced.
    package var length: Int
    /// The new text.
    package var replacement: String

    /// An edit.
    package init(file: String, offset: Int, length: Int, replacement: String) {
      self.file = file
      self.offset = offset
      self.length = length
      self.replacement = replacement
    }
  }

  /// A finding.
  package init(
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
package struct SourceLint: Sendable, Equatable {
  /// Something a check could not look at.
  package struct Skipped: Sendable, Hashable {
    /// The check.
    package var check: String
    /// Why; lower case, no full stop.
    package var reason: String
    /// Where, if it is about a place.
    package var place: SourcePlace?
    /// Whether it was asked for and is not known, so that the source has not passed; else it is outside of what was
    /// looked at.
    package var isUndecided: Bool

    /// A check, and why it did not look at something.
    package init(check: String, reason: String, place: SourcePlace? = nil, isUndecided: Bool = false) {
      self.check = check
      self.reason = reason
      self.place = place
      self.isUndecided = isUndecided
    }
  }

  /// A finding that a comment beside it accepts.
  package struct Silenced: Sendable, Equatable {
    /// The finding.
    package var finding: SourceFinding
    /// Why it is accepted, in the comment's words; empty where the comment gives no reason.
    package var reason: String

    /// An accepted finding.
    package init(_ finding: SourceFinding, reason: String) {
      self.finding = finding
      self.reason = reason
    }
  }

  /// A comment that accepts findings of some lines.
  package struct Silence: Sendable, Equatable {
    /// The file it stands in.
    package var file: String
    /// The lines it is about, from 1.
    package var lines: ClosedRange<Int>
    /// The ids of the checks it names, sorted.
    package var checks: [String]
    /// Why they are accepted, in its words.
    package var reason: String

    /// A comment about lines of a file.
    package init(file: String, lines: ClosedRange<Int>, checks: [String], reason: String) {
      self.file = file
      self.lines = lines
      self.checks = checks
      self.reason = reason
    }

    /// Whether it accepts a finding.
    package func covers(_ finding: SourceFinding) -> Bool {
      checks.contains(finding.check) && finding.place.file == file && lines.contains(finding.place.line)
    }
  }

  /// The findings, by place.
  package var findings: [SourceFinding]
  /// The findings that comments in the source accept, by place.
  package var silenced: [Silenced]
  /// The things that were not looked at, by check.
  package var skipped: [Skipped]
  /// SHA-256 in hex of each file that a fix edits, as it was when it was read.
  package var digests: [String: String]
  /// The comments that accept findings, by place: checks that look at more than the source follow them too.
  package var silences: [Silence]

  /// Nothing wrong unless said otherwise.
  package init(
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
  package mutating func silence() {
    let byFile = Dictionary(grouping: silences, by: \.file)
    findings.removeAll { finding in
      guard let silence = byFile[finding.place.file]?.first(where: { $0.covers(finding) }) else { return false }
      silenced.append(Silenced(finding, reason: silence.reason))
      return true
    }
  }
}
