import StoreCoreData
import StoreScanning
import StoreSQLite

/// The links of a to-many relationship, from one read of the table that holds them: for each object the keys of the
/// others, in their order.
///
/// 24 bytes a link while reading, 8 bytes a link and 12 an object with links after that.
final class LinkTable {
  private let index: KeyIndex
  private let starts: [Int]
  private let others: UnsafeMutableBufferPointer<Int64>

  private struct Link {
    var owner: Int64, order: Int64, other: Int64
  }

  /// The keys of the objects that `owner` leads to.
  func keys(of owner: Int64) -> Slice<UnsafeBufferPointer<Int64>> {
    let all = UnsafeBufferPointer(others)
    guard let place = index[owner] else { return all[0..<0] }
    return all[starts[place]..<starts[place + 1]]
  }

  /// - Throws: `SQLiteError` where the table cannot be read to its end.
  convenience init(_ relationship: StoredRelationship, in store: Store, _ map: StoreMap) throws {
    let sql: String
    let table: String
    var kinds: Set<EntityID>?
    switch relationship.layout.storage {
    case .inverseKey(let name, let column?):
      table = name
      var order: String?
      if case .key(_, _, let orderKey)? = map.inverse(of: relationship)?.layout.storage { order = orderKey }
      sql = Self.select(column, other: "Z_PK", order: order, entity: "Z_ENT", from: name)
      kinds = relationship.destination.map { map.kinds(of: $0.id) }
    case .hiddenKey(let name, let column?, let order):
      table = name
      sql = Self.select(column, other: "Z_PK", order: order, entity: "Z_ENT", from: name)
      kinds = relationship.destination.map { map.kinds(of: $0.id) }
    case .joinTable(let name?):
      table = name
      guard let join = store.layout.joinTables.first(where: { $0.name == name }) else {
        self.init(links: [])
        return
      }
      let isSource = map.relationship(join.source.relationship, of: join.source.entity) == relationship
      let (own, other) = isSource ? (join.source, join.destination) : (join.destination, join.source)
      sql = Self.select(own.column, other: other.column, order: own.orderColumn, entity: nil, from: name)
    default:
      self.init(links: [])
      return
    }
    let links: [Link]
    do throws(SQLiteError) {
      links = try Self.read(sql, of: table, kinds: kinds, in: store)
    } catch {
      if error.isCorrupt { store.noteUnreadable(table) }
      throw error
    }
    self.init(links: links)
  }

  private static func read(
    _ sql: String, of table: String, kinds: Set<EntityID>?, in store: Store
  ) throws(SQLiteError) -> [Link] {
    var links: [Link] = []
    let rows = try store.connection.prepare(sql)
    var last = Int64.min
    var count: Int64 = 0
    while try rows.step() {
      count &+= 1
      if kinds != nil {
        // In a sound table no key follows a larger one.
        if rows.int64(1) < last { store.noteDamage() }
        last = rows.int64(1)
      }
      guard !rows.isNull(0), !rows.isNull(1) else { continue }
      if let kinds, !kinds.contains(EntityID(rows.int64(3))) { continue }
      links.append(Link(owner: rows.int64(0), order: rows.int64(2), other: rows.int64(1)))
    }
    store.compareRows(count, of: table)
    links.sort { ($0.owner, $0.order, $0.other) < ($1.owner, $1.order, $1.other) }
    return links
  }

  private static func select(
    _ owner: String, other: String, order: String?, entity: String?, from table: String
  ) -> String {
    let columns = [quotedIdentifier(owner), quotedIdentifier(other), order.map(quotedIdentifier) ?? "0", entity ?? "0"]
    // All rows, whether or not they have a link: they are counted.
    return "SELECT \(columns.joined(separator: ", ")) FROM \(quotedIdentifier(table)) NOT INDEXED"
  }

  private init(links: [Link]) {
    others = UnsafeMutableBufferPointer<Int64>.allocate(capacity: links.count)
    var owners: [Int64] = []
    var starts: [Int] = []
    for (position, link) in links.enumerated() {
      others.initializeElement(at: position, to: link.other)
      if owners.last != link.owner {
        owners.append(link.owner)
        starts.append(position)
      }
    }
    starts.append(links.count)
    self.starts = starts
    index = KeyIndex(owners)
  }

  deinit { others.deallocate() }
}
