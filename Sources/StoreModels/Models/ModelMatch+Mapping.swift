import StoreDataModel
import StoreSQLite

extension ModelMatch {
  /// A mapping model held against the store and the candidates by the hashes of its models, or those recorded in it.
  public struct Mapping: Sendable, Equatable {
    /// Where it was read from.
    public var path: String
    /// What it leads from.
    public var source: Side
    /// What it leads to.
    public var destination: Side
    /// What of its models is not read, so that it may lead elsewhere; sentences.
    public var unread: [String]

    /// Whether neither side is of anything given.
    public var fitsNeither: Bool { !source.fits && !destination.fits }

    /// What the hashes of one side fit: they are all equal there. Of a compiled mapping model, which records those of the
    /// entities it maps, more entities may be there.
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
    let isWhole = mapping.models != nil
    source = Side(mapping.sourceHashes, isWhole: isWhole, store: store, candidates)
    destination = Side(mapping.destinationHashes, isWhole: isWhole, store: store, candidates)
    unread = mapping.models?.unread ?? []
  }
}

extension ModelMatch.Mapping.Side {
  init(_ hashes: VersionHashes, isWhole: Bool, store: VersionHashes, _ models: [ModelMatch.Candidate]) {
    func fits(_ version: VersionHashes) -> Bool {
      isWhole ? version == hashes : HashComparison(store: version, model: hashes).isPart
    }
    recorded = hashes.byEntity.count
    isStore = fits(store)
    candidates = models.indices.filter { fits(models[$0].hashes) }
  }
}

/// What a store is matched with: models, and mapping models that lead from one to another.
public struct MatchSources: Sendable {
  /// Models and bundles of them.
  public var models: [ModelSource] = []
  /// Mapping models that are named.
  public var mappings: [MappingModel] = []
  /// Mapping models found in and beside bundles of models.
  public var found = MappingSources()

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
    for model in models { found.addFound(beside: model) }
    // What is named too is there once.
    found.leaveOut(mappings.map(\.path))
  }
}
