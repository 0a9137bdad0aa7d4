import StoreSQLite
import StoreFindings
import StoreCoreData

/// Everything `storedoctor diagnose` says about one store: `storedoctor.diagnosis/1`.
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

  /// Which store it is, and what describes it.
  public struct StoreSummary: Sendable, Equatable {
    /// As the user gave it, or as found in the folder that was given.
    public var path: String
    /// The path byte for byte, where it is not UTF-8 and `path` is a repaired one.
    public var pathBytes: [UInt8]?
    /// `Z_UUID`.
    public var uuid: String?
    /// Of the framework that last wrote the metadata.
    public var frameworkVersion: Int64?
    /// Text given by the developer.
    public var versionIdentifiers: [String]
    /// "cache", "given" or "inferred".
    public var modelSource: String
  }

  /// The verdict that decides, where models are given.
  public var deciding: ModelVerdict? { models.first(where: \.isDeciding) }

  /// The worst of verdict and findings; nil where there is nothing to say.
  public var worstSeverity: Severity? {
    verdict.isError ? .error : findings.map(\.severity).max()
  }
}

extension Diagnosis.StoreSummary {
  init(_ store: Store) {
    self.init(
      path: store.path, pathBytes: store.location.isText ? nil : store.location.bytes, uuid: store.metadata.uuid,
      frameworkVersion: store.metadata.frameworkVersion, versionIdentifiers: store.metadata.versionIdentifiers,
      modelSource: store.modelSource.rawValue)
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
