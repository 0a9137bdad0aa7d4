import StoreDataModel
import StoreSQLite

extension ModelMatch {
  /// A mapping model compared with the store and the candidates, by the hashes of its models or those recorded in it.
  public struct Mapping: Sendable, Equatable {
    /// Where it was read from.
    public var path: String
    /// The version it migrates from.
    public var source: Side
    /// The version it migrates to.
    public var destination: Side
    /// Parts of its models that could not be read, so that its real source or destination may differ; one sentence
    /// each.
    public var unread: [String]

    /// Whether neither its source nor its destination matches the store or a candidate.
    public var fitsNeither: Bool { !source.fits && !destination.fits }

    /// The models that one side of a mapping model matches. Its hashes must all be equal. A compiled mapping model
    /// records only the entities it maps, so there the other side may have more.
    public struct Side: Sendable, Equatable {
      /// Number of entities with a recorded hash; with none, nothing matches.
      public var recorded: Int
      /// Whether the hashes match the store's.
      public var isStore: Bool
      /// The positions of the candidates whose hashes match.
      public var candidates: [Int]

      /// Whether it matches the store or a candidate.
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

/// The sources a store is matched against: models, and mapping models between them.
package struct MatchSources: Sendable {
  /// Models and model bundles.
  package var models: [ModelSource] = []
  /// Mapping models given by path.
  package var mappings: [MappingModel] = []
  /// Mapping models found in and beside model bundles.
  package var found = MappingSources()

  /// Reads what is at each path: a mapping model, or anything ``readModel(_:)`` reads. The content decides, not the
  /// name.
  ///
  /// - Parameter readings: cache of parsed Swift source; new readings are added to it.
  /// - Throws: `ModelSourceError` or `StoreError` saying what is there instead and what to do.
  package init(_ paths: [PosixPath], _ readings: SourceReadings = SourceReadings()) throws {
    for path in paths {
      do {
        models.append(try readModel(path, readings: readings))
      } catch let error as ModelSourceError where error.kind == .mappingModel {
        mappings.append(try MappingModel.read(path.description))
      }
    }
    for model in models { found.addFound(around: model) }
    // Skip those already given by path.
    found.leaveOut(mappings.map(\.path))
  }
}
