import StoreFindings
import StoreScanning
import StoreWords
import StoreDataModel
import StoreCoreData

extension Check {
  static let orphanedObject = Check(
    .orphanedObject, "orphaned-object", .note, traits: [.missingRows, .rows],
    summary: "An object that would have been deleted with its owner has no owner.",
    explanation: """
      ## What it looks for
      Objects of an entity that others own, by a relationship with the delete rule Cascade, and that no existing object
      owns. Not where the owner is required (SD407), nor where only objects of the same kind own each other: a tree has
      a root. Nor of an entity that most objects of have no owner: they are meant to live by themselves. It is one
      finding of the store, with the number of objects of each entity.

      ## Why it matters
      Often such an object was left behind when its owner was deleted by other means than Core Data's: the app never
      shows it again, and it takes up space. It may also be meant so; hence a note.

      ## Example
      `Person.passport` cascades, and row 4 of `ZPASSPORT` is no person's.

      ## What can be done
      Nothing by itself: whether the objects are wanted, only the author can say. The repair `relink` gives them an
      owner by an attribute that both sides share.
      """
  ) { check, scan in
    guard scan.store.hasModel else {
      scan.skip("without a model nobody knows which objects are owned")
      return { [] }
    }
    let owned = ownedEntities(scan)
    return { owned.compactMap { orphans(of: $0, check: check, in: scan) } }
  }
}

/// An entity whose objects are owned by others, with the columns and join tables that link them.
private struct OwnedEntity {
  var entity: EntityLayout
  var kinds: Set<EntityID>
  var table: TableScan
  /// Columns with the keys of owned objects, and with the keys of their owners.
  var owning: [KeyColumn], ownedBy: [KeyColumn]
  var joins: [(JoinLinks, ownsSource: Bool)]
}

private func ownedEntities(_ scan: Scan) -> [OwnedEntity] {
  let cascading = scan.map.relationships.filter { $0.model?.deleteRule == .cascade && $0.destination != nil }
  var seen: Set<EntityID> = []
  return cascading.compactMap(\.destination).filter { seen.insert($0.id).inserted }.compactMap { entity in
    let owners = cascading.filter { owner in owner.destination.map { scan.map.areRelated($0.id, entity.id) } == true }
    let isTree = owners.allSatisfy { scan.map.areRelated($0.owner.id, entity.id) }
    let isRequired = owners.contains { scan.map.inverse(of: $0)?.layout.isOptional == false }
    guard !isTree, !isRequired, !isBelowAnother(entity, owners: owners, scan: scan),
      let table = scan.table(entity.table)
    else {
      return nil
    }
    return OwnedEntity(of: entity, table: table, owners: Set(owners), scan: scan)
  }
}

/// Whether an ancestor entity is owned too; its finding then covers this entity.
private func isBelowAnother(_ entity: EntityLayout, owners: [StoredRelationship], scan: Scan) -> Bool {
  owners.contains { owner in
    guard let destination = owner.destination, destination.id != entity.id else { return false }
    return scan.map.kinds(of: destination.id).contains(entity.id)
  }
}

extension OwnedEntity {
  fileprivate init(of entity: EntityLayout, table: TableScan, owners: Set<StoredRelationship>, scan: Scan) {
    let inverses = Set(owners.compactMap(scan.map.inverse))
    let columns = scan.keyColumns()
    var joins: [(JoinLinks, Bool)] = []
    for join in scan.joinLinks() {
      if owners.contains(join.place.source.relationship) { joins.append((join, false)) }
      if owners.contains(join.place.destination.relationship) { joins.append((join, true)) }
    }
    self.init(
      entity: entity, kinds: scan.map.kinds(of: entity.id), table: table,
      owning: columns.filter { owners.contains($0.place.relationship) && !$0.place.isHidden },
      ownedBy: columns.filter {
        inverses.contains($0.place.relationship) || owners.contains($0.place.relationship) && $0.place.isHidden
      },
      joins: joins)
  }
}

/// The orphans of one entity; `gatheringOrphans` merges the findings of all.
private func orphans(of owned: OwnedEntity, check: Check, in scan: Scan) -> Finding? {
  guard let owners = ownedKeys(owned, in: scan) else { return nil }
  let mostlyOwned = owned.kinds.filter { kind in
    let objects = owned.table.keys(of: [kind])
    return objects.subtracting(owners).count <= objects.count / 2
  }
  var rows = ExampleTally(limit: scan.exampleLimit)
  for key in owned.table.keys(of: mostlyOwned).subtracting(owners) {
    rows.add(.init(key, ["entity": scan.entityName(of: key, in: owned.table)]))
  }
  return check.finding(of: owned.entity, rows: rows, message: message(rows.count, of: owned.entity.table))
}

private func message(_ count: Int64, of table: String) -> String {
  "\(counted(count, "row")) of \(table) \(count == 1 ? "has" : "have") no owner"
}

extension [Finding] {
  /// Merges the orphaned objects of all entities into one finding of the store, at the place of the first: an app
  /// that deletes by other means than Core Data leaves them behind in many entities at once.
  ///
  /// Must be called after muted findings and those of other entities were removed.
  /// - Parameter limit: the most examples, taken from the entities in turns.
  func gatheringOrphans(limit: Int) -> [Finding] {
    let orphans = filter { $0.id == Check.orphanedObject.id }
    guard var gathered = orphans.first, let position = firstIndex(of: gathered) else { return self }
    gathered.entities = Dictionary(orphans.map { ($0.entity ?? "", $0.count) }) { $0 + $1 }
    gathered.count = orphans.map(\.count).reduce(0, +)
    let longest = orphans.map(\.examples.count).max() ?? 0
    let inTurns = (0..<longest).flatMap { turn -> [Finding.Example] in
      orphans.compactMap { $0.examples.dropFirst(turn).first }
    }
    gathered.examples = [Finding.Example](inTurns.prefix(limit))
    (gathered.entity, gathered.table) = (nil, nil)
    if orphans.count > 1 { gathered.message = message(gathered) }
    var result = filter { $0.id != gathered.id }
    result.insert(gathered, at: Swift.min(position, result.count))
    return result
  }
}

private func message(_ gathered: Finding) -> String {
  let entities = gathered.entities.sorted {
    $0.value == $1.value ? codeUnitsPrecede($0.key, $1.key) : $0.value > $1.value
  }
  let named = entities.prefix(mostNamed).map { "\($0.value) of \(quoted($0.key))" }
  let others = entities.dropFirst(mostNamed).map(\.value).reduce(0, +)
  let rest =
    others > 0 ? ["\(others) of \(counted(Int64(entities.count - mostNamed), "other entity", "other entities"))"] : []
  return "\(counted(gathered.count, "row")) have no owner: \((named + rest).joined(separator: ", "))"
}

/// The most entities named in the message; `entities` has all of them.
private let mostNamed = 5

/// The keys of objects that have an owner; nil if that cannot be determined.
private func ownedKeys(_ owned: OwnedEntity, in scan: Scan) -> KeySet? {
  var keys = KeySet.Builder()
  for column in owned.owning {
    guard column.holder.damage == nil else { return nil }
    column.forEachLink { link in if let key = link.key { keys.insert(key) } }
  }
  for column in owned.ownedBy {
    guard let owners = column.targets(scan) else { return nil }
    column.forEachLink { link in if let key = link.key, owners.all.contains(key) { keys.insert(link.row) } }
  }
  for (join, ownsSource) in owned.joins {
    guard join.table.damage == nil, let (sources, destinations) = join.targets(scan) else { return nil }
    join.forEachLink { link in
      guard let source = link.source, let destination = link.destination else { return }
      if ownsSource ? destinations.all.contains(destination) : sources.all.contains(source) {
        keys.insert(ownsSource ? source : destination)
      }
    }
  }
  return keys.finished()
}
