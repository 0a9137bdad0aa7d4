import StoreSQLite
import StoreFindings
import StoreCoreData

/// Everything `storedoctor diagnose` reports about one store: `storedoctor.diagnosis/2`.
public struct Diagnosis: Sendable, Equatable {
  /// Which store it is.
  public var store: StoreSummary
  /// The overall verdict.
  public var verdict: Verdict
  /// The verdict for each version of the given models, in their order; empty if none is given.
  public var models: [ModelVerdict]
  /// The findings, by check, entity and property.
  public var findings: [Finding]
  /// The checks that could not be run, with the reasons.
  public var skipped: [SkippedCheck]
  /// The configuration used, and what it muted; nil if there is none.
  public var config: ConfigurationUse?
  /// The entities that were asked for; nil for all.
  public var scope: Scope?
  /// The version that was chosen to decide; nil where the models' own current one does.
  package var chosenVersion: String?
  /// What `salvage` would save; nil where no page is damaged, and where it was not asked for.
  package var savable: Savable?
  /// The number of rows of each entity by entity number, without history and CloudKit; nil if not asked for.
  public var population: [EntityPopulation]?

  /// A verdict.
  public typealias Verdict = StoreFindings.Verdict
  /// Something that was not checked.
  public typealias Skipped = SkippedCheck
  /// The number of rows of an entity.
  public typealias Population = EntityPopulation

  /// The facts that identify a store.
  public typealias StoreSummary = StoreIdentity

  /// The verdict of the deciding version, if models are given.
  public var deciding: ModelVerdict? { models.first(where: \.isDeciding) }

  /// The worst of verdict and findings; nil if there are none.
  public var worstSeverity: Severity? {
    verdict.isError ? .error : findings.map(\.severity).max()
  }
}

extension Verdict {
  /// - Parameters:
  ///   - findings: the findings that count.
  ///   - all: the findings that may be damage, including muted ones: a configuration cannot mute damage.
  init(_ findings: [Finding], damage all: [Finding]) {
    if all.contains(where: { $0.traits.contains(.damage) }) {
      self = .damaged
    } else {
      self = findings.contains { $0.severity >= .warning } ? .findings : .healthy
    }
  }
}
