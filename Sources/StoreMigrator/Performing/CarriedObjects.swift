import StoreCoreData
import StoreDataModel
import StoreRows

/// What became of the names and keys of a store in all steps of a migration.
struct CarriedObjects {
  /// The models that the steps lead to, in order.
  private let models: [Model]
  /// The names of each step.
  private let pairs: [NamePairs]
  /// Names and keys of all steps together; nil where every object keeps its key.
  private(set) var given: GivenPairs?

  /// - Parameter models: those that the steps lead to, in order.
  init(of store: Store, models: [Model], hops: [PerformedMigration.Hop]) {
    self.models = models
    guard let first = store.model else {
      pairs = []
      return
    }
    pairs = zip(hops, zip([first] + models, models)).map { hop, models in
      hop.plan.pairs ?? NamePairs(PropertyMap(ModelDifference(from: models.0, to: models.1)))
    }
    guard hops.contains(where: { $0.plan.mapped != nil }) else { return }
    var all = GivenPairs(entities: [:], properties: [:], keys: [:])
    for entity in store.layout.entities where !entity.id.isInternal {
      let name = entity.modelName ?? entity.name
      var end = End(entity: name, properties: first.properties(of: name).mapValues(\.property.name), keys: nil)
      var isKept = true
      for (hop, pairs) in zip(hops, pairs) where isKept { isKept = end.follow(hop, pairs) }
      guard isKept else { continue }
      all.entities[name] = end.entity
      all.properties[name] = end.properties
      all.keys[entity.id] = end.keys ?? [:]
    }
    given = all
  }

  /// Reads every change of history before and after.
  ///
  /// - Throws: as the function of that name.
  func checkHistory(of store: Store, in result: Store) throws {
    try StoreMigrator.checkHistory(
      of: store, in: result, models: models, pairs: pairs, keys: given?.keys ?? [:])
  }

  /// What an entity of the store has become after some steps.
  private struct End {
    var entity: String
    /// By the name before.
    var properties: [String: String]
    /// Nil as long as all keys are kept.
    var keys: [Int64: Int64]?

    /// - Returns: whether its objects are kept.
    mutating func follow(_ hop: PerformedMigration.Hop, _ pairs: NamePairs) -> Bool {
      guard let next = pairs.entities.first(where: { $0.old == entity })?.new else { return false }
      let now = Dictionary((pairs.pasts[next] ?? [:]).map { ($1, $0) }) { first, _ in first }
      properties = properties.compactMapValues { now[$0] }
      if let part = hop.plan.mapped?.parts.firstIndex(where: { $0.source == entity }), hop.keys.indices.contains(part) {
        let given = hop.keys[part]
        keys = keys.map { $0.compactMapValues { given[$0] } } ?? given
      }
      entity = next
      return true
    }
  }
}
