import StoreWords
import StoreMigration
import StoreModels
import StoreDataModel
import StoreFindings

/// One version with all that decides its verdict.
struct Candidate {
  let version: CandidateList.Version
  let isDeciding: Bool
  /// The way of opening asked about.
  let way: OpeningWay
  let outcomes: [OpeningWay: MigrationOutcome]
  /// Its hashes compared with the store's; nil if the store has none.
  let comparison: HashComparison?
  let inference: MigrationInference?
  /// Whether it has none of the store's entities.
  let isForeign: Bool
  /// Why the store itself is damaged.
  let damage: Failure?
  /// Whether it, or the store's own version, relies on values assumed from the store.
  let restsOnStore: Bool

  /// The outcome of the way asked about.
  var outcome: MigrationOutcome? { outcomes[way] }
  /// The rows that stop the migration.
  var blocking: [MigrationOutcome.JudgedRule] { outcome?.blocking ?? [] }
  /// The mapping models the migration uses.
  var mappings: [MappingUse] { outcome?.mappings ?? [] }
  /// The data that is dropped; not known if a mapping model decides it.
  var losses: [MigrationOutcome.JudgedLoss] { mappings.isEmpty ? outcome?.losses ?? [] : [] }
  /// Probable renames; only an inferred mapping would need their identifiers.
  var likelyRenames: [LikelyRename] { mappings.isEmpty ? inference?.difference.likelyRenames ?? [] : [] }

  /// The changes that enter hashes, each with its effect.
  private var hashedChanges: [(change: ModelChange, effect: Effect)] {
    (inference?.judged ?? []).filter(\.change.entersHash)
  }

  /// The changes from the store's model to this one.
  var changes: [MigrationOutcome.JudgedChange] {
    guard outcome?.verdict != .opens else { return [] }
    let isMapped = !mappings.isEmpty
    return hashedChanges.map {
      .init(change: $0.change, effect: isMapped ? .unknown("as the mapping model has it") : $0.effect)
    }
  }

  /// Changes for which no mapping can be inferred.
  var obstacles: [MigrationOutcome.JudgedChange] {
    let judged = hashedChanges
    // A stage of a plan may start or end at other versions than the store's and this one.
    return (outcome?.obstacles ?? []).map { change in
      .init(change: change, effect: judged.first { $0.change == change }?.effect ?? .unknown(""))
    }
  }
}

// MARK: Readings

extension Candidate {
  /// Decisions, assumptions and open points from the reading of its Swift source.
  var sourceReadings: [String] {
    guard let doubt = version.original.doubt else { return [] }
    let isProved = comparison?.isEqual == true
    return doubt.decided + doubt.assumed + (isProved ? [] : doubt.open.map(\.message))
  }

  /// The remark that stages which may mend blocking rows are not run.
  var stageReading: [String] {
    guard !blocking.isEmpty, let prepared = version.source.plan?.prepared, !prepared.isEmpty else { return [] }
    return [
      "willMigrate of \(prepared.joined(separator: ", ")) is not run here: rows it would mend are counted as they are"
    ]
  }

  /// Unreadable defaults that rows are given, or may be given.
  var unreadableDefaults: [String] {
    hashedChanges.compactMap { change, _ in
      guard let entity = change.place.destinationEntity, let name = change.place.destinationProperty,
        case .unreadable(let text)? = version.model.property(name, of: entity)?.attribute?.defaultValue
      else { return nil }
      switch change.kind {
      case .added, .moved, .optional(false), .transient(false): break
      default: return nil
      }
      return
        "the default of \(entity).\(name), \(quoted(text)), cannot be read: which value old rows are given is not known"
    }
  }

  /// Remarks on the mapping models it uses: what their code makes of the rows is not known.
  var mappingReadings: [String] {
    let isOneStep = outcome?.steps.isEmpty ?? true
    return mappings.flatMap { use in
      [
        "\(isOneStep ? "Core Data looks for a mapping model before it infers one, and finds" : "a step goes by") "
          + "\(quoted(use.path)): \(use.unknownWords)"
      ] + use.unread.prefix(1).map { "\(quoted(use.path)) is not read whole: \($0)" }
    }
  }

  /// The remark that an app can come to this version by several mapping models.
  var chainReading: [String] {
    guard mappings.isEmpty, let manual = outcomes[.manual], !manual.mappings.isEmpty else { return [] }
    return [
      "by itself Core Data takes one step; an app that goes from version to version comes there by mapping models, in "
        + "\(manual.steps.count) steps: --opening manual judges that"
    ]
  }
}
