import StoreCoreData
import StoreFindings
import StoreScanning

extension Scan {
  /// The tables whose missing rows cause this finding; nil if they may be in any table.
  func tablesMissed(by finding: Finding) -> Set<String>? {
    guard let name = finding.entity else { return nil }
    if finding.id == Check.orphanedJoinRow.id { return finding.table.flatMap(tablesOfMissingEnds) }
    if let property = finding.property { return map.relationship(property, of: name).flatMap(tablesOfLinks) }
    // For an object without owner, the owner's row may be missing, or the link.
    guard finding.id == Check.orphanedObject.id, let entity = map.entity(named: name) else { return nil }
    var tables: Set<String> = []
    for owner in map.relationships where owner.destination.map({ map.areRelated($0.id, entity.id) }) == true {
      guard let links = tablesOfLinks(owner) else { return nil }
      tables.formUnion(links.union([owner.owner.table]))
    }
    return tables
  }

  /// The tables of the ends that links of a join table refer to but that were not found: usually just one.
  private func tablesOfMissingEnds(of table: String) -> Set<String>? {
    let join = asking(Check.orphanedJoinRow.id) { joinLinks() }.first { $0.place.table == table }
    guard let join, let (sources, destinations) = join.targets(self) else { return nil }
    var tables: Set<String> = []
    join.forEachLink { link in
      if link.source.map({ sources.all.contains($0) }) != true { tables.insert(join.place.source.table) }
      if link.destination.map({ destinations.all.contains($0) }) != true { tables.insert(join.place.destination.table) }
    }
    return tables
  }

  /// The tables with the objects and links that a relationship of an object may miss. A key in the object's own row
  /// is present.
  private func tablesOfLinks(_ relationship: StoredRelationship) -> Set<String>? {
    guard let destination = relationship.destination?.table else { return nil }
    return switch relationship.layout.storage {
    case .key: [destination]
    case .inverseKey(let table, _), .hiddenKey(let table, _, _): [table, relationship.owner.table]
    case .joinTable(let name?): [name, destination, relationship.owner.table]
    case .joinTable(nil): nil
    case .none: []
    }
  }
}
