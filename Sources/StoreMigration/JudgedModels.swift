import StoreDataModel

/// Cache of version hashes and judged differences of models. The stores of a fleet are of a few versions, and each is
/// compared with the same models.
///
/// A model is identified by the memory address of its entities, which copies share. A model that was read again has
/// another address and is computed again, with the same result.
package final class JudgedModels {
  private var hashes: [Place: (model: Model, hashes: VersionHashes)] = [:]
  private var inferences: [Pair: MigrationInference] = [:]
  /// The number of entities and properties in the cache.
  private var weight = 0

  package init() {}

  /// The cache limit in entities and properties, some 500 bytes each: a chain of 90 versions of 60 properties, twice.
  private static let mostProperties = 20_000

  /// The address of a model's entities. Keeping the model in the cache prevents reuse of the address.
  private typealias Place = UnsafeRawPointer?

  private struct Pair: Hashable {
    let source: Place
    let destination: Place
  }

  /// The version hashes of a model.
  package func hashes(of model: Model) -> VersionHashes {
    let place = Self.place(of: model)
    if let known = hashes[place], known.model == model { return known.hashes }
    let computed = model.versionHashes
    makeRoom(for: model)
    hashes[place] = (model, computed)
    return computed
  }

  /// The effect of a lightweight migration between two models.
  package func inference(from source: Model, to destination: Model) -> MigrationInference {
    let pair = Pair(source: Self.place(of: source), destination: Self.place(of: destination))
    if let known = inferences[pair], known.difference.source == source, known.difference.destination == destination {
      return known
    }
    let inference = MigrationInference(ModelDifference(from: source, to: destination))
    makeRoom(for: source, destination)
    inferences[pair] = inference
    return inference
  }

  private static func place(of model: Model) -> Place {
    model.entities.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
  }

  /// Empties the cache when it is full.
  private func makeRoom(for models: Model...) {
    weight += models.flatMap(\.entities).reduce(0) { $0 + 1 + $1.properties.count }
    guard weight > Self.mostProperties else { return }
    (hashes, inferences, weight) = ([:], [:], 0)
  }
}
