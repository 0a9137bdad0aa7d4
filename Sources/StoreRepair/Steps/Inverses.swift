import StoreScanning
import StoreWords
import StoreCoreData
import StoreSQLite

extension Workbench {
  /// Makes the two sides of a relationship agree, as a recipe's item says.
  func inverses(_ item: Recipe.Inverse) throws -> Decision {
    guard let relationship = map.relationship(item.relationship, of: item.entity) else {
      return .refusal(.inverses, message: "no relationship \(quoted(item.relationship)) in \(quoted(item.entity))")
    }
    switch item.from {
    case .this: return try inverses(deciding: relationship)
    case .other:
      guard let inverse = map.inverse(of: relationship) else {
        return .refusal(.inverses, message: "\(quoted(relationship.description)) has no inverse")
      }
      return try inverses(deciding: inverse)
    }
  }

  /// Makes both sides of a one-to-one relationship agree (SD406).
  ///
  /// - Parameter deciding: the relationship whose keys are right; its inverse is overwritten. Objects that several rows
  ///   lead to are left unchanged, and reported.
  func inverses(deciding: StoredRelationship) throws -> Decision {
    let scan = scan()
    let columns = scan.keyColumns().filter { !$0.place.isHidden }
    guard let inverse = map.inverse(of: deciding),
      let own = columns.first(where: { $0.place.relationship == deciding }),
      let other = columns.first(where: { $0.place.relationship == inverse })
    else {
      return .refusal(
        .inverses, message: "\(quoted(deciding.description)) is not one side of a one-to-one relationship")
    }
    try scan.read()
    guard let ownTargets = own.targets(scan), let otherTargets = other.targets(scan) else {
      return Decision(obstacles: [.damaged(by: .inverses, deciding, table: own.place.table)])
    }
    var claims: [Int64: [Int64]] = [:]
    own.forEachLink { link in
      if let key = link.key, ownTargets.right.contains(key) { claims[key, default: []].append(link.row) }
    }
    var written: [Int64: Int64] = [:]
    // Dangling keys are left to `dangling`.
    other.forEachLink { link in
      if let key = link.key, otherTargets.right.contains(key) { written[link.row] = key }
    }
    return decide(claims, written: written, inverse: inverse, own: own, other: other)
  }

  private func decide(
    _ claims: [Int64: [Int64]], written: [Int64: Int64], inverse: StoredRelationship, own: KeyColumn,
    other: KeyColumn
  ) -> Decision {
    let columns = [other.place.column, other.place.companion].compactMap(\.self)
    var rows = RowEdit.objects(other.place.table, set: columns)
    var ambiguous: [Int64] = []
    var bereft: [Int64] = []
    for object in Set(claims.keys).union(written.keys).sorted() {
      let claimants = claims[object] ?? []
      guard claimants.count < 2 else {
        ambiguous.append(object)
        continue
      }
      guard written[object] != claimants.first else { continue }
      guard !claimants.isEmpty || inverse.layout.isOptional else {
        bereft.append(object)
        continue
      }
      let key = claimants.first.map(SQLiteValue.integer) ?? .null
      let number = claimants.first.flatMap { own.holder.entity(of: $0) }.map { SQLiteValue.integer($0.number) } ?? .null
      rows.add(object, set: Array([key, number].prefix(columns.count)))
    }
    var decision = Decision()
    if !ambiguous.isEmpty {
      decision.obstacles.append(
        Obstacle(
          .inverses, entity: own.place.relationship.owner.name, property: own.place.relationship.layout.name,
          count: ambiguous.count,
          keys: ambiguous,
          "\(counted(ambiguous.count, "object")) of \(inverse.owner.name) \(ambiguous.count == 1 ? "is" : "are") named by more than one "
            + "\(own.place.relationship.owner.name): left as they are", refusesPlan: false))
    }
    if !bereft.isEmpty {
      decision.obstacles.append(
        Obstacle(
          .inverses, entity: own.place.relationship.owner.name, property: own.place.relationship.layout.name,
          count: bereft.count, keys: bereft,
          "\(quoted(inverse.description)) is required, and \(counted(bereft.count, "object")) would have none: left "
            + "as they are", refusesPlan: false))
    }
    if rows.count > 0 {
      decision.operations.append(
        Operation(
          .inverses, summary: "write \(inverse) of \(counted(rows.count, "object")) after \(own.place.relationship)",
          entity: inverse.owner.name, property: inverse.layout.name, .rows(rows), grade: .named))
    }
    return decision
  }
}
