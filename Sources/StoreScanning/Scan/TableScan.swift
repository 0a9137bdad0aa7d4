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
    let readers = pages?.readers(of: name, terms, visitors: interests.count) ?? []
    var parts = Self.shared(interests, among: max(readers.count, 1)).enumerated().map { index, interests in
      RowGroups(interests, entityMap: entityMap, keepsKeys: index == 0)
    }
    do {
      // An index may be damaged; the contents of the table decide.
      let statement = try connection.prepare(
        "SELECT \(terms.map(\.sql).joined(separator: ", ")) FROM \(quotedIdentifier(name)) NOT INDEXED")
      if !Self.readPages(readers, into: &parts) { try Self.readRows(of: statement, into: &parts) }
      isWhole = true
    } catch {
      if error.endsReading { throw error }
      hasLongValue = error.isTooBig
      damage = error.interruption == nil ? error.message : "its tree contains itself, or is too large"
    }
    keysByEntity = parts[0].finished()
    note(parts[0].disorder, rows: parts[0].count, exampleLimit: exampleLimit)
    groups = keysByEntity.sorted { ($0.key?.number ?? .min) < ($1.key?.number ?? .min) }.map { ($0.key, $0.value) }
  }

  /// Divides visitors so that each part has about as much work; what comes with every row counts for the first.
  private static func shared(_ interests: [RowInterest], among count: Int) -> [[RowInterest]] {
    var parts = (0..<count).map { (effort: $0 == 0 ? 2 : 0, interests: [RowInterest]()) }
    for interest in interests.sorted(by: { $0.visitor.effort > $1.visitor.effort }) {
      guard let least = parts.indices.min(by: { parts[$0].effort < parts[$1].effort }) else { continue }
      parts[least].effort += interest.visitor.effort
      parts[least].interests.append(interest)
    }
    return parts.map(\.interests)
  }

  /// Reads rows from pages, on as many threads as there are readers; whether all were read.
  private static func readPages(_ readers: [TableRows], into parts: inout [RowGroups]) -> Bool {
    guard let own = readers.first.map({ PagesRead($0, parts[0]) }) else { return false }
    guard readers.count > 1 else {
      own.run()
      parts[0] = own.groups
      return own.isWhole
    }
    let other = PagesRead(readers[1], parts[1])
    // Nothing in it throws.
    _ = try? beside({ other.run() }, meanwhile: { own.run() })
    (parts[0], parts[1]) = (own.groups, other.groups)
    return own.isWhole && other.isWhole && own.groups.count == other.groups.count
  }

  /// Lets SQLite read the rows that were not taken yet. It begins with the first all the same: where a tree is damaged, a
  /// key may lead elsewhere than the way from row to row.
  private static func readRows(of statement: Statement, into parts: inout [RowGroups]) throws(SQLiteError) {
    let row = Row(statement)
    let most = parts.map(\.count).max() ?? 0
    var count = 0
    while count < most, try statement.step() {
      for index in parts.indices where parts[index].count == count { parts[index].take(row) }
      count += 1
    }
    while try statement.step() { for index in parts.indices { parts[index].take(row) } }
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
