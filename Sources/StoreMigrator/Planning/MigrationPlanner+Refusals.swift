import StoreCoreData
import StoreDataModel
import StoreSQLite
import StoreWords

/// Refusals before anything is planned.
extension MigrationPlanner {
  mutating func refuseWhatIsNotKnown() throws {
    refuseStore()
    refuseOldForms()
    refuseNames()
    for entity in map.target.entities {
      assumeEntity(entity)
      for property in entity.properties
      where map.target.topmostDeclarer(of: property.name, in: entity.name) == entity.name {
        let id = TablePlan.PropertyID(entity.name, property.name)
        switch property.kind {
        case .fetched: break
        case .attribute(let attribute): try refuse(attribute, id: id)
        case .relationship(let relationship): try refuse(relationship, id: id, isTransient: property.isTransient)
        }
      }
    }
  }

  /// Notes the assumptions known by inference only, for an entity.
  private mutating func assumeEntity(_ entity: Entity) {
    guard let old = map.difference.sourceEntity(of: entity.name), let past = map.source.entity(named: old) else {
      return
    }
    let parent = entity.parent.flatMap { map.difference.sourceEntity(of: $0) ?? "" }
    if past.parent != parent { assume("\(entity.name): its parent changes, and its rows keep keys and values") }
  }

  mutating func refuseStore() {
    let store = source.store
    let device = "migrate it on a device or simulator"
    if store.isMirrored {
      refusals.append(
        MigrationRefusal(
          nil, nil, "CloudKit mirrors this store, and what a migration does to its records is not known", advice: device
        ))
    }
    if !store.shape.triggers.isEmpty || store.shape.unreadable.values.contains("a virtual table") {
      refusals.append(
        MigrationRefusal(
          nil, nil, "the store has triggers or R-trees (derived attributes, locations), which are not made anew here",
          advice: device))
    }
    if let view = store.shape.unreadable.filter({ $0.value == "a view" }).keys.min() {
      refusals.append(
        MigrationRefusal(
          nil, nil, "the store has a view, \(quoted(view)), which Core Data never makes", advice: "drop it"))
    }
    for lacking in store.layout.lacking {
      refusals.append(
        MigrationRefusal(
          lacking.entity, lacking.property, "the store lacks its table or column",
          advice: "'storedoctor diagnose' says what is missing"))
    }
    for join in store.layout.undecidedJoinTables {
      refusals.append(MigrationRefusal(join.entity, join.property, join.why))
    }
  }

  /// Stores whose tables are changed in ways that are not known; a fresh one is made as their framework made it.
  private mutating func refuseOldForms() {
    let device = "migrate it on a device or simulator"
    if framework < 836 {
      refusals.append(
        MigrationRefusal(
          nil, nil, "framework \(framework) wrote this store; how such old ones are migrated is not known well enough",
          advice: device))
    }
    if framework < 865,
      (source.model.entities + map.target.entities).contains(where: { !$0.uniquenessConstraints.isEmpty })
    {
      refusals.append(
        MigrationRefusal(
          nil, nil, "framework \(framework) wrote constraints into the tables themselves", advice: device))
    }
  }

  /// Names become part of statements.
  mutating func refuseNames() {
    for table in plan.tables where identifier(table.name) != table.name {
      refusals.append(MigrationRefusal(table.root, nil, "its name cannot stand in a statement"))
    }
    for column in plan.tables.flatMap(\.columns) where identifier(column.name) != column.name {
      refuse(column.role.property, reason: "its name cannot stand in a statement")
    }
    for index in schema.all where index.kind == "index" && identifier(index.name) != index.name {
      refusals.append(
        MigrationRefusal(nil, nil, "index \(quoted(index.name)) has a name that cannot stand in a statement"))
    }
  }

  private mutating func refuse(_ attribute: Attribute, id: TablePlan.PropertyID) throws {
    let old = map.past(id).flatMap { past in
      source.model.property(past.property, of: past.entity)?.attribute
    }
    if attribute.derivation != nil || old?.derivation != nil {
      refuse(id, reason: "it is derived, and what a migration writes into such attributes is not known")
    }
    if !attribute.locationComponents.isEmpty { refuse(id, reason: "it has an R-tree, which is not made here") }
    guard let old, let past = map.past(id) else { return }
    if old.type.declaredColumnType != attribute.type.declaredColumnType {
      if old.type.isNumber, attribute.type.isNumber {
        assume("\(id.entity).\(id.property): its numbers stay, in a column for \(attribute.type.name)")
      } else {
        refuse(
          id, reason: "\(old.type.name) becomes \(attribute.type.name): how old values are written is not known")
      }
    } else if old.type != attribute.type, !Self.isObserved(old.type, to: attribute.type) {
      assume("\(id.entity).\(id.property): the numbers of \(old.type.name) are read as \(attribute.type.name)")
    }
    if old.allowsExternalStorage != attribute.allowsExternalStorage,
      let column = source.column(.attribute(past, leaf: [])),
      let table = source.model.root(of: past.entity).flatMap({ source.table(ofRoot: $0.name) }),
      try hasValues(column, in: table)
    {
      refuse(id, reason: "external storage is switched, and how old values are written then is not known")
    }
  }

  /// Changes of type that keep the column and were seen in real files, before and after.
  private static func isObserved(_ old: AttributeType, to new: AttributeType) -> Bool {
    (old, new) == (.integer32, .integer64) || (old, new) == (.boolean, .integer16)
  }

  // MARK: Relationships

  /// Where links are kept.
  private enum Place: String {
    case key = "a key of their own"
    case inverseKey = "the keys of the inverse"
    case hiddenKey = "hidden keys"
    case join = "a join table"
    case none = "no place: it is transient"
  }

  private func place(of relationship: Relationship, isTransient: Bool, in model: Model) -> Place {
    if isTransient { return .none }
    guard relationship.isToMany else { return .key }
    guard let inverse = relationship.inverse.flatMap({ model.property($0, of: relationship.destination)?.relationship })
    else { return .hiddenKey }
    return inverse.isToMany ? .join : .inverseKey
  }

  private mutating func refuse(_ relationship: Relationship, id: TablePlan.PropertyID, isTransient: Bool) throws {
    let now = place(of: relationship, isTransient: isTransient, in: map.target)
    let inverse = relationship.inverse.map { name in
      TablePlan.PropertyID(
        map.target.topmostDeclarer(of: name, in: relationship.destination) ?? relationship.destination, name)
    }
    guard let past = map.past(id), let property = source.model.property(past.property, of: past.entity),
      let old = property.relationship
    else {
      // The other side of a link that is there already.
      if now == .key, let inverse, let other = map.past(inverse), try hasLinks(other),
        map.target.property(inverse.property, of: inverse.entity)?.relationship?.isToMany == false
      {
        refuse(
          id, reason: "it is the new other side of links that exist, and whether they are written there is not known")
      }
      return
    }
    try refuseLinksOutside(relationship, id: id, old: old, past: past)
    let before = place(of: old, isTransient: property.isTransient, in: source.model)
    guard before != now || old.isOrdered != relationship.isOrdered else { return }
    if before != now {
      let keepsInverse = inverse.flatMap { map.past($0) }.map { $0.property == old.inverse } ?? false
      if before == .key, now == .inverseKey, keepsInverse {
        assume(
          "\(id.entity).\(id.property): a one-to-one relationship becomes one-to-many, and the other side keeps its keys"
        )
      } else if now == .join, let join = plan.joinTables.first(where: { [$0.source, $0.destination].contains(id) }),
        keyBecoming(join) != nil
      {
        // The keys are copied into the join table.
      } else if before == .key, now == .hiddenKey || now == .inverseKey && inverse.flatMap({ map.past($0) }) == nil {
        try moveKeys(of: id, to: now == .inverseKey ? inverse : nil)
      } else if try hasLinks(past) {
        refuse(
          id,
          reason: "its links are kept in \(before.rawValue) and go to \(now.rawValue): how they are copied is not known"
        )
      }
    } else if relationship.isOrdered {
      if try hasLinks(past) {
        assume("\(id.entity).\(id.property): it becomes ordered, and its links get the order of the objects' keys")
      }
    } else {
      assume("\(id.entity).\(id.property): it is no longer ordered, and its order keys are dropped")
    }
  }

  /// Refuses where links of kept relationships begin or end at rows that cannot have them any more: of an entity that goes,
  /// or that has left the hierarchy.
  private mutating func refuseLinksOutside(
    _ relationship: Relationship, id: TablePlan.PropertyID, old: Relationship, past: TablePlan.PropertyID
  ) throws {
    func isKept(_ entity: String) -> Bool { map.difference.destinationEntity(of: entity) != nil }
    let ends = map.sourceFamily(of: old.destination).filter { entity in
      map.difference.destinationEntity(of: entity).map { map.target.entity($0, isKindOf: relationship.destination) }
        != true
    }
    let owners = map.sourceFamily(of: past.entity).filter { !map.keeps(past.property, of: $0) }
    let place = place(of: old, isTransient: false, in: source.model)
    // Where links stand in the rows of their ends, they go with rows that go.
    let goWithRows = (place == .inverseKey || place == .hiddenKey) && !ends.contains(where: isKept)
    for (outside, isOwner) in [(ends, false), (owners, true)] where !oldNumbers(outside).isEmpty {
      guard let links = linkColumn(past, relationship: old, place: place, ofOwners: isOwner),
        let root = source.model.root(of: isOwner ? past.entity : old.destination),
        let table = source.table(ofRoot: root.name)
      else { continue }
      let rows = "SELECT Z_PK FROM \(quotedIdentifier(table)) WHERE Z_ENT IN (\(oldNumbers(outside)))"
      let found = try source.store.connection.prepare(
        "SELECT 1 FROM \(quotedIdentifier(links.table)) WHERE \(links.condition) AND \(links.column) IN (\(rows)) LIMIT 1"
      )
      guard try found.step() else { continue }
      let which = "it has links \(isOwner ? "of" : "to") rows of \(outside.joined(separator: ", ")), which "
      refuse(
        id,
        reason: which
          + (goWithRows && !isOwner
            ? "go with their links; that is not performed here"
            : "cannot have them any more; what becomes of them is not known"))
    }
  }

  /// Where the keys of one end of a relationship's links stand; nil where they go with the row.
  private func linkColumn(
    _ id: TablePlan.PropertyID, relationship: Relationship, place: Place, ofOwners isOwner: Bool
  ) -> (table: String, column: String, condition: String)? {
    func table(_ entity: String) -> String? {
      source.model.root(of: entity).flatMap { source.table(ofRoot: $0.name) }
    }
    switch place {
    case .none: return nil
    case .inverseKey:
      guard !isOwner, let name = relationship.inverse,
        let declarer = source.model.topmostDeclarer(of: name, in: relationship.destination),
        let column = source.column(.key(.init(declarer, name))), let table = table(relationship.destination)
      else { return nil }
      return (table, "Z_PK", "\(quotedIdentifier(column)) IS NOT NULL")
    case .key:
      guard !isOwner, let column = source.column(.key(id)), let table = table(id.entity) else { return nil }
      return (table, quotedIdentifier(column), "1")
    case .hiddenKey:
      guard let column = source.column(.hiddenKey(id)), let table = table(relationship.destination) else { return nil }
      return (table, isOwner ? quotedIdentifier(column) : "Z_PK", "\(quotedIdentifier(column)) IS NOT NULL")
    case .join:
      guard let join = source.join(of: id) else { return nil }
      let isSource = join.source.entity == id.entity && join.source.relationship == id.property
      let end = isSource == isOwner ? join.source : join.destination
      return (join.name, quotedIdentifier(end.column), "1")
    }
  }

  /// Whether a relationship of the source has links.
  private func hasLinks(_ id: TablePlan.PropertyID) throws -> Bool {
    let model = source.model
    guard let relationship = model.property(id.property, of: id.entity)?.relationship else { return false }
    func table(_ entity: String) -> String? { model.root(of: entity).flatMap { source.table(ofRoot: $0.name) } }
    switch place(of: relationship, isTransient: false, in: model) {
    case .none: return false
    case .key:
      guard let column = source.column(.key(id)), let table = table(id.entity) else { return false }
      return try hasValues(column, in: table)
    case .hiddenKey:
      guard let column = source.column(.hiddenKey(id)), let table = table(relationship.destination) else {
        return false
      }
      return try hasValues(column, in: table)
    case .inverseKey:
      guard let name = relationship.inverse,
        let declarer = model.topmostDeclarer(of: name, in: relationship.destination),
        let column = source.column(.key(.init(declarer, name))), let table = table(relationship.destination)
      else { return false }
      return try hasValues(column, in: table)
    case .join:
      guard let join = source.join(of: id) else { return true }
      return try source.store.connection.prepare("SELECT 1 FROM \(quotedIdentifier(join.name)) LIMIT 1").step()
    }
  }
}

extension SourceTables {
  /// The join table of a relationship, for either end.
  func join(of id: TablePlan.PropertyID) -> JoinTableLayout? {
    joins.first { join in
      [join.source, join.destination].contains { $0.entity == id.entity && $0.relationship == id.property }
    }
  }
}
