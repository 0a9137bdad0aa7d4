import StoreDataModel

/// Cache of version hashes and judged differences of models. The stores of a fleet are of a few versions, and each is
/// compared with the same models.
///
/// A model is identified by the memory address of its entities, which copies share. A model that was read again has
/// another address and is computed again, with the same result.
package final class JudgedModels {
  private var hashes: [Place: (model: Model, hashes: VersionHashes)] = [:]
  private var inferences: [Pair: MigrationInference] = [:]
  /// The models of stores, by the checksum of their hashes.
  private var ofStores: [[UInt8]: [Model]] = [:]
  /// How many differences were computed, and not found in the cache.
  package private(set) var comparisons = 0
  /// The number of entities and properties in the cache.
  private var weight = 0

  package init() {}

  /// The cache limit in entities and properties, some 100 bytes each: a bundle of 120 versions of 800 properties, each
  /// compared with a store's and with its neighbours.
  private static let mostProperties = 600_000

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

  /// An equal model that was met before, or the model itself: each store of a fleet holds a copy of its own, and equal
  /// models are compared with others once.
  ///
  /// - Parameter versions: versions of the app with the same hashes, one of which may be equal too.
  package func known(_ model: Model, among versions: [Model] = []) -> Model {
    if let same = versions.first(where: { $0 == model }) { return same }
    let checksum = hashes(of: model).checksum
    if let same = ofStores[checksum]?.first(where: { $0 == model }) { return same }
    ofStores[checksum, default: []].append(model)
    return model
  }

  /// The effect of a lightweight migration between two models.
  package func inference(from source: Model, to destination: Model) -> MigrationInference {
    let pair = Pair(source: Self.place(of: source), destination: Self.place(of: destination))
    if let known = inferences[pair], known.difference.source == source, known.difference.destination == destination {
      return known
    }
    let inference = MigrationInference(ModelDifference(from: source, to: destination))
    comparisons += 1
    makeRoom(for: destination)
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
    (hashes, inferences, ofStores, weight) = ([:], [:], [:], 0)
  }
}
