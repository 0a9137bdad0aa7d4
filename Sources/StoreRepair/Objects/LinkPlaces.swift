import StoreScanning
import StoreCoreData

/// Every place of a store where keys of objects stand.
struct LinkPlaces {
  /// Columns with keys, those of to-one relationships and the hidden ones, by entity number and name.
  let keys: [KeyColumn.Place]
  /// Tables with links, by name.
  let joins: [JoinLinks.Place]
  /// Whether keys may stand elsewhere too: without a model columns and where they lead are guessed.
  private let areGuessed: Bool

  /// The places of the store on a workbench.
  init(_ bench: Workbench) {
    let scan = bench.scan()
    keys = scan.keyPlaces()
    joins = bench.store.layout.joinTables.compactMap { scan.joinPlace($0.name)?.withOneOrder }
    let known = bench.map.relationships.allSatisfy { $0.destination != nil }
    areGuessed =
      bench.store.model == nil || !known || joins.count < bench.store.layout.joinTables.count
      || !bench.store.layout.undecidedJoinTables.isEmpty
  }

  /// Objects cannot go while keys of them may stand in places that nobody knows.
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
  /// A relationship that is its own inverse has one order key in each of its two rows: that of the first column's owner.
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

  /// The to-many relationship whose objects the rows of this column are.
  func toMany(_ map: StoreMap) -> StoredRelationship? {
    guard !isHidden else { return relationship }
    return map.inverse(of: relationship).flatMap { $0.layout.isToMany ? $0 : nil }
  }

  /// Whether a row of it may not be without a key.
  var isRequired: Bool { !isHidden && !relationship.layout.isOptional }
}

// MARK: The links of some objects

extension Workbench {
  /// Every link of a column that a row of `holders` has, or that leads to one of `targets`, by row.
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
    try forEachRow(of: place.table, columns, where: "Z_PK", isIn: holders) { row in
      if row.key(1) != nil { found.append(link(row)) }
    }
    try forEachRow(of: place.table, columns, where: place.column, isIn: targets) { row in
      if let key = row.key(0), !holders.contains(key) { found.append(link(row)) }
    }
    found.sort { $0.row < $1.row }
    return found
  }

  /// Every link of a table that has one of `sources` or one of `destinations`, by its keys.
  func links(of place: JoinLinks.Place, sources: KeySet, destinations: KeySet) throws -> [JoinLinks.Link] {
    var found: [JoinLinks.Link] = []
    try forEachLink(of: place, where: place.source.column, isIn: sources) { found.append($0) }
    try forEachLink(of: place, where: place.destination.column, isIn: destinations) { link in
      if link.source.map(sources.contains) != true { found.append(link) }
    }
    // In place: there may be a million.
    found.sort { ($0.source ?? .min, $0.destination ?? .min) < ($1.source ?? .min, $1.destination ?? .min) }
    return found
  }

  /// Calls `body` with every link that has one of `keys` in a column.
  func forEachLink(
    of place: JoinLinks.Place, where column: String, isIn keys: KeySet, _ body: (JoinLinks.Link) -> Void
  ) throws {
    let sourceOrder = place.source.orderColumn == nil ? nil : 2
    let destinationOrder = place.destination.orderColumn == nil ? nil : sourceOrder == nil ? 2 : 3
    try forEachRow(of: place.table, place.columns, where: column, isIn: keys) { row in
      body(
        JoinLinks.Link(
          source: row.key(0), destination: row.key(1), sourceOrder: sourceOrder.flatMap(row.key),
          destinationOrder: destinationOrder.flatMap(row.key)))
    }
  }

  /// The entity of each of these rows that exists.
  func entities(of keys: KeySet, in table: String) throws -> [Int64: EntityID] {
    var found: [Int64: EntityID] = [:]
    try forEachRow(of: table, ["Z_PK", "Z_ENT"], where: "Z_PK", isIn: keys) { row in
      found[row.key(0) ?? 0] = EntityID(row.key(1) ?? 0)
    }
    return found
  }
}
