import CoreDataModel
import CoreDataStore

/// A column that holds keys of other rows: that of a to-one relationship, or the hidden one of a to-many without
/// inverse. The read fills it.
final class KeyColumn: RowVisitor {
  /// What the column is.
  let place: Place
  /// The table with the column.
  let holder: TableScan
  /// The table the keys lead to.
  let target: TableScan
  /// Rows without a key.
  private(set) var empty: RowTally

  private var log = NumberLog(width: 4)
  private let indexes: (key: Int, companion: Int?, orderKey: Int?)

  /// One row that has a key or a companion.
  struct Link {
    /// The row's `Z_PK`.
    var row: Int64
    /// The key it holds.
    var key: Int64?
    /// The entity number beside it.
    var companion: Int64?
    /// Its place among the rows with the same key.
    var orderKey: Int64?
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
  }

  func visit(_ row: Row) {
    let key = row.integer(indexes.key)
    let companion = indexes.companion.flatMap(row.integer)
    if key == nil { empty.add(row.key) }
    guard key != nil || companion != nil else { return }
    log.append(row.key)
    log.append(key)
    log.append(companion)
    log.append(indexes.orderKey.flatMap(row.integer))
  }

  /// Calls `body` with every link, in the order of the rows.
  func forEachLink(_ body: (Link) -> Void) {
    log.forEach { row in body(Link(row: row[0] ?? 0, key: row[1], companion: row[2], orderKey: row[3])) }
  }
}

extension KeyColumn {
  /// Where keys are, and where they should lead.
  struct Place: Hashable {
    /// The relationship, by the entity that declares it.
    var relationship: StoredRelationship
    /// The table with the column.
    var table: String
    /// The entities whose rows have it.
    var holders: Set<EntityID>
    /// The column with the keys.
    var column: String
    /// The column with the entity number of the row a key leads to.
    var companion: String?
    /// The column with the place in the order of the inverse.
    var orderKey: String?
    /// The table keys lead to.
    var targetTable: String
    /// The entities they may lead to: the destination and all that inherit from it.
    var targets: Set<EntityID>
    /// Whether the column is a to-many relationship's without inverse, and so in the destination's table.
    var isHidden: Bool
  }

  /// Every such column of a store. What the layout cannot place is skipped with the reason.
  static func places(in scan: Scan) -> [Place] {
    scan.store.storedRelationships.compactMap { relationship in
      switch relationship.layout.storage {
      case .none, .joinTable, .inverseKey: nil
      case .key(let column, let companion, let orderKey):
        place(relationship, column, companion, orderKey, in: scan)
      case .hiddenKey(let table, let column): hiddenPlace(relationship, table, column, in: scan)
      }
    }
  }

  private static func place(
    _ relationship: StoredRelationship, _ column: String?, _ companion: String?, _ orderKey: String?, in scan: Scan
  ) -> Place? {
    guard let column else { return skip(relationship, "it has no column", scan) }
    guard let target = relationship.destination(in: scan.store) else {
      return skip(relationship, "its destination is not known", scan)
    }
    return Place(
      relationship: relationship, table: relationship.owner.table,
      holders: scan.kinds.kinds(of: relationship.owner.id), column: column, companion: companion, orderKey: orderKey,
      targetTable: target.table, targets: scan.kinds.kinds(of: target.id), isHidden: false)
  }

  private static func hiddenPlace(
    _ relationship: StoredRelationship, _ table: String, _ column: String?, in scan: Scan
  ) -> Place? {
    guard let column else { return skip(relationship, "it has no column", scan) }
    guard let holder = relationship.destination(in: scan.store) else {
      return skip(relationship, "its destination is not known", scan)
    }
    return Place(
      relationship: relationship, table: table, holders: scan.kinds.kinds(of: holder.id), column: column,
      companion: nil, orderKey: nil, targetTable: relationship.owner.table,
      targets: scan.kinds.kinds(of: relationship.owner.id), isHidden: true)
  }

  private static func skip(_ relationship: StoredRelationship, _ why: String, _ scan: Scan) -> Place? {
    scan.skip("relationship \(quoted(relationship.description)): \(why)")
    return nil
  }
}

/// Rows counted, and the first of them as examples.
struct RowTally {
  /// How many there are.
  private(set) var count: Int64 = 0
  /// Keys of the first.
  private(set) var keys: [Int64] = []
  let limit: Int

  /// Counts a row.
  mutating func add(_ key: Int64) {
    count += 1
    if keys.count < limit { keys.append(key) }
  }
}
