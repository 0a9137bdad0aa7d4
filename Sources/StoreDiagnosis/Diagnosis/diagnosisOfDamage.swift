import StoreCoreData
import StoreFindings
import StoreScanning

/// What is said of a store that is too damaged to be opened, where what was found in its pages is read in its place.
///
/// The damage is the one finding. Nothing else is judged: a link that leads nowhere may lead to a row that is lost.
///
/// - Parameters:
///   - store: what is read in its place.
///   - error: why it cannot be opened.
///   - savable: what `salvage` would save of it.
///   - countsRows: whether the rows of entities are counted.
///   - checks: those that were asked for.
package func diagnosis(
  of store: Store, tooDamagedToOpen error: String, savable: Savable?, countsRows: Bool, with checks: [Check] = Check.all
) -> Diagnosis {
  let found = Check.unreadableFile.finding(message: error, blocks: [259, 11])
  var diagnosis = Diagnosis(
    store: Diagnosis.StoreSummary(store), verdict: .damaged, models: [], findings: [found],
    skipped: checks.filter { $0.id != Check.unreadableFile.id }.map { check in
      SkippedCheck(
        check: check.id,
        reason: "the store cannot be opened, and what was found in its pages is not judged, since rows may be missing")
    },
    config: nil, scope: nil, chosenVersion: nil, population: countsRows ? population(of: store) : nil)
  diagnosis.savable = savable
  return diagnosis
}

private func population(of store: Store) -> [EntityPopulation] {
  let entities = store.layout.entities.filter { !$0.id.isInternal }
  let counts = Dictionary(uniqueKeysWithValues: Set(entities.map(\.table)).map { ($0, try? store.rowCounts(of: $0)) })
  return entities.map { entity in
    EntityPopulation(entity: entity.name, rows: counts[entity.table]??.byEntity[entity.id] ?? 0)
  }
}
