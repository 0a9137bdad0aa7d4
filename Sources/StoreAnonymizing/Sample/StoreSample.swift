import StoreCoreData
import StoreDiagnosis
import StoreFindings
import StoreScanning
import StoreSQLite

/// Which rows of a store are in a copy of a part of it, and which links are cut.
struct StoreSample {
  let limit: Int
  let objects: ChosenObjects
  fileprivate let links: StoreLinks
  fileprivate let connection: Connection
  /// Transactions of which all changes are of objects that were left out.
  fileprivate let emptied: KeySet

  init(_ store: Store, limit: Int, findings: [Finding], held: Set<EntityID>) throws {
    let map = StoreMap(store)
    (self.limit, connection) = (limit, store.connection)
    links = StoreLinks(store, map)
    objects = try ChosenObjects(store, links, map: map, limit: limit, held: held, findings: findings)
    emptied = try Self.emptied(store, links, objects)
  }

  private static let changeColumns = ["ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"]

  private static func emptied(_ store: Store, _ links: StoreLinks, _ objects: ChosenObjects) throws -> KeySet {
    guard let changes = store.shape.table(.change), changeColumns.allSatisfy(changes.has) else { return KeySet() }
    let rows = try store.connection.prepare(
      "SELECT \(changeColumns.joined(separator: ", ")) FROM \(HistoryTable.change) NOT INDEXED")
    let there = Existence(store.connection)
    var (all, kept) = (KeySet.Builder(), KeySet.Builder())
    while try rows.step() {
      guard rows.kind(2) == .integer else { continue }
      all.insert(rows.int64(2))
      let table = links.home[EntityID(rows.int64(0))]
      if try table.map({ try isKept(rows, 1, in: $0, objects, there) }) ?? true { kept.insert(rows.int64(2)) }
    }
    return all.finished().subtracting(kept.finished())
  }

  /// Whether the object that a column names is in the sample, or in no table at all.
  fileprivate static func isKept(
    _ row: Statement, _ column: Int, in table: String, _ objects: ChosenObjects, _ there: Existence
  ) throws -> Bool {
    guard row.kind(column) == .integer else { return true }
    let key = row.int64(column)
    return objects.keys[table]?.contains(key) == true ? true : try !there.has(key, in: table)
  }
}

/// Asks tables for keys.
final class Existence {
  private let connection: Connection
  private var statements: [String: Statement] = [:]

  init(_ connection: Connection) { self.connection = connection }

  func has(_ key: Int64, in table: String) throws -> Bool {
    let statement =
      try statements[table]
      ?? connection.prepare("SELECT 1 FROM \(quotedIdentifier(table)) WHERE Z_PK = ? LIMIT 1")
    statements[table] = statement
    statement.reset()
    try statement.bind(key, at: 1)
    defer { statement.reset() }
    return try statement.step()
  }
}

/// What of one table is in a sample.
struct SampledTable {
  private let sample: StoreSample
  private let kind: Kind
  private let there: Existence

  private enum Kind {
    case objects(table: String, key: Int, entity: Int?, [(column: Int, companions: [Int], link: StoreLinks.Column)])
    case links([(column: Int, target: String)])
    /// Rows about an object, by entity number and key.
    case about(entity: Int, key: Int)
    case transactions(key: Int)
    case whole
  }

  init(_ sample: StoreSample, _ table: AnonymizingPlan.Table) {
    self.sample = sample
    there = Existence(sample.connection)
    func place(_ name: String) -> Int? { table.columns.firstIndex { $0.name == name }.map { $0 + table.offset } }
    if let key = place("Z_PK"), sample.links.tables.contains(table.name) {
      kind = .objects(
        table: table.name, key: key, entity: place("Z_ENT"),
        sample.links.keyColumns(of: table.name).compactMap { link in
          place(link.name).map { ($0, link.companions.compactMap(place), link) }
        })
    } else if let join = sample.links.joins.first(where: { $0.table == table.name }) {
      kind = .links(join.ends.compactMap { end in place(end.column).map { ($0, end.target) } })
    } else if table.name == HistoryTable.change.rawValue, let entity = place("ZENTITY"), let key = place("ZENTITYPK") {
      kind = .about(entity: entity, key: key)
    } else if table.name == MirrorTable.records, let entity = place("ZENTITYID"), let key = place("ZENTITYPK") {
      kind = .about(entity: entity, key: key)
    } else if table.name == HistoryTable.transaction.rawValue, let key = place("Z_PK") {
      kind = .transactions(key: key)
    } else {
      kind = .whole
    }
  }

  /// Whether a row is in the sample.
  func keeps(_ row: Statement) throws -> Bool {
    switch kind {
    case .whole: true
    case .objects(let table, let key, _, _):
      row.kind(key) != .integer || sample.objects.keys[table]?.contains(row.int64(key)) == true
    case .links(let ends):
      try ends.allSatisfy { try StoreSample.isKept(row, $0.column, in: $0.target, sample.objects, there) }
    case .about(let entity, let key):
      if row.kind(entity) == .integer, let table = sample.links.home[EntityID(row.int64(entity))] {
        try StoreSample.isKept(row, key, in: table, sample.objects, there)
      } else {
        true
      }
    case .transactions(let key): row.kind(key) != .integer || !sample.emptied.contains(row.int64(key))
    }
  }

  /// The columns of a row that become NULL, with how many links these are: what they name was left out.
  func cut(_ row: Statement) throws -> (columns: Set<Int>, links: Int64) {
    guard case .objects(_, _, _, let columns) = kind else { return ([], 0) }
    var (cut, links): (Set<Int>, Int64) = ([], 0)
    for (column, companions, link) in columns where !row.isNull(column) {
      if try StoreSample.isKept(row, column, in: link.target, sample.objects, there) { continue }
      cut.formUnion([column] + companions)
      links += 1
    }
    return (cut, links)
  }
}
