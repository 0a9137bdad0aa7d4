import StoreFindings
import StoreScanning

/// One kind of problem: what it is called, what it means, and how to find it.
///
/// A check looks twice. Before the tables are read it asks the scan for what it wants of them; what it returns is run
/// when they have been read, and gives the findings. It reads nothing itself except where an index answers, writes
/// nothing, and knows no other check. A class, since all that is ever done with one is to hand it on.
public final class Check: Sendable {
  /// "SD401"; permanent and never used again.
  public let id: String
  /// "dangling-reference": the problem, not the cure; permanent too.
  public let name: String
  /// How bad a finding is unless somebody says otherwise.
  public let severity: Severity
  /// What kind of thing it finds, for whoever has to treat kinds of findings differently.
  package let traits: Traits
  /// One sentence.
  public let summary: String
  /// Markdown under four headings: what it looks for, why it matters, an example, what can be done.
  public let explanation: String

  private let look: @Sendable (Check, CheckSubject) throws -> Judgement

  /// What is run once the tables have been read.
  typealias Judgement = () throws -> [Finding]

  /// A check that looks at more than the store: at the models it may be opened with, or at what was asked for.
  init(
    _ id: String, _ name: String, _ severity: Severity, traits: Traits = [], summary: String, explanation: String,
    lookAtSubject look: @escaping @Sendable (Check, CheckSubject) throws -> Judgement
  ) {
    self.id = id
    self.name = name
    self.severity = severity
    self.traits = traits
    self.summary = summary
    self.explanation = explanation
    self.look = look
  }

  /// A check of the store alone.
  convenience init(
    _ id: String, _ name: String, _ severity: Severity, traits: Traits = [], summary: String, explanation: String,
    look: @escaping @Sendable (Check, Scan) throws -> Judgement
  ) {
    self.init(
      id, name, severity, traits: traits, summary: summary, explanation: explanation,
      lookAtSubject: { check, subject in try look(check, subject.scan) })
  }

  /// A check of the store against the models it may be opened with; without models it finds nothing.
  convenience init(
    _ id: String, _ name: String, _ severity: Severity, traits: Traits = [], summary: String, explanation: String,
    ofCandidates find: @escaping @Sendable (CandidateView) -> [Finding]
  ) {
    self.init(
      id, name, severity, traits: traits, summary: summary, explanation: explanation,
      lookAtSubject: { check, subject in
        guard let candidates = subject.candidates else { return { [] } }
        return { find(CandidateView(check: check, candidates: candidates, scan: subject.scan)) }
      })
  }

  /// Asks the scan for what the check wants of the tables.
  func prepare(_ subject: CheckSubject) throws -> Judgement { try look(self, subject) }
}

/// What checks look at.
struct CheckSubject {
  /// The store's tables.
  let scan: Scan
  /// The models the store may be opened with; nil where none is given.
  let candidates: Candidates?
  /// What was asked for.
  let options: DiagnosisOptions
}

extension Check: CustomStringConvertible {
  /// "SD401 dangling-reference".
  public var description: String { "\(id) \(name)" }
}

extension Check: NamedCheck {}
