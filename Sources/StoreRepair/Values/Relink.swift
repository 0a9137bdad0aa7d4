import StoreScanning
import StoreWords
import StoreCoreData
import StoreSQLite

// To-one: an empty key is filled where exactly one object has the values asked for.
// To-many: links are added to the objects that a list of texts names.
// From the other side: an empty one-to-one key is filled where exactly one object leads to the row.
//
// Written together with a key: the companion (the object's entity number), an order key at the end of the object's
// list, and the other side of a one-to-one.

extension Workbench {
  /// Fills an empty relationship by a recipe's rule.
  func relink(_ item: Recipe.Relink) throws -> Decision {
    guard let entity = map.entity(named: item.entity),
      let relationship = map.relationship(item.relationship, of: item.entity), relationship.destination != nil
    else { return .refusal(.relink, message: "no relationship \(quoted(item.relationship)) in \(quoted(item.entity))") }
    switch item.source {
    case .inverse: return try relinkFromInverse(relationship, of: entity)
    case .match(let pairs):
      guard relationship.layout.isToMany else {
        return try relinkToOne(relationship, of: entity, pairs: pairs, compare: item.compare)
      }
      return try relinkToMany(relationship, of: entity, pairs: pairs, item: item)
    }
  }
}

// MARK: To-one by match

extension Workbench {
  private func relinkToOne(
    _ relationship: StoredRelationship, of entity: EntityLayout, pairs: [Recipe.Relink.Pair],
    compare: KeyComparison
  ) throws -> Decision {
    guard let writer = KeyWriter(relationship, self), let destination = relationship.destination else {
      return .refusal(.relink, message: "it is not known where \(quoted(relationship.description)) keeps its keys")
    }
    let objects = try objects(of: destination, by: pairs.map(\.destination), compare)
    var matches = Matches()
    for kind in map.entities(of: entity) {
      var query = ValueQuery(kind.table)
      _ = query.add(column: "Z_PK")
      let paths = pairs.compactMap { map.path($0.own, of: kind) }
      guard paths.count == pairs.count else { continue }
      let places = paths.map { query.add($0) }
      let rows = try connection.prepare(
        query.sql(where: "\(isOfKind([kind.id])) AND t.\(quotedIdentifier(writer.column)) IS NULL"))
      while try rows.step() {
        let values = places.compactMap { KeyValue(rows, $0)?.seen(by: compare) }
        // A row without values to compare counts as neither matched nor unmatched.
        guard values.count == places.count else { continue }
        matches.add(rows.int64(0), match: objects[values])
      }
    }
    return try decide(matches, of: relationship, writer: writer)
  }

  /// The objects of an entity by their values; `several` for values that more than one has.
  private func objects(
    of entity: EntityLayout, by names: [String], _ compare: KeyComparison
  ) throws -> [[KeyValue]: ObjectMatch] {
    var objects: [[KeyValue]: ObjectMatch] = [:]
    for kind in map.entities(of: entity) {
      var query = ValueQuery(kind.table)
      _ = query.add(column: "Z_PK")
      let paths = names.compactMap { map.path($0, of: kind) }
      guard paths.count == names.count else { continue }
      let places = paths.map { query.add($0) }
      let rows = try connection.prepare(query.sql(where: isOfKind([kind.id])))
      while try rows.step() {
        let values = places.compactMap { KeyValue(rows, $0)?.seen(by: compare) }
        guard values.count == places.count else { continue }
        objects[values] = objects[values] == nil ? .one(Object(key: rows.int64(0), entity: kind.id)) : .several
      }
    }
    return objects
  }
}

/// An object by key and entity.
struct Object: Hashable {
  var key: Int64
  var entity: EntityID
}

/// The objects with certain values.
private enum ObjectMatch {
  case one(Object)
  case several
}

/// Rows, and the objects found for them.
private struct Matches {
  var found: [(row: Int64, object: Object)] = []
  var ambiguous: [Int64] = []
  var unmatched: [Int64] = []

  mutating func add(_ row: Int64, match: ObjectMatch?) {
    switch match {
    case .one(let object)?: found.append((row, object))
    case .several?: ambiguous.append(row)
    case nil: unmatched.append(row)
    }
  }

  /// Moves rows to `ambiguous` whose object was found for another row too, or is taken: a one-to-one allows only one.
  mutating func keepSingleObjects(_ isTaken: (Object) throws -> Bool) rethrows {
    var rows: [Object: Int] = [:]
    for match in found { rows[match.object, default: 0] += 1 }
    var kept: [(row: Int64, object: Object)] = []
    for match in found {
      if rows[match.object] == 1, try !isTaken(match.object) { kept.append(match) } else { ambiguous.append(match.row) }
    }
    found = kept
  }
}

extension Workbench {
  /// The operations for the matches, and obstacles for the other rows.
  private func decide(
    _ matches: Matches, of relationship: StoredRelationship, writer: KeyWriter
  ) throws -> Decision {
    var matches = matches
    if let other = writer.otherSide {
      try matches.keepSingleObjects { try hasValue(other.column, key: $0.key, in: other.table) }
    }
    matches.found.sort { $0.row < $1.row }
    let loops = try leaveOutLoops(&matches, relationship: relationship, writer: writer)
    var decision = Decision(obstacles: obstacles(matches, relationship: relationship) + loops)
    guard !matches.found.isEmpty else { return decision }
    var rows = RowEdit.objects(relationship.owner.table, set: writer.columns)
    var order = NextOrderKeys(writer.orderKey, of: writer.column, in: relationship.owner.table, on: connection)
    for (row, object) in matches.found {
      rows.add(row, set: writer.values(object, order: try order?.next(for: object.key)))
    }
    decision.operations.append(
      Operation(
        .relink, summary: "link \(relationship) of \(counted(rows.count, "object"))", entity: relationship.owner.name,
        property: relationship.layout.name, .rows(rows)))
    if let other = writer.otherSide {
      decision.operations.append(try answers(of: matches, relationship: relationship, other: other))
    }
    return decision
  }

  /// Takes out the rows that would be their own ancestors.
  private func leaveOutLoops(
    _ matches: inout Matches, relationship: StoredRelationship, writer: KeyWriter
  ) throws -> [Obstacle] {
    let places = loopPlaces(in: relationship.owner.table)
    guard let place = places.first(where: { $0.relationship == relationship && !$0.isHidden }) else { return [] }
    var keys = try keys(of: place)
    let before = Set(ObjectLoop.all(in: keys).flatMap(\.keys))
    for match in matches.found { keys[match.row] = match.object.key }
    let loops = ObjectLoop.all(in: keys).filter { !before.isSuperset(of: $0.keys) }
    guard let first = loops.first else { return [] }
    let onLoop = Set(loops.flatMap(\.keys))
    let refused = matches.found.map(\.row).filter(onLoop.contains)
    matches.found.removeAll { onLoop.contains($0.row) }
    return [
      .loop(
        .relink, at: place, keys: refused, loop: first, verb: "left alone, because they would be", refusesPlan: false)
    ]
  }

  /// The operation that writes the other side of a one-to-one.
  private func answers(
    of matches: Matches, relationship: StoredRelationship, other: KeyWriter.OtherSide
  ) throws -> Operation {
    var rows = RowEdit.objects(other.table, set: [other.column, other.companion].compactMap(\.self))
    for (row, object) in matches.found.sorted(by: { $0.object.key < $1.object.key }) {
      let number = try other.companion.map { _ in try entityNumber(of: row, in: relationship.owner.table) }
      rows.add(object.key, set: [.integer(row)] + (number.map { [$0] } ?? []))
    }
    return Operation(
      .relink, summary: "link \(other.relationship) of \(counted(rows.count, "object")) back",
      entity: other.relationship.owner.name, property: other.relationship.layout.name, .rows(rows))
  }

  private func obstacles(_ matches: Matches, relationship: StoredRelationship) -> [Obstacle] {
    func obstacle(_ rows: [Int64], message: String) -> Obstacle? {
      rows.isEmpty
        ? nil
        : Obstacle(
          .relink, entity: relationship.owner.name, property: relationship.layout.name, count: rows.count,
          keys: rows.sorted(), "\(counted(rows.count, "object")) \(message)", refusesPlan: false)
    }
    return [
      obstacle(
        matches.ambiguous,
        message: "left alone, because more than one \(relationship.destination?.name ?? "object") fits"),
      obstacle(matches.unmatched, message: "left alone, because no \(relationship.destination?.name ?? "object") fits"),
    ].compactMap(\.self)
  }

  private func hasValue(_ column: String, key: Int64, in table: String) throws -> Bool {
    let row = try connection.prepare(
      "SELECT 1 FROM \(quotedIdentifier(table)) WHERE Z_PK = ?1 AND \(quotedIdentifier(column)) IS NOT NULL")
    try row.bind(key, at: 1)
    return try row.step()
  }

  /// `Z_ENT` of a row.
  func entityNumber(of key: Int64, in table: String) throws -> SQLiteValue {
    let row = try connection.prepare("SELECT Z_ENT FROM \(quotedIdentifier(table)) WHERE Z_PK = ?1")
    try row.bind(key, at: 1)
    return try row.step() ? row.value(0) : .null
  }
}

/// The columns in which a to-one relationship is stored, and the values for them.
struct KeyWriter {
  /// The column with the key.
  let column: String
  /// The column with the entity number.
  let companion: String?
  /// The column with the order key in the inverse's list.
  let orderKey: String?
  /// The inverse, if it is to-one too.
  let otherSide: OtherSide?

  /// The inverse of a one-to-one.
  struct OtherSide {
    var relationship: StoredRelationship
    var table: String
    var column: String
    var companion: String?
  }

  /// Nil where the relationship is not stored in a known key column.
  init?(_ relationship: StoredRelationship, _ bench: Workbench) {
    guard case .key(let column?, let companion, let orderKey) = relationship.layout.storage else { return nil }
    self.column = column
    self.companion = companion
    self.orderKey = orderKey
    guard let inverse = bench.map.inverse(of: relationship), inverse != relationship,
      case .key(let answer?, let answerCompanion, _) = inverse.layout.storage
    else {
      otherSide = nil
      return
    }
    otherSide = OtherSide(
      relationship: inverse, table: inverse.owner.table, column: answer, companion: answerCompanion)
  }

  /// The columns that are written.
  var columns: [String] { [column, companion, orderKey].compactMap(\.self) }

  /// The values for them.
  func values(_ object: Object, order: Int64?) -> [SQLiteValue] {
    [.integer(object.key)] + (companion == nil ? [] : [.integer(object.entity.number)])
      + (orderKey == nil ? [] : [order.map(SQLiteValue.integer) ?? .null])
  }
}

/// Hands out order keys for objects added to ordered lists, after the present ones.
struct NextOrderKeys {
  private let highest: Statement
  private var last: [Int64: Int64] = [:]

  /// Nil where the list is not ordered.
  init?(_ orderKey: String?, of ownerColumn: String, in table: String, on connection: Connection) {
    guard let orderKey,
      let statement = try? connection.prepare(
        """
        SELECT max(\(quotedIdentifier(orderKey))) FROM \(quotedIdentifier(table)) \
        WHERE \(quotedIdentifier(ownerColumn)) = ?1
        """)
    else { return nil }
    highest = statement
  }

  /// The next order key in an owner's list.
  mutating func next(for owner: Int64) throws -> Int64 {
    var known = last[owner]
    if known == nil {
      highest.reset()
      try highest.bind(owner, at: 1)
      if try highest.step(), !highest.isNull(0) { known = highest.int64(0) }
    }
    let next = OrderKey.next(after: known)
    last[owner] = next
    return next
  }
}

// MARK: From the other side

extension Workbench {
  private func relinkFromInverse(_ relationship: StoredRelationship, of entity: EntityLayout) throws -> Decision {
    guard let writer = KeyWriter(relationship, self), let other = writer.otherSide else {
      return .refusal(
        .relink,
        message:
          "\(quoted(relationship.description)) is not one side of a one-to-one relationship: nothing on the other "
          + "side tells more")
    }
    let kinds = map.kinds(of: entity.id)
    let (own, inverse) = (quotedIdentifier(writer.column), quotedIdentifier(other.column))
    let rows = try connection.prepare(
      """
      SELECT t.Z_PK, min(o.Z_PK), min(o.Z_ENT), count(*) FROM \(quotedIdentifier(relationship.owner.table)) AS t \
      JOIN \(quotedIdentifier(other.table)) AS o ON o.\(inverse) = t.Z_PK \
      WHERE \(isOfKind(kinds)) AND t.\(own) IS NULL \
      AND o.Z_ENT IN (\(map.kinds(of: other.relationship.owner.id).map { String($0.number) }.joined(separator: ", "))) \
      GROUP BY t.Z_PK ORDER BY t.Z_PK
      """)
    var matches = Matches()
    while try rows.step() {
      let object = Object(key: rows.int64(1), entity: EntityID(rows.int64(2)))
      matches.add(rows.int64(0), match: rows.int64(3) == 1 ? .one(object) : .several)
    }
    let obstacles =
      obstacles(matches, relationship: relationship)
      + (try leaveOutLoops(&matches, relationship: relationship, writer: writer))
    guard !matches.found.isEmpty else { return Decision(obstacles: obstacles) }
    var edit = RowEdit.objects(relationship.owner.table, set: writer.columns)
    for (row, object) in matches.found { edit.add(row, set: writer.values(object, order: nil)) }
    return Decision(
      operations: [
        Operation(
          .relink, summary: "link \(relationship) of \(counted(edit.count, "object")) after \(other.relationship)",
          entity: relationship.owner.name, property: relationship.layout.name, .rows(edit))
      ], obstacles: obstacles)
  }
}
