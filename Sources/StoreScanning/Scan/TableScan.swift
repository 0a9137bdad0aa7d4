import SQLitePages
import StoreCoreData
import StoreSQLite
import StoreSystem

/// One table of a store: its columns to be read, and the results of the read. It does not keep its rows' visitors,
/// since they may hold it.
package final class TableScan {
  /// The table's name.
  package let name: String
  /// Why it could not be read completely; nil if it was, or was not read yet.
  package private(set) var damage: String?
  /// Whether the read ended at a value longer than the connection's limit, which is not damage.
  package private(set) var hasLongValue = false
  /// Whether it was read to the end.
  private(set) var isWhole = false

  /// The checks that asked for it, with repetitions.
  private(set) var askedBy: [String] = []

  private let shape: Shape.Table
  private var terms: [RowTerm]
  /// A table may have 2,000 columns, each of which is looked up.
  private var indexOfTerm: [RowTerm: Int]
  private let entityMap: EntityMap
  /// The keys of the rows of each entity number that occurs, after the read; nil stands for NULL.
  private(set) var keysByEntity: [EntityID?: KeySet] = [:]
  /// The same in order of number, NULL first, so that results are the same each time even if two rows of a damaged
  /// table have one key.
  private(set) var groups: [(entity: EntityID?, keys: KeySet)] = []
  /// Rows whose key an earlier row has, as only in damaged tables, or ones that Core Data did not create.
  package private(set) var repeatedKeys = RowTally(limit: 0)
  private var unions: [Set<EntityID>: KeySet] = [:]
  private var unionBytes = 0
  private var union: KeySet?

  /// The most memory for cached sets of keys; a hostile store has thousands of entities.
  private static let mostUnionBytes = 16 << 20

  init(_ shape: Shape.Table, entityMap: EntityMap) {
    name = shape.name
    self.shape = shape
    self.entityMap = entityMap
    terms = ["Z_PK", "Z_ENT"].map { RowTerm(column: shape.has($0) ? $0 : nil) }
    indexOfTerm = Dictionary(zip(terms, 0...)) { first, _ in first }
  }

  /// Records a check, so that it can be named when the table cannot be read.
  func ask(for check: String) {
    if askedBy.last != check { askedBy.append(check) }
  }

  /// Requests columns and returns their indexes in a row: those of `columns`, then those of `kinds`.
  ///
  /// - Parameter kinds: columns of which only the storage class is needed, so that pages with large values are not
  ///   read.
  func indexes(of columns: [String], kinds: [String] = []) -> [Int] {
    columns.map { index(of: rowTerm($0)) } + kinds.map { index(of: rowTerm($0, isOfKind: true)) }
  }

  /// The SQL term for a column; a missing one reads as NULL.
  func term(_ column: String) -> String { rowTerm(column).sql }

  private func rowTerm(_ column: String, isOfKind: Bool = false) -> RowTerm {
    RowTerm(column: shape.has(column) ? column : nil, isOfKind: isOfKind)
  }

  private func index(of term: RowTerm) -> Int {
    if let known = indexOfTerm[term] { return known }
    terms.append(term)
    indexOfTerm[term] = terms.count - 1
    return terms.count - 1
  }

  /// Whether more columns can be requested: SQLite allows 2,000, and some are requested by value and by kind.
  var hasRoom: Bool { terms.count < 1990 }

  /// The declared type of a column, as written.
  func declaredType(of column: String) -> String {
    shape.columns.first { $0.name == column }?.declaredType ?? ""
  }

  // MARK: Reading

  /// Reads the table from its first row to its last; at damage it stops, and notes the reason.
  ///
  /// - Parameter pages: how its pages are read without SQLite; nil where SQLite reads all of it.
  func read(
    _ connection: Connection, pages: PageReading?, for interests: [RowInterest], exampleLimit: Int
  ) throws(SQLiteError) {
    var rows = RowGroups(interests, entityMap: entityMap)
    let readers = pages?.readers(of: name, terms, for: rows) ?? .sqlite
    do {
      // An index may be damaged; the contents of the table decide.
      let statement = try connection.prepare(
        "SELECT \(terms.map(\.sql).joined(separator: ", ")) FROM \(quotedIdentifier(name)) NOT INDEXED")
      if !Self.readPages(readers, into: &rows) { try Self.readRows(of: statement, into: &rows) }
      isWhole = true
    } catch {
      if error.endsReading { throw error }
      hasLongValue = error.isTooBig
      damage = error.interruption == nil ? error.message : "its tree contains itself, or is too large"
    }
    keysByEntity = rows.finished()
    note(rows.disorder, rows: rows.count, exampleLimit: exampleLimit)
    groups = keysByEntity.sorted { ($0.key?.number ?? .min) < ($1.key?.number ?? .min) }.map { ($0.key, $0.value) }
  }

  /// Reads rows from pages; whether all were read.
  private static func readPages(_ readers: PageReading.Readers, into groups: inout RowGroups) -> Bool {
    switch readers {
    case .sqlite: return false
    case .one(let rows):
      let read = PagesRead(rows, groups)
      read.run()
      groups = read.groups
      return read.isWhole
    case .two(let rows, let laterRows, let laterGroups):
      let (read, later) = (PagesRead(rows, groups), PagesRead(laterRows, laterGroups))
      // Nothing in it throws.
      _ = try? beside({ later.run() }, meanwhile: { read.run() })
      groups = read.groups
      // What was read beside counts where it is what would have come next.
      guard read.isWhole, let next = later.firstKey, next > read.lastKey, groups.add(later.groups) else { return false }
      return later.isWhole
    }
  }

  /// Lets SQLite read the rows that were not taken yet. It begins with the first all the same: where a tree is damaged, a
  /// key may lead elsewhere than the way from row to row.
  private static func readRows(of statement: Statement, into groups: inout RowGroups) throws(SQLiteError) {
    let row = Row(statement)
    var isThere = true
    for _ in 0..<groups.count where isThere { isThere = try statement.step() }
    while isThere, try statement.step() { groups.take(row) }
  }

  /// Marks the table as incompletely read, although the read reached its end.
  func distrust(_ reason: String) {
    if damage == nil { damage = reason }
    isWhole = false
  }

  private func note(_ disorder: KeyDisorder, rows: Int, exampleLimit: Int) {
    guard disorder.count > 0, shape.has("Z_PK") else { return }
    repeatedKeys = RowTally(
      count: Int64(rows - allKeys.count), keys: disorder.repeated.sorted(), limit: exampleLimit)
  }
}

// MARK: Results

extension TableScan {
  /// The keys of all rows.
  package var allKeys: KeySet {
    if let union { return union }
    let all = keysByEntity.values.reduce(KeySet()) { $0.union($1) }
    union = all
    return all
  }

  /// The highest key of all rows; nil without rows.
  var highestKey: Int64? { keysByEntity.values.compactMap(\.last).max() }

  /// The keys of the rows of these entities.
  package func keys(of entities: Set<EntityID>) -> KeySet {
    if let known = unions[entities] { return known }
    let keys = entities.compactMap { keysByEntity[$0] }.reduce(KeySet()) { $0.union($1) }
    if unionBytes + keys.bytes <= Self.mostUnionBytes {
      unionBytes += keys.bytes
      unions[entities] = keys
    }
    return keys
  }

  /// Whether the entity has a row with that key.
  package func isRow(_ key: Int64, of entity: EntityID) -> Bool { keysByEntity[entity]?.contains(key) == true }

  /// The entity of a row, the one with the lowest number where two have the key; nil where there is no such row, or its
  /// entity is NULL.
  package func entity(of key: Int64) -> EntityID? { groups.first { $0.keys.contains(key) }?.entity }
}
