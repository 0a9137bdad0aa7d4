import StoreWords
import StoreFindings
import StoreScanning
import StoreDataModel
import StoreCoreData

extension Check {
  static let entityMapDiffers = Check(
    .entityMapDiffers, "entity-map-differs", .warning,
    summary: "Z_PRIMARYKEY and the model name different entities, or other parents.",
    explanation: """
      ## What it looks for
      Each entity of the metadata's version hashes should have a row of its name in `Z_PRIMARYKEY`, with the number of
      the parent the model gives it, and each row an entity. A store that has lost the table is an error. History's and
      CloudKit's own rows are left out.

      ## Why it matters
      Numbers in rows, join tables and companions mean what `Z_PRIMARYKEY` says. An old name that a migration left
      behind is harmless as long as the model's renaming identifier tells it, or all other names, numbers and parents do;
      an entity without a row has no table.

      ## Example
      `Z_PRIMARYKEY` says `ExpensiveSportCar`, and the hashes and the model say `LuxuryCar`, once `ExpensiveSportCar`.

      ## What can be done
      After a rename the repair `structure: [entity-names]` writes the model's names; it has to be asked for. Entities that
      the model has not, or has elsewhere, are a sign that the model is another's.
      """
  ) { check, scan in
    {
      if scan.store.shape.tables["Z_PRIMARYKEY"] == nil {
        var finding = check.finding(table: "Z_PRIMARYKEY", message: EntityMap.lost)
        finding.severity = .error
        return [finding]
      }
      skipUndescribed(scan)
      let renamed = Set(scan.store.layout.entities.filter { $0.modelName != nil }.map(\.name))
      return differences(scan).map { name, message in
        check.finding(
          name, table: "Z_PRIMARYKEY", message: message,
          remedies: renamed.contains(name) ? [.init("structure: [entity-names]")] : [])
      }
    }
  }
}

/// Lists what no check can examine, because only the model or only `Z_PRIMARYKEY` has the entity.
private func skipUndescribed(_ scan: Scan) {
  guard let model = scan.store.model else { return }
  let entities = scan.store.layout.entities.filter { !$0.id.isInternal }
  let described = Set(model.entities.map(\.name))
  let foreign = entities.filter { $0.modelName == nil && !described.contains($0.name) }.map(\.name)
  let missing = described.subtracting(entities.map { $0.modelName ?? $0.name })
  scan.skip(
    foreign.sorted(by: codeUnitsPrecede), reason: "not in the model, so attributes and relationships are not looked at")
  scan.skip(
    missing.sorted(by: codeUnitsPrecede),
    reason: "without a row in Z_PRIMARYKEY, so attributes and relationships are not looked at")
}

/// The entities that differ, with how.
private func differences(_ scan: Scan) -> [(entity: String, message: String)] {
  let store = scan.store
  let entities = store.layout.entities.filter { !$0.id.isInternal }
  let known = store.model.map { Set($0.entities.map(\.name)) } ?? store.metadata.hashes.map { Set($0.byEntity.keys) }
  guard let known else { return [] }
  let found = entities.compactMap { entity in
    difference(of: entity, known: known, scan: scan).map { (entity.name, $0) }
  }
  let repeated = Dictionary(entities.map { ($0.name, 1) }, uniquingKeysWith: +).filter { $0.value > 1 }
    .sorted { codeUnitsPrecede($0.key, $1.key) }
    .map { name, count in (name, "\(count) rows of Z_PRIMARYKEY are called \(quoted(name))") }
  let named = Set(entities.map { $0.modelName ?? $0.name })
  let missing = known.subtracting(named).sorted(by: codeUnitsPrecede)
  return found + repeated + missing.map { ($0, "\(quoted($0)) has no row in Z_PRIMARYKEY") }
}

private func difference(of entity: EntityLayout, known: Set<String>, scan: Scan) -> String? {
  if let newName = entity.modelName { return "\(quoted(entity.name)) is \(quoted(newName)) in the model" }
  guard known.contains(entity.name) else { return "\(quoted(entity.name)) is not in the model" }
  guard let described = scan.store.model?.entity(named: entity.name) else { return nil }
  let parent = entity.parent.flatMap { scan.map.entity(named: $0) }.map { $0.modelName ?? $0.name }
  guard parent != described.parent else { return nil }
  return "the parent of \(quoted(entity.name)) is \(parent.map(quoted) ?? "none"), "
    + "and \(described.parent.map(quoted) ?? "none") in the model"
}
