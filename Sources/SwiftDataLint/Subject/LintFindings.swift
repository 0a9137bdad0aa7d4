import StoreSourceChecks
import StoreSourceLint
import StoreSwiftDataSchemas

/// Collects the findings of one check.
struct LintFindings {
  let check: SourceCheck
  private(set) var findings: [SourceFinding] = []
  private(set) var skipped: [SourceLint.Skipped] = []
  private var said: Set<Said> = []
  private var skippedPlaces: Set<Said> = []

  private struct Said: Hashable {
    let place: SourcePlace
    let message: String
  }

  init(_ check: SourceCheck) { self.check = check }

  /// Whether any is more than a note.
  var isGrave: Bool { findings.contains { $0.severity != .note } }

  /// Whether this was said, at the same place in the same words.
  func contains(_ finding: SourceFinding) -> Bool {
    said.contains(Said(place: finding.place, message: finding.message))
  }

  /// Adds a finding.
  ///
  /// - Parameter severity: the check's own unless given.
  mutating func add(
    _ severity: SourceFinding.Severity? = nil, at place: SourcePlace, schema: String? = nil, entity: String? = nil,
    property: String? = nil, message: String, notes: [SourceFinding.Note] = [], fix: SourceFinding.Fix? = nil
  ) {
    // Two plans may have the same versions.
    guard said.insert(Said(place: place, message: message)).inserted else { return }
    findings.append(
      SourceFinding(
        check: check.id, severity: severity ?? SourceFinding.Severity(check.severity), place: place, schema: schema,
        entity: entity, property: property, message: message, notes: notes, fix: fix))
  }

  /// Notes that something could not be checked, and why.
  ///
  /// - Parameter isUndecided: whether the source has not passed without it.
  mutating func skip(_ reason: String, at place: SourcePlace? = nil, isUndecided: Bool = false) {
    // One call may be followed for several callers.
    if let place {
      guard skippedPlaces.insert(Said(place: place, message: reason)).inserted else { return }
    }
    skipped.append(SourceLint.Skipped(check: check.id, reason: reason, place: place, isUndecided: isUndecided))
  }
}
