import StoreFindings
import StoreMigration
import StoreModels
import StoreDataModel
import StoreCoreData

/// What would happen if the store were opened with one version of a model.
public struct ModelVerdict: Sendable, Equatable {
  /// The source of the version, as it was given.
  public var path: String
  /// Whether the source is Swift.
  public var isSwiftSource = false
  /// The version's name in its source.
  public var version: String
  /// What tells it apart from the others that were given: its name, or source and name.
  public var name: String
  /// How it is named on a command line.
  public var argument: String
  /// Whether the top-level verdict is that of this version.
  public var isDeciding: Bool
  /// Whether no version has the store's hashes and this one has most of them.
  public var isNearest: Bool
  /// Its hashes against the store's; nil where the store has none.
  public var comparison: HashComparison?
  /// `NSVersionIdentifiers` of the version.
  public var identifiers: [String]
  /// What the verdict rests on and nothing proves: of a version in Swift source what the store decided, of a store what
  /// could not be read.
  public var readings: [String] = []
  /// Where the version's model contradicts itself, a sentence each.
  public var faults: [String] = []
  /// The answer, for the way of opening asked about.
  public var verdict: Verdict
  /// That way.
  public var way: OpeningWay
  /// The answer for each way an app may open the store.
  public var openings: [OpeningWay: OpeningVerdict]
  /// The changes that enter the hash, from the store's model to this one, with what becomes of each.
  public var changes: [MigrationOutcome.JudgedChange]
  /// Changes for which no mapping can be inferred.
  public var obstacles: [MigrationOutcome.JudgedChange]
  /// Changes on the way asked about of which nobody knows whether a mapping is inferred.
  public var unknown: [MigrationOutcome.JudgedChange]
  /// Rows that stop the migration.
  public var blocking: [MigrationOutcome.JudgedRule]
  /// Rows that pass and are worth a look.
  public var atRisk: [MigrationOutcome.JudgedRule]
  /// Conditions that decide, and that could not be told from the rows.
  public var unanswered: [RowRule]
  /// Whether it has none of the store's entities, by name or renaming identifier.
  public var isForeign = false
  /// Whether part of the store could not be read that may still stop a migration; `readings` says which.
  public var isPartlyUnread = false
  /// What a migration in the way asked about takes away, with the rows that hold it.
  public var losses: [MigrationOutcome.JudgedLoss]
  /// Removals and additions that look like a rename whose identifier was forgotten.
  public var likelyRenames: [LikelyRename]
  /// The mapping models it migrates by, in the way asked about.
  public var mappings: [MappingUse]
  /// Of the deciding version, where versions lie between: each step by itself.
  public var hops: [Hop]
  /// Tables and columns the migration's statements would name and not find.
  public var missing: [Lacking]
  /// What of a recipe makes the rows of a condition fit, for the conditions that block.
  var remedies: [RowCondition: [RecipePart]]
  /// Of the deciding version, where it needs a stage or has rows that block: what a stage has to do.
  public var advice: StageAdvice?

  /// What of a recipe makes the blocking rows fit.
  public var recipe: [RecipePart] {
    blocking.flatMap { remedies[$0.rule.condition] ?? [] }.reduce(into: []) { parts, part in
      if !parts.contains(part) { parts.append(part) }
    }
  }
  /// Of the losses those that rows hold something of, or may.
  public var lossesOfRows: [MigrationOutcome.JudgedLoss] { losses.filter(\.mayConcernRows) }
  /// Whether the store is migrated, as it is or when its rows have been mended.
  package var leavesRows: Bool { !verdict.isError || verdict == .blockedByData }
  /// What the verdict rests on.
  public var basis: Basis { openings[way]?.basis ?? .observed }
  /// What the app prints when it opens the store in the way asked about.
  public var failure: Failure? { openings[way]?.failure }

  /// One step of a chain of versions.
  public struct Hop: Sendable, Equatable {
    /// The version it starts at.
    public var from: String
    /// The version it ends at.
    public var to: String
    /// What a lightweight migration of the rows of today makes of it.
    public var verdict: OpeningVerdict
  }
}

/// The ways an app may open a store.
public enum OpeningWay: String, Sendable, CaseIterable {
  /// Migration is not asked for.
  case none
  /// Lightweight migration: `NSPersistentContainer`, SwiftData without a plan.
  case automatic
  /// `SchemaMigrationPlan`, `NSStagedMigrationManager`.
  case staged
  /// Mapping models.
  case manual
}

/// What happens in one of them.
public struct OpeningVerdict: Sendable, Equatable {
  /// The answer.
  public var verdict: Verdict
  /// What the app prints where it fails.
  public var failure: Failure?
  /// What that rests on.
  public var basis: Basis
  /// Whether it migrates, and rows hold something that is dropped, or may.
  public var isLosing = false
  /// The migrations that run one after the other, of a staged opening and of one by several mapping models.
  public var steps: [MigrationOutcome.Step] = []
  /// The mapping models it migrates by.
  public var mappings: [MappingUse] = []
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
  /// The answer for a model that has none of the store's entities, whatever inference says; what the app prints stays.
  mutating func becomeForeign(_ basis: Basis) {
    verdict = .foreignModel
    self.basis = basis
    isLosing = false
  }
}

extension Verdict {
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
