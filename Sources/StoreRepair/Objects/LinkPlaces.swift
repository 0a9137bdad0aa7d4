import StoreScanning
import StoreCoreData

/// Every column of a store that holds keys of objects.
struct LinkPlaces {
  /// Key columns of to-one relationships, and hidden ones, in order of entity number and name.
  let keys: [KeyColumn.Place]
  /// Join tables, in order of name.
  let joins: [JoinLinks.Place]
  /// Whether there may be other columns with keys: without a model, columns and destinations are guessed.
  private let areGuessed: Bool

  /// All places of the workbench's store.
  init(_ bench: Workbench) {
    let scan = bench.scan()
    keys = scan.keyPlaces()
    joins = bench.store.layout.joinTables.compactMap { scan.joinPlace($0.name)?.withOneOrder }
    let known = bench.map.relationships.allSatisfy { $0.destination != nil }
    areGuessed =
      bench.store.model == nil || !known || joins.count < bench.store.layout.joinTables.count
      || !bench.store.layout.undecidedJoinTables.isEmpty
  }

  /// Refuses to delete objects while unknown columns may hold their keys.
  func obstacles(_ repair: Repair) -> [Obstacle] {
    guard areGuessed else { return [] }
    return [
      Obstacle(
        repair,
        "without a model that describes the whole store it is only guessed which relationships lead to objects, so that "
          + "none can be deleted; give the store's model",
        refusesPlan: true)
    ]
  }
}

extension JoinLinks.Place {
  /// In the join table of a relationship that is its own inverse, each of a link's two rows holds one order key, that
  /// of the first column's owner.
  fileprivate var withOneOrder: Self {
    guard isReflexive else { return self }
    var place = self
    place.destination.orderColumn = nil
    return place
  }
}

extension KeyColumn.Place {
  /// The columns that are written together, the key first.
  var columns: [String] { [column] + [companion, orderKey].compactMap(\.self) }

  /// The to-many relationship that this column stores from the other side: the hidden key's own, or the inverse.
  func toMany(_ map: StoreMap) -> StoredRelationship? {
    guard !isHidden else { return relationship }
    return map.inverse(of: relationship).flatMap { $0.layout.isToMany ? $0 : nil }
  }

  /// Whether a row must have a key here.
  var isRequired: Bool { !isHidden && !relationship.layout.isOptional }
}

// MARK: The links of some objects

extension Workbench {
  /// Every link of a column whose row is one of `holders` or whose key is one of `targets`, in order of row.
  func links(
    of place: KeyColumn.Place, holders: KeySet, targets: KeySet
  ) throws -> [KeyColumn.Link] {
    var found: [KeyColumn.Link] = []
    let columns = ["Z_PK"] + place.columns
    let companion = place.companion == nil ? nil : 2
    let orderKey = place.orderKey == nil ? nil : companion == nil ? 2 : 3
    func link(_ values: RowValues) -> KeyColumn.Link {
      KeyColumn.Link(
        row: values.key(0) ?? 0, key: values.key(1), companion: companion.flatMap(values.key),
        orderKey: orderKey.flatMap(values.key))
    }
    try forEachRow(of: place.table, columns: columns, where: "Z_PK", isIn: holders) { row in
      if row.key(1) != nil { found.append(link(row)) }
    }
    try forEachRow(of: place.table, columns: columns, where: place.column, isIn: targets) { row in
      if let key = row.key(0), !holders.contains(key) { found.append(link(row)) }
    }
    found.sort { $0.row < $1.row }
    return found
  }

  /// Every link of a join table with one of `sources` or one of `destinations`, in order of its keys.
  func links(of place: JoinLinks.Place, sources: KeySet, destinations: KeySet) throws -> [JoinLinks.Link] {
    var found: [JoinLinks.Link] = []
    try forEachLink(of: place, where: place.source.column, isIn: sources) { found.append($0) }
    try forEachLink(of: place, where: place.destination.column, isIn: destinations) { link in
      if link.source.map(sources.contains) != true { found.append(link) }
    }
    // Sorted in place: there may be a million.
    found.sort { ($0.source ?? .min, $0.destination ?? .min) < ($1.source ?? .min, $1.destination ?? .min) }
    return found
  }

  /// Calls `body` with every link whose `column` holds one of `keys`.
  func forEachLink(
    of place: JoinLinks.Place, where column: String, isIn keys: KeySet, _ body: (JoinLinks.Link) -> Void
  ) throws {
    let sourceOrder = place.source.orderColumn == nil ? nil : 2
    let destinationOrder = place.destination.orderColumn == nil ? nil : sourceOrder == nil ? 2 : 3
    try forEachRow(of: place.table, columns: place.columns, where: column, isIn: keys) { row in
      body(
        JoinLinks.Link(
          source: row.key(0), destination: row.key(1), sourceOrder: sourceOrder.flatMap(row.key),
          destinationOrder: destinationOrder.flatMap(row.key)))
    }
  }

  /// The entity of each of these keys that has a row.
  func entities(of keys: KeySet, in table: String) throws -> [Int64: EntityID] {
    var found: [Int64: EntityID] = [:]
    try forEachRow(of: table, columns: ["Z_PK", "Z_ENT"], where: "Z_PK", isIn: keys) { row in
      found[row.key(0) ?? 0] = EntityID(row.key(1) ?? 0)
    }
    return found
  }
}
