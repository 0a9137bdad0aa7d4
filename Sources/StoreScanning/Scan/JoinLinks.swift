import StoreFindings
import StoreCoreData

/// The links of a many-to-many relationship; filled by the read.
package final class JoinLinks: RowVisitor {
  /// The table and columns of the links.
  package let place: Place
  /// The table with the links.
  package let table: TableScan
  /// The tables of the two ends.
  let source: TableScan, destination: TableScan

  /// Links with a key that is not an integer, by the key at their source.
  package private(set) var wrongClass: RowTally

  // See `KeyColumn.log`.
  @exclusivity(unchecked) private var log: NumberLog
  private let indexes: [Int]

  /// One row of the table. It is compact, because a merge may keep a million: a byte says which numbers are present,
  /// where optional numbers would take half as much space again.
  package struct Link: Equatable {
    private var numbers: (Int64, Int64, Int64, Int64)
    /// One bit for each number that is present.
    private var present: UInt8

    package init(source: Int64?, destination: Int64?, sourceOrder: Int64? = nil, destinationOrder: Int64? = nil) {
      numbers = (source ?? 0, destination ?? 0, sourceOrder ?? 0, destinationOrder ?? 0)
      present =
        (source == nil ? 0 : 1) | (destination == nil ? 0 : 2) | (sourceOrder == nil ? 0 : 4)
        | (destinationOrder == nil ? 0 : 8)
    }

    /// The keys of the two ends.
    package var source: Int64? { present & 1 == 0 ? nil : numbers.0 }
    package var destination: Int64? { present & 2 == 0 ? nil : numbers.1 }
    /// The order key of the destination in the source's list, and of the source in the destination's.
    package var sourceOrder: Int64? { present & 4 == 0 ? nil : numbers.2 }
    package var destinationOrder: Int64? { present & 8 == 0 ? nil : numbers.3 }

    package static func == (left: Link, right: Link) -> Bool {
      left.present == right.present && left.numbers == right.numbers
    }
  }

  init(_ place: Place, table: TableScan, source: TableScan, destination: TableScan, indexes: [Int], exampleLimit: Int) {
    self.place = place
    self.table = table
    self.source = source
    self.destination = destination
    self.indexes = indexes
    log = NumberLog(width: indexes.count)
    wrongClass = RowTally(limit: exampleLimit)
  }

  package override func forLaterRows() -> RowVisitor? {
    JoinLinks(
      place, table: table, source: source, destination: destination, indexes: indexes, exampleLimit: wrongClass.limit)
  }

  package override func add(_ later: RowVisitor) {
    guard let later = later as? JoinLinks else { return }
    log.append(later.log)
    wrongClass.add(later.wrongClass)
  }

  package override func visit(_ row: Row) {
    for index in indexes { log.append(row.integer(index)) }
    if !row.isIntegerOrNull(indexes[0]) || !row.isIntegerOrNull(indexes[1]) {
      wrongClass.add(row.integer(indexes[0]) ?? 0)
    }
  }

  /// Calls `body` with every link, in the order of the rows.
  package func forEachLink(_ body: (Link) -> Void) {
    let sourceOrder = place.source.orderColumn == nil ? nil : 2
    let destinationOrder = place.destination.orderColumn == nil ? nil : sourceOrder == nil ? 2 : 3
    log.forEach { row in
      body(
        Link(
          source: row[0], destination: row[1], sourceOrder: sourceOrder.flatMap { row[$0] },
          destinationOrder: destinationOrder.flatMap { row[$0] }))
    }
  }
}

extension JoinLinks {
  /// An example link: the object at its source, and the other one.
  package func example(_ link: Link, facts: [String: Finding.Fact?] = [:]) -> Finding.Example {
    .init(link.source, facts.merging(["destination": link.destination.map(Finding.Fact.number)]) { $1 })
  }
}

extension JoinLinks {
  /// Where the links of a relationship are stored.
  package struct Place {
    /// The table's name.
    package var table: String
    /// The end whose relationship names the table.
    package var source: End
    /// The other end.
    package var destination: End
    /// Whether the relationship is its own inverse, so that each link is stored as two mirrored rows.
    package var isReflexive: Bool

    /// The columns in the order of a link's numbers.
    package var columns: [String] {
      [source.column, destination.column] + [source.orderColumn, destination.orderColumn].compactMap(\.self)
    }
  }

  /// One end of the table.
  package struct End {
    /// The relationship whose owner's keys are in `column`.
    package var relationship: StoredRelationship
    /// The column with the owners' keys.
    package var column: String
    /// The column with the order of the relationship's objects.
    package var orderColumn: String?
    /// The table of the owners.
    package var table: String
    /// The entities that an owner may have.
    package var kinds: Set<EntityID>
  }
}

extension JoinLinks {
  /// Where the links of each many-to-many relationship are, by table; without those that have an unknown end.
  static func places(in map: StoreMap, _ layout: Layout) -> [String: Place] {
    let places = layout.joinTables.compactMap { table in Place(table, in: map).map { (table.name, $0) } }
    return Dictionary(places) { first, _ in first }
  }
}

extension JoinLinks.Place {
  /// Where a layout says that links are; nil where an end is unknown.
  fileprivate init?(_ layout: JoinTableLayout, in map: StoreMap) {
    guard let source = JoinLinks.End(layout.source, in: map),
      let destination = JoinLinks.End(layout.destination, in: map)
    else { return nil }
    self.init(
      table: layout.name, source: source, destination: destination,
      isReflexive: source.relationship == destination.relationship)
  }
}

extension JoinLinks.End {
  fileprivate init?(_ end: JoinTableLayout.End, in map: StoreMap) {
    guard let relationship = map.relationship(end.relationship, of: end.entity) else { return nil }
    self.init(
      relationship: relationship, column: end.column, orderColumn: end.orderColumn, table: relationship.owner.table,
      kinds: map.kinds(of: relationship.owner.id))
  }
}
