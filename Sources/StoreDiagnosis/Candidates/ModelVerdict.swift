import StoreFindings
import StoreMigration
import StoreModels
import StoreDataModel
import StoreCoreData

/// The result of opening the store with one version of a model.
public struct ModelVerdict: Sendable, Equatable {
  /// The source of the version, as its path was given.
  public var path: String
  /// Whether the source is Swift.
  public var isSwiftSource = false
  /// The version's name in its source.
  public var version: String
  /// A unique label among the given versions: its name, or source and name.
  public var name: String
  /// How to name it on a command line.
  public var argument: String
  /// Whether its verdict is the overall one.
  public var isDeciding: Bool
  /// Whether no version has the store's hashes and this one is the most similar.
  public var isNearest: Bool
  /// Its hashes compared with the store's; nil if the store has none.
  public var comparison: HashComparison?
  /// The checksum of the version's hashes.
  public var checksum: [UInt8] = []
  /// `NSVersionIdentifiers` of the version.
  public var identifiers: [String]
  /// Unproved facts that the verdict depends on: for Swift source, readings decided by the store; for a store, parts
  /// that could not be read.
  public var readings: [String] = []
  /// The ways in which the version's model contradicts itself, a sentence each.
  public var faults: [String] = []
  /// The verdict, for `way`.
  public var verdict: Verdict
  /// The way of opening asked about.
  public var way: OpeningWay
  /// The verdicts for each way an app may open the store.
  package var openings: [OpeningWay: OpeningVerdict]
  /// The changes that affect hashes, from the store's model to this one, each with its effect.
  package var changes: [MigrationOutcome.JudgedChange]
  /// Changes for which no mapping can be inferred.
  package var obstacles: [MigrationOutcome.JudgedChange]
  /// Changes for which it is not known whether a mapping is inferred.
  package var unknown: [MigrationOutcome.JudgedChange]
  /// Rows that stop the migration.
  package var blocking: [MigrationOutcome.JudgedRule]
  /// Rows that do not stop the migration but deserve attention.
  package var atRisk: [MigrationOutcome.JudgedRule]
  /// Conditions that would decide but could not be checked.
  package var unanswered: [RowRule]
  /// Whether it has none of the store's entities, by name or renaming identifier.
  public var isForeign = false
  /// Whether an unreadable part of the store may still stop a migration; `readings` says which.
  public var isPartlyUnread = false
  /// The data that the migration drops, with the rows that hold it.
  package var losses: [MigrationOutcome.JudgedLoss]
  /// Removals and additions that look like a rename whose identifier was forgotten.
  package var likelyRenames: [LikelyRename]
  /// The mapping models the migration uses.
  public var mappings: [MappingUse]
  /// For the deciding version, if versions lie between: each step separately.
  public var hops: [Hop]
  /// Tables and columns that the migration's SQL statements would use but the store lacks.
  public var missing: [Lacking]
  /// For each blocking condition, the parts of a recipe that make it hold.
  var remedies: [RowCondition: [RecipePart]]
  /// For the deciding version, if it needs a custom stage or rows block the migration: what the stage must do.
  package var advice: StageAdvice?

  /// Changes that make the verdict an assumed one.
  package var uncertain: [ModelChange] = []

  /// For the deciding version: the rows that stop the migration or leave its outcome uncertain, with the repairs to
  /// choose from.
  public var decisions: [RowDecision] = []
  /// For the deciding version: defaults of the model for NULLs that it does not allow any more.
  package var defaults: [ModelDefault] = []

  /// The parts of a recipe that make the blocking conditions hold.
  public var recipe: [RecipePart] {
    blocking.flatMap { remedies[$0.rule.condition] ?? [] }.reduce(into: []) { parts, part in
      if !parts.contains(part) { parts.append(part) }
    }
  }
  /// The losses that rows are affected by, or may be.
  package var lossesOfRows: [MigrationOutcome.JudgedLoss] { losses.filter(\.mayConcernRows) }
  /// Whether the store opens or is migrated, as it is or after its rows were repaired.
  package var leavesRows: Bool { verdict.leavesRows }
  /// The kind of evidence for the verdict.
  public var basis: Basis { openings[way]?.basis ?? .observed }
  /// The error of the app when it opens the store this way.
  public var failure: Failure? { openings[way]?.failure }

  /// One step of a chain of versions.
  public struct Hop: Sendable, Equatable {
    /// The version it starts at.
    public var from: String
    /// The version it ends at.
    public var to: String
    /// The outcome of a lightweight migration of the present rows.
    package var verdict: OpeningVerdict
  }
}

/// The ways an app may open a store.
public enum OpeningWay: String, Sendable, CaseIterable {
  /// Without migration.
  case none
  /// Lightweight migration: `NSPersistentContainer`, SwiftData without a plan.
  case automatic
  /// With a plan: `SchemaMigrationPlan`, `NSStagedMigrationManager`.
  case staged
  /// With mapping models only.
  case manual
}

/// The result of opening a store in one way.
package struct OpeningVerdict: Sendable, Equatable {
  /// The verdict.
  package var verdict: Verdict
  /// The error of the app, if it fails.
  package var failure: Failure?
  /// The kind of evidence for it.
  package var basis: Basis
  /// Whether it migrates and drops data that rows hold, or may hold.
  package var isLosing = false
  /// The migrations that run one after the other, for a staged opening or one with several mapping models.
  package var steps: [MigrationOutcome.Step] = []
  /// The mapping models it uses.
  package var mappings: [MappingUse] = []
}

extension OpeningVerdict {
  init(_ outcome: MigrationOutcome) {
    self.init(
      verdict: .init(outcome.verdict), failure: outcome.failure, basis: outcome.basis,
      isLosing: outcome.verdict == .migrates && outcome.losses.contains(where: \.mayConcernRows),
      steps: outcome.steps, mappings: outcome.mappings)
  }
}

extension OpeningVerdict {
  /// Changes the verdict to `foreignModel`, whatever inference says; the error of the app stays.
  mutating func becomeForeign(_ basis: Basis) {
    verdict = .foreignModel
    self.basis = basis
    isLosing = false
  }
}

extension Verdict {
  /// Whether the store opens or is migrated, as it is or after its rows were repaired.
  var leavesRows: Bool { !isError || self == .blockedByData }

  init(_ verdict: MigrationOutcome.Verdict) {
    switch verdict {
    case .opens: self = .opens
    case .migrates: self = .migrates
    case .blockedByData: self = .blockedByData
    case .needsCustomStage: self = .needsCustomStage
    case .unknownVersion: self = .unknownVersion
    }
  }
}
