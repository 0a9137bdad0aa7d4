import StoreDataModel

/// Hashes of models and judged differences between them, kept while they are asked for again: the stores of a fleet are
/// of a few versions, and each is held against the same models.
///
/// It holds nothing but models. A model is known by where its entities lie in memory, which copies share; one that was
/// read anew is worked out anew, and the answer is the same.
package final class JudgedModels {
  private var hashes: [Place: (model: Model, hashes: VersionHashes)] = [:]
  private var inferences: [Pair: MigrationInference] = [:]
  /// Properties of all that is kept.
  private var weight = 0

  package init() {}

  /// The most properties of what is kept, some 500 bytes each: a chain of 90 versions of 60 properties, twice.
  private static let mostProperties = 20_000

  /// Where the entities of a model lie; the model that is kept with it keeps others from lying there.
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

  /// What a lightweight migration makes of the difference between two models.
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

  /// Forgets everything rather than guess what is asked for next.
  private func makeRoom(for models: Model...) {
    weight += models.flatMap(\.entities).reduce(0) { $0 + 1 + $1.properties.count }
    guard weight > Self.mostProperties else { return }
    (hashes, inferences, weight) = ([:], [:], 0)
  }
}
