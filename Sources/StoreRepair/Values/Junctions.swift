import StoreScanning
import StoreWords
import StoreDataModel
import StoreCoreData
import StoreSQLite

extension Workbench {
  /// Makes an object for each link of a many-to-many relationship that has none yet. The links stay; a later migration
  /// to a model without the relationship drops them.
  func junctions(_ item: Recipe.Junction) throws -> Decision {
    guard let junction = Junction(item, self) else {
      return .refusal(.junctions, message: "\(quoted(item.entity)) cannot take the links of \(quoted(item.from))")
    }
    let links = try junction.links(on: connection)
    var decision = Decision()
    if links.orphaned > 0 {
      decision.obstacles.append(
        Obstacle(
          .junctions, entity: junction.entity.name, count: links.orphaned,
          "\(counted(links.orphaned, "link")) of \(quoted(item.from)) \(links.orphaned == 1 ? "names" : "name") an object "
            + "that does not exist: nothing is made for \(links.orphaned == 1 ? "it" : "them"); "
            + "'structure: [join-orphans]' takes \(links.orphaned == 1 ? "it" : "them") away",
          refusesPlan: false))
    }
    guard !links.new.isEmpty else { return decision }
    let highest = try highestKey(of: junction.entity)
    guard !highest.addingReportingOverflow(Int64(links.new.count)).overflow else {
      return .refusal(.junctions, message: "\(junction.entity.table) has no keys left")
    }
    let rows = try junction.rows(for: links.new, after: highest, on: connection)
    decision.operations = [
      Operation(
        .junctions,
        summary: "make \(counted(rows.count, "object")) of \(junction.entity.name) from the links of \(item.from)",
        entity: junction.entity.name, .rows(rows))
    ]
    decision.operations += raisedHighWater(of: junction.entity, to: highest + Int64(links.new.count))
    decision.notices = notices(ofDerived: decision.operations)
    return decision
  }

  /// The highest key ever used, as far as the store knows.
  private func highestKey(of entity: EntityLayout) throws -> Int64 {
    let rows = try connection.prepare("SELECT max(Z_PK) FROM \(quotedIdentifier(entity.table))")
    let present = try rows.step() && !rows.isNull(0) ? rows.int64(0) : 0
    return max(0, present, map.entity(ofTable: entity.table).flatMap { store.entityMap[$0.id]?.highWater } ?? 0)
  }

  /// Core Data never reuses keys up to `Z_MAX`, so the root entity's must cover the inserted rows.
  private func raisedHighWater(of entity: EntityLayout, to highest: Int64) -> [Operation] {
    guard let root = map.entity(ofTable: entity.table) else { return [] }
    let known = store.entityMap[root.id]?.highWater
    return [
      Operation(
        .junctions, summary: "set Z_MAX of \(root.name) from \(known.map(String.init) ?? "NULL") to \(highest)",
        entity: root.name, .highWater(root.id, highest))
    ]
  }
}

/// An entity whose objects replace links.
private struct Junction {
  let entity: EntityLayout
  /// The table of the links, and its ends; the end of the relationship named in the recipe comes first.
  let table: String
  let ends: [JoinLinks.End]
  /// The entity's key columns, one for each end.
  let keys: [KeyWriter]
  private let kinds: Set<EntityID>

  /// A link that has no object yet.
  struct Link {
    /// The objects at the two ends.
    var objects: [Object]
    /// The order keys of each in the other's list.
    var orders: [Int64?]
  }

  init?(_ item: Recipe.Junction, _ bench: Workbench) {
    guard let (owner, name) = item.links, let relationship = bench.map.relationship(name, of: owner),
      case .joinTable(let table?) = relationship.layout.storage, let join = bench.joinPlace(table), !join.isReflexive,
      let entity = bench.map.entity(named: item.entity), !entity.isAbstract
    else { return nil }
    let keys = [item.source, item.destination].compactMap { name in
      bench.map.relationship(name, of: item.entity).flatMap { KeyWriter($0, bench) }
    }
    guard keys.count == 2, keys.allSatisfy({ $0.otherSide == nil }) else { return nil }
    self.entity = entity
    self.table = table
    self.keys = keys
    ends =
      join.source.relationship == relationship ? [join.source, join.destination] : [join.destination, join.source]
    kinds = bench.map.kinds(of: entity.id)
  }
}

extension Junction {
  /// The links without an object, in order of the first end's keys and list, and the number of links with a missing
  /// end.
  func links(on connection: Connection) throws -> (new: [Link], orphaned: Int) {
    let known = try present(on: connection)
    let columns = ends.map { "j.\(quotedIdentifier($0.column))" }
    let orders = ends.map { end in end.orderColumn.map { "j.\(quotedIdentifier($0))" } ?? "NULL" }
    let joins = zip(["a", "b"], ends).map { alias, end in
      "LEFT JOIN \(quotedIdentifier(end.table)) AS \(alias) ON \(alias).Z_PK = j.\(quotedIdentifier(end.column)) AND "
        + "\(alias).Z_ENT IN (\(end.kinds.map { String($0.number) }.sorted().joined(separator: ", ")))"
    }
    let rows = try connection.prepare(
      """
      SELECT \(columns[0]), a.Z_ENT, \(columns[1]), b.Z_ENT, \(orders[0]), \(orders[1]) \
      FROM \(quotedIdentifier(table)) AS j \(joins.joined(separator: " ")) \
      ORDER BY \(columns[0]), \(orders[0]), \(columns[1])
      """)
    var (links, orphaned) = ([Link](), 0)
    while try rows.step() {
      guard !rows.isNull(1), !rows.isNull(3) else {
        orphaned += 1
        continue
      }
      let objects = [0, 2].map { Object(key: rows.int64($0), entity: EntityID(rows.int64($0 + 1))) }
      guard !known.contains(KeyPair(objects[0].key, objects[1].key)) else { continue }
      links.append(Link(objects: objects, orders: [4, 5].map { rows.isNull($0) ? nil : rows.int64($0) }))
    }
    return (links, orphaned)
  }

  /// The links that have an object already.
  private func present(on connection: Connection) throws -> Set<KeyPair> {
    let columns = keys.map { "t.\(quotedIdentifier($0.column))" }
    let rows = try connection.prepare(
      """
      SELECT \(columns[0]), \(columns[1]) FROM \(quotedIdentifier(entity.table)) AS t \
      WHERE \(isOfKind(kinds)) AND \(columns[0]) IS NOT NULL AND \(columns[1]) IS NOT NULL
      """)
    var pairs: Set<KeyPair> = []
    while try rows.step() { pairs.insert(KeyPair(rows.int64(0), rows.int64(1))) }
    return pairs
  }

  /// The objects' rows: new keys after `highest`, both ends, and the model's default values.
  func rows(for links: [Link], after highest: Int64, on connection: Connection) throws -> RowEdit {
    let places = try (0..<2).map { try orderKeys(for: links, end: $0, on: connection) }
    let defaults = self.defaults
    var rows = RowEdit(
      .insert, entity.table, set: ["Z_ENT", "Z_OPT"] + keys.flatMap(\.columns) + defaults.map(\.column))
    for (position, link) in links.enumerated() {
      let values = (0..<2).flatMap { keys[$0].values(link.objects[$0], order: places[$0]?[position]) }
      rows.add(
        highest + Int64(position) + 1,
        set: [.integer(entity.id.number), .integer(1)] + values + defaults.map(\.value))
    }
    return rows
  }

  /// The order keys of the new objects in the list of each object at an end, after the present ones and in the order of
  /// the links; nil where the list is not ordered.
  private func orderKeys(for links: [Link], end: Int, on connection: Connection) throws -> [Int64]? {
    guard var next = NextOrderKeys(keys[end].orderKey, of: keys[end].column, in: entity.table, on: connection) else {
      return nil
    }
    // Ordered by the link's order key at that end; links without one come last.
    let order = links.indices.sorted { left, right in
      let (left, right) = (links[left].sortKey(end), links[right].sortKey(end))
      return left < right
    }
    var places = [Int64](repeating: 0, count: links.count)
    for index in order { places[index] = try next.next(for: links[index].objects[end].key) }
    return places
  }

  /// The model's default values for a new object.
  private var defaults: [(column: String, value: SQLiteValue)] {
    var defaults: [(column: String, value: SQLiteValue)] = []
    for attribute in entity.attributes where attribute.property.attribute?.derivation == nil {
      for column in attribute.columns {
        guard let name = column.name, let leaf = attribute.property.leaf(column.leaf[...]) else { continue }
        let target = BackfillTarget(layout: entity, kinds: [entity.id], table: entity.table, column: name, leaf: leaf)
        if let value = target.defaultValue { defaults.append((name, target.stored(value))) }
      }
    }
    return defaults
  }
}

extension Junction.Link {
  /// By owner, order key, and key of the other object.
  fileprivate func sortKey(_ end: Int) -> (Int64, Int64, Int64) {
    (objects[end].key, orders[end] ?? .max, objects[1 - end].key)
  }
}
