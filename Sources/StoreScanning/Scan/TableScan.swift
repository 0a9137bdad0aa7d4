import StoreCoreData
import StoreSQLite

/// The row a read stands on. The same object goes from row to row.
public final class Row {
  /// `Z_PK`; 0 in a table that has none.
  // Set between rows only, when no visitor reads it; watching for that would cost every row.
  @exclusivity(unchecked) package fileprivate(set) var key: Int64 = 0
  /// The values, by the indexes a visitor was given.
  package let values: Statement

  fileprivate init(_ values: Statement) { self.values = values }

  /// How the value is stored, of a column that was asked for by kind.
  func storedKind(_ index: Int) -> ValueKind {
    // `typeof` gives "null", "integer", "real", "text" or "blob".
    switch values.withBytes(index, { $0.first }) {
    case UInt8(ascii: "i"): .integer
    case UInt8(ascii: "r"): .real
    case UInt8(ascii: "t"): .text
    case UInt8(ascii: "b"): .blob
    default: .null
    }
  }

  /// The value as SQLite, and so Core Data, reads an integer from it; nil for NULL.
  package func integer(_ index: Int) -> Int64? {
    let value = values.int64(index)
    return value == 0 && values.isNull(index) ? nil : value
  }

  /// Whether the value is an integer as it is stored, or NULL.
  func isIntegerOrNull(_ index: Int) -> Bool {
    switch values.kind(index) {
    case .integer, .null: true
    case .real, .text, .blob: false
    }
  }
}

/// What looks at rows while a table is read.
///
/// A class and no protocol: to call what a protocol's value holds costs two counts of its references, for every row and
/// visitor. It is open, with its `Row`, only because Swift lets no class of another module inherit from a `package` one.
open class RowVisitor {
  /// Has seen no row yet.
  public init() {}

  /// Looks at one row; its values are good until it returns.
  ///
  /// Subclasses must override; the default traps so that a missing override fails its first test instead of finding
  /// nothing.
  open func visit(_ row: Row) { preconditionFailure("every kind of visitor looks in its own way") }
}

/// A visitor and the rows it looks at.
struct RowInterest {
  /// The entities whose rows it looks at; nil for all rows.
  var entities: Set<EntityID>?
  /// What looks at them.
  var visitor: RowVisitor
}

/// One table of a store: which of its columns are read, and what reading it showed. It does not hold the visitors of its
/// rows: they may hold it.
package final class TableScan {
  /// The table's name.
  package let name: String
  /// Why not all of it could be read; nil when it could, or has not been.
  package private(set) var damage: String?
  /// Whether what ended the read is a value that is longer than the connection reads, which is no damage.
  package private(set) var hasLongValue = false
  /// Whether it was read to its end.
  private(set) var isWhole = false

  /// The checks that asked for it; one may be there more than once.
  private(set) var askedBy: [String] = []

  private let shape: Shape.Table
  private var columns: [String]
  /// A table may have 2,000 columns, and each is asked for.
  private var indexOfTerm: [String: Int]
  private let entityMap: EntityMap
  private var reading: [Group] = []
  private var groupOfEntity: [EntityID?: Int] = [:]
  /// The keys of the rows of each entity number that has any, after the read; nil stands for NULL.
  private(set) var keysByEntity: [EntityID?: KeySet] = [:]
  /// The same by number, NULL first: in a damaged table two rows may have one key, and the same of them has to be named each
  /// time.
  private(set) var groups: [(entity: EntityID?, keys: KeySet)] = []
  /// Rows with the key of a row before them, which only a damaged table has, or one that Core Data did not make.
  package private(set) var repeatedKeys = RowTally(limit: 0)
  private var unions: [Set<EntityID>: KeySet] = [:]
  private var unionBytes = 0
  private var union: KeySet?

  /// The rows of one entity.
  private struct Group {
    var entity: EntityID?
    var keys = KeySet.Builder()
    /// Held by whoever has the table read.
    var visitors: [Unmanaged<RowVisitor>]

    /// The keys, to be added to elsewhere without a copy.
    mutating func takeKeys() -> KeySet.Builder {
      defer { keys = KeySet.Builder() }
      return keys
    }
  }

  /// Numbers that `Z_PRIMARYKEY` does not know and that are told apart; a hostile table has one in every row.
  private static let mostUnknownEntities = 1000

  /// Keys out of order that are looked at, to name those that come twice.
  private static let mostDisorderedKeys = 4096

  /// Sets of keys that are kept once made; a hostile store has thousands of kinds.
  private static let mostUnionBytes = 16 << 20

  init(_ shape: Shape.Table, entityMap: EntityMap) {
    name = shape.name
    self.shape = shape
    self.entityMap = entityMap
    columns = ["Z_PK", "Z_ENT"].map { shape.has($0) ? quotedIdentifier($0) : "NULL" }
    indexOfTerm = Dictionary(zip(columns, 0...)) { first, _ in first }
  }

  /// Puts down a check, so that it can be told when the table could not be read.
  func ask(for check: String) {
    if askedBy.last != check { askedBy.append(check) }
  }

  /// Has columns read, and gives their indexes in a row: those of `columns`, then those of `kinds`.
  ///
  /// - Parameter kinds: columns of which only is asked how their values are stored: pages with large values are not read
  ///   then.
  func indexes(of columns: [String], kinds: [String] = []) -> [Int] {
    columns.map { index(of: term($0)) } + kinds.map { index(of: "typeof(\(term($0)))") }
  }

  /// What stands for a column in a statement; one that is missing reads as NULL.
  func term(_ column: String) -> String { shape.has(column) ? quotedIdentifier(column) : "NULL" }

  private func index(of term: String) -> Int {
    if let known = indexOfTerm[term] { return known }
    columns.append(term)
    indexOfTerm[term] = columns.count - 1
    return columns.count - 1
  }

  /// Whether further columns can be asked for: SQLite gives at most 2,000, and some are asked for by value and by kind.
  var hasRoom: Bool { columns.count < 1990 }

  /// The declared type of a column, as written.
  func declaredType(of column: String) -> String {
    shape.columns.first { $0.name == column }?.declaredType ?? ""
  }

  // MARK: Reading

  /// Reads the table from its first row to its last; damage ends it, and is kept.
  func read(_ connection: Connection, for interests: [RowInterest], exampleLimit: Int) throws(SQLiteError) {
    var disorder = Disorder()
    do {
      // An index may be damaged, and what counts is what the table holds.
      let statement = try connection.prepare(
        "SELECT \(columns.joined(separator: ", ")) FROM \(quotedIdentifier(name)) NOT INDEXED")
      try readRows(statement, interests, &disorder)
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
    note(disorder, exampleLimit)
    groups = keysByEntity.sorted { ($0.key?.number ?? .min) < ($1.key?.number ?? .min) }.map { ($0.key, $0.value) }
  }

  /// Takes what was read for a part, though reading came to the end.
  func distrust(_ reason: String) {
    if damage == nil { damage = reason }
    isWhole = false
  }

  /// Rows whose keys do not ascend.
  private struct Disorder {
    var rows = 0
    /// The highest key so far.
    var highest = Int64.min
    /// How many keys came that are not above all before them.
    var count = 0
    /// Those that came for the first time.
    var late: Set<Int64> = []
    /// The first that came again.
    var repeated: [Int64] = []
  }

  /// Looks at a key that is not above all before it: the second of two equal ones never is.
  private func look(at key: Int64, _ current: KeySet.Builder, _ disorder: inout Disorder) {
    disorder.count += 1
    guard disorder.count <= Self.mostDisorderedKeys, !disorder.repeated.contains(key) else { return }
    if current.contains(key) || disorder.late.contains(key) || reading.contains(where: { $0.keys.contains(key) }) {
      disorder.repeated.append(key)
    } else {
      disorder.late.insert(key)
    }
  }

  private func note(_ disorder: Disorder, _ exampleLimit: Int) {
    guard disorder.count > 0, shape.has("Z_PK") else { return }
    repeatedKeys = RowTally(
      count: Int64(disorder.rows - allKeys.count), keys: disorder.repeated.sorted(), limit: exampleLimit)
  }

  private func readRows(
    _ statement: Statement, _ interests: [RowInterest], _ disorder: inout Disorder
  ) throws(SQLiteError) {
    let row = Row(statement)
    let (keyIndex, entityIndex) = (0, 1)
    // What a row needs is at hand and not looked up for each: most rows are of the same entity as the one before.
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
        look(at: row.key, keys, &disorder)
      }
      keys.insert(row.key)
      for visitor in visitors { visitor._withUnsafeGuaranteedRef { $0.visit(row) } }
    }
  }

  private func group(of entity: EntityID?, _ interests: [RowInterest]) -> Int {
    if let known = groupOfEntity[entity] { return known }
    let isOneOfTooMany = entity.map { entityMap[$0] == nil } == true && reading.count >= Self.mostUnknownEntities
    // The rest share a number that no row has.
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

// MARK: What reading showed

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

  /// Whether there is such a row of that entity.
  package func isRow(_ key: Int64, of entity: EntityID) -> Bool { keysByEntity[entity]?.contains(key) == true }

  /// The entity of a row, the first by number where two have the key; nil where there is no such row, or it has NULL
  /// there.
  package func entity(of key: Int64) -> EntityID? { groups.first { $0.keys.contains(key) }?.entity }
}
