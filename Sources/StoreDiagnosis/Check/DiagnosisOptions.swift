import StoreScanning
import StoreDataModel
import StoreCoreData
import StorePlatform

/// How to diagnose.
package struct DiagnosisOptions: Sendable {
  /// The most examples of a finding.
  package var examples: Int
  /// A source that describes the store in place of its model cache, as for `inspect`.
  package var storeModel: ModelSource?
  /// How much SQLite checks.
  package var integrity: IntegrityReport.Depth
  /// Properties to check as if they were unique.
  package var unique: [UniqueKey]
  /// Whether to check CloudKit's model rules even if the store is not mirrored.
  package var judgesAsMirrored: Bool
  /// Classes that secure transformers let through besides the system's.
  package var allowedClasses = AllowedClasses()
  /// The models the app may open the store with, and how it opens it.
  package var candidates: CandidateOptions
  /// Entities whose findings are shown, besides those of the whole store; empty for all.
  package var entities: [String]
  /// The configuration whose severities and mutes apply; its models and defaults must be applied by the caller.
  package var configuration: Configuration?
  /// Whether a name in `entities` that neither the store nor a model has is an error. It is for one store, but not
  /// for a fleet.
  package var expectsEntities = true
  /// Whether to count the rows of every entity, even if no check needs its table.
  package var countsRows = false

  /// How the rows of tables are read.
  package var rows = RowReading.usual(threads: Platform.cores)

  /// Finds out what could be saved, where pages are damaged; nil where that is not asked for.
  package var savable: SavableReader?

  /// The options for reading the tables.
  package var scan: ScanOptions { ScanOptions(examples: examples, integrity: integrity, rows: rows) }

  /// By default: five examples, indexes checked against their tables, no candidates.
  package init(
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
