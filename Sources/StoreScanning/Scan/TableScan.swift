import StoreCoreData
import StoreSQLite

/// The current row of a read. The same object is used for all rows.
public final class Row {
  /// `Z_PK`; 0 in a table that has none.
  // Set only between rows, when no visitor reads it; checking for that would cost time in every row.
  @exclusivity(unchecked) package fileprivate(set) var key: Int64 = 0
  /// The values, by the indexes a visitor was given.
  package let values: Statement

  fileprivate init(_ values: Statement) { self.values = values }

  /// The storage class of a column that was requested by kind.
  func storedKind(_ index: Int) -> ValueKind {
    // `typeof` gives "null", "integer", "real", "text" or "blob".
    switch values.withBytes(index, body: { $0.first }) {
    case UInt8(ascii: "i"): .integer
    case UInt8(ascii: "r"): .real
    case UInt8(ascii: "t"): .text
    case UInt8(ascii: "b"): .blob
    default: .null
    }
  }

  /// The value as an integer, converted as SQLite and so Core Data does; nil for NULL.
  package func integer(_ index: Int) -> Int64? {
    let value = values.int64(index)
    return value == 0 && values.isNull(index) ? nil : value
  }

  /// Whether the stored value is an integer or NULL.
  func isIntegerOrNull(_ index: Int) -> Bool {
    switch values.kind(index) {
    case .integer, .null: true
    case .real, .text, .blob: false
    }
  }
}

/// Examines rows while a table is read.
///
/// A class and not a protocol: calling a method of a protocol's value costs two reference counts, for every row and
/// visitor. It and `Row` are open only because Swift lets no class of another module inherit from a `package` one.
open class RowVisitor {
  /// Has seen no row yet.
  public init() {}

  /// Examines one row, whose values are valid until this returns.
  ///
  /// Subclasses must override; the default traps so that a missing override fails its first test instead of finding
  /// nothing.
  open func visit(_ row: Row) { preconditionFailure("every kind of visitor looks in its own way") }
}

/// A visitor and the rows it examines.
struct RowInterest {
  /// The entities whose rows it examines; nil for all rows.
  var entities: Set<EntityID>?
  /// The visitor.
  var visitor: RowVisitor
}

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
  private var columns: [String]
  /// A table may have 2,000 columns, each of which is looked up.
  private var indexOfTerm: [String: Int]
  private let entityMap: EntityMap
  private var reading: [Group] = []
  private var groupOfEntity: [EntityID?: Int] = [:]
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

  /// The rows of one entity.
  private struct Group {
    var entity: EntityID?
    var keys = KeySet.Builder()
    /// Not retained; the caller of the read holds them.
    var visitors: [Unmanaged<RowVisitor>]

    /// Moves the keys out, so that adding to them makes no copy.
    mutating func takeKeys() -> KeySet.Builder {
      defer { keys = KeySet.Builder() }
      return keys
    }
  }

  /// The most unknown entity numbers that are kept apart; in a hostile table every row has another.
  private static let mostUnknownEntities = 1000

  /// The most keys out of order that are checked for repetitions.
  private static let mostDisorderedKeys = 4096

  /// The most memory for cached sets of keys; a hostile store has thousands of entities.
  private static let mostUnionBytes = 16 << 20

  init(_ shape: Shape.Table, entityMap: EntityMap) {
    name = shape.name
    self.shape = shape
    self.entityMap = entityMap
    columns = ["Z_PK", "Z_ENT"].map { shape.has($0) ? quotedIdentifier($0) : "NULL" }
    indexOfTerm = Dictionary(zip(columns, 0...)) { first, _ in first }
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
    columns.map { index(of: term($0)) } + kinds.map { index(of: "typeof(\(term($0)))") }
  }

  /// The SQL term for a column; a missing one reads as NULL.
  func term(_ column: String) -> String { shape.has(column) ? quotedIdentifier(column) : "NULL" }

  private func index(of term: String) -> Int {
    if let known = indexOfTerm[term] { return known }
    columns.append(term)
    indexOfTerm[term] = columns.count - 1
    return columns.count - 1
  }

  /// Whether more columns can be requested: SQLite allows 2,000, and some are requested by value and by kind.
  var hasRoom: Bool { columns.count < 1990 }

  /// The declared type of a column, as written.
  func declaredType(of column: String) -> String {
    shape.columns.first { $0.name == column }?.declaredType ?? ""
  }

  // MARK: Reading

  /// Reads the table from its first row to its last; at damage it stops, and notes the reason.
  func read(_ connection: Connection, for interests: [RowInterest], exampleLimit: Int) throws(SQLiteError) {
    var disorder = Disorder()
    do {
      // An index may be damaged; the contents of the table decide.
      let statement = try connection.prepare(
        "SELECT \(columns.joined(separator: ", ")) FROM \(quotedIdentifier(name)) NOT INDEXED")
      try readRows(of: statement, for: interests, disorder: &disorder)
      isWhole = true
    } catch {
      if error.endsReading { throw error }
      hasLongValue = error.isTooBig
      damage = error.interruption == nil ? error.message : "its tree contains itself, or is too large"
    }
    for group in reading {
      let keys = group.keys.finished()
      if !keys.isEmpty { keysByEntity[group.entity] = keys }
    }
    reading = []
    note(disorder, exampleLimit: exampleLimit)
    groups = keysByEntity.sorted { ($0.key?.number ?? .min) < ($1.key?.number ?? .min) }.map { ($0.key, $0.value) }
  }

  /// Marks the table as incompletely read, although the read reached its end.
  func distrust(_ reason: String) {
    if damage == nil { damage = reason }
    isWhole = false
  }

  /// Rows whose keys are not in ascending order.
  private struct Disorder {
    var rows = 0
    /// The highest key so far.
    var highest = Int64.min
    /// How many keys were not greater than all before them.
    var count = 0
    /// Those of them that were new.
    var late: Set<Int64> = []
    /// The first of them that had occurred before.
    var repeated: [Int64] = []
  }

  /// Checks a key that is not greater than all before it, as is the second of two equal ones.
  private func look(at key: Int64, current: KeySet.Builder, disorder: inout Disorder) {
    disorder.count += 1
    guard disorder.count <= Self.mostDisorderedKeys, !disorder.repeated.contains(key) else { return }
    if current.contains(key) || disorder.late.contains(key) || reading.contains(where: { $0.keys.contains(key) }) {
      disorder.repeated.append(key)
    } else {
      disorder.late.insert(key)
    }
  }

  private func note(_ disorder: Disorder, exampleLimit: Int) {
    guard disorder.count > 0, shape.has("Z_PK") else { return }
    repeatedKeys = RowTally(
      count: Int64(disorder.rows - allKeys.count), keys: disorder.repeated.sorted(), limit: exampleLimit)
  }

  private func readRows(
    of statement: Statement, for interests: [RowInterest], disorder: inout Disorder
  ) throws(SQLiteError) {
    let row = Row(statement)
    let (keyIndex, entityIndex) = (0, 1)
    // The state for the present entity is kept at hand: most rows have the same entity as the one before.
    var current: EntityID?
    var group = self.group(of: nil, interests)
    var (visitors, keys) = (reading[group].visitors, reading[group].takeKeys())
    defer { reading[group].keys = keys }
    while try statement.step() {
      row.key = statement.int64(keyIndex)
      let entity = row.integer(entityIndex).map(EntityID.init)
      if entity != current {
        current = entity
        reading[group].keys = keys
        group = self.group(of: entity, interests)
        (visitors, keys) = (reading[group].visitors, reading[group].takeKeys())
      }
      disorder.rows += 1
      if row.key > disorder.highest {
        disorder.highest = row.key
      } else if disorder.rows > 1 {
        look(at: row.key, current: keys, disorder: &disorder)
      }
      keys.insert(row.key)
      for visitor in visitors { visitor._withUnsafeGuaranteedRef { $0.visit(row) } }
    }
  }

  private func group(of entity: EntityID?, _ interests: [RowInterest]) -> Int {
    if let known = groupOfEntity[entity] { return known }
    let isOneOfTooMany = entity.map { entityMap[$0] == nil } == true && reading.count >= Self.mostUnknownEntities
    // Further unknown numbers share a group, under a number that no row has.
    let entity = isOneOfTooMany ? EntityID(.min) : entity
    if let known = groupOfEntity[entity] { return known }
    let interested = interests.filter { interest in
      interest.entities.map { wanted in entity.map(wanted.contains) == true } ?? true
    }
    reading.append(Group(entity: entity, visitors: interested.map { .passUnretained($0.visitor) }))
    groupOfEntity[entity] = reading.count - 1
    return reading.count - 1
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
