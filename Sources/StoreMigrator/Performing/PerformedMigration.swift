import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreFindings
import StorePlatform
import StoreRows
import StoreText

/// How a migration is performed.
package struct MigrationRun: Sendable {
  /// The models the app opens the store with, and how it opens it.
  package var candidates: CandidateOptions
  /// Whether what is known by inference only is performed too.
  package var allowsAssumed: Bool
  /// Whether recipes may lose something.
  package var allowsLossy: Bool
  /// Recipes in the place of the code of custom stages. A stage that a store does not go through has no effect on it.
  package var stages: [StagePerformance]
  /// The time of the transaction in history, in seconds since 2001-01-01 UTC.
  package var now: Double
  /// Called with a word or two about the current step.
  package var onProgress: (@Sendable (String) -> Void)?

  /// By default only what was observed is performed, and the time is the present one.
  package init(
    _ candidates: CandidateOptions, allowsAssumed: Bool = false, allowsLossy: Bool = true,
    stages: [StagePerformance] = [], now: Double? = nil,
    onProgress: (@Sendable (String) -> Void)? = nil
  ) {
    self.candidates = candidates
    self.allowsAssumed = allowsAssumed
    self.allowsLossy = allowsLossy
    self.stages = stages
    self.now = now ?? Double(Int64(time(nil)) - secondsFrom1970To2001)
    self.onProgress = onProgress
  }
}

/// A migration, performed or tried out.
public struct PerformedMigration: Sendable {
  /// The path of the store, which was only read.
  public var store: String
  /// What is known of the store as it was read.
  public var reading = Reading()
  /// The path of the migrated copy; nil where it was tried out.
  public var output: String?
  /// The verdict for the store with the models, known before.
  public var verdict: ModelVerdict
  /// Assumptions known by inference only, one sentence each.
  public var assumptions: [String]
  /// The steps taken, version by version; empty where the store opens as it is.
  public var hops: [Hop]
  /// The store compared with the result, object by object; nil where it was only tried out.
  package var comparison: StoreComparison?
  /// The findings of a diagnosis of the result; nil where it was only tried out.
  public var findings: [Finding]?

  /// The file with the Swift of the stages that recipes performed, and what has none; nil where none was asked for.
  package var stageCode: (path: String, omissions: [String])?

  /// The statements held against a log of an app's; nil where none was given.
  package var log: DebugLogComparison?

  /// Holds the statements of all steps against a log that an app wrote while it migrated such a store.
  ///
  /// - Throws: `DebugLogError`.
  public mutating func compare(withLog log: [UInt8]) throws(DebugLogError) {
    self.log = try DebugLogComparison(hops.flatMap(\.plan.statements), log: log)
  }

  /// Objects that are in both; nil where it was only tried out.
  public var kept: Int64? { comparison?.entities.reduce(0) { $0 + $1.before - $1.removed } }

  /// Objects of entities that the target does not have, and those that a recipe removed where that loses something; nil where
  /// it was only tried out.
  public var lost: Int64? {
    comparison.map { comparison in
      let removed =
        isByMappingModel
        ? comparison.entities.reduce(0) { $0 + $1.removed }
        : lossyOperations.isEmpty ? 0 : removedByRecipe.reduce(0) { $0 + $1.objects }
      return comparison.onlyBefore.reduce(removed) { $0 + $1.objects }
    }
  }

  /// Whether a step goes by a mapping model.
  public var isByMappingModel: Bool { hops.contains { $0.mapping != nil } }

  /// What recipes did by which something is lost, a sentence each.
  public var lossyOperations: [String] { hops.flatMap(\.lossyOperations) }

  /// The objects of kept entities that recipes removed, by entity.
  package var removedByRecipe: [(entity: String, objects: Int64)] {
    guard hops.contains(where: \.isPerformedByRecipe), !isByMappingModel else { return [] }
    return comparison?.entities.filter { $0.removed > 0 }.map { ($0.name, $0.removed) } ?? []
  }

  /// Values of attributes and relationships that the target does not have; nil where it was only tried out.
  public var lostValues: Int64? {
    comparison?.entities.reduce(0) { sum, entity in entity.dropped.reduce(sum) { $0 + $1.values } }
  }

  /// One lightweight step.
  public struct Hop: Sendable {
    /// The version it starts at; nil where the models do not name it.
    public var from: String?
    /// The version it ends at.
    public var to: String
    /// Its statements.
    package var plan: MigrationPlan
    /// The effects of a recipe in the place of the app's code before the structural step, a sentence each.
    public var willMigrate: [String] = []
    /// The same after it.
    public var didMigrate: [String] = []
    /// Those of both by which something is lost.
    public var lossyOperations: [String] = []

    /// The mapping model it went by; nil where the mapping was inferred.
    public var mapping: String?
    /// For a step by a mapping model, the new key for each old one, by entity mapping.
    var keys: [[Int64: Int64]] = []

    /// Whether a recipe stood in for the app's code, also where it found nothing to do.
    public var isPerformedByRecipe = false
  }
}

/// A store that the models do not migrate, so that nothing is performed.
public struct MigrationNotPossible: Error, Sendable, CustomStringConvertible {
  /// The verdict instead, with the rows that are in the way.
  public var diagnosis: Diagnosis
  /// "'V1' to 'V2'": the step that rows stop although a recipe stands in for its stage; nil where nothing was performed.
  package var stage: String?

  /// The verdict.
  public var description: String { "the models do not migrate this store: \(diagnosis.verdict.rawValue)" }
}

/// A migration that needs to be allowed, because parts of it are assumed.
public struct MigrationNeedsAllowance: Error, Sendable, CustomStringConvertible {
  /// Assumptions.
  public var assumptions: [String]

  /// The assumptions, and what to do.
  public var description: String {
    (["parts of this migration were never seen in a real store; they are assumed:"] + assumptions.map { "  " + $0 }
      + ["allow that, or migrate a copy on a device or simulator"]).joined(separator: "\n")
  }
}

/// A migration that needs to be allowed, because a recipe loses something.
public struct MigrationLosesByRecipe: Error, Sendable, CustomStringConvertible {
  /// What the recipe does, a sentence each.
  public var operations: [String]

  /// What is lost, and what to do.
  public var description: String {
    (["a recipe loses what the store has:"] + operations.map { "  " + $0 }
      + ["--allow-lossy performs it all the same; --dry-run shows it without writing"]).joined(separator: "\n")
  }
}

/// A result that is not what was judged; it is thrown away.
public struct MigrationNotAsJudged: Error, Sendable, CustomStringConvertible {
  /// The difference; lower case, no full stop.
  public var reason: String

  /// The sentence shown to people.
  public var description: String {
    "the migrated copy is not what it should be, so it was thrown away: \(reason). This is an error of storedoctor's; "
      + "please report it"
  }
}
