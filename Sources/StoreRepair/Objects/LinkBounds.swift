import StoreDataModel
import StoreScanning
import StoreWords
import StoreCoreData

/// Counts how many links objects gain or lose in relationships with a minimum or maximum count.
struct LinkBounds {
  private var changes: [StoredRelationship: [Int64: Int]] = [:]

  /// Notes that an object gains (positive) or loses (negative) links.
  mutating func note(_ relationship: StoredRelationship?, of owner: Int64?, change: Int) {
    guard let relationship, let owner, relationship.bounds != nil else { return }
    changes[relationship, default: [:]][owner, default: 0] += change
  }

  /// Objects that would come to have too few or too many links; those that are deleted, or break the bounds already, do
  /// not count.
  func obstacles(_ repair: Repair, in bench: Workbench, gone: [String: KeySet]) throws -> [Obstacle] {
    var obstacles: [Obstacle] = []
    let relationships = changes.sorted { ($0.key.owner.id, $0.key.layout.name) < ($1.key.owner.id, $1.key.layout.name) }
    for (relationship, changes) in relationships {
      guard let bounds = relationship.bounds else { continue }
      let left = gone[relationship.owner.table] ?? KeySet()
      let changed = changes.filter { $0.value != 0 && !left.contains($0.key) }
      guard !changed.isEmpty else { continue }
      let counts = try bench.linkCounts(of: relationship, owners: KeySet(changed.keys))
      var few: [Int64] = []
      var many: [Int64] = []
      for (owner, change) in changed {
        let before = counts[owner] ?? 0
        let after = before + change
        if bounds.isTooFew(after), !bounds.isTooFew(before) { few.append(owner) }
        if bounds.isTooMany(after), !bounds.isTooMany(before) { many.append(owner) }
      }
      obstacles += [
        obstacle(repair, relationship: relationship, owners: few, number: "fewer than \(bounds.least)"),
        obstacle(repair, relationship: relationship, owners: many, number: "more than \(bounds.most)"),
      ].compactMap(\.self)
    }
    return obstacles
  }

  private func obstacle(
    _ repair: Repair, relationship: StoredRelationship, owners: [Int64], number: String
  ) -> Obstacle? {
    guard !owners.isEmpty else { return nil }
    return Obstacle(
      repair, entity: relationship.owner.name, property: relationship.layout.name, count: owners.count,
      keys: owners.sorted(),
      "\(counted(owners.count, "object")) would have \(number) objects in \(quoted(relationship.description)); "
        + "leave these out, or change their links first",
      refusesPlan: true)
  }
}

/// A to-many relationship's minimum and maximum count.
struct CountBounds {
  var least: Int
  var most: Int
  /// Whether no link at all is allowed too, since the relationship is optional.
  var mayBeEmpty: Bool

  func isTooFew(_ count: Int) -> Bool { count < least && !(count == 0 && mayBeEmpty) }
  func isTooMany(_ count: Int) -> Bool { count > most }
}

extension StoredRelationship {
  /// Nil where any number is allowed, and for a to-one.
  var bounds: CountBounds? {
    guard layout.isToMany, let model else { return nil }
    // In a model a maximum count of 0 or -1 means no limit.
    let bounds = CountBounds(
      least: Int(model.minimumCount), most: model.maximumCount > 0 ? Int(model.maximumCount) : .max,
      mayBeEmpty: layout.isOptional)
    return bounds.least > 0 || bounds.most < .max ? bounds : nil
  }
}

extension Workbench {
  /// How many links each of these objects has.
  fileprivate func linkCounts(of relationship: StoredRelationship, owners: KeySet) throws -> [Int64: Int] {
    guard let (table, column) = ownerColumn(of: relationship.layout) else { return [:] }
    var counts: [Int64: Int] = [:]
    try forEachRow(of: table, columns: [column], where: column, isIn: owners) { row in
      if let owner = row.key(0) { counts[owner, default: 0] += 1 }
    }
    return counts
  }

  /// The table and column with the keys of the objects that have a to-many relationship.
  private func ownerColumn(of relationship: RelationshipLayout) -> (table: String, column: String)? {
    switch relationship.storage {
    case .inverseKey(let table, let column?), .hiddenKey(let table, let column?, _): (table, column)
    case .joinTable(let name?): joinEnd(of: relationship, in: name).map { (name, $0.own) }
    case .key, .none, .inverseKey, .hiddenKey, .joinTable: nil
    }
  }

  /// The two columns of a join table as seen from a relationship: that of its owners, and that of the objects it leads
  /// to.
  func joinEnd(of relationship: RelationshipLayout, in table: String) -> (own: String, other: String)? {
    guard let join = store.layout.joinTables.first(where: { $0.name == table }) else { return nil }
    let isSource = join.source.entity == relationship.declaredBy && join.source.relationship == relationship.name
    return isSource
      ? (join.source.column, join.destination.column) : (join.destination.column, join.source.column)
  }
}
