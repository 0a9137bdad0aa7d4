import StoreDataModel
import StoreSQLite

extension ModelMatch {
  /// A mapping model held against the store and the candidates by the hashes recorded in it.
  ///
  /// The keys these are read by are assumed (``MappingModel``), so what is said here has the basis `assumed`.
  public struct Mapping: Sendable, Equatable {
    /// Where it was read from.
    public var path: String
    /// What it leads from.
    public var source: Side
    /// What it leads to.
    public var destination: Side

    /// Whether neither side is of anything given.
    public var fitsNeither: Bool { !source.fits && !destination.fits }

    /// What the hashes recorded for one side fit: they are all equal there, where more entities may be.
    public struct Side: Sendable, Equatable {
      /// For how many entities a hash is recorded; none fit nothing.
      public var recorded: Int
      /// Whether they are the store's.
      public var isStore: Bool
      /// The candidates that have them, by position.
      public var candidates: [Int]

      /// Whether they fit anything.
      public var fits: Bool { isStore || !candidates.isEmpty }
    }
  }
}

extension ModelMatch.Mapping {
  init(_ mapping: MappingModel, store: VersionHashes, _ candidates: [ModelMatch.Candidate]) {
    path = mapping.path
    source = Side(mapping.sourceHashes, store: store, candidates)
    destination = Side(mapping.destinationHashes, store: store, candidates)
  }
}

extension ModelMatch.Mapping.Side {
  init(_ hashes: VersionHashes, store: VersionHashes, _ models: [ModelMatch.Candidate]) {
    recorded = hashes.byEntity.count
    isStore = HashComparison(store: store, model: hashes).isPart
    candidates = models.indices.filter { HashComparison(store: models[$0].hashes, model: hashes).isPart }
  }
}

/// What a store is matched with: models, and mapping models that lead from one to another.
public struct MatchSources: Sendable {
  /// Models and bundles of them.
  public var models: [ModelSource] = []
  /// Compiled mapping models.
  public var mappings: [MappingModel] = []

  /// Reads what is at each path: a mapping model, or anything ``readModel(_:)`` reads. Told by content, not by name.
  ///
  /// - Parameter readings: takes the Swift source that is read.
  /// - Throws: `ModelSourceError` or `StoreError` saying what is there instead and what to do.
  public init(_ paths: [PosixPath], _ readings: SourceReadings = SourceReadings()) throws {
    for path in paths {
      do {
        models.append(try readModel(path, readings))
      } catch let error as ModelSourceError where error.kind == .mappingModel {
        mappings.append(try MappingModel.read(path.description))
      }
    }
  }
}
