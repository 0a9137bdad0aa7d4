import StoreCoreData

/// A column that holds keys of other rows, of a to-one relationship or the hidden one of a to-many without inverse;
/// filled by the read.
package final class KeyColumn: RowVisitor {
  /// The column and what it leads to.
  package let place: Place
  /// The table with the column.
  package let holder: TableScan
  /// The table the keys lead to.
  package let target: TableScan
  /// Rows without a key.
  @exclusivity(unchecked) package private(set) var empty: RowTally
  /// Rows with a value that is not an integer. It is read as SQLite converts it.
  package private(set) var wrongClass: RowTally

  // No other access is possible while a row is added, and checking for one costs more than adding.
  @exclusivity(unchecked) private var log: NumberLog
  private let indexes: (key: Int, companion: Int?, orderKey: Int?)

  /// One row that has a key or a companion.
  package struct Link {
    /// The row's `Z_PK`.
    package var row: Int64
    /// The key it holds.
    package var key: Int64?
    /// The entity number stored beside the key.
    package var companion: Int64?
    /// Its order key among the rows with the same key.
    package var orderKey: Int64?

    package init(row: Int64, key: Int64? = nil, companion: Int64? = nil, orderKey: Int64? = nil) {
      self.row = row
      self.key = key
      self.companion = companion
      self.orderKey = orderKey
    }
  }

  init(_ place: Place, holder: TableScan, target: TableScan, indexes: [Int], exampleLimit: Int) {
    self.place = place
    self.holder = holder
    self.target = target
    var rest = indexes.dropFirst()
    self.indexes = (
      indexes[0], place.companion == nil ? nil : rest.popFirst(), place.orderKey == nil ? nil : rest.popFirst()
    )
    empty = RowTally(limit: exampleLimit)
    wrongClass = empty
    log = NumberLog(width: 1 + indexes.count)
  }

  private init(like other: KeyColumn) {
    (place, holder, target, indexes) = (other.place, other.holder, other.target, other.indexes)
    empty = RowTally(limit: other.empty.limit)
    wrongClass = empty
    log = NumberLog(width: other.log.width)
  }

  package override func forLaterRows() -> RowVisitor? { KeyColumn(like: self) }

  package override func add(_ later: RowVisitor) {
    guard let later = later as? KeyColumn else { return }
    empty.add(later.empty)
    wrongClass.add(later.wrongClass)
    log.append(later.log)
  }

  package override func visit(_ row: Row) {
    let key = row.integer(indexes.key)
    let companion = indexes.companion.flatMap(row.integer)
    if key == nil { empty.add(row.key) } else if !row.isIntegerOrNull(indexes.key) { wrongClass.add(row.key) }
    guard key != nil || companion != nil else { return }
    log.append(row.key)
    log.append(key)
    if indexes.companion != nil { log.append(companion) }
    if let orderKey = indexes.orderKey { log.append(row.integer(orderKey)) }
  }

  /// Calls `body` with every link, in the order of the rows.
  package func forEachLink(_ body: (Link) -> Void) {
    let companion = place.companion == nil ? nil : 2
    let orderKey = place.orderKey == nil ? nil : companion == nil ? 2 : 3
    log.forEach { row in
      body(
        Link(
          row: row[0] ?? 0, key: row[1], companion: companion.flatMap { row[$0] },
          orderKey: orderKey.flatMap { row[$0] }))
    }
  }
}

extension KeyColumn {
  /// Where keys are stored, and where they should lead.
  package struct Place {
    /// The relationship, by the entity that declares it.
    package var relationship: StoredRelationship
    /// The table with the column.
    package var table: String
    /// The entities whose rows have it.
    package var holders: Set<EntityID>
    /// The column with the keys.
    package var column: String
    /// The column with the entity number of the row a key leads to.
    package var companion: String?
    /// The column with the place in the order of the inverse, or of the to-many relationship that `isHidden` speaks of.
    package var orderKey: String?
    /// The table keys lead to.
    package var targetTable: String
    /// The entities they may lead to: the destination and its subentities.
    package var targets: Set<EntityID>
    /// Whether it is the hidden column of a to-many without inverse, in the destination's table.
    package var isHidden: Bool
  }

  /// All such columns of a store, and the relationships whose column or destination is not known.
  static func places(in map: StoreMap) -> (places: [Place], withoutColumn: [String], withoutDestination: [String]) {
    var places: [Place] = []
    var withoutColumn: [String] = []
    var withoutDestination: [String] = []
    for relationship in map.relationships {
      guard let (column, isHidden) = relationship.layout.storage.keyColumn else { continue }
      if column == nil { withoutColumn.append(relationship.description) }
      if relationship.destination == nil { withoutDestination.append(relationship.description) }
      guard let column, let destination = relationship.destination else { continue }
      places.append(Place(relationship, to: destination, column: column, isHidden: isHidden, map: map))
    }
    return (places, withoutColumn, withoutDestination)
  }
}

extension KeyColumn.Place {
  fileprivate init(
    _ relationship: StoredRelationship, to destination: EntityLayout, column: String, isHidden: Bool,
    map: StoreMap
  ) {
    let (holder, target) = isHidden ? (destination, relationship.owner) : (relationship.owner, destination)
    self.init(
      relationship: relationship, table: holder.table, holders: map.kinds(of: holder.id), column: column,
      targetTable: target.table, targets: map.kinds(of: target.id), isHidden: isHidden)
    switch relationship.layout.storage {
    case .key(_, let companion, let orderKey): (self.companion, self.orderKey) = (companion, orderKey)
    case .hiddenKey(_, _, let orderKey): self.orderKey = orderKey
    case .inverseKey, .joinTable, .none: break
    }
  }
}

extension RelationshipLayout.Storage {
  /// The key column of a to-one, or of a to-many without inverse; nil for other relationships.
  fileprivate var keyColumn: (name: String?, isHidden: Bool)? {
    switch self {
    case .key(let column, _, _): (column, false)
    case .hiddenKey(_, let column, _): (column, true)
    case .none, .joinTable, .inverseKey: nil
    }
  }
}
