import StoreCoreData
import StoreDataModel
import StoreSQLite

/// What becomes of the names in history after all steps of a migration.
struct CarriedNames {
  /// Of one entity.
  struct Names {
    /// Its number afterwards.
    var number: EntityID
    /// The properties whose name every version has: those whose bits are carried.
    var kept: Set<String>
    /// The new name of each property that is kept under whatever name: where its tombstones go.
    var renamed: [String: String]
    /// The attributes that the last version keeps of deleted objects. A value of another stays in a column without a name.
    var preserved: Set<String>
  }

  /// By the entity's number before.
  private(set) var entities: [EntityID: Names] = [:]

  /// - Parameters:
  ///   - store: the store before.
  ///   - models: those that the steps lead to, in order.
  ///   - pairs: the names of each step.
  init(of store: Store, to models: [Model], pairs: [NamePairs]) {
    guard let first = store.model, let last = models.last else { return }
    let steps = Array(zip([first] + models, pairs))
    let numbers = TablePlan.entityNumbers(of: last)
    let names = ModelNames(
      model: first, entityMap: store.entityMap, isNamedInMetadata: store.metadata.names(first))
    for entity in last.entities {
      var renamed = Dictionary(last.properties(of: entity.name).keys.map { ($0, $0) }) { first, _ in first }
      var kept = Set(renamed.keys)
      var name: String? = entity.name
      for (source, pairs) in steps.reversed() {
        guard let current = name else { break }
        renamed = renamed.compactMapValues { pairs.past($0, of: current) }
        name = pairs.entities.first { $0.new == current }?.old
        kept.formIntersection(name.map { source.properties(of: $0).keys } ?? [:].keys)
      }
      guard let old = name.flatMap({ names.numbers[$0] }), let new = numbers[entity.name] else { continue }
      entities[EntityID(old)] = Names(
        number: EntityID(new), kept: kept, renamed: Dictionary(renamed.map { ($1, $0) }) { first, _ in first },
        preserved: Set(
          last.properties(of: entity.name).filter { $0.value.property.attribute?.preservesValueInHistory == true }.keys)
      )
    }
  }
}

/// Reads every change of history before and after a migration, each by the properties of its version.
///
/// - Parameters:
///   - pairs: the names of each step.
///   - keys: the new key for each old one, by the store's entities; empty where keys are kept.
/// - Throws: `MigrationNotAsJudged` where one is not there any more, or names another object, property or value;
///   `SQLiteError`.
func checkHistory(
  of store: Store, in result: Store, models: [Model], pairs: [NamePairs], keys: [EntityID: [Int64: Int64]]
) throws {
  guard !models.isEmpty, var before = try HistoryChanges(store) else { return }
  guard var after = try HistoryChanges(result) else {
    throw MigrationNotAsJudged(reason: "it has no \(HistoryTable.change) any more")
  }
  let living = keys.mapValues { Set($0.values) }
  let names = CarriedNames(of: store, to: models, pairs: pairs)
  while let old = try before.next() {
    guard var new = try after.next(), new.key == old.key else {
      throw MigrationNotAsJudged(reason: "change \(old.key) of history is not there any more")
    }
    let carried = names.entities[old.entity]
    var expected = old
    if let carried {
      expected.entity = carried.number
      if !keys.isEmpty {
        // One that is gone has a key that no object has.
        let isGone = keys[old.entity]?[old.object] == nil
        if isGone, living[old.entity]?.contains(new.object) == true {
          throw MigrationNotAsJudged(reason: "change \(old.key) of history is of another object than before")
        }
        expected.object = keys[old.entity]?[old.object] ?? new.object
      }
      expected.properties = old.properties.map { $0.filter(carried.kept.contains) }
      for index in expected.tombstones.indices {
        let name = expected.tombstones[index].name
        expected.tombstones[index].name = carried.renamed[name].map { carried.preserved.contains($0) ? $0 : "" } ?? ""
      }
      for index in new.tombstones.indices where !carried.preserved.contains(new.tombstones[index].name) {
        new.tombstones[index].name = ""
      }
    }
    // Bits that no version known here wrote are kept, whatever they mean now.
    guard old.properties != nil || old.kind != .update else { continue }
    guard new.says(the: expected) else {
      throw MigrationNotAsJudged(reason: "change \(old.key) of history says something else than before")
    }
  }
}

extension HistoryChange {
  /// Whether both are about the same object, properties and values, in whatever order.
  fileprivate func says(the other: HistoryChange) -> Bool {
    func values(_ change: HistoryChange) -> [String] {
      change.tombstones.map { "\($0.name) \($0.value)" }.sorted()
    }
    return kind == other.kind && entity == other.entity && object == other.object && transaction == other.transaction
      && properties.map { $0.sorted() } == other.properties.map { $0.sorted() } && values(self) == values(other)
  }
}
