import StoreScanning
import StoreWords
import StoreDataModel
import StoreCoreData
import StoreSQLite

/// Deletes objects by the model's delete rules: cascades delete further objects, other links are emptied.
///
/// - Parameter objects: keys by table; those without a row are ignored.
func deletion(of objects: [String: [Int64]], in bench: Workbench, for repair: Repair) throws -> Decision {
  var deletion = Deletion(bench, repair)
  try deletion.follow(objects)
  return try deletion.decision()
}

/// Objects to delete, with those that cascades add.
struct Deletion {
  /// The keys of all objects to delete, by table.
  private(set) var gone: [String: Set<Int64>] = [:]
  private var byEntity: [EntityID: [Int64]] = [:]
  private let bench: Workbench
  private let repair: Repair

  /// Nothing to delete yet.
  init(_ bench: Workbench, _ repair: Repair) {
    self.bench = bench
    self.repair = repair
  }

  /// Adds objects and, to any depth, those that cascade rules delete with them; cycles are followed once.
  mutating func follow(_ objects: [String: [Int64]]) throws {
    var pending = objects.mapValues { KeySet($0) }
    while !pending.isEmpty {
      var next: [String: [Int64]] = [:]
      for (table, keys) in pending.sorted(by: { codeUnitsPrecede($0.key, $1.key) }) {
        for (entity, keys) in add(try bench.entities(of: keys, in: table), of: table) {
          for relationship in relationships(of: entity, .cascade) {
            let taken = try others(of: relationship, from: KeySet(keys))
            next[taken.table, default: []] += taken.keys
          }
        }
      }
      pending = next.filter { !$0.value.isEmpty }.mapValues { KeySet($0) }
    }
  }

  /// Records objects; returns those not recorded before, by entity.
  private mutating func add(_ found: [Int64: EntityID], of table: String) -> [(key: EntityID, value: [Int64])] {
    let fresh = found.filter { !(gone[table]?.contains($0.key) ?? false) }
    gone[table, default: []].formUnion(fresh.keys)
    let byEntity = Dictionary(grouping: fresh.keys) { fresh[$0] ?? EntityID(0) }.mapValues { $0.sorted() }
    self.byEntity.merge(byEntity) { $0 + $1 }
    return byEntity.sorted { $0.key < $1.key }
  }

  /// The relationships of an entity with a delete rule.
  private func relationships(of entity: EntityID, _ rule: Relationship.DeleteRule) -> [RelationshipLayout] {
    guard let layout = bench.map.entity(entity), let model = bench.store.model else { return [] }
    return layout.relationships.filter {
      model.property($0.name, of: layout.modelName ?? layout.name)?.relationship?.deleteRule == rule
    }
  }

  /// The existing objects of the destination entity that a relationship leads to.
  private func others(
    of relationship: RelationshipLayout, from owners: KeySet
  ) throws -> (table: String, keys: [Int64]) {
    guard let destination = relationship.destination.flatMap(bench.map.entity(named:)),
      let declarer = bench.map.entity(named: relationship.declaredBy)
    else { return ("", []) }
    var found: [Int64] = []
    func collect(_ table: String, other: String, where own: String) throws {
      try bench.forEachRow(of: table, columns: [other], where: own, isIn: owners) { row in
        if let key = row.key(0) { found.append(key) }
      }
    }
    switch relationship.storage {
    case .key(let column?, _, _): try collect(declarer.table, other: column, where: "Z_PK")
    case .inverseKey(let table, let column?), .hiddenKey(let table, let column?, _):
      try collect(table, other: "Z_PK", where: column)
    case .joinTable(let name?):
      if let end = bench.joinEnd(of: relationship, in: name) { try collect(name, other: end.other, where: end.own) }
    case .key, .inverseKey, .hiddenKey, .joinTable, .none: break
    }
    let kinds = bench.map.kinds(of: destination.id)
    let entities = try bench.entities(of: KeySet(found), in: destination.table)
    return (destination.table, entities.filter { kinds.contains($0.value) }.keys.sorted())
  }
}

// MARK: What the deletion changes elsewhere

extension Deletion {
  /// The operations of the deletion, and what prevents it.
  func decision() throws -> Decision {
    let keys = gone.mapValues { KeySet($0) }
    var decision = Decision(obstacles: try denials(keys))
    var edits = ObjectEdits(repair)
    var bounds = LinkBounds()
    let places = LinkPlaces(bench)
    for place in places.joins { try unlink(place, gone: keys, edits: &edits, bounds: &bounds, decision: &decision) }
    for place in places.keys { try unlink(place, gone: keys, edits: &edits, bounds: &bounds, decision: &decision) }
    for (table, keys) in gone.sorted(by: { codeUnitsPrecede($0.key, $1.key) }) {
      edits.delete(
        Array(keys), of: table, entity: bench.map.entity(ofTable: table), summary: "delete " + names(in: table))
    }
    decision.obstacles += try bounds.obstacles(repair, in: bench, gone: keys)
    if keys.values.contains(where: { !$0.isEmpty }) { decision.obstacles += places.obstacles(repair) }
    decision.operations = edits.operations(.lossy)
    decision.notices += try bench.notices(ofFilesIn: keys) + bench.notices(ofDerived: decision.operations)
    return decision
  }

  /// "delete" and this make a summary: "2 Note, 1 Checklist objects".
  private func names(in table: String) -> String {
    let parts = byEntity.sorted { $0.key < $1.key }.compactMap { entity, keys -> String? in
      let layout = bench.map.entity(entity)
      let isHere = layout.map { $0.table == table } ?? keys.contains { gone[table]?.contains($0) == true }
      guard isHere else { return nil }
      return "\(keys.count) \(layout?.name ?? "unknown")"
    }
    return parts.joined(separator: ", ") + (gone[table]?.count == 1 ? " object" : " objects")
  }

  /// Objects that a deny rule forbids to delete while others belong to them.
  private func denials(_ gone: [String: KeySet]) throws -> [Obstacle] {
    try byEntity.sorted { $0.key < $1.key }.flatMap { entity, keys in
      try relationships(of: entity, .deny).compactMap { relationship in
        var denied: [Int64] = []
        let all = try others(of: relationship, from: KeySet(keys))
        guard all.keys.contains(where: { gone[all.table]?.contains($0) != true }) else { return nil }
        for key in keys {
          let others = try others(of: relationship, from: KeySet([key]))
          if others.keys.contains(where: { gone[others.table]?.contains($0) != true }) { denied.append(key) }
        }
        guard !denied.isEmpty, let owner = bench.map.entity(entity) else { return nil }
        let name = "\(owner.name).\(relationship.name)"
        return Obstacle(
          repair, entity: owner.name, property: relationship.name, count: denied.count, keys: denied,
          "\(quoted(name)) denies deleting \(counted(denied.count, "object")) that others still belong to; "
            + "move or delete those first",
          refusesPlan: true)
      }
    }
  }

  private func unlink(
    _ place: JoinLinks.Place, gone: [String: KeySet], edits: inout ObjectEdits, bounds: inout LinkBounds,
    decision: inout Decision
  ) throws {
    let (sources, destinations) = (gone[place.source.table] ?? KeySet(), gone[place.destination.table] ?? KeySet())
    let links = try bench.links(of: place, sources: sources, destinations: destinations)
    for link in links {
      bounds.note(place.source.relationship, of: link.source, change: -1)
      if !place.isReflexive { bounds.note(place.destination.relationship, of: link.destination, change: -1) }
    }
    for (end, keys) in [(place.source, links.map(\.source)), (place.destination, links.map(\.destination))] {
      let isGone = gone[end.table]
      noteNoAction(
        end.relationship, count: keys.compactMap(\.self).count { isGone?.contains($0) == true }, in: &decision)
      if place.isReflexive { break }
    }
    edits.delete(links, of: place) { "delete \($0) with objects that are deleted" }
  }

  private func unlink(
    _ place: KeyColumn.Place, gone: [String: KeySet], edits: inout ObjectEdits, bounds: inout LinkBounds,
    decision: inout Decision
  ) throws {
    let holders = gone[place.table] ?? KeySet()
    let toMany = place.toMany(bench.map)
    if toMany?.bounds != nil {
      for link in try bench.links(of: place, holders: holders, targets: KeySet()) {
        bounds.note(toMany, of: link.key, change: -1)
      }
    }
    let left = try bench.links(of: place, holders: KeySet(), targets: gone[place.targetTable] ?? KeySet())
      .filter { !holders.contains($0.row) }
    guard !left.isEmpty else { return }
    let relationship = place.relationship
    if place.isRequired {
      decision.obstacles.append(.emptied(by: repair, relationship, rows: left.map(\.row)))
    }
    noteNoAction(place.isHidden ? relationship : bench.map.inverse(of: relationship), count: left.count, in: &decision)
    let nulls = place.columns.map { _ in SQLiteValue.null }
    edits.update(
      left.map { .init(key: $0.row, values: nulls) }, of: place.table, set: place.columns, entity: relationship.owner,
      property: relationship.layout.name
    ) { "empty \(quoted(relationship.description)) in \(counted($0, "object")), because it leads to what is deleted" }
  }

  /// Notes links that are emptied although the delete rule is "no action", since their keys would lead nowhere.
  private func noteNoAction(_ relationship: StoredRelationship?, count: Int, in decision: inout Decision) {
    guard let relationship, count > 0, relationship.model?.deleteRule == .noAction else { return }
    decision.notices.append(
      "\(quoted(relationship.description)) says that nothing is done to others when an object goes; "
        + "\(counted(count, "link")) to deleted objects \(count == 1 ? "is" : "are") emptied all the same, "
        + "because they would lead nowhere")
  }
}

extension Obstacle {
  /// Rows whose required relationship would be left empty.
  static func emptied(by repair: Repair, _ relationship: StoredRelationship, rows: [Int64]) -> Obstacle {
    Obstacle(
      repair, entity: relationship.owner.name, property: relationship.layout.name, count: rows.count,
      keys: rows.sorted(),
      "\(counted(rows.count, "object")) would have nothing in \(quoted(relationship.description)), which is required; "
        + "give \(rows.count == 1 ? "it" : "them") another object first, or leave out what \(rows.count == 1 ? "it leads" : "they lead") to",
      refusesPlan: true)
  }
}
