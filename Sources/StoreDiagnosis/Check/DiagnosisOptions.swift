import StoreScanning
import StoreDataModel
import StoreCoreData

/// How to diagnose.
public struct DiagnosisOptions: Sendable {
  /// The most examples of a finding.
  public var examples: Int
  /// What describes the store in place of its model cache, as for `inspect`.
  public var storeModel: ModelSource?
  /// How much SQLite is to look at.
  public var integrity: IntegrityReport.Depth
  /// Properties to look at as if they had to be unique.
  public var unique: [UniqueKey]
  /// Hold the model against CloudKit's rules also where the store is not mirrored.
  public var judgesAsMirrored: Bool
  /// The models the app may open the store with, and how it does.
  public var candidates: CandidateOptions
  /// Entities whose findings are shown, with those of the store as a whole; all where none is named.
  public var entities: [String]
  /// Whose severities and mutes hold; its models and defaults are the caller's to take.
  public var configuration: Configuration?
  /// Whether an entity that neither the store nor a model has is a mistake; of one store it is, of a fleet it is not.
  package var expectsEntities = true
  /// Whether the rows of every entity are counted, also where no check asks for their table.
  package var countsRows = false

  /// How the tables are read for it.
  package var scan: ScanOptions { ScanOptions(examples: examples, integrity: integrity) }

  /// Five examples, indexes held against their tables, and no candidates, unless said otherwise.
  public init(
    examples: Int = 5, storeModel: ModelSource? = nil, integrity: IntegrityReport.Depth = .full,
    unique: [UniqueKey] = [], judgesAsMirrored: Bool = false, candidates: CandidateOptions = CandidateOptions(),
    entities: [String] = [], configuration: Configuration? = nil
  ) {
    self.examples = max(examples, 0)
    self.storeModel = storeModel
    self.integrity = integrity
    self.unique = unique
    self.judgesAsMirrored = judgesAsMirrored
    self.candidates = candidates
    self.entities = entities
    self.configuration = configuration
  }
}
