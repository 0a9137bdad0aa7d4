import StoreSQLite
import StoreFindings
import StoreCoreData

/// Everything `storedoctor diagnose` says about one store: `storedoctor.diagnosis/2`.
public struct Diagnosis: Sendable, Equatable {
  /// Which store it is.
  public var store: StoreSummary
  /// The answer in a word.
  public var verdict: Verdict
  /// What would happen with each version of the models given, in their order; empty where none is.
  public var models: [ModelVerdict]
  /// What is wrong, by check, entity and property.
  public var findings: [Finding]
  /// What could not be looked at, by check.
  public var skipped: [SkippedCheck]
  /// The configuration that held, and what it muted; nil where there is none.
  public var config: ConfigurationUse?
  /// The entities that were asked for; nil for all.
  public var scope: Scope?
  /// The rows of each entity, where they were asked for: by entity number, those of history and CloudKit left out.
  public var population: [EntityPopulation]?

  /// The answer in a word.
  public typealias Verdict = StoreFindings.Verdict
  /// Something that was not looked at.
  public typealias Skipped = SkippedCheck
  /// How many rows an entity has.
  public typealias Population = EntityPopulation

  /// What a store says of itself.
  public typealias StoreSummary = StoreIdentity

  /// The verdict that decides, where models are given.
  public var deciding: ModelVerdict? { models.first(where: \.isDeciding) }

  /// The worst of verdict and findings; nil where there is nothing to say.
  public var worstSeverity: Severity? {
    verdict.isError ? .error : findings.map(\.severity).max()
  }
}

extension Verdict {
  /// - Parameters:
  ///   - findings: what counts.
  ///   - all: what could be damage, muted or not: no configuration makes a store whole.
  init(_ findings: [Finding], damage all: [Finding]) {
    if all.contains(where: { $0.traits.contains(.damage) }) {
      self = .damaged
    } else {
      self = findings.contains { $0.severity >= .warning } ? .findings : .healthy
    }
  }
}
