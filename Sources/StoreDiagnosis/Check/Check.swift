import StoreFindings
import StoreScanning

/// One kind of problem: its name, its explanation, and how to find it.
///
/// A check works in two steps. Before the tables are read, it registers with the scan what it needs; it returns a
/// closure, which is called after the read and gives the findings. It reads nothing itself except through indexes,
/// writes nothing, and knows no other check. It is a class so that it is cheap to pass around.
package final class Check: Sendable {
  /// "SD401"; permanent and never reused.
  package let id: String
  /// "dangling-reference": names the problem; permanent too.
  package let name: String
  /// The severity of its findings by default.
  package let severity: Severity
  /// Properties that decide how its findings are treated.
  package let traits: Traits
  /// One sentence.
  package let summary: String
  /// Markdown under four headings: what it looks for, why it matters, an example, what can be done.
  package let explanation: String

  private let look: @Sendable (Check, CheckSubject) throws -> Judgement

  /// Called after the tables have been read.
  typealias Judgement = () throws -> [Finding]

  /// A check that needs more than the store: the candidate models or the options.
  init(
    _ id: CheckID, _ name: String, _ severity: Severity, traits: Traits = [], summary: String, explanation: String,
    lookAtSubject look: @escaping @Sendable (Check, CheckSubject) throws -> Judgement
  ) {
    self.id = id.rawValue
    self.name = name
    self.severity = severity
    self.traits = traits
    self.summary = summary
    self.explanation = explanation
    self.look = look
  }

  /// A check of the store alone.
  convenience init(
    _ id: CheckID, _ name: String, _ severity: Severity, traits: Traits = [], summary: String, explanation: String,
    look: @escaping @Sendable (Check, Scan) throws -> Judgement
  ) {
    self.init(
      id, name, severity, traits: traits, summary: summary, explanation: explanation,
      lookAtSubject: { check, subject in try look(check, subject.scan) })
  }

  /// A check of the store against the models it may be opened with; without models it finds nothing.
  convenience init(
    _ id: CheckID, _ name: String, _ severity: Severity, traits: Traits = [], summary: String, explanation: String,
    ofCandidates find: @escaping @Sendable (CandidateView) -> [Finding]
  ) {
    self.init(
      id, name, severity, traits: traits, summary: summary, explanation: explanation,
      lookAtSubject: { check, subject in
        guard let candidates = subject.candidates else { return { [] } }
        return { find(CandidateView(check: check, candidates: candidates, scan: subject.scan)) }
      })
  }

  /// Registers with the scan what the check needs of the tables.
  func prepare(_ subject: CheckSubject) throws -> Judgement { try look(self, subject) }
}

/// The input of checks.
struct CheckSubject {
  /// The store's tables.
  let scan: Scan
  /// The models the store may be opened with; nil if none is given.
  let candidates: Candidates?
  /// The options of the diagnosis.
  let options: DiagnosisOptions
  /// The columns with archives, which several checks share.
  let archives: ArchiveColumns
  /// What CloudKit's mirroring knows of the rows, likewise.
  let mirror: MirrorScan

  init(scan: Scan, candidates: Candidates?, options: DiagnosisOptions) {
    self.scan = scan
    self.candidates = candidates
    self.options = options
    mirror = MirrorScan(scan)
    archives = ArchiveColumns(scan, opening: candidates, allowed: options.allowedClasses)
  }
}

extension Check: CustomStringConvertible {
  /// "SD401 dangling-reference".
  package var description: String { "\(id) \(name)" }
}

extension Check: NamedCheck {}
