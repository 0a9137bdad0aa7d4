import StoreScanning
import StoreWords
import StoreCoreData
import StoreSQLite

extension Workbench {
  /// Empties to-one relationships that lead to a missing object (SD401). Required ones are left: an empty one would be
  /// no better.
  ///
  /// - Parameter leavesRequired: whether to leave those without an obstacle, and those that the model requires which the
  ///   store is repaired for, with one.
  func nullifyDangling(leavesRequired: Bool) throws -> Decision {
    var decision = try nullifyKeys(.dangling, standing: .missing) { count, relationship in
      "empty \(relationship) of \(counted(count, "object")), whose object does not exist"
    }
    guard leavesRequired else { return decision }
    decision.obstacles.removeAll()
    decision.operations.removeAll { operation in
      guard let entity = operation.entity, let name = operation.property,
        let model = requiredByAim["\(entity).\(name)"], case .rows(let rows) = operation.edit
      else { return false }
      decision.obstacles.append(
        Obstacle(
          .dangling, entity: entity, property: name, count: rows.count, keys: rows.objectKeys,
          "\(quoted("\(entity).\(name)")) of \(counted(rows.count, "object")) left alone, because \(quoted(model)) "
            + "requires it and would not open the store any more: give it another object with 'relink', or delete the "
            + "objects with 'dangling: delete-source'", refusesPlan: false))
      return true
    }
    return decision
  }

  /// Empties relationships that lead to an object of the wrong entity (SD402), and deletes such many-to-many links.
  func nullifyWrongEntity() throws -> Decision {
    var decision = try nullifyKeys(.wrongEntity, standing: .wrongEntity) { count, relationship in
      "empty \(relationship) of \(counted(count, "object")), whose object is of another entity"
    }
    let scan = scan()
    let joins = scan.joinLinks()
    try scan.read()
    for join in joins {
      guard let (sources, destinations) = join.targets(scan), join.table.damage == nil else { continue }
      let place = join.place
      var rows = RowEdit(.delete, place.table, key: [place.source.column, place.destination.column])
      join.forEachLink { link in
        guard let source = link.source, let destination = link.destination,
          sources.standing(of: source) == .wrongEntity || destinations.standing(of: destination) == .wrongEntity
        else { return }
        rows.add(key: [.integer(source), .integer(destination)])
      }
      guard rows.count > 0 else { continue }
      decision.operations.append(
        Operation(
          .wrongEntity,
          summary: "delete \(counted(rows.count, "link")) of \(place.source.relationship) with objects of another "
            + "entity", entity: place.source.relationship.owner.name, property: place.source.relationship.layout.name,
          .rows(rows), grade: .named))
    }
    return decision
  }

  private func nullifyKeys(
    _ repair: Repair, standing: KeyTargets.Standing, summary: (Int, StoredRelationship) -> String
  ) throws -> Decision {
    let scan = scan()
    let columns = scan.keyColumns()
    try scan.read()
    var decision = Decision()
    for column in columns {
      let place = column.place
      guard let targets = column.targets(scan) else {
        decision.obstacles.append(.damaged(by: repair, place.relationship, table: place.table))
        continue
      }
      let emptied = [place.column, place.companion, place.orderKey].compactMap(\.self)
      var rows = RowEdit.objects(place.table, set: emptied, shared: emptied.map { _ in .null })
      column.forEachLink { link in
        if let key = link.key, targets.standing(of: key) == standing { rows.add(link.row) }
      }
      guard rows.count > 0 else { continue }
      guard place.isHidden || place.relationship.layout.isOptional else {
        decision.obstacles.append(.required(by: repair, place.relationship, rows: rows))
        continue
      }
      decision.operations.append(
        Operation(
          repair, summary: summary(rows.count, place.relationship), entity: place.relationship.owner.name,
          property: place.relationship.layout.name, .rows(rows), grade: repair == .dangling ? .safe : .named))
    }
    return decision
  }
}

extension Obstacle {
  /// The obstacle that a required relationship would be empty.
  fileprivate static func required(
    by repair: Repair, _ relationship: StoredRelationship, rows: RowEdit
  ) -> Obstacle {
    let way =
      repair == .dangling
      ? "give it another object with 'relink', or delete the objects with 'dangling: delete-source'"
      : "give it another object with 'relink'"
    return Obstacle(
      repair, entity: relationship.owner.name, property: relationship.layout.name, count: rows.count,
      keys: rows.objectKeys,
      "\(quoted(relationship.description)) is required, so \(counted(rows.count, "object")) would have none: \(way)",
      refusesPlan: false)
  }
}
